import { Paper, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../session';
import type { Invoice } from '../invoices/invoice-values';
import { InvoiceLinks } from './invoice-links';
import { MessageList } from './message-list';
import { ReminderPause } from './reminder-pause';

/** What was sent about an issued invoice: messages with their status, reminders, and links to its page. */
export function InvoiceMessages({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('messages');
  const { business: permissions } = useSession();
  if (invoice.number === null || !permissions.has('messages:read')) return null;
  const id = String(invoice.id);
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        <MessageList invoiceId={id} />
        {invoice.open > 0 && invoice.status !== 'void' && (
          <>
            <Title order={3} size="h5">
              {t('reminders')}
            </Title>
            <ReminderPause invoice={invoice} />
          </>
        )}
        {permissions.has('messages:send') && (
          <>
            <Title order={3} size="h5">
              {t('links')}
            </Title>
            <InvoiceLinks invoiceId={id} />
          </>
        )}
      </Stack>
    </Paper>
  );
}
