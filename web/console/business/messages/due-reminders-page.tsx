import { Alert, Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { SimpleTable } from '../../components/simple-table';
import { useSession } from '../../session';
import { ConfirmDialog } from '../records/confirm-dialog';
import { Money } from '../records/money';
import '../texts';

/** Sends every due reminder that nothing holds back. */
function SendButton() {
  const { t } = useTranslation('messages');
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>{t('sendReminders')}</Button>
      <ConfirmDialog
        opened={opened}
        close={close}
        title={t('sendRemindersTitle')}
        action={t('sendReminders')}
        submit={() => business.sendDueReminders()}
        onDone={async () => {
          await queries.invalidateQueries({ queryKey: ['business'] });
          notifications.show({ color: 'green', message: t('sendingReminders') });
        }}
      >
        {t('sendRemindersText')}
      </ConfirmDialog>
    </>
  );
}

type DueReminder = Awaited<ReturnType<typeof business.listDueReminders>>['data'][number];

/** Since when a reminder is due or, if something holds it back, why it is not sent. */
function ReminderStatus({ reminder: { pausedBy, obstacle, day } }: { reminder: DueReminder }) {
  const { t } = useTranslation('messages');
  if (pausedBy !== null) return t(`pausedBy.${pausedBy}`);
  if (obstacle !== null) return t(`obstacles.${obstacle}`);
  return t('dueSince', { date: formatDate(day) });
}

/** The reminders that the next run sends, and those that are held back; the longest overdue first. */
export default function DueRemindersPage() {
  const { t } = useTranslation('messages');
  const { business: permissions } = useSession();
  const { data, error } = useQuery(
    businessQuery('listDueReminders', [], (options) => business.listDueReminders(options)),
  );
  const canSend = permissions.has('messages:send') && data?.data.some(({ obstacle }) => obstacle === null) === true;
  return (
    <Page title={t('reminders')} actions={canSend && <SendButton />}>
      <Stack>
        <Failure error={error} />
        {data === undefined && error === null && <Skeleton h={240} />}
        {data?.data.length === 0 && (
          <Text maw={520}>
            {t('noReminders')}{' '}
            {permissions.has('config:read') && (
              <Anchor component={Link} to="/company/reminders">
                {t('schedule')}
              </Anchor>
            )}
          </Text>
        )}
        {data?.isComplete === false && <Alert color="gray">{t('moreReminders')}</Alert>}
        {data !== undefined && data.data.length > 0 && (
          <SimpleTable
            label={t('reminders')}
            head={[t('invoice'), t('customer'), t('dueDate'), t('message'), t('statusLabel'), t('open')]}
            numbersFrom={5}
            rows={data.data.map((reminder) => ({
              key: String(reminder.invoiceId),
              cells: [
                <Anchor key="invoice" component={Link} to={`/invoices/${reminder.invoiceId}`} size="sm">
                  {reminder.number}
                </Anchor>,
                reminder.customerName,
                formatDate(reminder.dueDate),
                t('reminderLevel', { level: reminder.level }),
                <ReminderStatus key="status" reminder={reminder} />,
                <Money key="open" amount={reminder.open} currency={reminder.currencyCode} />,
              ],
            }))}
          />
        )}
      </Stack>
    </Page>
  );
}
