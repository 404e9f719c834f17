import { setTimeout as delay } from 'node:timers/promises';
import { getEgressReason } from '../../lib/egress/failure';
import type { Egress } from '../../lib/egress/egress';
import { sendMail } from '../../lib/mail/smtp';
import type { SmtpOutcome } from '../../lib/mail/smtp-outcome';
import { isMongoUnavailable } from '../../lib/mongo-errors';
import { isOutage } from '../../lib/outages';
import { MINUTE_MS } from '../../domain/durations';
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
  UNKNOWN_OUTCOME_DELAY_MS,
  withdrawAttempt,
} from '../../services/business/messages/outgoing';
import type { Transmission } from '../../services/business/messages/outgoing';
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
/** Time since the beginning of an attempt in which its outcome is recorded: it ends before another one may begin. */
const MAX_RECORDING_MS = UNKNOWN_OUTCOME_DELAY_MS - MINUTE_MS;
/** Pause between two attempts to record an outcome; each of them waits for MongoDB, too. */
const RECORDING_PAUSE_MS = 1000;

/** Reasons for which a message is not needed any more. */
const CANCELLING: ReadonlySet<MessageReason> = new Set([
  'invoice_settled',
  'open_amount_changed',
  'reminders_paused',
  'credit_available',
  'cancelled',
  'erased',
]);

/** Resolves after the time, or as soon as the process begins to stop. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Whether nothing was attempted: files are being rendered, or other lookups of the organisation run. */
const isBusy = (error: unknown): boolean =>
  getEgressReason(error) === 'dns_busy' || (error instanceof AppError && error.status === 503);

/** An attempt that has begun. */
interface Attempt {
  message: MessageRecord;
  transmission: Transmission;
  number: number;
  /** Value of `performance.now()` after which another attempt may begin, so that this one is no longer recorded. */
  deadline: number;
}

/** Sends the queued messages of one organisation. */
class MessageSender {
  readonly summary = new DeliverySummary();

  constructor(
    private readonly platform: Platform,
    private readonly egress: Egress,
    private readonly stopping: AbortSignal,
  ) {}

  /**
   * Makes an attempt and records it.
   * @throws Error during an outage
   */
  async attempt(message: MessageRecord, isCurrent: () => Promise<boolean>): Promise<void> {
    const attempt = await this.begin(message, isCurrent);
    if (attempt !== null) await this.transmit(attempt);
  }

  /**
   * Prepares an attempt and notes that it begins. After a fault on this side it has not begun, and is made again later.
   * @returns null if none begins now
   * @throws Error during an outage of MongoDB
   */
  private async begin(message: MessageRecord, isCurrent: () => Promise<boolean>): Promise<Attempt | null> {
    const { platform } = this;
    try {
      const transmission = await prepareTransmission(platform, message);
      if (typeof transmission === 'string') {
        const status = CANCELLING.has(transmission) ? 'cancelled' : 'failed';
        await endMessage(platform, message, status, transmission);
        return null;
      }
      if (!(await isCurrent())) return null;
      const deadline = performance.now() + MAX_RECORDING_MS;
      const number = await beginAttempt(platform, message);
      return number === null ? null : { message, transmission, number, deadline };
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      if (!isBusy(error)) this.logFault(message, error);
      await postponeMessage(platform, message, isBusy(error) ? BUSY_DELAY_MS : FAULT_DELAY_MS);
      return null;
    }
  }

  /**
   * Transmits a message and records the outcome. After a fault on this side the message may have been transmitted: it
   * waits like one whose outcome is unknown.
   * @throws Error during an outage
   */
  private async transmit(attempt: Attempt): Promise<void> {
    const { platform, egress } = this;
    const { message, number, transmission } = attempt;
    const { server, mail, exceptions } = transmission;
    const { _id: deliveryId, organisationId } = message;
    const started = performance.now();
    let outcome: SmtpOutcome;
    try {
      // A transmission that has begun is completed when the worker stops: ended half-way, its outcome would be unknown.
      outcome = await sendMail(egress, server, mail, { additionalAllow: exceptions, tenant: organisationId });
    } catch (error) {
      if (isBusy(error)) return withdrawAttempt(platform, message, number, BUSY_DELAY_MS);
      return this.logFault(message, error);
    }
    try {
      const status = await this.record(attempt, outcome, Math.round(performance.now() - started));
      const answer = String(outcome.replyCode ?? outcome.error);
      this.summary.add({ deliveryId, attempt: number, answer, status: status === 'sent' ? 'succeeded' : status });
    } catch (error) {
      if (isOutage(error)) throw error;
      this.logFault(message, error);
    }
  }

  /**
   * Records an outcome. During an outage this is tried for as long as no other attempt can begin: without it a message
   * that the server has accepted would be sent again.
   */
  private async record(
    { message, number, deadline }: Attempt,
    outcome: SmtpOutcome,
    durationMs: number,
  ): Promise<MessageRecord['status']> {
    for (;;) {
      try {
        return await recordOutcome(this.platform, message, number, outcome, durationMs);
      } catch (error) {
        if (!isOutage(error) || this.stopping.aborted || performance.now() > deadline) throw error;
        this.platform.logger.warn({ messageId: message._id }, 'The outcome of a message could not be recorded yet');
        await pause(RECORDING_PAUSE_MS, this.stopping);
      }
    }
  }

  private logFault({ _id: messageId }: MessageRecord, err: unknown): void {
    this.platform.logger.error({ err, messageId }, 'A message could not be sent; it is repeated');
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
      const sender = new MessageSender(platform, egress, stopping);
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
