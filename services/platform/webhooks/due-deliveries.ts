import { buildSignedHeaders } from '../../../domain/platform/webhooks/signature';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import type { WebhookEventRecord } from '../../../models/platform/webhooks/webhook-event';
import type { WebhookReference } from '../../../workflows/contracts';
import { getEgressExceptions } from '../access/organisations';
import type { Platform } from '../platform';
import { readEventBody } from './event-bodies';
import { openActiveSecrets } from './secrets';

/** The HTTP request of an attempt. */
export interface AttemptPlan {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Private addresses that the organisation may call. */
  exceptions: string[];
}

/** A delivery whose next attempt is due, with what is needed to make it. */
export interface DueDelivery {
  deliveryId: string;
  /** Number of the attempt, 1 for the first. */
  attempt: number;
  endpoint: WebhookEndpointRecord;
  event: WebhookEventRecord;
  exceptions: string[];
  /** Position in the trace of the event. */
  traceparent: string | null;
}

type DeliveryReason = NonNullable<WebhookDeliveryRecord['reason']>;

/** The condition of the deliveries to a webhook that wait for an attempt. */
export const buildPendingFilter = ({ webhookId, organisationId, mode }: WebhookReference) =>
  ({ organisationId, mode, endpointId: webhookId, status: 'pending' }) as const;

/** Ends pending deliveries of a webhook that can no longer be attempted. */
export async function endDeliveries(
  platform: Platform,
  webhook: WebhookReference,
  which: { _id?: { $in: string[] } | { $nin: readonly string[] }; nextAttemptAt?: { $lte: Date } },
  end: { status: 'failed' | 'cancelled'; reason: DeliveryReason },
): Promise<void> {
  await WebhookDelivery.updateMany(
    { ...buildPendingFilter(webhook), ...which },
    { $set: { ...end, nextAttemptAt: null, completedAt: platform.clock.now() } },
  );
}

/** The endpoint if it may be called; else its due deliveries are ended. */
async function findCallableEndpoint(
  platform: Platform,
  webhook: WebhookReference,
  due: { nextAttemptAt: { $lte: Date }; _id: { $nin: readonly string[] } },
): Promise<WebhookEndpointRecord | null> {
  const { webhookId: _id, organisationId, mode } = webhook;
  const endpoint = await WebhookEndpoint.findOne({ _id, organisationId, mode }).lean<WebhookEndpointRecord>();
  if (endpoint === null || endpoint.deletedAt instanceof Date) {
    await endDeliveries(platform, webhook, due, { status: 'cancelled', reason: 'endpoint_deleted' });
    return null;
  }
  if (endpoint.disabledAt instanceof Date) {
    await endDeliveries(platform, webhook, due, { status: 'failed', reason: 'endpoint_disabled' });
    return null;
  }
  return endpoint;
}

/**
 * Reads deliveries of a webhook whose next attempt is due, the one that has waited longest first. Deliveries whose event
 * was erased, or whose webhook was deleted or disabled, are ended instead.
 * @param exceptIds deliveries whose attempt is in progress
 */
export async function readDueDeliveries(
  platform: Platform,
  webhook: WebhookReference,
  limit: number,
  exceptIds: readonly string[],
): Promise<DueDelivery[]> {
  const { organisationId, mode } = webhook;
  // The result of an attempt in progress is recorded, even if the webhook was disabled meanwhile.
  const due = { nextAttemptAt: { $lte: platform.clock.now() }, _id: { $nin: exceptIds } };
  const deliveries = await WebhookDelivery.find(
    { ...buildPendingFilter(webhook), ...due },
    { eventId: 1, 'attempts.number': 1, traceparent: 1 },
  )
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean<Pick<WebhookDeliveryRecord, '_id' | 'eventId' | 'attempts' | 'traceparent'>[]>();
  if (deliveries.length === 0) return [];
  const [endpoint, events, exceptions] = await Promise.all([
    findCallableEndpoint(platform, webhook, due),
    WebhookEvent.find({ _id: { $in: deliveries.map(({ eventId }) => eventId) }, organisationId, mode }).lean<
      WebhookEventRecord[]
    >(),
    getEgressExceptions(organisationId),
  ]);
  if (endpoint === null) return [];
  const eventsById = new Map(events.map((event) => [event._id, event]));
  const orphaned = deliveries.filter(({ eventId }) => !eventsById.has(eventId)).map(({ _id }) => _id);
  if (orphaned.length > 0)
    await endDeliveries(platform, webhook, { _id: { $in: orphaned } }, { status: 'cancelled', reason: 'event_erased' });
  return deliveries.flatMap(({ _id: deliveryId, eventId, attempts, traceparent }) => {
    const event = eventsById.get(eventId);
    const attempt = 1 + Math.max(0, ...attempts.map(({ number }) => number));
    return event === undefined
      ? []
      : [{ deliveryId, attempt, endpoint, event, exceptions, traceparent: traceparent ?? null }];
  });
}

/** The headers of every delivery, next to those of its signature. */
export const DELIVERY_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Vouch-Webhooks/1' } as const;

/** Builds the signed request of an attempt. @returns null if the subject of the event was erased */
export async function planAttempt(platform: Platform, due: DueDelivery): Promise<AttemptPlan | null> {
  const { endpoint, event, exceptions } = due;
  const body = await readEventBody(platform, event);
  if (body === null) return null;
  const now = platform.clock.now();
  const secrets = openActiveSecrets(platform.masterKey, endpoint, now);
  return {
    url: endpoint.url,
    body,
    exceptions,
    headers: {
      ...DELIVERY_HEADERS,
      ...buildSignedHeaders(event._id, now, body, secrets),
    },
  };
}

/** Puts off an attempt that was not made; it does not count as one. */
export async function postponeAttempt(
  platform: Platform,
  webhook: WebhookReference,
  deliveryId: string,
  delayMs: number,
): Promise<void> {
  await WebhookDelivery.updateOne(
    { ...buildPendingFilter(webhook), _id: deliveryId },
    { $set: { nextAttemptAt: new Date(platform.clock.now().getTime() + delayMs) } },
  );
}

/** Seconds until the next attempt of a delivery to a webhook, 0 if one is due; null if no delivery is pending. */
export async function findSecondsToNextAttempt(platform: Platform, webhook: WebhookReference): Promise<number | null> {
  const next = await WebhookDelivery.findOne(
    { ...buildPendingFilter(webhook), nextAttemptAt: { $type: 'date' } },
    { nextAttemptAt: 1 },
  )
    .sort({ nextAttemptAt: 1 })
    .lean<Pick<WebhookDeliveryRecord, 'nextAttemptAt'>>();
  if (!(next?.nextAttemptAt instanceof Date)) return null;
  return Math.max(0, next.nextAttemptAt.getTime() - platform.clock.now().getTime()) / 1000;
}
