import { z } from 'zod';
import { deliverySchema, webhookSchema } from '../../api/platform/webhooks/webhook-responses';
import { WebhookDelivery } from '../../models/platform/webhooks/webhook-delivery';
import type { DomainEvent } from '../../services/platform/webhooks/events';
import { emitEvent } from '../../services/platform/webhooks/events';
import { runTransaction } from '../../services/platform/transactions/unit-of-work';
import { call } from './client';
import { pollUntilFound } from './poll';
import { getTestPlatform } from './tenant';

export type Webhook = z.infer<typeof webhookSchema>;
export type Delivery = z.infer<typeof deliverySchema>;

const registrationSchema = z.object({ webhook: webhookSchema, secret: z.string() });
const deliveriesSchema = z.object({ deliveries: z.array(deliverySchema), total: z.number() });
const webhooksSchema = z.object({ webhooks: z.array(webhookSchema), total: z.number() });
const testDeliverySchema = z.object({ delivery: deliverySchema });

/** Registers a webhook and returns it with its secret. */
export async function registerWebhook(
  key: string,
  url: string,
  events: string[],
): Promise<{ webhook: Webhook; secret: string }> {
  const response = await call('POST', '/v1/webhooks', { key, json: { url, events } });
  if (response.status !== 201) throw new Error(`The webhook was not registered: ${JSON.stringify(response.body)}`);
  return registrationSchema.parse(response.body);
}

/** The webhooks of the key's organisation and mode, at most 100. */
export async function fetchWebhooks(key: string): Promise<Webhook[]> {
  return webhooksSchema.parse((await call('GET', '/v1/webhooks?limit=100', { key })).body).webhooks;
}

/** One page of the deliveries of a webhook. @param query begins with `?` */
export async function fetchDeliveries(key: string, webhookId: string, query = ''): Promise<Delivery[]> {
  return deliveriesSchema.parse((await call('GET', `/v1/webhooks/${webhookId}/deliveries${query}`, { key })).body)
    .deliveries;
}

/** Sends `webhook.test`. @throws Error unless it is accepted (202) */
export async function requestTestDelivery(key: string, webhookId: string): Promise<Delivery> {
  const response = await call('POST', `/v1/webhooks/${webhookId}/test`, { key });
  if (response.status !== 202) throw new Error(`The test delivery was rejected: ${JSON.stringify(response.body)}`);
  return testDeliverySchema.parse(response.body).delivery;
}

type WithoutSubject<E> = E extends DomainEvent ? Omit<E, 'subjectId' | 'at'> : never;

/** Emits an event in live mode as a service does. @returns ids of its deliveries */
export async function emitTestEvent(organisationId: string, event: WithoutSubject<DomainEvent>): Promise<string[]> {
  const platform = await getTestPlatform();
  const at = platform.clock.now();
  const fullEvent = { ...event, subjectId: `ses_of_${organisationId}`, at };
  return runTransaction(platform, (unit) => emitEvent(unit, { organisationId, mode: 'live' }, fullEvent));
}

/** Waits until a delivery has ended: until it needs no further attempt. @returns its status */
export async function waitForDelivery(deliveryId: string): Promise<string> {
  await getTestPlatform();
  return pollUntilFound(async () => {
    const delivery = await WebhookDelivery.findById(deliveryId, { status: 1 }).lean<{ status: string }>();
    if (delivery === null) throw new Error(`The delivery ${deliveryId} does not exist.`);
    return delivery.status === 'pending' ? undefined : delivery.status;
  });
}
