import { Select, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { DecimalInput } from '../../components/decimal-input';
import { formatMoney } from '../../../shared/format';
import { DialogForm } from '../records/dialog-form';

export const PAYMENT_METHODS = ['bank_transfer', 'cash', 'card', 'check', 'direct_debit', 'other'] as const;

export type Side = 'receivable' | 'payable';

/** The invoice or bill that is paid. */
export interface PaymentTarget {
  side: Side;
  partyId: number;
  partyName: string;
  currencyCode: string;
  document: { id: number; number: string; open: number };
}

interface PaymentDialogProps {
  target: PaymentTarget;
  opened: boolean;
  close: () => void;
}

interface PaymentValues extends Record<string, unknown> {
  amount: number | string;
  date: string;
  method: (typeof PAYMENT_METHODS)[number];
  reference: string;
}

function registerPayment({ side, partyId, currencyCode, document }: PaymentTarget, values: PaymentValues) {
  const amount = Number(values.amount);
  const payment = {
    amount,
    currencyCode,
    date: values.date || undefined,
    method: values.method,
    reference: values.reference || undefined,
    // What exceeds the document stays credit of the party.
    allocations: [{ documentId: document.id, amount: Math.min(amount, document.open) }],
  };
  return side === 'receivable'
    ? business.registerReceivablePayment({ ...payment, customerId: partyId })
    : business.registerPayablePayment({ ...payment, vendorId: partyId });
}

/** Registers a payment of a customer or to a vendor. */
export function PaymentDialog({ target, opened, close }: PaymentDialogProps) {
  const { t } = useTranslation('payments');
  return (
    <DialogForm<PaymentValues, unknown>
      opened={opened}
      close={close}
      title={t(target.side === 'receivable' ? 'registerReceipt' : 'registerPayment')}
      action={t('register')}
      initialValues={{ amount: target.document.open, date: '', method: 'bank_transfer', reference: '' }}
      submit={(values) => registerPayment(target, values)}
      describeResult={() => t('registered')}
    >
      {(form) => (
        <>
          <Text size="sm">
            {t('forDocument', {
              party: target.partyName,
              number: target.document.number,
              open: formatMoney(target.document.open, target.currencyCode),
            })}
          </Text>
          <DecimalInput
            label={t('amount', { currency: target.currencyCode })}
            required
            allowNegative={false}
            decimalScale={4}
            {...form.getInputProps('amount')}
          />
          <TextInput type="date" label={t('date')} description={t('todayByDefault')} {...form.getInputProps('date')} />
          <Select
            label={t('method')}
            allowDeselect={false}
            data={PAYMENT_METHODS.map((value) => ({ value, label: t(`methods.${value}`) }))}
            {...form.getInputProps('method')}
          />
          <TextInput label={t('reference')} {...form.getInputProps('reference')} />
        </>
      )}
    </DialogForm>
  );
}
