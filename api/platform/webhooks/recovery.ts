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

/** How long the previous secret stays valid after a rotation. */
export const overlapSeconds = z
  .number({ error: `accepts seconds from 0 to ${7 * DAY_SECONDS}` })
  .int()
  .min(0)
  .max(7 * DAY_SECONDS)
  .default(DAY_SECONDS)
  .meta({ description: 'Seconds for which the previous secret stays valid, at most one week; one day by default.' });

const rotate = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/rotate',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the signing secret of a webhook',
  description:
    'The new secret is returned once. While both secrets are valid, deliveries have a signature of each; with `overlapSeconds: 0` the previous one becomes invalid immediately.',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  idempotent: true,
  params: webhookParams,
  body: z.strictObject({ overlapSeconds }),
  bodyExample: { overlapSeconds: DAY_SECONDS },
  replies: {
    200: {
      description:
        'The webhook with its new secret. An idempotent repeat returns null as the secret, with `secretAlreadyShown`.',
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
  errors: { 409: 'Five secrets are valid already, or the first request with this Idempotency-Key is still running.' },
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
  summary: 'Redeliver missed events of a webhook',
  description: [
    'Redelivers every event of the time range that the webhook subscribes to and that was not delivered, including events from the time when it was disabled. Enables a disabled webhook.',
    'Events keep their `webhook-id`, so that receivers can ignore repetitions. Events are kept for 90 days.',
  ].join('\n\n'),
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  params: webhookParams,
  body: z.strictObject({
    since: instant.meta({ description: 'Start of the time range, inclusive.' }),
    until: instant.optional().meta({ description: 'End of the time range, inclusive; the current time by default.' }),
  }),
  bodyExample: { since: '2026-11-20T00:00:00Z' },
  replies: {
    202: {
      description: 'The recovery has started; its deliveries appear in the list of deliveries.',
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
  summary: 'Redeliver one event',
  description:
    'Creates a new delivery with the same `webhook-id` and attempts it immediately, even if the event was delivered before.',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  params: webhookParams.extend({ deliveryId: idParam('dlv') }),
  replies: {
    202: {
      description: 'The new delivery, still pending.',
      schema: z.object({ delivery: deliverySchema }),
      example: { delivery: { ...exampleDelivery, status: 'pending', attempts: [], completedAt: null } },
    },
  },
  errors: { 409: 'The delivery is pending, the webhook is disabled, or the subject of the event has been erased.' },
  async handle({ platform, credential }, { params }) {
    const delivery = await resendDelivery(platform, credential, credential.id, params.id, params.deliveryId);
    return { status: 202, body: { delivery: presentDelivery(delivery) } };
  },
});

/** Rotation of secrets, recovery and redelivery. */
export const webhookRecoveryRoutes: readonly Route[] = [rotate, recover, resend];
