import { Select, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { DialogForm } from '../records/dialog-form';
import { PAYMENT_TERMS } from '../records/lookups';
import type { SalesOrder } from './order-values';

interface InvoicingValues extends Record<string, unknown> {
  issueDate: string;
  deliveryDate: string;
  dueDate: string;
  paymentTerms: string | null;
}

const toBody = ({
  issueDate,
  deliveryDate,
  dueDate,
  paymentTerms,
}: InvoicingValues): BusinessBody<'invoiceSalesOrder'> => ({
  ...(issueDate === '' ? {} : { issueDate }),
  ...(deliveryDate === '' ? {} : { deliveryDate }),
  ...(dueDate === '' ? {} : { dueDate }),
  ...(paymentTerms === null
    ? {}
    : { paymentTerms: paymentTerms as NonNullable<BusinessBody<'invoiceSalesOrder'>['paymentTerms']> }),
});

interface InvoiceDialogProps {
  order: SalesOrder;
  opened: boolean;
  close: () => void;
}

/** Issues the invoice of an order. */
export function InvoiceDialog({ order, opened, close }: InvoiceDialogProps) {
  const { t } = useTranslation('orders');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  return (
    <DialogForm<InvoicingValues, { data: SalesOrder }>
      opened={opened}
      close={close}
      title={t('invoiceTitle', { number: order.number })}
      action={t('issueInvoice')}
      initialValues={{ issueDate: '', deliveryDate: '', dueDate: '', paymentTerms: null }}
      submit={(values) => business.invoiceSalesOrder(String(order.id), toBody(values))}
      describeResult={({ data }) => t('invoiced', { number: data.invoiceNumber })}
      onDone={({ data }) => navigate({ to: `/invoices/${data.invoiceId}` })}
    >
      {(form) => (
        <>
          <Text size="sm">{t('invoiceText')}</Text>
          <TextInput
            type="date"
            label={t('issueDate')}
            description={t('todayByDefault')}
            {...form.getInputProps('issueDate')}
          />
          <TextInput
            type="date"
            label={t('deliveryDate')}
            description={t('ratesOfDelivery')}
            {...form.getInputProps('deliveryDate')}
          />
          <Select
            label={t('paymentTerms')}
            description={t('termsOfCustomer')}
            clearable
            data={PAYMENT_TERMS.map((value) => ({ value, label: common(`terms.${value}`) }))}
            {...form.getInputProps('paymentTerms')}
          />
          <TextInput
            type="date"
            label={t('dueDate')}
            description={t('dueByTerms')}
            {...form.getInputProps('dueDate')}
          />
        </>
      )}
    </DialogForm>
  );
}
