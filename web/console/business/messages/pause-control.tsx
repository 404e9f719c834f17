import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { useSession } from '../../session';
import { DialogForm } from '../records/dialog-form';
import '../texts';
import { notifyFailure } from '../../components/notify-failure';

/** What is done with the pauses of one kind of record. */
const OPERATIONS = {
  invoice: {
    query: (id: string) =>
      businessQuery('getInvoiceReminderPause', [id], (options) => business.getInvoiceReminderPause(id, options)),
    pause: (id: string, body: PauseBody) => business.pauseInvoiceReminders(id, body),
    resume: (id: string) => business.resumeInvoiceReminders(id),
  },
  customer: {
    query: (id: string) =>
      businessQuery('getCustomerReminderPause', [id], (options) => business.getCustomerReminderPause(id, options)),
    pause: (id: string, body: PauseBody) => business.pauseCustomerReminders(id, body),
    resume: (id: string) => business.resumeCustomerReminders(id),
  },
};

interface PauseBody {
  until: string | null;
  reason: string | null;
}

interface PauseSubject {
  kind: keyof typeof OPERATIONS;
  id: string;
}

function PauseButton({ kind, id }: PauseSubject) {
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
        submit={({ until, reason }) => OPERATIONS[kind].pause(id, { until: until || null, reason: reason || null })}
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

function ResumeButton({ kind, id }: PauseSubject) {
  const { t } = useTranslation('messages');
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => OPERATIONS[kind].resume(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t('resumed') });
    },
    onError: notifyFailure,
  });
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
      {t('resume')}
    </Button>
  );
}

/** Says whether reminders of an invoice or customer are paused, until when and why, and pauses or resumes them. */
export function PauseControl(subject: PauseSubject) {
  const { t } = useTranslation('messages');
  const canChange = useSession().business.has('receivables:update');
  const { data } = useQuery(OPERATIONS[subject.kind].query(subject.id));
  if (data === undefined) return null;
  const pause = data.data;
  const describe = ({ until, reason }: NonNullable<typeof pause>): string =>
    [
      until === null ? t('isPaused') : t('isPausedUntil', { date: formatDate(until) }),
      reason !== null && t('pauseReason', { reason }),
    ]
      .filter((sentence) => sentence !== false)
      .join(' ');
  return (
    <Group gap="sm">
      {pause !== null && <Text size="sm">{describe(pause)}</Text>}
      {canChange && (pause === null ? <PauseButton {...subject} /> : <ResumeButton {...subject} />)}
    </Group>
  );
}
