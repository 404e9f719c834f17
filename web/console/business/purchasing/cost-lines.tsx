import { ActionIcon, Grid, Group, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LineList } from '../records/line-list';
import { useTaxRates, useWarehouses } from '../records/lookups';
import { PRODUCTS, RecordSelect } from '../records/record-select';
import { DecimalInput } from '../../components/decimal-input';
import { changeCostProduct } from './cost-values';
import type { CostLine } from './cost-values';

interface CostLinesProps {
  lines: readonly CostLine[];
  /** Connects a field of the form, such as `lines.0.quantity`. */
  getInputProps: (path: string) => object;
  add: () => void;
  remove: (index: number) => void;
  change: (index: number, line: CostLine) => void;
  /** Whether a line may have a description instead of a product, as in bills. Lines of orders have a warehouse. */
  allowText?: boolean;
}

const NUMBER = { allowNegative: false, decimalScale: 6, required: true } as const;

interface LineProps extends Omit<CostLinesProps, 'lines' | 'add'> {
  line: CostLine;
  index: number;
  isOnly: boolean;
}

/** Text and warehouse of a line, and the button that removes it. */
function LineFooter({ line, index, isOnly, getInputProps, remove, allowText }: LineProps) {
  const { t } = useTranslation('purchasing');
  const warehouses = useWarehouses();
  const field = (name: string) => getInputProps(`lines.${index}.${name}`);
  return (
    <>
      <Grid.Col span={{ base: 12, md: allowText === true ? 12 : 8 }}>
        <Group wrap="nowrap" align="end" gap="xs">
          <TextInput
            flex={1}
            label={t('description')}
            required={allowText === true && line.productId === null}
            {...field('description')}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeLine', { position: index + 1 })}
            disabled={isOnly}
            onClick={() => remove(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Group>
      </Grid.Col>
      {allowText !== true && (
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Select
            label={t('warehouse')}
            clearable
            placeholder={t('warehouseDefault')}
            data={warehouses}
            {...field('warehouseId')}
          />
        </Grid.Col>
      )}
    </>
  );
}

function Line({ line, index, isOnly, getInputProps, remove, change, allowText = false }: LineProps) {
  const { t } = useTranslation('purchasing');
  const taxRates = useTaxRates();
  const field = (name: string) => getInputProps(`lines.${index}.${name}`);
  return (
    <>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <RecordSelect
          source={PRODUCTS}
          label={t('product')}
          required={!allowText}
          clearable={allowText}
          {...field('productId')}
          value={line.productId}
          onChange={(productId) => change(index, changeCostProduct(line, productId))}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput label={t('quantity')} {...NUMBER} {...field('quantity')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput label={t('unitCost')} {...NUMBER} {...field('unitCost')} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <Select
          label={t('taxRate')}
          clearable
          placeholder={t('taxOfProduct')}
          data={taxRates}
          {...field('taxRateId')}
        />
      </Grid.Col>
      <LineFooter {...{ line, index, isOnly, getInputProps, remove, change, allowText }} />
    </>
  );
}

/** Products with quantities and costs. */
export function CostLines({ lines, add, ...line }: CostLinesProps) {
  const { t } = useTranslation('purchasing');
  return (
    <LineList lines={lines} nameOf={(position) => t('line', { position })} add={add} addLabel={t('addLine')}>
      {(value, index) => <Line line={value} index={index} isOnly={lines.length === 1} {...line} />}
    </LineList>
  );
}
