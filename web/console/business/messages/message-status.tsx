import { Badge, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { formatDateTime } from '../../../shared/format';

export type Message = BusinessResponse<'getMessage'>['data'];

const COLORS = { queued: 'blue', sent: 'green', bounced: 'red', failed: 'red', cancelled: 'gray' } as const;

/** Whether a message can be sent now: it waits for its next attempt, or not every recipient got it. */
export const canSendNow = ({ status }: Message): boolean => ['queued', 'failed', 'bounced'].includes(status);

/** Whether the status of a message can still change by itself soon. */
export const isPending = ({ status }: Message): boolean => status === 'queued';

/** The status of a message, and why it was not delivered. */
export function MessageStatus({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  const { status, reason, attempts, nextAttemptAt } = message;
  const last = attempts.at(-1);
  return (
    <Stack gap={2} align="start">
      <Badge variant="light" color={COLORS[status]}>
        {t(`status.${status}`)}
      </Badge>
      {reason !== null && (
        <Text size="xs" c="dimmed">
          {t(`reasons.${reason}`)}
        </Text>
      )}
      {status !== 'sent' && last?.error && (
        <Text size="xs" c="dimmed" maw={360} style={{ overflowWrap: 'anywhere' }}>
          {last.error}
        </Text>
      )}
      {status === 'queued' && nextAttemptAt !== null && attempts.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('nextAttempt', { time: formatDateTime(nextAttemptAt) })}
        </Text>
      )}
    </Stack>
  );
}
