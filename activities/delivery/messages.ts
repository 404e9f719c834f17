import { getEgressReason } from '../../lib/egress/failure';
import type { Egress } from '../../lib/egress/egress';
import { sendMail } from '../../lib/mail/smtp';
import { isMongoUnavailable } from '../../lib/mongo-errors';
import type { MessageReason } from '../../domain/business/messages/message';
import { AppError } from '../../domain/errors';
import type { MessageRecord } from '../../models/business/messages/message';
import {
  beginAttempt,
  endMessage,
  findSecondsToNextMessage,
  postponeMessage,
  prepareTransmission,
  readDueMessages,
  recordOutcome,
} from '../../services/business/messages/outgoing';
import type { Platform } from '../../services/platform/platform';
import { BacklogReader } from '../../services/platform/transactions/backlog-readers';
import { workflowIds } from '../../workflows/contracts';
import { BACKLOG_HEARTBEAT_MS, workOffBacklog } from '../backlog';
import { withHeartbeatEvery } from '../heartbeat';
import { DeliverySummary } from './summary';
import type { DeliveryProgress } from './summary';

/** Connections to the server of one company at the same time; many servers accept no more than ten. */
const MAX_IN_PROGRESS = 4;
/** New messages are taken for this long; then other organisations have their turn. */
const MAX_READ_MS = 60_000;
/** Delay of a message whose files are being rendered, or that waits for other lookups of the organisation. */
const BUSY_DELAY_MS = 5000;
/** Delay of a message that failed for an unexpected reason on this side. */
const FAULT_DELAY_MS = 60_000;

/** Reasons for which a message is not needed any more. */
const CANCELLING: ReadonlySet<MessageReason> = new Set([
  'invoice_settled',
  'open_amount_changed',
  'reminders_paused',
  'cancelled',
  'erased',
]);

/** Sends the queued messages of one organisation. */
class MessageSender {
  readonly summary = new DeliverySummary();

  constructor(
    private readonly platform: Platform,
    private readonly egress: Egress,
  ) {}

  /**
   * Makes an attempt and records it. One that fails on this side is not recorded, and made again later.
   * @throws Error during an outage of MongoDB
   */
  async attempt(message: MessageRecord, isCurrent: () => Promise<boolean>): Promise<void> {
    const { platform } = this;
    try {
      await this.sendAndRecord(message, isCurrent);
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      const isBusy = getEgressReason(error) === 'dns_busy' || (error instanceof AppError && error.status === 503);
      if (!isBusy)
        platform.logger.error({ err: error, messageId: message._id }, 'A message could not be sent; it is repeated');
      await postponeMessage(platform, message, isBusy ? BUSY_DELAY_MS : FAULT_DELAY_MS);
    }
  }

  private async sendAndRecord(message: MessageRecord, isCurrent: () => Promise<boolean>): Promise<void> {
    const { platform, egress } = this;
    const { _id: deliveryId, organisationId } = message;
    const prepared = await prepareTransmission(platform, message);
    if (typeof prepared === 'string') {
      const status = CANCELLING.has(prepared) ? 'cancelled' : 'failed';
      return endMessage(platform, message, status, prepared);
    }
    if (!(await isCurrent())) return;
    const attempt = await beginAttempt(platform, message);
    if (attempt === null) return;
    const started = performance.now();
    const { server, mail, exceptions } = prepared;
    // A transmission that has begun is completed when the worker stops: ended half-way, its outcome would be unknown.
    const outcome = await sendMail(egress, server, mail, { additionalAllow: exceptions, tenant: organisationId });
    const durationMs = Math.round(performance.now() - started);
    const status = await recordOutcome(platform, message, attempt, outcome, durationMs);
    const answer = String(outcome.replyCode ?? outcome.error);
    this.summary.add({ deliveryId, attempt, answer, status: status === 'sent' ? 'succeeded' : status });
  }
}

/**
 * The activities that send e-mail.
 * @param stopping aborted when the process begins to stop
 */
export const createMessageActivities = (platform: Platform, egress: Egress, stopping: AbortSignal) => ({
  /**
   * Sends the messages of an organisation that are due, several at the same time, and records each. After a crash, a
   * message whose outcome was not recorded is sent again later, with the same Message-ID and the same bytes.
   */
  sendMessages: ({ organisationId }: { organisationId: string }): Promise<DeliveryProgress> =>
    withHeartbeatEvery(BACKLOG_HEARTBEAT_MS, async () => {
      const reader = new BacklogReader({
        workflow: 'messageDeliveries',
        workflowId: workflowIds.messageDeliveries(organisationId),
        organisationId,
        argument: { organisationId },
      });
      const sender = new MessageSender(platform, egress);
      const work = {
        maxInProgress: MAX_IN_PROGRESS,
        maxReadMs: MAX_READ_MS,
        read: (limit: number, exceptIds: readonly string[]) =>
          readDueMessages(platform, organisationId, limit, exceptIds),
        getId: ({ _id }: MessageRecord) => _id,
        process: (message: MessageRecord, isCurrent: () => Promise<boolean>) => sender.attempt(message, isCurrent),
      };
      await workOffBacklog(reader, work, stopping);
      return sender.summary.toProgress(await findSecondsToNextMessage(platform, organisationId));
    }),
});

export type MessageActivities = ReturnType<typeof createMessageActivities>;
