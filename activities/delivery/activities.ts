import { ATTEMPT_TIMEOUT_SECONDS, RESPONSE_EXCERPT_BYTES } from '../../domain/platform/webhooks/response';
import type { Egress } from '../../lib/egress/egress';
import { getEgressReason } from '../../lib/egress/failure';
import { isMongoUnavailable } from '../../lib/mongo-errors';
import { withClientSpan, withTraceparent } from '../../lib/trace-context';
import type { Platform } from '../../services/platform/platform';
import { BacklogReader } from '../../services/platform/transactions/backlog-readers';
import { AttemptRecorder } from '../../services/platform/webhooks/attempts';
import type { AttemptResult } from '../../services/platform/webhooks/attempts';
import { cancelDeliveries, cancelDelivery, handOverDelivery } from '../../services/platform/webhooks/deliveries';
import type { DeliveryReference } from '../../services/platform/webhooks/deliveries';
import {
  endDeliveries,
  findSecondsToNextAttempt,
  planAttempt,
  postponeAttempt,
  readDueDeliveries,
} from '../../services/platform/webhooks/due-deliveries';
import type { AttemptPlan, DueDelivery } from '../../services/platform/webhooks/due-deliveries';
import { workflowIds } from '../../workflows/contracts';
import type { WebhookReference } from '../../workflows/contracts';
import { BACKLOG_HEARTBEAT_MS, workOffBacklog } from '../backlog';
import { withHeartbeatEvery } from '../heartbeat';
import type { OrganisationSlots } from './organisation-slots';
import { DeliverySummary } from './summary';
import type { DeliveryProgress } from './summary';

/** Attempts in progress to one webhook, so that a slow receiver holds up few of its other deliveries. */
const MAX_IN_PROGRESS = 32;
/** Less than the timeout of the activity by more than an attempt can take. */
const MAX_READ_MS = 20_000;
/** Deliveries that become due in this time are read together. */
const GATHER_MS = 100;
/** Delay of an attempt that was not made because other lookups of the organisation run. */
const BUSY_DELAY_MS = 1000;
/**
 * Pause of a webhook whose organisation uses as many slots of this process as it may. Receivers that do not answer hold
 * slots for 20 seconds and longer, and asking for one costs a workflow task and an activity.
 */
const NO_SLOT_DELAY_SECONDS = 5;
/** Delay of an attempt that failed for an unexpected reason on this side. */
const FAULT_DELAY_MS = 60_000;

/** Posts the signed body. A missing response is returned as a result; other errors are thrown. */
async function sendAttempt(
  egress: Egress,
  plan: AttemptPlan,
  { webhookId, organisationId: tenant }: WebhookReference,
): Promise<AttemptResult> {
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  try {
    const { status, headers, bodyStart } = await egress.request({
      url: plan.url,
      method: 'POST',
      headers: plan.headers,
      body: plan.body,
      timeoutMs: ATTEMPT_TIMEOUT_SECONDS * 1000,
      maxBodyBytes: RESPONSE_EXCERPT_BYTES,
      requireHttps: true,
      additionalAllow: plan.exceptions,
      tenant,
      // A repetition has the same webhook-id, as after a crash.
      keepConnectionFor: webhookId,
    });
    return {
      status,
      error: null,
      response: bodyStart.toString('utf8'),
      retryAfter: headers['retry-after'],
      durationMs: elapsedMs(),
    };
  } catch (error) {
    const reason = getEgressReason(error);
    // Nothing was sent while other lookups of the organisation run: this is no attempt.
    if (reason === undefined || reason === 'dns_busy') throw error;
    return { status: null, error: reason, response: null, retryAfter: undefined, durationMs: elapsedMs() };
  }
}

/** Makes the attempts of the deliveries to one webhook. */
class WebhookSender {
  readonly summary = new DeliverySummary();
  private readonly recorder: AttemptRecorder;

  constructor(
    private readonly platform: Platform,
    private readonly egress: Egress,
    private readonly webhook: WebhookReference,
  ) {
    this.recorder = new AttemptRecorder(platform, webhook);
  }

  /**
   * Makes an attempt and records it. One that fails on this side is not recorded, and made again later.
   * @param isCurrent whether this activity may still make attempts; if not, the delivery stays due
   * @throws Error during an outage of MongoDB
   */
  async attempt(due: DueDelivery, isCurrent: () => Promise<boolean>): Promise<void> {
    const { platform, webhook } = this;
    const { deliveryId } = due;
    try {
      await this.sendAndRecord(due, isCurrent);
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      const isBusy = getEgressReason(error) === 'dns_busy';
      if (!isBusy)
        platform.logger.error({ err: error, deliveryId }, 'A delivery could not be attempted; it is repeated');
      await postponeAttempt(platform, webhook, deliveryId, isBusy ? BUSY_DELAY_MS : FAULT_DELAY_MS);
    }
  }

  /** Makes an attempt as a span in the trace of the event; the receiver gets no trace. */
  private send({ deliveryId, attempt, traceparent }: DueDelivery, plan: AttemptPlan): Promise<AttemptResult> {
    const attributes = { 'vouch.delivery_id': deliveryId, 'vouch.attempt': attempt, 'http.request.method': 'POST' };
    return withTraceparent(traceparent, () =>
      withClientSpan(
        'deliver event',
        attributes,
        () => sendAttempt(this.egress, plan, this.webhook),
        ({ status, error }) =>
          status === null ? { 'error.type': error ?? 'unknown' } : { 'http.response.status_code': status },
      ),
    );
  }

  private async sendAndRecord(due: DueDelivery, isCurrent: () => Promise<boolean>): Promise<void> {
    const { platform, webhook } = this;
    const { deliveryId, attempt: number } = due;
    const plan = await planAttempt(platform, due);
    if (plan === null) {
      const which = { _id: { $in: [deliveryId] } };
      return endDeliveries(platform, webhook, which, { status: 'cancelled', reason: 'event_erased' });
    }
    if (!(await isCurrent())) return;
    const { attempt, status } = await this.recorder.record(async () => {
      const at = platform.clock.now();
      return { deliveryId, number, at, url: plan.url, ...(await this.send(due, plan)) };
    });
    this.summary.add({ deliveryId, attempt: number, answer: String(attempt.status ?? attempt.error), status });
  }
}

/** Makes the attempts of a webhook that are due, until none is left or others have their turn. */
async function attemptDueDeliveries(
  platform: Platform,
  egress: Egress,
  stopping: AbortSignal,
  webhook: WebhookReference,
): Promise<DeliveryProgress> {
  const { webhookId, organisationId } = webhook;
  const workflowId = workflowIds.webhookDeliveries(webhookId);
  const reader = new BacklogReader({ workflow: 'webhookDeliveries', workflowId, organisationId, argument: webhook });
  const sender = new WebhookSender(platform, egress, webhook);
  const work = {
    maxInProgress: MAX_IN_PROGRESS,
    maxReadMs: MAX_READ_MS,
    gatherMs: GATHER_MS,
    read: (limit: number, exceptIds: readonly string[]) => readDueDeliveries(platform, webhook, limit, exceptIds),
    getId: ({ deliveryId }: DueDelivery) => deliveryId,
    process: (due: DueDelivery, isCurrent: () => Promise<boolean>) => sender.attempt(due, isCurrent),
  };
  await workOffBacklog(reader, work, stopping);
  return sender.summary.toProgress(await findSecondsToNextAttempt(platform, webhook));
}

/**
 * The activities that deliver events to webhooks.
 * @param stopping aborted when the process begins to stop
 * @param slots slots of the process that deliveries of an organisation may use
 */
export const createDeliveryActivities = (
  platform: Platform,
  egress: Egress,
  stopping: AbortSignal,
  slots: OrganisationSlots,
) => ({
  /**
   * Makes the attempts of a webhook that are due, several at the same time, and records each. A repetition after a crash
   * makes those again that were not recorded, with the same webhook-id and number. While many other webhooks of the
   * organisation are attempted, none is made: receivers of one organisation that do not answer leave slots to others.
   */
  attemptDeliveries: (webhook: WebhookReference): Promise<DeliveryProgress> =>
    withHeartbeatEvery(BACKLOG_HEARTBEAT_MS, async () => {
      const { organisationId } = webhook;
      if (!slots.tryTake(organisationId)) return new DeliverySummary().toProgress(NO_SLOT_DELAY_SECONDS);
      try {
        return await attemptDueDeliveries(platform, egress, stopping, webhook);
      } finally {
        slots.release(organisationId);
      }
    }),

  /** Ends the pending deliveries of a cancelled workflow. */
  cancelDeliveries: (webhook: WebhookReference): Promise<void> => cancelDeliveries(platform, webhook),

  /** For workflows of an earlier version, each of one delivery: hands the delivery over, and so ends the workflow. */
  attemptDelivery: async ({
    deliveryId,
    organisationId,
  }: DeliveryReference & { attempt: number }): Promise<{ status: string; answer: string; retryInSeconds: number }> => {
    await handOverDelivery(platform, { deliveryId, organisationId });
    return { status: 'handed_over', answer: 'handed over', retryInSeconds: 0 };
  },

  /** Ends the pending delivery of a cancelled workflow of an earlier version. */
  cancelDelivery: (delivery: DeliveryReference): Promise<void> => cancelDelivery(platform, delivery),
});

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
