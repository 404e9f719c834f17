import { ActionIcon, Button, Grid, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useTaxRates } from '../records/lookups';
import { createAdjustment } from './adjustment-values';
import type { AdjustmentValues } from './adjustment-values';
import type { InvoiceValues } from './invoice-values';
import { DecimalInput } from '../../components/decimal-input';

interface AdjustmentEditorProps {
  form: UseFormReturnType<InvoiceValues>;
  /** The list in the form, such as `lines.0.adjustments`. */
  path: string;
  adjustments: readonly AdjustmentValues[];
  currency: string | undefined;
  /** Whether a tax rate can be chosen, as for the whole document. */
  hasTaxRate?: boolean;
}

interface RowProps extends Omit<AdjustmentEditorProps, 'adjustments' | 'path'> {
  path: string;
  adjustment: AdjustmentValues;
  remove: () => void;
  position: number;
}

function ValueFields({ form, path, currency }: Pick<RowProps, 'form' | 'path' | 'currency'>) {
  const { t } = useTranslation('invoices');
  const field = (name: string) => form.getInputProps(`${path}.${name}`);
  return (
    <>
      <Grid.Col span={{ base: 6, sm: 3 }}>
        <Select
          label={t('adjustmentType')}
          allowDeselect={false}
          data={(['discount', 'charge'] as const).map((value) => ({ value, label: t(`adjustmentTypes.${value}`) }))}
          {...field('type')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, sm: 2 }}>
        <DecimalInput
          label={t('adjustmentValue')}
          required
          allowNegative={false}
          decimalScale={4}
          {...field('value')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, sm: 2 }}>
        <Select
          label={t('adjustmentBasis')}
          allowDeselect={false}
          data={[
            { value: 'percent', label: '%' },
            { value: 'amount', label: currency ?? t('amount') },
          ]}
          {...field('basis')}
        />
      </Grid.Col>
    </>
  );
}

function Row({ form, path, adjustment, currency, hasTaxRate = false, remove, position }: RowProps) {
  const { t } = useTranslation('invoices');
  const taxRates = useTaxRates();
  const field = (name: string) => form.getInputProps(`${path}.${name}`);
  return (
    <Grid gap="xs" align="end" role="group" aria-label={t('adjustment', { position })}>
      <ValueFields form={form} path={path} currency={currency} />
      {hasTaxRate && (
        <Grid.Col span={{ base: 6, sm: 5 }}>
          <Select label={t('taxRate')} clearable placeholder={t('allRates')} data={taxRates} {...field('taxRateId')} />
        </Grid.Col>
      )}
      <Grid.Col span={hasTaxRate ? 12 : { base: 12, sm: 5 }}>
        <Group wrap="nowrap" align="end" gap="xs">
          <TextInput
            flex={1}
            label={t('adjustmentReason')}
            placeholder={t(`adjustmentTypes.${adjustment.type}`)}
            {...field('reason')}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('removeAdjustment', { position })}
            onClick={remove}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Group>
      </Grid.Col>
    </Grid>
  );
}

/** Discounts and charges of a line or of the whole document. */
export function AdjustmentEditor({ form, path, adjustments, currency, hasTaxRate = false }: AdjustmentEditorProps) {
  const { t } = useTranslation('invoices');
  return (
    <Stack gap="sm">
      {adjustments.length > 0 && (
        <Text size="sm" fw={600}>
          {t('adjustments')}
        </Text>
      )}
      {adjustments.map((adjustment, index) => (
        <Row
          key={adjustment.key}
          form={form}
          path={`${path}.${index}`}
          adjustment={adjustment}
          currency={currency}
          hasTaxRate={hasTaxRate}
          remove={() => form.removeListItem(path, index)}
          position={index + 1}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem(path, createAdjustment())}
        >
          {t('addAdjustment')}
        </Button>
      </Group>
    </Stack>
  );
}
