import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';

type InvoiceSummary = BusinessResponse<'listInvoices'>['data'][number];

const COLORS: Readonly<Record<InvoiceSummary['status'], string>> = {
  draft: 'gray',
  issued: 'blue',
  partially_paid: 'cyan',
  paid: 'green',
  credited: 'grape',
  void: 'gray',
};

/** The status of an invoice in words; an open amount after the due date is overdue. */
export function InvoiceStatus({ invoice }: { invoice: Pick<InvoiceSummary, 'status' | 'overdue'> }) {
  const { t } = useTranslation('invoices');
  if (invoice.overdue) return <Badge color="red">{t('status.overdue')}</Badge>;
  return (
    <Badge color={COLORS[invoice.status]} variant="light">
      {t(`status.${invoice.status}`)}
    </Badge>
  );
}
