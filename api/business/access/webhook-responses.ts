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
export const webhookShape = webhookSchema.extend({
  disabledAt: instant.nullable(),
  previousSecretsUntil: instant.nullable(),
  createdAt: instant,
});

const attemptShape = deliverySchema.shape.attempts.element.extend({ at: instant });

export const deliveryShape = deliverySchema.extend({
  attempts: z.array(attemptShape),
  nextAttemptAt: instant.nullable(),
  completedAt: instant.nullable(),
  createdAt: instant,
});

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

export function webhookView(record: WebhookEndpointRecord, now: Date) {
  const shown = presentWebhook(record, now);
  return {
    ...shown,
    disabledAt: dateOf(shown.disabledAt),
    previousSecretsUntil: dateOf(shown.previousSecretsUntil),
    createdAt: record.createdAt,
  };
}

export function deliveryView(record: WebhookDeliveryRecord) {
  const shown = presentDelivery(record);
  return {
    ...shown,
    attempts: shown.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
    nextAttemptAt: dateOf(shown.nextAttemptAt),
    completedAt: dateOf(shown.completedAt),
    createdAt: record.createdAt,
  };
}

export const WEBHOOK_EXAMPLE = { ...exampleWebhook, events: ['invoice.issued', 'invoice.paid'] };
export const DELIVERY_EXAMPLE = { ...exampleDelivery, type: 'invoice.issued' as const };
