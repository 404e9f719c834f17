import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { useSession } from '../../session';
import type { Invoice } from '../invoices/invoice-values';
import { PauseControl } from './pause-control';

/** The next reminder of an open invoice, and the pause of its reminders. */
export function ReminderPause({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('messages');
  const canRead = useSession().business.has('receivables:read');
  const { data } = useQuery({
    ...businessQuery('listDueReminders', [], (options) => business.listDueReminders(options)),
    enabled: canRead,
  });
  const due = data?.data.find(({ invoiceId }) => invoiceId === invoice.id);
  return (
    <>
      {due !== undefined && (
        <Text size="sm">
          {t('due', { level: due.level, date: formatDate(due.day) })}{' '}
          {due.pausedBy === 'customer' && t('pausedBy.customer')}
        </Text>
      )}
      {canRead && <PauseControl kind="invoice" id={String(invoice.id)} />}
    </>
  );
}
