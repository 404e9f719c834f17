import { z } from 'zod';
import { getDelivery } from '../../../services/platform/webhooks/delivery-details';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { deliveryRequestSchema, exampleDeliveryRequest } from '../../platform/webhooks/delivery-details';
import { readDelivery } from '../../platform/webhooks/webhook-responses';
import { getCaller } from '../caller';
import { serializeResponse } from '../serialization';
import { businessDeliverySchema, exampleBusinessDelivery } from './webhook-responses';

const get = defineRoute({
  method: 'get',
  path: '/api/admin/webhooks/:id/deliveries/:deliveryId',
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery with its request',
  description: 'The delivery with every attempt and its response, and the request that the attempts send.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  params: z.object({ id: idParam('whk'), deliveryId: idParam('dlv') }),
  query: z.strictObject({}),
  replies: {
    200: {
      description: 'The delivery.',
      schema: z.object({ data: businessDeliverySchema.extend({ request: deliveryRequestSchema }) }),
      example: { data: { ...exampleBusinessDelivery, type: 'webhook.test', request: exampleDeliveryRequest } },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const { delivery, request } = await getDelivery(context.platform, caller, params.id, params.deliveryId);
    return {
      status: 200,
      body: serializeResponse({ data: { ...readDelivery(delivery), request } }, caller.company.timeZone),
    };
  },
});

export const deliveryDetailRoutes: readonly Route[] = [get];
