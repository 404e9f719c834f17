import { Metrics } from '../../../lib/metrics/metrics';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { emitEvent } from '../../platform/webhooks/events';

const EVENT_BY_STATUS = { sent: 'message.sent', failed: 'message.failed', bounced: 'message.bounced' } as const;

/** Emits the event of a message that was sent, has failed or has bounced, and counts it; nothing for other statuses. */
export async function emitMessageOutcome(unit: UnitOfWork, message: MessageRecord, at: Date): Promise<void> {
  const { _id: messageId, organisationId, kind, documentId, customerId, level, status, reason, attempts } = message;
  if (status !== 'sent' && status !== 'failed' && status !== 'bounced') return;
  const scope = { organisationId, mode: 'live' } as const;
  await emitEvent(unit, scope, {
    type: EVENT_BY_STATUS[status],
    data: { messageId, kind, documentId, customerId, level, reason },
    // A failed message can be sent again.
    key: `message.${status}:${messageId}:${attempts.length}:${at.getTime()}`,
    subjectId: messageId,
    at,
  });
  unit.afterCommit(() => unit.platform.singletons.get(Metrics).instruments.messages.inc({ kind, outcome: status }));
}
