import { z } from 'zod';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import {
  deliverySchema,
  exampleDelivery,
  exampleWebhook,
  presentDelivery,
  presentWebhook,
  webhookSchema,
} from '../../platform/webhooks/webhook-responses';
import { instant } from '../fields';

/**
 * Webhooks and deliveries as the identity API shows them, but with instants in the company's zone, as everything of
 * the business API is.
 */
export const businessWebhookSchema = webhookSchema.extend({
  disabledAt: instant.nullable(),
  previousSecretsUntil: instant.nullable(),
  createdAt: instant,
});

const businessAttemptSchema = deliverySchema.shape.attempts.element.extend({ at: instant });

export const businessDeliverySchema = deliverySchema.extend({
  attempts: z.array(businessAttemptSchema),
  nextAttemptAt: instant.nullable(),
  completedAt: instant.nullable(),
  createdAt: instant,
});

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

export function presentBusinessWebhook(record: WebhookEndpointRecord, now: Date) {
  const presented = presentWebhook(record, now);
  return {
    ...presented,
    disabledAt: toDate(presented.disabledAt),
    previousSecretsUntil: toDate(presented.previousSecretsUntil),
    createdAt: record.createdAt,
  };
}

export function presentBusinessDelivery(record: WebhookDeliveryRecord) {
  const presented = presentDelivery(record);
  return {
    ...presented,
    attempts: presented.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
    nextAttemptAt: toDate(presented.nextAttemptAt),
    completedAt: toDate(presented.completedAt),
    createdAt: record.createdAt,
  };
}

export const exampleBusinessWebhook = { ...exampleWebhook, events: ['invoice.issued', 'invoice.paid'] };
export const exampleBusinessDelivery = { ...exampleDelivery, type: 'invoice.issued' as const };
