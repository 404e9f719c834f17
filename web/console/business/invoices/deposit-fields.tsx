import { MultiSelect, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatMoney } from '../../../shared/format';
import { FieldGrid } from '../../components/field-grid';
import { INVOICE_KINDS } from './invoice-values';
import type { InvoiceValues } from './invoice-values';
import type { Calculation } from './use-calculation';

interface DepositFieldsProps {
  form: UseFormReturnType<InvoiceValues>;
  /** Undefined until the invoice has been computed. */
  calculation: Calculation | undefined;
}

/** Paid deposit invoices of the customer, which this invoice deducts. */
function DeductedDeposits({ form, calculation }: DepositFieldsProps) {
  const { t } = useTranslation('invoices');
  const { customerId, depositInvoiceIds } = form.values;
  const query = { customerId: Number(customerId) };
  const { data } = useQuery({
    ...businessQuery('listUsableDeposits', [query], (options) => business.listUsableDeposits(query, options)),
    enabled: customerId !== null,
  });
  // Not filtered by the API: the field would disappear, with its open list, whenever the currency becomes known.
  const deposits = (data?.data ?? []).filter(
    (deposit) => calculation === undefined || deposit.currencyCode === calculation.currencyCode,
  );
  if (deposits.length === 0 && depositInvoiceIds.length === 0) return null;
  return (
    <MultiSelect
      label={t('deposits')}
      description={t('depositsHint')}
      clearable
      data={deposits.map(({ invoiceId, number, issueDate, grandTotal, currencyCode: currency }) => ({
        value: String(invoiceId),
        label: t('depositChoice', { number, date: formatDate(issueDate), amount: formatMoney(grandTotal, currency) }),
      }))}
      {...form.getInputProps('depositInvoiceIds')}
      error={form.errors['depositInvoiceIds'] ?? form.errors['depositInvoiceIds.0']}
    />
  );
}

/** Whether the invoice asks for a deposit, or which deposits it deducts. */
export function DepositFields({ form, calculation }: DepositFieldsProps) {
  const { t } = useTranslation('invoices');
  const isDeposit = form.values.kind === 'deposit';
  return (
    <FieldGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={t('kind')}
        description={t(isDeposit ? 'depositHint' : 'invoiceHint')}
        allowDeselect={false}
        data={INVOICE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        {...form.getInputProps('kind')}
      />
      {!isDeposit && <DeductedDeposits form={form} calculation={calculation} />}
    </FieldGrid>
  );
}
