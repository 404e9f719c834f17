import { z } from 'zod';
import { listOwnDeliveries, listOwnWebhooks, WEBHOOK_SORT_FIELDS } from '../../../services/business/access/webhooks';
import { createWebhook, deleteWebhook, sendTestDelivery } from '../../../services/platform/webhooks/endpoints';
import { idParam } from '../../http/paging';
import { deliveryStatus, newWebhookSchema } from '../../platform/webhooks/webhook-responses';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { answer } from '../responses';
import { callerOf } from '../caller';
import { createdFilter, listAnswer, listParameters, listQuery, listShape } from '../listing';
import { webhookRecoveryRoutes } from './webhook-recovery';
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

const create = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks',
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description:
    'Events are posted as `{type, timestamp, data}`, signed by the Standard Webhooks specification with the secret that is shown this once. The live webhooks of both APIs are the same ones.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  body: newWebhookSchema,
  bodyExample: { url: WEBHOOK_EXAMPLE.url, events: WEBHOOK_EXAMPLE.events },
  replies: {
    201: {
      description: 'The webhook and, this once, its secret; null on a repeat under the same Idempotency-Key.',
      schema: z.object({ data: webhookShape.extend({ secret: z.string().nullable() }), message: z.string() }),
      example: { data: { ...WEBHOOK_EXAMPLE, secret: 'whsec_…' }, message: 'Webhook created.' },
    },
  },
  errors: { 409: 'There are 50 webhooks already, or the first request with this Idempotency-Key still runs.' },
  async handle(context, { body }) {
    const caller = await callerOf(context);
    const { platform, idempotency } = context;
    const { webhook, secret } = await createWebhook(platform, caller, caller.id, body, idempotency);
    const data = { ...webhookView(webhook, platform.clock.now()), secret };
    return { status: 201, body: answer({ data, message: 'Webhook created.' }, caller.company.timeZone) };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/api/admin/webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  query: z.strictObject(listParameters(WEBHOOK_SORT_FIELDS)),
  replies: {
    200: {
      description: 'A page of webhooks, newest first, and the exact total.',
      schema: listShape(webhookShape),
      example: { data: [WEBHOOK_EXAMPLE], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const asked = listQuery(query, { by: 'createdAt', dir: 'desc' });
    const { rows, totalCount } = await listOwnWebhooks(caller, createdFilter(query, timeZone), asked);
    const now = context.platform.clock.now();
    const data = rows.map((row) => webhookView(row, now));
    return { status: 200, body: answer(listAnswer(data, totalCount, asked), timeZone) };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/api/admin/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Its secret is destroyed at once; deliveries under way end.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookId,
  replies: {
    200: {
      description: 'It is gone.',
      schema: z.object({ message: z.string() }),
      example: { message: 'Webhook deleted.' },
    },
  },
  async handle(context, { params }) {
    const caller = await callerOf(context);
    await deleteWebhook(context.platform, caller, caller.id, params.id);
    return { status: 200, body: { message: 'Webhook deleted.' } };
  },
});

const test = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send a test delivery',
  description: 'Posts `webhook.test` to this webhook alone, signed and repeated like any event.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookId,
  replies: {
    202: {
      description: 'The delivery, which has begun; its attempts appear in the list of deliveries.',
      schema: z.object({ data: deliveryShape }),
      example: { data: { ...DELIVERY_EXAMPLE, type: 'webhook.test', status: 'pending', attempts: [] } },
    },
  },
  errors: { 409: 'The webhook is disabled.' },
  async handle(context, { params }) {
    const caller = await callerOf(context);
    const delivery = await sendTestDelivery(context.platform, caller, caller.id, params.id);
    return { status: 202, body: answer({ data: deliveryView(delivery) }, caller.company.timeZone) };
  },
});

const deliveries = defineRoute({
  method: 'get',
  path: '/api/admin/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first, with every attempt; kept for 90 days.',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  params: webhookId,
  query: z.strictObject({ ...listParameters(WEBHOOK_SORT_FIELDS), status: deliveryStatus.optional() }),
  replies: {
    200: {
      description: 'A page of deliveries and the exact total.',
      schema: listShape(deliveryShape),
      example: { data: [DELIVERY_EXAMPLE], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { params, query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const asked = listQuery(query, { by: 'createdAt', dir: 'desc' });
    const filter = { status: query.status, ...createdFilter(query, timeZone) };
    const { rows, totalCount } = await listOwnDeliveries(caller, params.id, filter, asked);
    return { status: 200, body: answer(listAnswer(rows.map(deliveryView), totalCount, asked), timeZone) };
  },
});

export const webhookRoutes: readonly Route[] = [create, list, remove, test, deliveries, ...webhookRecoveryRoutes];
