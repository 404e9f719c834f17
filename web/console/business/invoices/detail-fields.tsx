import { Fieldset, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../shared/format';
import { DecimalInput } from '../../components/decimal-input';
import { FieldGrid } from '../../components/field-grid';
import { DOCUMENT_LANGUAGES, PAYMENT_TERMS, useCurrencies, useInvoiceSeries } from '../records/lookups';
import { AdjustmentEditor } from './adjustment-editor';
import type { InvoiceValues } from './invoice-values';
import type { Calculation } from './use-calculation';

interface DetailFieldsProps {
  form: UseFormReturnType<InvoiceValues>;
  /** Undefined until the invoice has been computed. */
  calculation: Calculation | undefined;
}

const COLUMNS = { base: 1, xs: 2, md: 3 } as const;

/** When the invoice is due, and what is deducted from an early payment. */
function PaymentFields({ form, calculation }: DetailFieldsProps) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const terms = calculation?.paymentTerms;
  return (
    <Fieldset legend={t('payment')}>
      <FieldGrid cols={COLUMNS}>
        <Select
          label={t('paymentTerms')}
          clearable
          placeholder={terms === undefined ? undefined : common(`terms.${terms}`)}
          data={PAYMENT_TERMS.map((value) => ({ value, label: common(`terms.${value}`) }))}
          {...form.getInputProps('paymentTerms')}
          // The date of other terms is not the due date any more.
          onChange={(paymentTerms: string | null) => form.setValues({ paymentTerms, dueDate: '' })}
        />
        <TextInput
          type="date"
          label={t('dueDate')}
          description={
            calculation === undefined ? t('dueByTerms') : t('dueDateHint', { date: formatDate(calculation.dueDate) })
          }
          {...form.getInputProps('dueDate')}
        />
        <Select
          label={t('currency')}
          clearable
          searchable
          placeholder={calculation?.currencyCode}
          data={useCurrencies()}
          {...form.getInputProps('currencyCode')}
        />
        <DecimalInput
          label={t('earlyPaymentPercent')}
          description={t('earlyPaymentHint')}
          unit="%"
          decimalScale={4}
          allowNegative={false}
          {...form.getInputProps('earlyPaymentDiscount.percent')}
        />
        <NumberInput
          label={t('earlyPaymentDays')}
          description={t('earlyPaymentDaysHint')}
          decimalScale={0}
          hideControls
          allowNegative={false}
          {...form.getInputProps('earlyPaymentDiscount.days')}
        />
      </FieldGrid>
    </Fieldset>
  );
}

/** The fields of the whole document. */
export function DetailFields({ form, calculation }: DetailFieldsProps) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const calculated = DOCUMENT_LANGUAGES.find((language) => language === calculation?.language);
  return (
    <>
      <Fieldset legend={t('details')}>
        <Stack gap="sm">
          <FieldGrid cols={COLUMNS}>
            <TextInput
              type="date"
              label={t('issueDate')}
              {...(form.values.issueDate === '' ? { description: t('todayByDefault') } : {})}
              {...form.getInputProps('issueDate')}
            />
            <TextInput type="date" label={t('deliveredFrom')} {...form.getInputProps('deliveryFrom')} />
            <TextInput type="date" label={t('deliveredTo')} {...form.getInputProps('deliveryTo')} />
            <TextInput label={t('reference')} {...form.getInputProps('reference')} />
            <TextInput
              label={t('buyerReference')}
              placeholder={calculation?.buyerReference ?? undefined}
              {...form.getInputProps('buyerReference')}
            />
            <Select
              label={t('language')}
              clearable
              placeholder={calculated && common(`languages.${calculated}`)}
              data={DOCUMENT_LANGUAGES.map((value) => ({ value, label: common(`languages.${value}`) }))}
              {...form.getInputProps('language')}
            />
            <Select
              label={t('series')}
              clearable
              placeholder={t('seriesDefault')}
              data={useInvoiceSeries()}
              {...form.getInputProps('seriesId')}
            />
          </FieldGrid>
          <Textarea label={t('notes')} autosize minRows={2} {...form.getInputProps('notes')} />
          <AdjustmentEditor
            form={form}
            path="adjustments"
            adjustments={form.values.adjustments}
            currency={calculation?.currencyCode}
            hasTaxRate
          />
        </Stack>
      </Fieldset>
      <PaymentFields form={form} calculation={calculation} />
    </>
  );
}
