import { z } from 'zod';
import { readLowerInstant, readUpperInstant } from '../../../domain/business/calendar';
import type { DateReading } from '../../../domain/business/calendar';
import { invalidFieldError } from '../../../domain/errors';
import { recoverWebhook, resendDelivery } from '../../../services/platform/webhooks/recovery';
import { rotateWebhookSecret } from '../../../services/platform/webhooks/endpoints';
import { idParam } from '../../http/paging';
import { overlapSeconds } from '../../platform/webhooks/recovery';
import { readDelivery, readWebhook } from '../../platform/webhooks/webhook-responses';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { DATE_OR_TIME, instant } from '../fields';
import {
  exampleBusinessDelivery,
  businessDeliverySchema,
  exampleBusinessWebhook,
  businessWebhookSchema,
} from './webhook-responses';

const webhookParams = z.object({ id: idParam('whk') });
const TAG = 'Administration';
const time = z
  .string({ error: 'must be an ISO 8601 date or date-time' })
  .max(40, 'must be an ISO 8601 date or date-time')
  .meta(DATE_OR_TIME);

function unwrapReading(field: string, reading: DateReading<Date>): Date {
  if ('problem' in reading) throw invalidFieldError(field, reading.problem);
  return reading.value;
}

const rotate = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/rotate',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description:
    'The new secret is returned only in this response. During the overlap, deliveries are signed with both secrets.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  params: webhookParams,
  body: z.strictObject({ overlapSeconds }),
  bodyExample: { overlapSeconds: 86_400 },
  replies: {
    200: {
      description:
        'The webhook with its new secret. The secret is null if the request is repeated with the same Idempotency-Key.',
      schema: z.object({ data: businessWebhookSchema.extend({ secret: z.string().nullable() }) }),
      example: { data: { ...exampleBusinessWebhook, secret: 'whsec_…' } },
    },
  },
  errors: { 409: 'Five secrets are already active, or the first request with this Idempotency-Key is still running.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { platform, idempotency } = context;
    const { webhook, secret } = await rotateWebhookSecret(
      platform,
      caller,
      caller.id,
      params.id,
      body.overlapSeconds,
      idempotency,
    );
    const data = { ...readWebhook(webhook, platform.clock.now()), secret };
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const recover = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/recover',
  operationId: 'recoverWebhook',
  summary: 'Resend missed events',
  description:
    'Resends every subscribed event since a time that was not delivered, and enables the webhook if it is disabled. Events keep their `webhook-id`.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookParams,
  body: z.strictObject({
    since: time.meta({ description: 'Start of the period whose events are resent.' }),
    until: time.optional().meta({ description: 'End of the period. Default: now.' }),
  }),
  bodyExample: { since: '2026-11-20' },
  replies: {
    202: {
      description: 'The recovery has started; its deliveries appear in the list of deliveries.',
      schema: z.object({ data: z.object({ webhook: businessWebhookSchema, since: instant, until: instant }) }),
      example: {
        data: {
          webhook: exampleBusinessWebhook,
          since: '2026-11-20T00:00:00.000+01:00',
          until: '2026-11-21T10:00:00.000+01:00',
        },
      },
    },
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const span = {
      since: unwrapReading('since', readLowerInstant(body.since, timeZone)),
      until: body.until === undefined ? undefined : unwrapReading('until', readUpperInstant(body.until, timeZone)),
    };
    const { webhook, since, until } = await recoverWebhook(context.platform, caller, caller.id, params.id, span);
    const data = { webhook: readWebhook(webhook, context.platform.clock.now()), since, until };
    return { status: 202, body: serializeResponse({ data }, timeZone) };
  },
});

const resend = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/deliveries/:deliveryId/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Resend an event',
  description:
    'Creates a new delivery with the same `webhook-id`, which is attempted immediately, whether or not the event was delivered before.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookParams.extend({ deliveryId: idParam('dlv') }),
  replies: {
    202: {
      description: 'The new delivery, which has been started.',
      schema: z.object({ data: businessDeliverySchema }),
      example: { data: { ...exampleBusinessDelivery, status: 'pending', attempts: [] } },
    },
  },
  errors: { 409: 'The delivery is in progress, the webhook is disabled, or the record of the event has been erased.' },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const delivery = await resendDelivery(context.platform, caller, caller.id, params.id, params.deliveryId);
    return {
      status: 202,
      body: serializeResponse({ data: readDelivery(delivery) }, caller.company.timeZone),
    };
  },
});

export const webhookRecoveryRoutes: readonly Route[] = [rotate, recover, resend];
