import { NumberInput, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { useSession } from '../../session';
import { DOCUMENT_LANGUAGES, PAYMENT_TERMS, useTaxRates, useWarehouses } from '../records/lookups';
import type { CompanyValues } from './company-values';
import { Part } from './part';
import { DecimalInput } from '../../components/decimal-input';

interface FieldsProps {
  form: UseFormReturnType<CompanyValues>;
}

/** The active series of invoices as choices. */
function useSeries(): { value: string; label: string }[] {
  const query = { documentType: ['invoice' as const], pageSize: 100 };
  const { data } = useQuery(
    businessQuery('listDocumentSeries', [query], (options) => business.listDocumentSeries(query, options)),
  );
  return (data?.data ?? []).map(({ id, prefix, exampleNumber }) => ({
    value: String(id),
    label: `${prefix} (${exampleNumber})`,
  }));
}

function WarehouseField({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Select
      label={t('fields.defaultWarehouseId')}
      allowDeselect={false}
      data={useWarehouses()}
      {...form.getInputProps('defaultWarehouseId')}
    />
  );
}

/** What new documents have unless they state something else. */
export function DefaultFields({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const taxRates = useTaxRates();
  const series = useSeries();
  const choices = <const V extends readonly string[]>(values: V, label: (value: V[number]) => string) =>
    values.map((value: V[number]) => ({ value, label: label(value) }));
  return (
    <Part legend={t('defaults')}>
      <Select
        label={t('fields.language')}
        allowDeselect={false}
        data={choices(DOCUMENT_LANGUAGES, (value) => common(`languages.${value}`))}
        {...form.getInputProps('language')}
      />
      <Select
        label={t('fields.defaultPaymentTerms')}
        allowDeselect={false}
        data={choices(PAYMENT_TERMS, (value) => common(`terms.${value}`))}
        {...form.getInputProps('defaultPaymentTerms')}
      />
      <Select
        label={t('fields.defaultTaxRateId')}
        description={taxRates.length === 0 ? t('noTaxRates') : undefined}
        allowDeselect={false}
        data={taxRates}
        {...form.getInputProps('defaultTaxRateId')}
      />
      <Select
        label={t('fields.defaultSeriesId')}
        allowDeselect={false}
        data={series}
        {...form.getInputProps('defaultSeriesId')}
      />
      {permissions.has('inventory:read') && <WarehouseField form={form} />}
      <Select
        label={t('fields.defaultDeliveryDate')}
        allowDeselect={false}
        data={choices(['none', 'issue_date'], (value) => t(`deliveryDates.${value}`))}
        {...form.getInputProps('defaultDeliveryDate')}
      />
      <TextInput
        label={t('fields.baseCurrencyCode')}
        description={t('baseCurrencyHint')}
        maxLength={3}
        {...form.getInputProps('baseCurrencyCode')}
      />
      <Select
        label={t('fields.timeZone')}
        searchable
        allowDeselect={false}
        limit={50}
        data={[...new Set([form.values.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        {...form.getInputProps('timeZone')}
      />
    </Part>
  );
}

/** How amounts are rounded, and what is checked when a document is issued or goods are received. */
export function CheckFields({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Part legend={t('rules')}>
      <Select
        label={t('fields.taxRounding')}
        allowDeselect={false}
        data={(['per_rate', 'per_line'] as const).map((value) => ({ value, label: t(`roundings.${value}`) }))}
        {...form.getInputProps('taxRounding')}
      />
      {(['eInvoicing', 'completenessChecks'] as const).map((name) => (
        <Select
          key={name}
          label={t(`fields.${name}`)}
          allowDeselect={false}
          data={(['off', 'on'] as const).map((value) => ({ value, label: t(`checkModes.${value}`) }))}
          {...form.getInputProps(name)}
        />
      ))}
      <NumberInput
        label={t('fields.maxExchangeRateAgeDays')}
        required
        allowNegative={false}
        allowDecimal={false}
        {...form.getInputProps('maxExchangeRateAgeDays')}
      />
      {(['overReceiptTolerancePercent', 'overBillingTolerancePercent'] as const).map((name) => (
        <DecimalInput
          key={name}
          label={t(`fields.${name}`)}
          required
          allowNegative={false}
          decimalScale={4}
          {...form.getInputProps(name)}
        />
      ))}
    </Part>
  );
}
