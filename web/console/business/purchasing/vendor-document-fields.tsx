import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { DecimalInput } from '../../components/decimal-input';
import { FieldGrid } from '../../components/field-grid';
import { useCurrencies } from '../records/lookups';
import { RecordSelect, VENDORS } from '../records/record-select';
import { CostLines } from './cost-lines';
import { createCostLine, toCostLine } from './cost-values';
import type { CostLine } from './cost-values';

/** What bills and credit notes of vendors have in common. */
export interface VendorDocumentValues extends Record<string, unknown> {
  vendorId: string | null;
  number: string;
  date: string;
  /** The day whose tax rates apply; empty for the default of the API. */
  supplyDate: string;
  /** Only of bills. */
  dueDate: string;
  currencyCode: string | null;
  reference: string;
  /** As printed by the vendor; empty for the sums of the lines. */
  total: number | string;
  taxTotal: number | string;
  /** Only of bills. */
  receiptIds: string[];
  lines: CostLine[];
}

/** A new bill or credit note with one line. @param vendorId null until a vendor is chosen */
export const createDocumentValues = (vendorId: string | null): VendorDocumentValues => ({
  vendorId,
  number: '',
  date: '',
  supplyDate: '',
  dueDate: '',
  currencyCode: null,
  reference: '',
  total: '',
  taxTotal: '',
  receiptIds: [],
  lines: [createCostLine()],
});

/** The fields of both kinds of documents as the API expects them. */
export const toDocumentBody = (values: VendorDocumentValues) => ({
  vendorId: Number(values.vendorId),
  number: values.number,
  date: values.date,
  ...(values.supplyDate === '' ? {} : { supplyDate: values.supplyDate }),
  ...(values.currencyCode === null ? {} : { currencyCode: values.currencyCode }),
  reference: values.reference || null,
  ...(values.total === '' ? {} : { total: Number(values.total) }),
  ...(values.taxTotal === '' ? {} : { taxTotal: Number(values.taxTotal) }),
  lines: values.lines.map(toCostLine),
});

type DocumentForm = UseFormReturnType<VendorDocumentValues>;

/** Vendor, number and dates. */
export function HeadFields({ form, isBill }: { form: DocumentForm; isBill: boolean }) {
  const { t } = useTranslation('purchasing');
  return (
    <>
      <RecordSelect
        source={VENDORS}
        label={t('vendor')}
        required
        {...form.getInputProps('vendorId')}
        value={form.values.vendorId}
        onChange={(vendorId) => form.setValues({ vendorId, receiptIds: [] })}
      />
      <FieldGrid cols={{ base: 1, sm: 3 }}>
        <TextInput label={t('billNumber')} required {...form.getInputProps('number')} />
        <TextInput type="date" label={t('billDate')} required {...form.getInputProps('date')} />
        <TextInput
          type="date"
          label={t('supplyDate')}
          description={t(isBill ? 'supplyByReceipts' : 'supplyByBill')}
          {...form.getInputProps('supplyDate')}
        />
        {isBill && (
          <TextInput
            type="date"
            label={t('dueDate')}
            description={t('dueByTerms')}
            {...form.getInputProps('dueDate')}
          />
        )}
        <Select
          label={t('currency')}
          description={t('currencyHint')}
          clearable
          searchable
          data={useCurrencies()}
          {...form.getInputProps('currencyCode')}
        />
        <TextInput label={t('reference')} {...form.getInputProps('reference')} />
      </FieldGrid>
    </>
  );
}

const AMOUNT = { allowNegative: false, decimalScale: 4 } as const;

/** Lines, and the totals that the vendor has printed. */
export function LineFields({ form }: { form: DocumentForm }) {
  const { t } = useTranslation('purchasing');
  return (
    <>
      <CostLines
        lines={form.values.lines}
        getInputProps={(path) => form.getInputProps(path)}
        add={() => form.insertListItem('lines', createCostLine())}
        remove={(index) => form.removeListItem('lines', index)}
        change={(index, line) => form.setFieldValue(`lines.${index}`, line)}
        allowText
      />
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <DecimalInput
          label={t('printedTotal')}
          description={t('printedHint')}
          {...AMOUNT}
          {...form.getInputProps('total')}
        />
        <DecimalInput
          label={t('printedTax')}
          description={t('printedHint')}
          {...AMOUNT}
          {...form.getInputProps('taxTotal')}
        />
      </FieldGrid>
    </>
  );
}
