import { z } from 'zod';
import { recoverWebhook, resendDelivery } from '../../../services/platform/webhooks/recovery';
import { rotateWebhookSecret } from '../../../services/platform/webhooks/endpoints';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  deliverySchema,
  exampleDelivery,
  exampleWebhook,
  presentDelivery,
  presentWebhook,
  webhookSchema,
} from './webhook-responses';
import { DAY_SECONDS } from '../../../domain/durations';

const webhookParams = z.object({ id: idParam('whk') });
const instant = z.iso.datetime({ offset: true, error: 'accepts a time such as 2026-11-21T10:00:00Z' });

/** How long two secrets sign side by side. */
export const overlapSeconds = z
  .number({ error: `accepts seconds from 0 to ${7 * DAY_SECONDS}` })
  .int()
  .min(0)
  .max(7 * DAY_SECONDS)
  .default(DAY_SECONDS)
  .meta({ description: 'How long the old secret still signs, at most a week; a day if left out.' });

const rotate = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/rotate',
  operationId: 'rotateWebhookSecret',
  summary: 'Give a webhook a new secret',
  description:
    'The new secret is shown once. While the two overlap, deliveries carry a signature by each; with `overlapSeconds: 0` the old one ends at once.',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  idempotent: true,
  params: webhookParams,
  body: z.strictObject({ overlapSeconds }),
  bodyExample: { overlapSeconds: DAY_SECONDS },
  replies: {
    200: {
      description: 'The webhook and, this once, its new secret; null with `secretAlreadyShown` on a repeat.',
      schema: z.object({
        webhook: webhookSchema,
        secret: z.string().nullable(),
        secretAlreadyShown: z.boolean().optional(),
      }),
      example: {
        webhook: { ...exampleWebhook, previousSecretsUntil: '2026-11-22T10:00:00.000Z' },
        secret: 'whsec_…',
      },
    },
  },
  errors: { 409: 'Five secrets are in force already, or the first request with this Idempotency-Key still runs.' },
  async handle({ platform, credential, idempotency }, { params, body }) {
    const { overlapSeconds } = body;
    const { webhook, secret } = await rotateWebhookSecret(
      platform,
      credential,
      credential.id,
      params.id,
      overlapSeconds,
      idempotency,
    );
    const responseBody = { webhook: presentWebhook(webhook, platform.clock.now()), secret };
    return { status: 200, body: secret === null ? { ...responseBody, secretAlreadyShown: true } : responseBody };
  },
});

const recover = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/recover',
  operationId: 'recoverWebhook',
  summary: 'Send again what a webhook missed',
  description: [
    'Sends every event since a time that the webhook subscribes to and that was not delivered, also what happened while it was disabled; a disabled webhook is enabled.',
    'Events keep their `webhook-id`, so that a receiver can drop those it has seen. Events are kept for 90 days.',
  ].join('\n\n'),
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  params: webhookParams,
  body: z.strictObject({
    since: instant.meta({ description: 'Events that happened at this time or later.' }),
    until: instant.optional().meta({ description: 'And no later than this; now if left out.' }),
  }),
  bodyExample: { since: '2026-11-20T00:00:00Z' },
  replies: {
    202: {
      description: 'The recovery has begun; its deliveries appear in the list of deliveries.',
      schema: z.object({
        webhook: webhookSchema,
        recovery: z.object({ since: z.iso.datetime(), until: z.iso.datetime() }),
      }),
      example: {
        webhook: exampleWebhook,
        recovery: { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T10:00:00.000Z' },
      },
    },
  },
  async handle({ platform, credential }, { params, body }) {
    const span = {
      since: new Date(body.since),
      until: body.until === undefined ? undefined : new Date(body.until),
    };
    const { webhook, since, until } = await recoverWebhook(platform, credential, credential.id, params.id, span);
    return {
      status: 202,
      body: {
        webhook: presentWebhook(webhook, platform.clock.now()),
        recovery: { since: since.toISOString(), until: until.toISOString() },
      },
    };
  },
});

const resend = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/deliveries/:deliveryId/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Send one event again',
  description: 'Whether it was delivered or not: a new delivery under the same `webhook-id`, attempted at once.',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  params: webhookParams.extend({ deliveryId: idParam('dlv') }),
  replies: {
    202: {
      description: 'The new delivery, which has begun.',
      schema: z.object({ delivery: deliverySchema }),
      example: { delivery: { ...exampleDelivery, status: 'pending', attempts: [], completedAt: null } },
    },
  },
  errors: { 409: 'The delivery is under way, the webhook is disabled, or what the event was about has been erased.' },
  async handle({ platform, credential }, { params }) {
    const delivery = await resendDelivery(platform, credential, credential.id, params.id, params.deliveryId);
    return { status: 202, body: { delivery: presentDelivery(delivery) } };
  },
});

/** Additions to the contract: secrets that change over, and deliveries made good. */
export const webhookRecoveryRoutes: readonly Route[] = [rotate, recover, resend];
