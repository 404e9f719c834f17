import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../../domain/platform/webhooks/delivery-status';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookVersion,
  listDeliveries,
  listWebhooks,
  sendTestDelivery,
  updateWebhook,
} from '../../../services/platform/webhooks/endpoints';
import { buildCommaList } from '../../http/comma-list';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildEtagHeader, parseIfMatch, VERSION_MISMATCH } from '../../http/versions';
import { deliveryDetailRoutes } from './delivery-details';
import { webhookRecoveryRoutes } from './recovery';
import {
  deliverySchema,
  exampleDelivery,
  exampleWebhook,
  newWebhookSchema,
  presentDelivery,
  presentWebhook,
  webhookChangesSchema,
  webhookSchema,
} from './webhook-responses';

const webhookParams = z.object({ id: idParam('whk') });

const create = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description: [
    'Events are posted as `{type, mode, timestamp, data}` and signed according to the Standard Webhooks specification with the headers `webhook-id` (the same for every attempt), `webhook-timestamp` and `webhook-signature`. The secret (`whsec_…`) is returned once.',
    'A delivery succeeds with any 2xx within 15 s. Otherwise it is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; receivers can request a longer delay, up to 24 h, with 429 or 503 and `Retry-After`. Redirects are not followed. A 410 response, or five days without a successful delivery, disables the webhook until it is recovered.',
  ].join('\n\n'),
  tag: 'Webhooks',
  permission: 'webhooks:write',
  idempotent: true,
  body: newWebhookSchema,
  bodyExample: { url: exampleWebhook.url, events: exampleWebhook.events },
  replies: {
    201: {
      description:
        'The webhook with its secret. An idempotent repeat returns null as the secret, with `secretAlreadyShown`.',
      schema: z.object({
        webhook: webhookSchema,
        secret: z.string().nullable(),
        secretAlreadyShown: z.boolean().optional(),
      }),
      example: { webhook: exampleWebhook, secret: 'whsec_…' },
    },
  },
  errors: {
    409: 'The limit of 50 webhooks is reached, or the first request with this Idempotency-Key is still running.',
  },
  async handle({ platform, credential, idempotency }, { body }) {
    const { webhook, secret } = await createWebhook(platform, credential, credential.id, body, idempotency);
    const responseBody = { webhook: presentWebhook(webhook, platform.clock.now()), secret };
    return { status: 201, body: secret === null ? { ...responseBody, secretAlreadyShown: true } : responseBody };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  tag: 'Webhooks',
  permission: 'webhooks:read',
  query: buildCursorQuery('whk'),
  replies: {
    200: {
      description: 'A page of webhooks in the mode of the credential, newest first.',
      schema: z.object({
        webhooks: z.array(webhookSchema),
        ...cursorPageFields,
      }),
      example: { webhooks: [exampleWebhook], total: 1, nextCursor: null },
    },
  },
  async handle({ platform, credential }, { query }) {
    const now = platform.clock.now();
    const { records, ...page } = await listWebhooks(credential, query);
    return { status: 200, body: { webhooks: records.map((webhook) => presentWebhook(webhook, now)), ...page } };
  },
});

const webhookReply = (text: string) => ({
  200: { description: text, schema: z.object({ webhook: webhookSchema }), example: { webhook: exampleWebhook } },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id',
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:read',
  params: webhookParams,
  query: z.strictObject({}),
  replies: webhookReply('The webhook, without its secret.'),
  async handle({ platform, credential }, { params }) {
    const webhook = await getWebhook(credential, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(getWebhookVersion(webhook)),
      body: { webhook: presentWebhook(webhook, platform.clock.now()) },
    };
  },
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/webhooks/:id',
  operationId: 'updateWebhook',
  summary: 'Change a webhook',
  description:
    'Changes the fields that are sent; `events` replaces the whole list. Pending deliveries go to the new URL from their next attempt. The secret stays. Honours If-Match.',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:write',
  params: webhookParams,
  query: z.strictObject({}),
  body: webhookChangesSchema,
  bodyExample: { events: ['session.completed', 'session.declined'] },
  replies: webhookReply('The changed webhook.'),
  errors: { 412: VERSION_MISMATCH },
  async handle(context, { params, body: { url, events, description } }) {
    const { platform, credential } = context;
    const changes = { url, events, description };
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const webhook = await updateWebhook(platform, credential, credential.id, at, changes);
    return {
      status: 200,
      headers: buildEtagHeader(getWebhookVersion(webhook)),
      body: { webhook: presentWebhook(webhook, platform.clock.now()) },
    };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Destroys its secrets immediately and cancels its pending deliveries.',
  tag: 'Webhooks',
  permission: 'webhooks:write',
  params: webhookParams,
  replies: {
    200: {
      description: 'The deleted webhook.',
      schema: z.object(deletionFields),
      example: buildDeletionBody(exampleWebhook.id),
    },
  },
  async handle({ platform, credential }, { params }) {
    await deleteWebhook(platform, credential, credential.id, params.id);
    return { status: 200, body: buildDeletionBody(params.id) };
  },
});

const test = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send a test delivery',
  description: 'Posts `webhook.test` to this webhook only, signed and retried like any event.',
  tag: 'Webhooks',
  permission: 'webhooks:write',
  params: webhookParams,
  replies: {
    202: {
      description: 'The pending delivery; its attempts appear in the list of deliveries.',
      schema: z.object({ delivery: deliverySchema }),
      example: {
        delivery: { ...exampleDelivery, type: 'webhook.test', status: 'pending', attempts: [], completedAt: null },
      },
    },
  },
  errors: { 409: 'The webhook is disabled.' },
  async handle({ platform, credential }, { params }) {
    const delivery = await sendTestDelivery(platform, credential, credential.id, params.id);
    return { status: 202, body: { delivery: presentDelivery(delivery) } };
  },
});

const deliveries = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Lists deliveries with all their attempts. They are kept for 90 days.',
  tag: 'Webhooks',
  permission: 'webhooks:read',
  params: webhookParams,
  query: buildCursorQuery('dlv').extend({ status: buildCommaList(DELIVERY_STATUSES).optional() }),
  replies: {
    200: {
      description: 'A page of deliveries, newest first.',
      schema: z.object({
        deliveries: z.array(deliverySchema),
        ...cursorPageFields,
      }),
      example: { deliveries: [exampleDelivery], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { params, query }) {
    const { records, ...page } = await listDeliveries(credential, params.id, query.status, query);
    return { status: 200, body: { deliveries: records.map(presentDelivery), ...page } };
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
