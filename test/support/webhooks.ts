import { z } from 'zod';
import { deliverySchema, webhookSchema } from '../../api/platform/webhooks/webhook-responses';
import type { DomainEvent } from '../../services/platform/webhooks/events';
import { emitEvent } from '../../services/platform/webhooks/events';
import { transact } from '../../services/platform/transactions/unit-of-work';
import { call } from './client';
import { testPlatform } from './tenant';

export type Webhook = z.infer<typeof webhookSchema>;
export type Delivery = z.infer<typeof deliverySchema>;

const created = z.object({ webhook: webhookSchema, secret: z.string() });
const listed = z.object({ deliveries: z.array(deliverySchema), total: z.number() });
const listedWebhooks = z.object({ webhooks: z.array(webhookSchema), total: z.number() });
const started = z.object({ delivery: deliverySchema });

/** Registers a webhook and gives back its secret too. */
export async function register(
  key: string,
  url: string,
  events: string[],
): Promise<{ webhook: Webhook; secret: string }> {
  const answer = await call('POST', '/v1/webhooks', { key, json: { url, events } });
  if (answer.status !== 201) throw new Error(`The webhook was not registered: ${JSON.stringify(answer.body)}`);
  return created.parse(answer.body);
}

export async function webhooksOf(key: string): Promise<Webhook[]> {
  return listedWebhooks.parse((await call('GET', '/v1/webhooks?limit=100', { key })).body).webhooks;
}

export async function deliveriesOf(key: string, webhookId: string, query = ''): Promise<Delivery[]> {
  return listed.parse((await call('GET', `/v1/webhooks/${webhookId}/deliveries${query}`, { key })).body).deliveries;
}

export async function sendTest(key: string, webhookId: string): Promise<Delivery> {
  const answer = await call('POST', `/v1/webhooks/${webhookId}/test`, { key });
  if (answer.status !== 202) throw new Error(`The test delivery was refused: ${JSON.stringify(answer.body)}`);
  return started.parse(answer.body).delivery;
}

/** Tells an event in live mode, as a service would; answers the ids of its deliveries. */
export async function tell(
  organisationId: string,
  event: Partial<DomainEvent> & Pick<DomainEvent, 'type' | 'key'>,
): Promise<string[]> {
  const platform = await testPlatform();
  const at = platform.clock.now();
  const whole = { data: { id: 'ses_test' }, subjectId: 'ses_test', at, ...event };
  return transact(platform, (unit) => emitEvent(unit, { organisationId, mode: 'live' }, whole));
}

/** Resolves when the delivery's workflow has ended. */
export async function deliveryEnded(deliveryId: string): Promise<void> {
  const platform = await testPlatform();
  await platform.temporal.workflow.getHandle(deliveryId).result();
}
