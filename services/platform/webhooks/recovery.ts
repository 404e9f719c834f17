import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { NO_FAILURES } from '../../../domain/platform/webhooks/endpoint-health';
import { ALL_EVENTS, EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import type { EventType } from '../../../domain/platform/webhooks/event-types';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { EVENT_RETENTION_SECONDS, WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import type { WebhookEventRecord } from '../../../models/platform/webhooks/webhook-event';
import { MAX_OPEN_TRANSACTION_MS, workflowIds } from '../../../workflows/contracts';
import type { RecoveryCursor, WebhookRecovery } from '../../../workflows/contracts';
import { wakeDeliveries } from './deliveries';
import { enqueueDeliveries, getEnqueuedDelivery } from './events';
import type { Platform, Scope } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { DAY_SECONDS } from '../../../domain/durations';

/** Events per transaction. */
const BATCH_SIZE = 50;

const buildActiveFilter = ({ organisationId, mode }: Scope, id: string) => ({
  _id: id,
  organisationId,
  mode,
  deletedAt: null,
});

/**
 * Starts the redelivery of missed events: every event of the span that the webhook subscribes to and that has no pending
 * or successful delivery, including events from the time when it was disabled. Pending deliveries of the span that wait
 * for a retry are attempted at once. Enables a disabled webhook. Events of transactions that read it as disabled before,
 * and commit afterwards, are sent as soon as those must have ended.
 * @throws AppError 404; 400 if `since` is in the future or before the retention period of events
 */
export async function recoverWebhook(
  platform: Platform,
  scope: Scope,
  actor: string,
  id: string,
  span: { since: Date; until: Date | undefined },
): Promise<{ webhook: WebhookEndpointRecord; since: Date; until: Date }> {
  const now = platform.clock.now();
  const requestedUntil = span.until === undefined || span.until > now ? null : span.until;
  const until = requestedUntil ?? now;
  const lateUntil = requestedUntil ?? new Date(now.getTime() + MAX_OPEN_TRANSACTION_MS);
  if (span.since >= until) throw invalidFieldError('since', 'must lie in the past, and before until');
  if (now.getTime() - span.since.getTime() > EVENT_RETENTION_SECONDS * 1000) {
    throw invalidFieldError('since', `must not lie more than ${EVENT_RETENTION_SECONDS / DAY_SECONDS} days back`);
  }
  const webhook = await runTransaction(platform, async (unit) => {
    const enabled = await WebhookEndpoint.findOneAndUpdate(
      buildActiveFilter(scope, id),
      { $set: { disabledAt: null, disabledReason: null, ...NO_FAILURES } },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<WebhookEndpointRecord>();
    if (enabled === null) throw notFoundError('webhook');
    unit.start(scope.organisationId, {
      workflow: 'webhookRecovery',
      workflowId: workflowIds.webhookRecovery(id, now.getTime()),
      argument: {
        webhookId: id,
        organisationId: scope.organisationId,
        mode: scope.mode,
        since: span.since.toISOString(),
        until: until.toISOString(),
        lateUntil: lateUntil.toISOString(),
        cursor: null,
      },
      summary: `recovery of ${id}`,
    });
    await unit.audit(scope, { actor, action: 'webhook.recovered', subject: id, fields: ['disabledAt'] });
    return enabled;
  });
  return { webhook, since: span.since, until };
}

export interface RecoveredBatch {
  /** Number of deliveries that this batch has enqueued, or advanced to their next attempt. */
  sent: number;
  /** Start of the next batch; null if there is none. */
  next: RecoveryCursor | null;
}

const listSubscribedTypes = (endpoint: WebhookEndpointRecord): EventType[] =>
  EVENT_TYPES.filter(
    (type) => type !== 'webhook.test' && (endpoint.events.includes(ALL_EVENTS) || endpoint.events.includes(type)),
  );

function findNextEvents(unit: UnitOfWork, endpoint: WebhookEndpointRecord, recovery: WebhookRecovery) {
  const { organisationId, mode, since, until, cursor } = recovery;
  const at = cursor === null ? null : new Date(cursor.occurredAt);
  const cursorFilter =
    cursor === null || at === null
      ? {}
      : { $or: [{ occurredAt: { $gt: at } }, { occurredAt: at, _id: { $gt: cursor.eventId } }] };
  return WebhookEvent.find({
    organisationId,
    mode,
    occurredAt: { $gte: new Date(since), $lte: new Date(until) },
    type: { $in: listSubscribedTypes(endpoint) },
    // Events of erased subjects have no body and cannot be delivered.
    body: { $type: 'string' },
    ...cursorFilter,
  })
    .sort({ occurredAt: 1, _id: 1 })
    .limit(BATCH_SIZE)
    .session(unit.mongoSession)
    .lean<WebhookEventRecord[]>();
}

/** Makes deliveries that wait for a retry attempt again at once, since their receiver responds again. */
async function advancePendingDeliveries(
  unit: UnitOfWork,
  endpoint: WebhookEndpointRecord,
  eventIds: readonly string[],
  now: Date,
): Promise<number> {
  const { _id: endpointId, organisationId, mode } = endpoint;
  const waiting = await WebhookDelivery.find(
    {
      organisationId,
      mode,
      endpointId,
      eventId: { $in: eventIds },
      status: 'pending',
      'attempts.0': { $exists: true },
      nextAttemptAt: { $gt: now },
    },
    { _id: 1 },
  )
    .session(unit.mongoSession)
    .lean<{ _id: string }[]>();
  const ids = waiting.map(({ _id }) => _id);
  await WebhookDelivery.updateMany(
    { _id: { $in: ids }, organisationId },
    { $set: { nextAttemptAt: now } },
    { session: unit.mongoSession },
  );
  if (ids.length > 0) wakeDeliveries(unit, { webhookId: endpointId, organisationId, mode });
  return ids.length;
}

/** The events that have a pending or successful delivery to the endpoint; of late events, any delivery. */
async function findDeliveredEventIds(
  unit: UnitOfWork,
  endpoint: WebhookEndpointRecord,
  eventIds: readonly string[],
  late: boolean,
): Promise<ReadonlySet<string>> {
  const { _id: endpointId, organisationId, mode } = endpoint;
  const deliveryFilter = { organisationId, mode, endpointId, eventId: { $in: eventIds } };
  const found = await WebhookDelivery.find(
    late ? deliveryFilter : { ...deliveryFilter, status: { $in: ['pending', 'succeeded'] } },
    { eventId: 1 },
  )
    .session(unit.mongoSession)
    .lean<{ eventId: string }[]>();
  return new Set(found.map(({ eventId }) => eventId));
}

/**
 * Enqueues the next batch of a recovery. A repeated batch enqueues nothing twice, since its deliveries are pending. The
 * recovery ends early if the endpoint is deleted or disabled again.
 */
export const recoverBatch = (platform: Platform, recovery: WebhookRecovery): Promise<RecoveredBatch> =>
  runTransaction(platform, async (unit) => {
    // The write makes concurrent recoveries conflict; otherwise both would enqueue the same deliveries.
    const endpoint = await WebhookEndpoint.findOneAndUpdate(
      { ...buildActiveFilter(recovery, recovery.webhookId), disabledAt: null },
      { $inc: { recoveries: 1 } },
      { session: unit.mongoSession },
    ).lean<WebhookEndpointRecord>();
    if (endpoint === null) return { sent: 0, next: null };
    const events = await findNextEvents(unit, endpoint, recovery);
    const at = platform.clock.now();
    const eventIds = events.map(({ _id }) => _id);
    const { late = false } = recovery;
    const advanced = late ? 0 : await advancePendingDeliveries(unit, endpoint, eventIds, at);
    const deliveredIds = await findDeliveredEventIds(unit, endpoint, eventIds, late);
    const missed = events.filter(({ _id }) => !deliveredIds.has(_id));
    const again = missed.map(({ _id: eventId, type, subjectId }) => ({ id: eventId, type, subjectId, at }));
    await enqueueDeliveries(unit, recovery, again, [endpoint._id]);
    const last = events.length < BATCH_SIZE ? undefined : events.at(-1);
    return {
      sent: missed.length + advanced,
      next: last === undefined ? null : { occurredAt: last.occurredAt.toISOString(), eventId: last._id },
    };
  });

/**
 * Redelivers one event immediately, regardless of the result of the earlier delivery. The new delivery has the same
 * webhook-id.
 * @throws AppError 404; 409 if the delivery is pending, the webhook is disabled or the subject was erased
 */
export async function resendDelivery(
  platform: Platform,
  scope: Scope,
  actor: string,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDeliveryRecord> {
  const { organisationId, mode } = scope;
  return runTransaction(platform, async (unit) => {
    const webhook = await WebhookEndpoint.findOne(buildActiveFilter(scope, webhookId))
      .session(unit.mongoSession)
      .lean<WebhookEndpointRecord>();
    if (webhook === null) throw notFoundError('webhook');
    const before = await WebhookDelivery.findOne({ _id: deliveryId, organisationId, mode, endpointId: webhookId })
      .session(unit.mongoSession)
      .lean<WebhookDeliveryRecord>();
    if (before === null) throw notFoundError('delivery');
    if (webhook.disabledAt instanceof Date) {
      throw conflictError('webhook_disabled', 'The webhook is disabled; recover it once its receiver responds.');
    }
    if (before.status === 'pending') throw conflictError('delivery_pending', 'The delivery is still pending.');
    const event = await WebhookEvent.findOne({ _id: before.eventId, organisationId, mode })
      .session(unit.mongoSession)
      .lean<WebhookEventRecord>();
    if (typeof event?.body !== 'string')
      throw conflictError('event_erased', 'The subject of the event has been erased.');
    const { type, subjectId } = event;
    const again = { id: event._id, type, subjectId, at: platform.clock.now() };
    const [resent] = await enqueueDeliveries(unit, scope, [again], [webhookId]);
    await unit.audit(scope, { actor, action: 'webhook.delivery_resent', subject: deliveryId });
    return getEnqueuedDelivery(unit, scope, resent);
  });
}
