import { ActionIcon, Button, Grid, Group, NumberInput, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useTaxRates } from '../records/lookups';
import { Money } from '../records/money';
import { PRODUCTS, RecordSelect } from '../records/record-select';
import { changeProduct, createLine } from './invoice-values';
import type { InvoiceValues } from './invoice-values';
import { LineOptions } from './line-options';
import type { Calculation } from './use-calculation';

interface LineEditorProps {
  form: UseFormReturnType<InvoiceValues>;
  /** Undefined until the invoice has been computed. */
  calculation: Calculation | undefined;
}

/** Numbers of the API have at most six decimals. */
const DECIMALS = { decimalScale: 6, hideControls: true, allowNegative: false } as const;

interface AmountFieldsProps {
  form: UseFormReturnType<InvoiceValues>;
  computed: Calculation['lines'][number] | undefined;
  index: number;
}

/** Quantity, price, discount and tax of a line; an empty field takes the default of the product. */
function AmountFields({ form, computed, index }: AmountFieldsProps) {
  const { t } = useTranslation('invoices');
  const taxRates = useTaxRates();
  const field = (name: string) => form.getInputProps(`lines.${index}.${name}`);
  return (
    <>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <NumberInput label={t('quantity')} required {...DECIMALS} {...field('quantity')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <NumberInput
          label={t('unitPrice')}
          required={form.values.lines[index]?.productId === null}
          placeholder={computed === undefined ? undefined : String(computed.unitPrice)}
          {...DECIMALS}
          {...field('unitPrice')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <NumberInput label={t('discount')} suffix=" %" placeholder="0 %" {...DECIMALS} {...field('discountPercent')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <Select
          label={t('taxRate')}
          data={taxRates}
          clearable
          placeholder={taxRates.find(({ value }) => value === String(computed?.taxRateId))?.label}
          {...field('taxRateId')}
        />
      </Grid.Col>
    </>
  );
}

/** The amount of a line, and the button that removes it. */
function LineFooter({ form, calculation, index }: LineEditorProps & { index: number }) {
  const { t } = useTranslation('invoices');
  const position = index + 1;
  const computed = calculation?.lines[index];
  return (
    <Group justify="space-between" wrap="nowrap" mih={36}>
      <Stack gap={0}>
        <Text size="xs" c="dimmed">
          {t('lineNet')}
        </Text>
        <Money amount={computed?.net} currency={calculation?.currencyCode ?? 'EUR'} fw={600} />
      </Stack>
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={t('removeLine', { position })}
        disabled={form.values.lines.length === 1}
        onClick={() => form.removeListItem('lines', index)}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function LineFields({ form, calculation, index }: LineEditorProps & { index: number }) {
  const { t } = useTranslation('invoices');
  const line = form.values.lines[index];
  const computed = calculation?.lines[index];
  if (line === undefined) return null;
  const field = (name: string) => form.getInputProps(`lines.${index}.${name}`);
  const position = index + 1;
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('line', { position })}>
      <Grid gap="xs" align="end">
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
        <AmountFields form={form} computed={computed} index={index} />
        <Grid.Col span={{ base: 12, md: 8 }}>
          <TextInput
            label={t('description')}
            required={line.productId === null}
            placeholder={computed?.description}
            {...field('description')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <LineFooter form={form} calculation={calculation} index={index} />
        </Grid.Col>
        <Grid.Col span={12}>
          <LineOptions form={form} line={line} index={index} calculation={calculation} />
        </Grid.Col>
      </Grid>
    </Paper>
  );
}

/** The lines of an invoice, one below the other. */
export function LineEditor({ form, calculation }: LineEditorProps) {
  const { t } = useTranslation('invoices');
  return (
    <Stack gap="sm">
      {form.values.lines.map(({ key }, index) => (
        <LineFields key={key} form={form} calculation={calculation} index={index} />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem('lines', createLine())}
        >
          {t('addLine')}
        </Button>
      </Group>
    </Stack>
  );
}
