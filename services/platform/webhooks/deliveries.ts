import { recordFailure, hasExceededFailureLimit } from '../../../domain/platform/webhooks/endpoint-health';
import type { FailureRun } from '../../../domain/platform/webhooks/endpoint-health';
import { classifyResponse } from '../../../domain/platform/webhooks/response';
import { parseRetryAfter, computeRetryDelaySeconds } from '../../../domain/platform/webhooks/retry-schedule';
import { buildSignedHeaders } from '../../../domain/platform/webhooks/signature';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import type { WebhookEventRecord } from '../../../models/platform/webhooks/webhook-event';
import { getEgressExceptions } from '../access/organisations';
import { readEventBody } from './event-bodies';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { openActiveSecrets } from './secrets';
import { HOUR_MS } from '../../../domain/durations';

/** Identifies one delivery. */
export interface DeliveryReference {
  deliveryId: string;
  organisationId: string;
}

export type DeliveryStatus = WebhookDeliveryRecord['status'];
type DeliveryReason = NonNullable<WebhookDeliveryRecord['reason']>;

/** State of a delivery for its workflow: statuses and codes, without the event's content. */
export interface DeliveryProgress {
  status: DeliveryStatus;
  /** HTTP status or failure code of the attempt, shown in the Temporal UI. */
  answer: string;
  /** Seconds until the next attempt; 0 if there is none. */
  retryInSeconds: number;
}

/** The HTTP request of an attempt. */
export interface AttemptPlan {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Private addresses that the organisation may call. */
  exceptions: string[];
}

/** Result of an attempt: a response, or the reason why there is none. */
export interface AttemptResult {
  status: number | null;
  error: string | null;
  response: string | null;
  /** The unparsed `Retry-After` header. */
  retryAfter: string | undefined;
  durationMs: number;
}

type Attempt = AttemptResult & { number: number; at: Date };

const buildEndedProgress = (status: DeliveryStatus, answer: string): DeliveryProgress => ({
  status,
  answer,
  retryInSeconds: 0,
});

const buildDeliveryFilter = ({ deliveryId, organisationId }: DeliveryReference) => ({
  _id: deliveryId,
  organisationId,
});

/** State of a delivery whose attempt is already recorded; undefined if it is not. */
function findRecordedProgress(
  platform: Platform,
  delivery: WebhookDeliveryRecord,
  attempt: number,
): DeliveryProgress | undefined {
  const recordedAttempt = delivery.attempts.find(({ number }) => number === attempt);
  if (delivery.status === 'pending' && recordedAttempt === undefined) return undefined;
  const dueInMs = (delivery.nextAttemptAt?.getTime() ?? 0) - platform.clock.now().getTime();
  return {
    status: delivery.status,
    answer: String(recordedAttempt?.status ?? recordedAttempt?.error ?? delivery.reason ?? 'not made'),
    retryInSeconds: delivery.status === 'pending' ? Math.max(0, dueInMs / 1000) : 0,
  };
}

/** Ends a pending delivery that can no longer be attempted. */
async function endDelivery(
  platform: Platform,
  delivery: DeliveryReference,
  status: 'failed' | 'cancelled',
  reason: DeliveryReason,
): Promise<DeliveryProgress> {
  await WebhookDelivery.updateOne(
    { ...buildDeliveryFilter(delivery), status: 'pending' },
    { $set: { status, reason, nextAttemptAt: null, completedAt: platform.clock.now() } },
  );
  return buildEndedProgress(status, reason);
}

async function buildAttemptPlan(
  platform: Platform,
  endpoint: WebhookEndpointRecord,
  eventId: string,
  body: string,
): Promise<AttemptPlan> {
  const now = platform.clock.now();
  const secrets = openActiveSecrets(platform.masterKey, endpoint, now);
  return {
    url: endpoint.url,
    body,
    exceptions: await getEgressExceptions(endpoint.organisationId),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Vouch-Webhooks/1',
      ...buildSignedHeaders(eventId, now, body, secrets),
    },
  };
}

/**
 * Plans the HTTP request of an attempt. Returns the state of the delivery instead if the attempt is already recorded, or
 * the endpoint or the event no longer exists.
 */
export async function planAttempt(
  platform: Platform,
  reference: DeliveryReference,
  attempt: number,
): Promise<{ plan: AttemptPlan } | { settled: DeliveryProgress }> {
  const delivery = await WebhookDelivery.findOne(buildDeliveryFilter(reference)).lean<WebhookDeliveryRecord>();
  // Removed by the retention of events or by the erasure of its subject.
  if (delivery === null) return { settled: buildEndedProgress('cancelled', 'not found') };
  const settled = findRecordedProgress(platform, delivery, attempt);
  if (settled !== undefined) return { settled };

  const { organisationId, mode } = delivery;
  const endpoint = await WebhookEndpoint.findOne({
    _id: delivery.endpointId,
    organisationId,
    mode,
  }).lean<WebhookEndpointRecord>();
  if (endpoint === null || endpoint.deletedAt instanceof Date)
    return { settled: await endDelivery(platform, reference, 'cancelled', 'endpoint_deleted') };
  if (endpoint.disabledAt instanceof Date)
    return { settled: await endDelivery(platform, reference, 'failed', 'endpoint_disabled') };
  const event = await WebhookEvent.findOne({ _id: delivery.eventId, organisationId, mode }).lean<WebhookEventRecord>();
  const body = event === null ? null : await readEventBody(platform, event);
  if (event === null || body === null)
    return { settled: await endDelivery(platform, reference, 'cancelled', 'event_erased') };
  return { plan: await buildAttemptPlan(platform, endpoint, event._id, body) };
}

/** State of the delivery after an attempt. */
interface Outcome {
  status: 'pending' | 'succeeded' | 'failed';
  reason: DeliveryReason | null;
  retryInSeconds: number;
}

function determineOutcome(attempt: Attempt, nowMs: number): Outcome {
  const verdict = attempt.status === null ? 'rejected' : classifyResponse(attempt.status);
  if (verdict === 'accepted') return { status: 'succeeded', reason: null, retryInSeconds: 0 };
  if (verdict === 'gone') return { status: 'failed', reason: 'endpoint_gone', retryInSeconds: 0 };
  const requestedDelay = verdict === 'busy' ? parseRetryAfter(attempt.retryAfter, nowMs) : undefined;
  const delay = computeRetryDelaySeconds(attempt.number, Math.random(), requestedDelay);
  return delay === null
    ? { status: 'failed', reason: 'attempts_exhausted', retryInSeconds: 0 }
    : { status: 'pending', reason: null, retryInSeconds: delay };
}

async function disableEndpoint(
  unit: UnitOfWork,
  endpoint: WebhookEndpointRecord,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  await WebhookEndpoint.updateOne(
    { _id: endpoint._id, disabledAt: null },
    { $set: { disabledAt: now, disabledReason: reason } },
    { session: unit.mongoSession },
  );
  await unit.audit(endpoint, {
    actor: 'system',
    action: 'webhook.disabled',
    subject: endpoint._id,
    fields: ['disabledAt', 'disabledReason'],
    reason,
  });
}

/** Minimum interval between two updates of an endpoint during a run of failures, to avoid contention on its row. */
const FAILURE_UPDATE_INTERVAL_MS = HOUR_MS;

/** Updates the endpoint's run of failures. Disables the endpoint after too long a run or a 410 response. */
async function updateEndpointHealth(
  unit: UnitOfWork,
  delivery: WebhookDeliveryRecord,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const { endpointId: _id, organisationId, mode } = delivery;
  const endpoint = await WebhookEndpoint.findOne({ _id, organisationId, mode })
    .session(unit.mongoSession)
    .lean<WebhookEndpointRecord>();
  if (endpoint === null || endpoint.deletedAt instanceof Date || endpoint.disabledAt instanceof Date) return;
  if (outcome.reason === 'endpoint_gone') return disableEndpoint(unit, endpoint, 'gone', now);
  const write = (run: FailureRun) => WebhookEndpoint.updateOne({ _id }, { $set: run }, { session: unit.mongoSession });
  const before = { failingSince: endpoint.failingSince ?? null, lastFailureAt: endpoint.lastFailureAt ?? null };
  if (outcome.status === 'succeeded') {
    if (before.failingSince !== null) await write({ failingSince: null, lastFailureAt: null });
    return;
  }
  const run = recordFailure(before, now);
  if (hasExceededFailureLimit(run, now)) return disableEndpoint(unit, endpoint, 'failing', now);
  const recentlyUpdated =
    before.lastFailureAt !== null && now.getTime() - before.lastFailureAt.getTime() < FAILURE_UPDATE_INTERVAL_MS;
  if (!recentlyUpdated) await write(run);
}

/**
 * Records an attempt once and updates the delivery and the endpoint in the same transaction.
 * @returns the state of the delivery, unchanged if it has ended or the attempt was already recorded
 */
export async function recordAttempt(
  platform: Platform,
  reference: DeliveryReference,
  attempt: Attempt,
): Promise<DeliveryProgress> {
  const now = platform.clock.now();
  const outcome = determineOutcome(attempt, now.getTime());
  const { number, at, durationMs, status, error, response } = attempt;
  const isOver = outcome.status !== 'pending';
  const delivery = await runTransaction(platform, async (unit) => {
    const before = await WebhookDelivery.findOneAndUpdate(
      { ...buildDeliveryFilter(reference), status: 'pending', 'attempts.number': { $ne: number } },
      {
        $push: { attempts: { number, at, durationMs, status, error, response } },
        $set: {
          status: outcome.status,
          reason: outcome.reason,
          nextAttemptAt: isOver ? null : new Date(now.getTime() + outcome.retryInSeconds * 1000),
          completedAt: isOver ? now : null,
        },
      },
      { session: unit.mongoSession },
    ).lean<WebhookDeliveryRecord>();
    if (before !== null) await updateEndpointHealth(unit, before, outcome, now);
    return before;
  });
  if (delivery !== null) {
    return { status: outcome.status, answer: String(status ?? error), retryInSeconds: outcome.retryInSeconds };
  }
  const current = await WebhookDelivery.findOne(buildDeliveryFilter(reference)).lean<WebhookDeliveryRecord>();
  return (
    (current === null ? undefined : findRecordedProgress(platform, current, number)) ??
    buildEndedProgress('cancelled', 'not found')
  );
}

/** Ends a delivery that is still pending. */
export async function cancelDelivery(platform: Platform, delivery: DeliveryReference): Promise<void> {
  await endDelivery(platform, delivery, 'cancelled', 'cancelled');
}
