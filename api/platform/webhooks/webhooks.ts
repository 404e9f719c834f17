import { z } from 'zod';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  sendTestDelivery,
} from '../../../services/platform/webhooks/endpoints';
import { cursorPageFields, cursorQuery, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { webhookRecoveryRoutes } from './recovery';
import {
  deliverySchema,
  deliveryStatus,
  exampleDelivery,
  exampleWebhook,
  newWebhookSchema,
  presentDelivery,
  presentWebhook,
  webhookSchema,
} from './webhook-responses';

const webhookParams = z.object({ id: idParam('whk') });

const create = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description: [
    'Events are posted as `{type, timestamp, data}`, signed by the Standard Webhooks specification: headers `webhook-id` (the same on every attempt), `webhook-timestamp` and `webhook-signature`, key `whsec_…`. The secret is shown once.',
    'A delivery succeeds on any 2xx within 15 s. Else it is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; 429 and 503 may ask for more time with `Retry-After`, up to 24 h. Redirects are not followed. 410, or five days of nothing but failures, disables the webhook until it is recovered.',
  ].join('\n\n'),
  tag: 'Webhooks',
  permission: 'webhooks:write',
  idempotent: true,
  body: newWebhookSchema,
  bodyExample: { url: exampleWebhook.url, events: exampleWebhook.events },
  replies: {
    201: {
      description: 'The webhook and, this once, its secret; null with `secretAlreadyShown` on an idempotent repeat.',
      schema: z.object({
        webhook: webhookSchema,
        secret: z.string().nullable(),
        secretAlreadyShown: z.boolean().optional(),
      }),
      example: { webhook: exampleWebhook, secret: 'whsec_…' },
    },
  },
  errors: { 409: 'There are 50 webhooks already, or the first request with this Idempotency-Key still runs.' },
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
  query: cursorQuery,
  replies: {
    200: {
      description: 'Webhooks of the mode of the key, newest first.',
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

const remove = defineRoute({
  method: 'delete',
  path: '/v1/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Its secret is destroyed at once; deliveries under way end.',
  tag: 'Webhooks',
  permission: 'webhooks:write',
  params: webhookParams,
  replies: {
    200: {
      description: 'What was deleted.',
      schema: z.object({ webhook: z.object({ id: z.string(), deleted: z.literal(true) }) }),
      example: { webhook: { id: exampleWebhook.id, deleted: true } },
    },
  },
  async handle({ platform, credential }, { params }) {
    await deleteWebhook(platform, credential, credential.id, params.id);
    return { status: 200, body: { webhook: { id: params.id, deleted: true } } };
  },
});

const test = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send a test delivery',
  description: 'Posts `webhook.test` to this webhook alone, signed and repeated like any event.',
  tag: 'Webhooks',
  permission: 'webhooks:write',
  params: webhookParams,
  replies: {
    202: {
      description: 'The delivery, which has begun; its attempts appear in the list of deliveries.',
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
  description: 'With every attempt; kept for 90 days.',
  tag: 'Webhooks',
  permission: 'webhooks:read',
  params: webhookParams,
  query: cursorQuery.extend({ status: deliveryStatus.optional() }),
  replies: {
    200: {
      description: 'Deliveries, newest first.',
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

export const webhookRoutes: readonly Route[] = [create, list, remove, test, deliveries, ...webhookRecoveryRoutes];
