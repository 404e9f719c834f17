import { notFoundError } from '../../../domain/errors';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import type { WebhookEventRecord } from '../../../models/platform/webhooks/webhook-event';
import type { Platform, Scope } from '../platform';
import { DELIVERY_HEADERS } from './due-deliveries';
import { getWebhook } from './endpoints';
import { readEventBody } from './event-bodies';

/** The request that is the same for every attempt of a delivery. */
export interface DeliveryRequest {
  method: 'POST';
  /** The present URL of the webhook, which later attempts use. */
  url: string;
  /** The headers without those of the signature, which each attempt has of its own. */
  headers: Record<string, string>;
  /** Null once the subject of the event is erased. */
  body: string | null;
}

/**
 * A delivery with its request.
 * @throws AppError 404, also for a delivery of another webhook
 */
export async function getDelivery(
  platform: Platform,
  scope: Scope,
  webhookId: string,
  deliveryId: string,
): Promise<{ delivery: WebhookDeliveryRecord; request: DeliveryRequest }> {
  const { url } = await getWebhook(scope, webhookId);
  const { organisationId, mode } = scope;
  const filter = { _id: deliveryId, organisationId, mode, endpointId: webhookId };
  const delivery = await WebhookDelivery.findOne(filter).lean<WebhookDeliveryRecord>();
  if (delivery === null) throw notFoundError('delivery');
  const { eventId } = delivery;
  const event = await WebhookEvent.findOne({ _id: eventId, organisationId, mode }).lean<WebhookEventRecord>();
  const body = event === null ? null : await readEventBody(platform, event);
  return {
    delivery,
    request: { method: 'POST', url, headers: { ...DELIVERY_HEADERS, 'webhook-id': eventId }, body },
  };
}
