import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { describeFailure } from '../../../shared/failures';
import { formatDate } from '../../../shared/format';
import { useSession } from '../../session';
import type { Invoice } from '../invoices/invoice-values';
import { DialogForm } from '../records/dialog-form';

function PauseButton({ id }: { id: string }) {
  const { t } = useTranslation('messages');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('pause')}
      </Button>
      <DialogForm
        opened={opened}
        close={close}
        title={t('pause')}
        action={t('pause')}
        initialValues={{ until: '', reason: '' }}
        submit={({ until, reason }) =>
          business.pauseInvoiceReminders(id, { until: until || null, reason: reason || null })
        }
        describeResult={() => t('paused')}
      >
        {(form) => (
          <>
            <TextInput type="date" label={t('until')} description={t('untilHint')} {...form.getInputProps('until')} />
            <Textarea label={t('reason')} autosize minRows={2} {...form.getInputProps('reason')} />
          </>
        )}
      </DialogForm>
    </>
  );
}

/** The next reminder of an open invoice, and the pause of its reminders. */
export function ReminderPause({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('messages');
  const { t: shared } = useTranslation('shared');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const id = String(invoice.id);
  const { data } = useQuery({
    ...businessQuery('listDueReminders', [], (options) => business.listDueReminders(options)),
    enabled: permissions.has('receivables:read'),
  });
  const due = data?.data.find(({ invoiceId }) => invoiceId === invoice.id);
  const resume = useMutation({
    mutationFn: () => business.resumeInvoiceReminders(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t('resumed') });
    },
    onError: (error) => notifications.show({ color: 'red', message: describeFailure(error, shared) }),
  });
  return (
    <>
      {due !== undefined && (
        <Text size="sm">
          {t('due', { level: due.level, date: formatDate(due.day) })}{' '}
          {due.pausedBy !== null && t(`pausedBy.${due.pausedBy}`)}
        </Text>
      )}
      {permissions.has('receivables:update') && (
        <Group>
          <PauseButton id={id} />
          <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate()}>
            {t('resume')}
          </Button>
        </Group>
      )}
    </>
  );
}
