import { z } from 'zod';
import { getDelivery } from '../../../services/platform/webhooks/delivery-details';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { deliverySchema, exampleDelivery, exampleWebhook, presentDelivery } from './webhook-responses';

/** The request that the attempts of a delivery send. */
export const deliveryRequestSchema = z.object({
  method: z.literal('POST'),
  url: z.string().meta({ description: 'Present URL of the webhook, which later attempts use.' }),
  headers: z.record(z.string(), z.string()).meta({
    description: 'Headers without `webhook-timestamp` and `webhook-signature`, which differ for each attempt.',
  }),
  body: z
    .string()
    .nullable()
    .meta({ description: 'The exact body; null once the subject of the event has been erased.' }),
});

export const exampleDeliveryRequest: z.infer<typeof deliveryRequestSchema> = {
  method: 'POST',
  url: exampleWebhook.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Vouch-Webhooks/1',
    'webhook-id': exampleDelivery.eventId,
  },
  body: '{"type":"webhook.test","mode":"live","timestamp":"2026-11-21T10:00:00.000Z","data":{"webhookId":"whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7"}}',
};

const get = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id/deliveries/:deliveryId',
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery with its request',
  description: 'The delivery with every attempt and its response, and the request that the attempts send.',
  tag: 'Webhooks',
  addition: true,
  permission: 'webhooks:read',
  params: z.object({ id: idParam('whk'), deliveryId: idParam('dlv') }),
  query: z.strictObject({}),
  replies: {
    200: {
      description: 'The delivery.',
      schema: z.object({ delivery: deliverySchema.extend({ request: deliveryRequestSchema }) }),
      example: { delivery: { ...exampleDelivery, type: 'webhook.test', request: exampleDeliveryRequest } },
    },
  },
  async handle({ platform, credential }, { params }) {
    const { delivery, request } = await getDelivery(platform, credential, params.id, params.deliveryId);
    return { status: 200, body: { delivery: { ...presentDelivery(delivery), request } } };
  },
});

export const deliveryDetailRoutes: readonly Route[] = [get];
