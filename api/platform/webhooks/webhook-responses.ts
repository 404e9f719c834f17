import { z } from 'zod';
import { toIsoString } from '../../../domain/iso-time';
import { DELIVERY_STATUSES } from '../../../domain/platform/webhooks/delivery-status';
import { EVENT_TYPES, SUBSCRIPTIONS } from '../../../domain/platform/webhooks/event-types';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';

export const deliveryStatus = z.enum(DELIVERY_STATUSES, { error: `accepts ${DELIVERY_STATUSES.join(', ')}` });

const subscription = z.enum(SUBSCRIPTIONS, { error: `is not an event; accepts ${SUBSCRIPTIONS.join(', ')}` });

const url = z.string({ error: 'accepts an https:// address' }).min(1).max(2000).meta({
  format: 'uri',
  pattern: '^https://',
  description: 'URL that events are posted to: https, without user name or password, with a public address.',
});

const events = z
  .array(subscription, { error: `accepts a list of events: ${SUBSCRIPTIONS.join(', ')}` })
  .min(1, 'name at least one event, or * for all')
  .max(100)
  .meta({ description: 'Event types; `*` subscribes to all.' });

const description = z.string().trim().max(200).nullable();

export const newWebhookSchema = z.strictObject({ url, events, description: description.default(null) });

export const webhookChangesSchema = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
});

export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  mode: z.enum(['live', 'test']),
  status: z.enum(['enabled', 'disabled']),
  disabledReason: z
    .enum(['gone', 'failing'])
    .nullable()
    .meta({ description: '`gone`: the receiver responded with 410; `failing`: no delivery succeeded for five days.' }),
  disabledAt: z.iso.datetime().nullable(),
  previousSecretsUntil: z.iso.datetime().nullable().meta({
    description: 'Time until which previous secrets sign in addition to the current one; null if there are none.',
  }),
  createdAt: z.iso.datetime(),
});

const attemptSchema = z.object({
  number: z.number().int().min(1),
  at: z.iso.datetime(),
  durationMs: z.number().int().min(0),
  status: z.number().int().nullable().meta({ description: 'HTTP status; null without a response.' }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Error code without a response, such as `timeout` or `dns_failed`.' }),
  response: z.string().nullable().meta({ description: 'First kilobyte of the response.' }),
});

export const deliverySchema = z.object({
  id: z.string(),
  webhookId: z.string(),
  eventId: z.string().meta({ description: 'Value of the `webhook-id` header, the same for every attempt.' }),
  type: z.enum(EVENT_TYPES),
  status: deliveryStatus,
  reason: z.string().nullable().meta({ description: 'Reason of an unsuccessful end, such as `attempts_exhausted`.' }),
  attempts: z.array(attemptSchema),
  nextAttemptAt: z.iso.datetime().nullable(),
  completedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

/** The time at which the last of the earlier secrets stops signing. */
function getPreviousSecretsExpiry({ secrets }: WebhookEndpointRecord, now: Date): Date | null {
  const ends = secrets.flatMap(({ expiresAt }) => (expiresAt instanceof Date && expiresAt > now ? [expiresAt] : []));
  return ends.sort((a, b) => b.getTime() - a.getTime())[0] ?? null;
}

/** A webhook with times as `Date`, which each API formats differently. */
export const readWebhook = (record: WebhookEndpointRecord, now: Date) => ({
  id: record._id,
  url: record.url,
  events: record.events,
  description: record.description ?? null,
  mode: record.mode,
  status: record.disabledAt instanceof Date ? ('disabled' as const) : ('enabled' as const),
  disabledReason: record.disabledReason ?? null,
  disabledAt: record.disabledAt ?? null,
  previousSecretsUntil: getPreviousSecretsExpiry(record, now),
  createdAt: record.createdAt,
});

/**
 * Response body of a webhook in the identity API, with times in UTC. Secrets are returned only when they are created.
 */
export function presentWebhook(record: WebhookEndpointRecord, now: Date): z.infer<typeof webhookSchema> {
  const webhook = readWebhook(record, now);
  return {
    ...webhook,
    disabledAt: toIsoString(webhook.disabledAt),
    previousSecretsUntil: toIsoString(webhook.previousSecretsUntil),
    createdAt: webhook.createdAt.toISOString(),
  };
}

/** A delivery with times as `Date`, which each API formats differently. */
export const readDelivery = (record: WebhookDeliveryRecord) => ({
  id: record._id,
  webhookId: record.endpointId,
  eventId: record.eventId,
  type: record.eventType,
  status: record.status,
  reason: record.reason ?? null,
  attempts: record.attempts.map((attempt) => ({
    number: attempt.number,
    at: attempt.at,
    durationMs: attempt.durationMs,
    status: attempt.status ?? null,
    error: attempt.error ?? null,
    response: attempt.response ?? null,
  })),
  nextAttemptAt: record.nextAttemptAt ?? null,
  completedAt: record.completedAt ?? null,
  createdAt: record.createdAt,
});

/**
 * Response body of a delivery in the identity API, with times in UTC and every attempt, without the content of its
 * event.
 */
export function presentDelivery(record: WebhookDeliveryRecord): z.infer<typeof deliverySchema> {
  const delivery = readDelivery(record);
  return {
    ...delivery,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    nextAttemptAt: toIsoString(delivery.nextAttemptAt),
    completedAt: toIsoString(delivery.completedAt),
    createdAt: delivery.createdAt.toISOString(),
  };
}

export const exampleWebhook: z.infer<typeof webhookSchema> = {
  id: 'whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  url: 'https://shop.example/hooks/vouch',
  events: ['session.completed', 'session.declined', 'session.review'],
  description: null,
  mode: 'live',
  status: 'enabled',
  disabledReason: null,
  disabledAt: null,
  previousSecretsUntil: null,
  createdAt: '2026-11-21T10:00:00.000Z',
};

export const exampleDelivery: z.infer<typeof deliverySchema> = {
  id: 'dlv_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  webhookId: exampleWebhook.id,
  eventId: 'evt_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  type: 'session.completed',
  status: 'succeeded',
  reason: null,
  attempts: [
    { number: 1, at: '2026-11-21T10:00:00.000Z', durationMs: 84, status: 500, error: null, response: 'down' },
    { number: 2, at: '2026-11-21T10:00:05.300Z', durationMs: 61, status: 204, error: null, response: '' },
  ],
  nextAttemptAt: null,
  completedAt: '2026-11-21T10:00:05.361Z',
  createdAt: '2026-11-21T10:00:00.000Z',
};
