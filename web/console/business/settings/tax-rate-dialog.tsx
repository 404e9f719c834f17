import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { DecimalInput } from '../../components/decimal-input';
import { FieldGrid } from '../../components/field-grid';
import { EditDialog } from '../records/edit-dialog';
import { useTaxRates } from '../records/lookups';

export type TaxRate = BusinessResponse<'listTaxRates'>['data'][number];

/** VAT categories of EN 16931 (UNTDID 5305). */
const CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;
const PROFILES = ['domestic', 'intra_community', 'reverse_charge', 'export', 'exempt', 'small_business'] as const;

interface Component {
  /** Identifies the row while the form is open. */
  key: string;
  name: string;
  percent: number | string;
}

interface TaxRateValues extends Record<string, unknown> {
  name: string;
  percent: number | string;
  category: TaxRate['category'];
  exemptionReason: string;
  profile: NonNullable<TaxRate['profile']> | null;
  appliesTo: NonNullable<TaxRate['appliesTo']> | null;
  components: Component[];
  validFrom: string;
  validTo: string;
  successorId: string | null;
  active: boolean;
}

const readValues = (rate: TaxRate | null): TaxRateValues => ({
  name: rate?.name ?? '',
  percent: rate?.percent ?? '',
  category: rate?.category ?? 'S',
  exemptionReason: rate?.exemptionReason ?? '',
  profile: rate?.profile ?? null,
  appliesTo: rate?.appliesTo ?? null,
  components: (rate?.components ?? []).map((component) => ({ ...component, key: component.name })),
  validFrom: rate?.validFrom ?? '',
  validTo: rate?.validTo ?? '',
  successorId: rate?.successorId ? String(rate.successorId) : null,
  active: rate?.active ?? true,
});

function toBody(values: TaxRateValues) {
  const components = values.components.map(({ name, percent }) => ({ name, percent: Number(percent) }));
  return {
    ...values,
    percent: Number(values.percent),
    exemptionReason: values.exemptionReason || null,
    components: components.length === 0 ? null : components,
    validFrom: values.validFrom || null,
    validTo: values.validTo || null,
    successorId: Number(values.successorId) || null,
  };
}

interface FieldsProps {
  form: UseFormReturnType<TaxRateValues>;
}

/** The taxes that a rate consists of, such as GST and QST. */
function Components({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Fieldset legend={t('components')}>
      {form.values.components.map(({ key }, index) => (
        <Group key={key} gap="xs" wrap="nowrap" align="end" mb="xs">
          <TextInput flex={1} label={t('name')} required {...form.getInputProps(`components.${index}.name`)} />
          <DecimalInput
            w={100}
            label={t('percent')}
            required
            decimalScale={4}
            {...form.getInputProps(`components.${index}.percent`)}
          />
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={t('removeComponent', { position: index + 1 })}
            onClick={() => form.removeListItem('components', index)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => form.insertListItem('components', { key: crypto.randomUUID(), name: '', percent: '' })}
      >
        {t('addComponent')}
      </Button>
    </Fieldset>
  );
}

function UseFields({ form, rate }: FieldsProps & { rate: TaxRate | null }) {
  const { t } = useTranslation('settings');
  const successors = useTaxRates().filter(({ value }) => value !== String(rate?.id));
  return (
    <FieldGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t('profile')}
        description={t('profileHint')}
        clearable
        data={PROFILES.map((value) => ({ value, label: t(`profiles.${value}`) }))}
        {...form.getInputProps('profile')}
      />
      <Select
        label={t('appliesTo')}
        description={t('appliesToHint')}
        clearable
        data={(['goods', 'service'] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
        {...form.getInputProps('appliesTo')}
      />
      <TextInput type="date" label={t('validFrom')} {...form.getInputProps('validFrom')} />
      <TextInput type="date" label={t('validTo')} {...form.getInputProps('validTo')} />
      <Select
        label={t('successor')}
        description={t('successorHint')}
        clearable
        data={successors}
        {...form.getInputProps('successorId')}
      />
    </FieldGrid>
  );
}

interface TaxRateDialogProps {
  /** Null for a new one. */
  rate: TaxRate | null;
  opened: boolean;
  close: () => void;
}

/** Creates or changes a tax rate. */
export function TaxRateDialog({ rate, opened, close }: TaxRateDialogProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  return (
    <EditDialog<TaxRate, TaxRateValues>
      opened={opened}
      close={close}
      title={rate?.name ?? t('newTaxRate')}
      size="lg"
      operation="getTaxRate"
      id={rate?.id.toString()}
      read={(id, options) => business.getTaxRate(id, options)}
      toValues={readValues}
      submit={async (values, options) => {
        const body = toBody(values);
        return rate === null ? business.createTaxRate(body) : business.updateTaxRate(String(rate.id), body, options);
      }}
    >
      {(form) => (
        <>
          <Group grow align="start">
            <TextInput label={t('name')} required {...form.getInputProps('name')} />
            <DecimalInput
              label={t('percent')}
              required
              allowNegative={false}
              decimalScale={4}
              {...form.getInputProps('percent')}
            />
          </Group>
          <Select
            label={t('category')}
            allowDeselect={false}
            data={CATEGORIES.map((value) => ({ value, label: `${value} – ${t(`categories.${value}`)}` }))}
            {...form.getInputProps('category')}
          />
          <TextInput
            label={t('exemptionReason')}
            description={t('exemptionHint')}
            {...form.getInputProps('exemptionReason')}
          />
          <Components form={form} />
          <UseFields form={form} rate={rate} />
          {rate !== null && (
            <Checkbox label={common('activity.true')} {...form.getInputProps('active', { type: 'checkbox' })} />
          )}
        </>
      )}
    </EditDialog>
  );
}
