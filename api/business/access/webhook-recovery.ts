import { z } from 'zod';
import { readLowerInstant, readUpperInstant } from '../../../domain/business/calendar';
import type { DateReading } from '../../../domain/business/calendar';
import { invalidField } from '../../../domain/errors';
import { recoverWebhook, resendDelivery } from '../../../services/platform/webhooks/recovery';
import { rotateSecret } from '../../../services/platform/webhooks/endpoints';
import { idParam } from '../../http/paging';
import { overlapSeconds } from '../../platform/webhooks/recovery';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { answer } from '../responses';
import { callerOf } from '../caller';
import { instant } from '../fields';
import {
  DELIVERY_EXAMPLE,
  deliveryShape,
  deliveryView,
  WEBHOOK_EXAMPLE,
  webhookShape,
  webhookView,
} from './webhook-responses';

const webhookId = z.object({ id: idParam('whk') });
const TAG = 'Administration';
const time = z
  .string({ error: 'must be an ISO 8601 date or date-time' })
  .max(40, 'must be an ISO 8601 date or date-time');

function read(field: string, reading: DateReading<Date>): Date {
  if ('problem' in reading) throw invalidField(field, reading.problem);
  return reading.value;
}

const rotate = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/rotate',
  operationId: 'rotateWebhookSecret',
  summary: 'Give a webhook a new secret',
  description: 'The new secret is shown this once. While the two overlap, deliveries carry a signature by each.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  params: webhookId,
  body: z.strictObject({ overlapSeconds }),
  bodyExample: { overlapSeconds: 86_400 },
  replies: {
    200: {
      description: 'The webhook and, this once, its new secret; null on a repeat under the same Idempotency-Key.',
      schema: z.object({ data: webhookShape.extend({ secret: z.string().nullable() }) }),
      example: { data: { ...WEBHOOK_EXAMPLE, secret: 'whsec_…' } },
    },
  },
  errors: { 409: 'Five secrets are in force already, or the first request with this Idempotency-Key still runs.' },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const { platform, idempotency } = context;
    const { webhook, secret } = await rotateSecret(
      platform,
      caller,
      caller.id,
      params.id,
      body.overlapSeconds,
      idempotency,
    );
    const data = { ...webhookView(webhook, platform.clock.now()), secret };
    return { status: 200, body: answer({ data }, caller.company.timeZone) };
  },
});

const recover = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/recover',
  operationId: 'recoverWebhook',
  summary: 'Send again what a webhook missed',
  description:
    'Sends every event since a time that the webhook subscribes to and that was not delivered; a disabled webhook is enabled. Events keep their `webhook-id`.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookId,
  body: z.strictObject({
    since: time.meta({ description: 'Events that happened at this time or later.' }),
    until: time.optional().meta({ description: 'And no later than this; now if left out.' }),
  }),
  bodyExample: { since: '2026-11-20' },
  replies: {
    202: {
      description: 'The recovery has begun; its deliveries appear in the list of deliveries.',
      schema: z.object({ data: z.object({ webhook: webhookShape, since: instant, until: instant }) }),
      example: {
        data: {
          webhook: WEBHOOK_EXAMPLE,
          since: '2026-11-20T00:00:00.000+01:00',
          until: '2026-11-21T10:00:00.000+01:00',
        },
      },
    },
  },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const span = {
      since: read('since', readLowerInstant(body.since, timeZone)),
      until: body.until === undefined ? undefined : read('until', readUpperInstant(body.until, timeZone)),
    };
    const { webhook, since, until } = await recoverWebhook(context.platform, caller, caller.id, params.id, span);
    const data = { webhook: webhookView(webhook, context.platform.clock.now()), since, until };
    return { status: 202, body: answer({ data }, timeZone) };
  },
});

const resend = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/deliveries/:deliveryId/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Send one event again',
  description: 'Whether it was delivered or not: a new delivery under the same `webhook-id`, attempted at once.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookId.extend({ deliveryId: idParam('dlv') }),
  replies: {
    202: {
      description: 'The new delivery, which has begun.',
      schema: z.object({ data: deliveryShape }),
      example: { data: { ...DELIVERY_EXAMPLE, status: 'pending', attempts: [] } },
    },
  },
  errors: { 409: 'The delivery is under way, the webhook is disabled, or what the event was about has been erased.' },
  async handle(context, { params }) {
    const caller = await callerOf(context);
    const delivery = await resendDelivery(context.platform, caller, caller.id, params.id, params.deliveryId);
    return { status: 202, body: answer({ data: deliveryView(delivery) }, caller.company.timeZone) };
  },
});

export const webhookRecoveryRoutes: readonly Route[] = [rotate, recover, resend];
