import { Grid, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { AmountFields, LineFooter } from '../invoices/line-fields';
import type { Calculation } from '../invoices/use-calculation';
import { LineList } from '../records/line-list';
import { useWarehouses } from '../records/lookups';
import { PRODUCTS, RecordSelect } from '../records/record-select';
import { changeOrderProduct, createOrderLine } from './order-values';
import type { OrderLineValues, OrderValues } from './order-values';

interface OrderLinesProps {
  form: UseFormReturnType<OrderValues>;
  /** Undefined until the order has been computed. */
  calculation: Calculation | undefined;
}

interface LineProps extends OrderLinesProps {
  line: OrderLineValues;
  index: number;
}

function Line({ form, calculation, line, index }: LineProps) {
  const { t } = useTranslation('orders');
  const warehouses = useWarehouses();
  const computed = calculation?.lines[index];
  const field = (name: string) => form.getInputProps(`lines.${index}.${name}`);
  const position = index + 1;
  return (
    <>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <RecordSelect
          source={PRODUCTS}
          label={t('product')}
          required
          {...field('productId')}
          value={line.productId}
          onChange={(productId) => form.setFieldValue(`lines.${index}`, changeOrderProduct(line, productId))}
        />
      </Grid.Col>
      <AmountFields field={field} computed={computed} isPriceRequired={false} />
      <Grid.Col span={{ base: 12, md: 5 }}>
        <TextInput label={t('description')} placeholder={computed?.description} {...field('description')} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <Select
          label={t('warehouse')}
          clearable
          placeholder={t('warehouseDefault')}
          data={warehouses}
          {...field('warehouseId')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <LineFooter
          position={position}
          net={computed?.net}
          currency={calculation?.currencyCode}
          {...(form.values.lines.length > 1 ? { remove: () => form.removeListItem('lines', index) } : {})}
        />
      </Grid.Col>
    </>
  );
}

/** The goods and services of an order. */
export function OrderLines({ form, calculation }: OrderLinesProps) {
  const { t } = useTranslation('orders');
  return (
    <LineList
      lines={form.values.lines}
      nameOf={(position) => t('line', { position })}
      add={() => form.insertListItem('lines', createOrderLine())}
      addLabel={t('addLine')}
    >
      {(line, index) => <Line form={form} calculation={calculation} line={line} index={index} />}
    </LineList>
  );
}
