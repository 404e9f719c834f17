import { Grid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { LineList } from '../records/line-list';
import { PRODUCTS, RecordSelect } from '../records/record-select';
import { changeProduct, createLine } from './invoice-values';
import type { InvoiceValues } from './invoice-values';
import { AmountFields, LineFooter } from './line-fields';
import { LineOptions } from './line-options';
import type { Calculation } from './use-calculation';

interface LineEditorProps {
  form: UseFormReturnType<InvoiceValues>;
  /** Undefined until the invoice has been computed. */
  calculation: Calculation | undefined;
}

function LineFields({ form, calculation, index }: LineEditorProps & { index: number }) {
  const { t } = useTranslation('invoices');
  const line = form.values.lines[index];
  const computed = calculation?.lines[index];
  if (line === undefined) return null;
  const field = (name: string) => form.getInputProps(`lines.${index}.${name}`);
  const position = index + 1;
  return (
    <>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <RecordSelect
          source={PRODUCTS}
          label={t('product')}
          placeholder={t('productHint')}
          clearable
          {...field('productId')}
          value={line.productId}
          onChange={(productId) => form.setFieldValue(`lines.${index}`, changeProduct(line, productId))}
        />
      </Grid.Col>
      <AmountFields field={field} computed={computed} isPriceRequired={line.productId === null} />
      <Grid.Col span={{ base: 12, md: 8 }}>
        <TextInput
          label={t('description')}
          required={line.productId === null}
          placeholder={computed?.description}
          {...field('description')}
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
      <Grid.Col span={12}>
        <LineOptions form={form} line={line} index={index} calculation={calculation} />
      </Grid.Col>
    </>
  );
}

/** The lines of an invoice, one below the other. */
export function LineEditor({ form, calculation }: LineEditorProps) {
  const { t } = useTranslation('invoices');
  return (
    <LineList
      lines={form.values.lines}
      nameOf={(position) => t('line', { position })}
      add={() => form.insertListItem('lines', createLine())}
      addLabel={t('addLine')}
    >
      {(_line, index) => <LineFields form={form} calculation={calculation} index={index} />}
    </LineList>
  );
}
