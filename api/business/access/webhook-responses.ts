import { z } from 'zod';
import {
  deliverySchema,
  exampleDelivery,
  exampleWebhook,
  webhookSchema,
} from '../../platform/webhooks/webhook-responses';
import { instant } from '../fields';

/** Webhooks and deliveries as in the identity API, but with times in the time zone of the company. */
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

export const exampleBusinessWebhook = { ...exampleWebhook, events: ['invoice.issued', 'invoice.paid'] };
export const exampleBusinessDelivery = { ...exampleDelivery, type: 'invoice.issued' as const };
