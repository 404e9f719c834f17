import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { SimpleTable } from '../../components/simple-table';
import { useConfirm } from '../../components/use-confirm';
import { useSession } from '../../session';
import { canSendNow, isPending, MessageStatus } from './message-status';
import type { Message } from './message-status';
import { notifyFailure } from '../../components/notify-failure';
import { useRefreshInterval } from '../../components/use-refresh-interval';

/** Time between two requests while a message is on its way. */
const POLL_MS = 3000;

/** Sends a message now that waits, failed or bounced, or erases recipient and text of one. */
function MessageActions({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  const queries = useQueryClient();
  const confirm = useConfirm();
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: ['business', 'listInvoiceMessages'] }),
    onError: notifyFailure,
  };
  const retry = useMutation({ mutationFn: () => business.retryMessage(message.id), ...options });
  const erase = useMutation({ mutationFn: () => business.eraseMessage(message.id), ...options });
  if (message.to === null) return null;
  const askToErase = () =>
    confirm({ title: t('eraseTitle'), text: t('eraseText'), action: t('erase'), onConfirm: () => erase.mutate() });
  return (
    <Group gap="xs" wrap="nowrap">
      {canSendNow(message) && (
        <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {t('retry')}
        </Button>
      )}
      <Button size="xs" variant="default" loading={erase.isPending} onClick={askToErase}>
        {t('erase')}
      </Button>
    </Group>
  );
}

/** What was sent to whom, and by whom. */
function MessageSummary({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  const { kind, level, recipients, createdBy, createdByName } = message;
  return (
    <Stack gap={0}>
      <Text size="sm">{level === null ? t(`kinds.${kind}`) : t('reminderLevel', { level })}</Text>
      <Text size="xs" c="dimmed">
        {recipients.flatMap(({ address }) => address ?? []).join(', ') || t('reasons.erased')}
      </Text>
      <Text size="xs" c="dimmed">
        {createdBy === 'system' ? t('createdAutomatically') : t('createdBy', { name: createdByName ?? createdBy })}
      </Text>
    </Stack>
  );
}

/** The messages about an invoice, newest first, each with its status. */
export function MessageList({ invoiceId }: { invoiceId: string }) {
  const { t } = useTranslation('messages');
  const { business: permissions } = useSession();
  const interval = useRefreshInterval(POLL_MS);
  const { data, error } = useQuery({
    ...businessQuery('listInvoiceMessages', [invoiceId], (options) => business.listInvoiceMessages(invoiceId, options)),
    refetchInterval: ({ state }) => (state.data?.data.some(isPending) === true ? interval : false),
  });
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  if (data.data.length === 0) return <Text size="sm">{t('noMessages')}</Text>;
  const canSend = permissions.has('messages:send');
  return (
    <SimpleTable
      label={t('title')}
      head={[t('createdAt'), t('message'), t('statusLabel'), ...(canSend ? [t('actions')] : [])]}
      rows={data.data.map((message) => ({
        key: message.id,
        cells: [
          formatDateTime(message.sentAt ?? message.createdAt),
          <MessageSummary key="message" message={message} />,
          <MessageStatus key="status" message={message} />,
          ...(canSend ? [<MessageActions key="actions" message={message} />] : []),
        ],
      }))}
    />
  );
}
