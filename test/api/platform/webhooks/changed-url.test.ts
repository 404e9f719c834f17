import { createEgress } from '../../../../lib/egress/egress';
import type { Egress } from '../../../../lib/egress/egress';
import { DAY_MS, HOUR_MS } from '../../../../domain/durations';
import { WebhookDelivery } from '../../../../models/platform/webhooks/webhook-delivery';
import { recordAttempts } from '../../../../services/platform/webhooks/attempts';
import { call } from '../../../support/client';
import { attemptDeliveries, createPendingDelivery } from '../../../support/delivery-activities';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { fetchDeliveries, fetchWebhooks, registerWebhook } from '../../../support/webhooks';

let tenant: Tenant;
let receiver: Receiver;
let egress: Egress;
let webhookId: string;

beforeEach(async () => {
  tenant = await createTenant('Moved');
  receiver = await startReceiver();
  egress = createEgress({ allow: [receiver.hostPort] });
  webhookId = (await registerWebhook(tenant.identityKey, receiver.url, ['session.created'])).webhook.id;
});
afterEach(async () => {
  await egress.close();
  await receiver.close();
});
afterAll(closeTestPlatform);

const webhook = () => ({ webhookId, organisationId: tenant.organisationId, mode: 'live' as const });

async function move(path: string): Promise<void> {
  const options = { key: tenant.identityKey, json: { url: `${receiver.url}/${path}` } };
  expect((await call('PATCH', `/v1/webhooks/${webhookId}`, options)).status).toBe(200);
}

/** Sends attempts that are still in progress when the webhook gets another URL. */
const moveMeanwhile: Egress['request'] = async (request) => {
  const response = await egress.request(request);
  await move('moved');
  return response;
};

describe('a webhook whose URL is changed', () => {
  test('is not disabled by a 410 of the former URL, and its delivery goes to the new one', async () => {
    receiver.reply({ status: 410 });
    const { deliveryId } = await createPendingDelivery(webhook());
    await attemptDeliveries(webhook(), { ...egress, request: moveMeanwhile });
    expect(await fetchWebhooks(tenant.identityKey)).toMatchObject([{ status: 'enabled', disabledReason: null }]);
    expect(await fetchDeliveries(tenant.identityKey, webhookId)).toMatchObject([
      { status: 'pending', attempts: [{ number: 1, status: 410 }] },
    ]);
    receiver.reply({ status: 204 });
    const { clock } = await getTestPlatform();
    await WebhookDelivery.updateOne({ _id: deliveryId }, { $set: { nextAttemptAt: clock.now() } });
    await attemptDeliveries(webhook(), egress);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['', '/moved']);
    expect(await fetchDeliveries(tenant.identityKey, webhookId)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('has five days from its change: failures of the former URL do not count', async () => {
    const platform = await getTestPlatform();
    const start = platform.clock.now().getTime();
    const { deliveryId } = await createPendingDelivery(webhook());
    const fail = async (number: number, afterMs: number, url = receiver.url): Promise<void> => {
      const at = new Date(start + afterMs);
      const result = { status: 500, error: null, response: null, retryAfter: undefined, durationMs: 5 };
      const attempt = { deliveryId, number, at, url, ...result };
      await recordAttempts({ ...platform, clock: { now: () => at } }, webhook(), [attempt]);
    };
    for (const [index, hours] of [0, 40, 80, 119].entries()) await fail(index + 1, hours * HOUR_MS);
    await move('moved');
    await fail(5, 5 * DAY_MS + HOUR_MS);
    await fail(6, 5 * DAY_MS + HOUR_MS, `${receiver.url}/moved`);
    expect(await fetchWebhooks(tenant.identityKey)).toMatchObject([{ status: 'enabled' }]);
    await fail(7, 7 * DAY_MS, `${receiver.url}/moved`);
    await fail(8, 8.5 * DAY_MS, `${receiver.url}/moved`);
    await fail(9, 10 * DAY_MS + 2 * HOUR_MS, `${receiver.url}/moved`);
    expect(await fetchWebhooks(tenant.identityKey)).toMatchObject([{ status: 'disabled', disabledReason: 'failing' }]);
  });
});
