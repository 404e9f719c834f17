import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../../domain/platform/webhooks/delivery-status';
import { listDeliveryPage, listWebhookPage, WEBHOOK_SORT_FIELDS } from '../../../services/business/access/webhooks';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookVersion,
  sendTestDelivery,
  updateWebhook,
} from '../../../services/platform/webhooks/endpoints';
import { idParam } from '../../http/paging';
import {
  newWebhookSchema,
  readDelivery,
  readWebhook,
  webhookChangesSchema,
} from '../../platform/webhooks/webhook-responses';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildEtagHeader, parseIfMatch, VERSION_MISMATCH } from '../../http/versions';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import {
  parseCreatedFilter,
  buildListResponse,
  choicesParameter,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { deliveryDetailRoutes } from './delivery-details';
import { webhookRecoveryRoutes } from './webhook-recovery';
import {
  exampleBusinessDelivery,
  businessDeliverySchema,
  exampleBusinessWebhook,
  businessWebhookSchema,
} from './webhook-responses';

const webhookParams = z.object({ id: idParam('whk') });
const TAG = 'Administration';

const create = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks',
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description:
    'Events are posted as `{type, mode, timestamp, data}`, signed according to the Standard Webhooks specification. The secret is returned only in this response. Both APIs share their live webhooks.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  body: newWebhookSchema,
  bodyExample: { url: exampleBusinessWebhook.url, events: exampleBusinessWebhook.events },
  replies: {
    201: {
      description:
        'The webhook with its secret. The secret is null if the request is repeated with the same Idempotency-Key.',
      schema: z.object({ data: businessWebhookSchema.extend({ secret: z.string().nullable() }), message: z.string() }),
      example: { data: { ...exampleBusinessWebhook, secret: 'whsec_…' }, message: 'Webhook created.' },
    },
  },
  errors: { 409: 'There are already 50 webhooks, or the first request with this Idempotency-Key is still running.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { platform, idempotency } = context;
    const { webhook, secret } = await createWebhook(platform, caller, caller.id, body, idempotency);
    const data = { ...readWebhook(webhook, platform.clock.now()), secret };
    return { status: 201, body: serializeResponse({ data, message: 'Webhook created.' }, caller.company.timeZone) };
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
      schema: buildListSchema(businessWebhookSchema),
      example: { data: [exampleBusinessWebhook], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'createdAt', dir: 'desc' });
    const { rows, totalCount } = await listWebhookPage(caller, parseCreatedFilter(query, timeZone), listRequest);
    const now = context.platform.clock.now();
    const data = rows.map((row) => readWebhook(row, now));
    return { status: 200, body: serializeResponse(buildListResponse(data, totalCount, listRequest), timeZone) };
  },
});

const webhookReply = (description: string) => ({
  200: {
    description,
    schema: z.object({ data: businessWebhookSchema }),
    example: { data: exampleBusinessWebhook },
  },
});

const get = defineRoute({
  method: 'get',
  path: '/api/admin/webhooks/:id',
  operationId: 'getWebhook',
  summary: 'Webhook detail',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  params: webhookParams,
  replies: webhookReply('The webhook, without its secret.'),
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const webhook = await getWebhook(caller, params.id);
    const data = readWebhook(webhook, context.platform.clock.now());
    return {
      status: 200,
      headers: buildEtagHeader(getWebhookVersion(webhook)),
      body: serializeResponse({ data }, caller.company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/admin/webhooks/:id',
  operationId: 'updateWebhook',
  summary: 'Update a webhook',
  description:
    'Changes the fields that are sent; `events` replaces the whole list. Pending deliveries go to the new URL from their next attempt. The secret stays. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookParams,
  body: webhookChangesSchema,
  bodyExample: { events: ['invoice.paid'] },
  replies: webhookReply('The changed webhook.'),
  errors: { 412: VERSION_MISMATCH },
  async handle(context, { params, body: { url, events, description } }) {
    const caller = await getCaller(context);
    const changes = { url, events, description };
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const webhook = await updateWebhook(context.platform, caller, caller.id, at, changes);
    const data = readWebhook(webhook, context.platform.clock.now());
    return {
      status: 200,
      headers: buildEtagHeader(getWebhookVersion(webhook)),
      body: serializeResponse({ data }, caller.company.timeZone),
    };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/api/admin/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Destroys the secret immediately and ends the deliveries in progress.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookParams,
  replies: {
    200: {
      description: 'The webhook has been deleted.',
      schema: z.object({ data: z.object({ id: z.string(), deleted: z.literal(true) }), message: z.string() }),
      example: { data: { id: exampleBusinessWebhook.id, deleted: true }, message: 'Webhook deleted.' },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    await deleteWebhook(context.platform, caller, caller.id, params.id);
    return { status: 200, body: { data: { id: params.id, deleted: true }, message: 'Webhook deleted.' } };
  },
});

const test = defineRoute({
  method: 'post',
  path: '/api/admin/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send a test delivery',
  description: 'Sends `webhook.test` to this webhook only, signed and retried like any other event.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: webhookParams,
  replies: {
    202: {
      description: 'The delivery, which has been started; its attempts appear in the list of deliveries.',
      schema: z.object({ data: businessDeliverySchema }),
      example: { data: { ...exampleBusinessDelivery, type: 'webhook.test', status: 'pending', attempts: [] } },
    },
  },
  errors: { 409: 'The webhook is disabled.' },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const delivery = await sendTestDelivery(context.platform, caller, caller.id, params.id);
    return {
      status: 202,
      body: serializeResponse({ data: readDelivery(delivery) }, caller.company.timeZone),
    };
  },
});

const deliveries = defineRoute({
  method: 'get',
  path: '/api/admin/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first, with every attempt. Deliveries are kept for 90 days.',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  params: webhookParams,
  query: z.strictObject({ ...listParameters(WEBHOOK_SORT_FIELDS), status: choicesParameter(DELIVERY_STATUSES) }),
  replies: {
    200: {
      description: 'A page of deliveries and the exact total.',
      schema: buildListSchema(businessDeliverySchema),
      example: { data: [exampleBusinessDelivery], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { params, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'createdAt', dir: 'desc' });
    const filter = { status: query.status, ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listDeliveryPage(caller, params.id, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(readDelivery), totalCount, listRequest), timeZone),
    };
  },
});

export const webhookRoutes: readonly Route[] = [
  create,
  list,
  get,
  update,
  remove,
  test,
  deliveries,
  ...deliveryDetailRoutes,
  ...webhookRecoveryRoutes,
];
