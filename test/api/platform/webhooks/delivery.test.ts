import { EVENT_DOCS } from '../../../../api/platform/webhooks/event-docs';
import { z } from 'zod';
import { MINUTE_MS } from '../../../../domain/durations';
import { call } from '../../../support/client';
import { createSession } from '../../../support/identity/identity';
import { startReceiver, verifySignature } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import {
  fetchDeliveries,
  waitForDelivery,
  registerWebhook,
  requestTestDelivery,
  emitTestEvent,
  fetchWebhooks,
} from '../../../support/webhooks';
import type { Delivery } from '../../../support/webhooks';
import { EVENT_LIMIT_MS } from '../../../support/limits';

let tenant: Tenant;
let receiver: Receiver;

beforeEach(async () => {
  tenant = await createTenant('Deliveries');
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(closeTestPlatform);

/** Waits until `count` attempts are recorded, which is shortly after the receiver's response. */
async function waitForAttempts(delivery: Delivery, count = 1): Promise<Delivery> {
  const { changes } = await getTestPlatform();
  const found = await changes.waitFor('webhook_deliveries', delivery.id, EVENT_LIMIT_MS, async () => {
    const listed = await fetchDeliveries(tenant.identityKey, delivery.webhookId);
    return listed.find(({ id, attempts }) => id === delivery.id && attempts.length >= count) ?? null;
  });
  if (found === null) throw new Error(`Attempt ${count} of ${delivery.id} was not recorded.`);
  return found;
}

const bodySchema = z.strictObject({
  type: z.string(),
  mode: z.enum(['live', 'test']),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

describe('a delivery', () => {
  test('is posted immediately, signed, without personal data, and recorded with its attempt', async () => {
    receiver.reply({ status: 200, body: 'thank you' });
    const { webhook, secret } = await registerWebhook(tenant.identityKey, `${receiver.url}/hook?a=1`, [
      'session.completed',
    ]);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    expect(delivery).toMatchObject({ type: 'webhook.test', status: 'pending', webhookId: webhook.id });

    const request = await receiver.waitFor(() => true);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1' });
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': delivery.eventId });
    expect(verifySignature(request, secret)).toEqual(JSON.parse(request.body));
    expect(bodySchema.parse(JSON.parse(request.body))).toMatchObject({
      type: 'webhook.test',
      mode: 'live',
      data: { webhookId: webhook.id },
    });
    expect(request.at.getTime() - new Date(delivery.createdAt).getTime()).toBeLessThan(MINUTE_MS);

    await waitForDelivery(delivery.id);
    const [recorded] = await fetchDeliveries(tenant.identityKey, webhook.id);
    expect(recorded).toMatchObject({
      status: 'succeeded',
      nextAttemptAt: null,
      attempts: [{ number: 1, status: 200, error: null, response: 'thank you' }],
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('goes to subscribed webhooks, once per event however often it is emitted', async () => {
    const all = await registerWebhook(tenant.identityKey, `${receiver.url}/all`, ['*']);
    const some = await registerWebhook(tenant.identityKey, `${receiver.url}/some`, ['session.declined']);
    const event = {
      type: 'session.declined',
      key: 'session.declined:ses_1',
      data: EVENT_DOCS['session.declined'].example,
    } as const;
    const deliveryIds = await emitTestEvent(tenant.organisationId, event);
    expect(deliveryIds).toHaveLength(2);
    expect(await emitTestEvent(tenant.organisationId, event)).toEqual([]);
    expect(
      await emitTestEvent(tenant.organisationId, {
        type: 'stock.low',
        key: 'stock.low:1',
        data: EVENT_DOCS['stock.low'].example,
      }),
    ).toHaveLength(1);

    const requests = await receiver.waitForCount(3);
    expect(requests.map(({ path }) => path).sort()).toEqual(['/all', '/all', '/some']);
    const declined = requests.filter((request) => request.body.includes('session.declined'));
    expect(new Set(declined.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const request of declined) {
      verifySignature(request, request.path === '/all' ? all.secret : some.secret);
      expect(bodySchema.parse(JSON.parse(request.body)).data).toEqual(event.data);
    }
  });

  test('that fails is retried after 5 s with the same id and a new signature', async () => {
    receiver.reply((_request, count) => (count === 1 ? { status: 500, body: 'out of order' } : { status: 204 }));
    const { webhook, secret } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    const [first, second] = await receiver.waitForCount(2);
    if (first === undefined || second === undefined) throw new Error('Two requests were expected.');
    expect(second.at.getTime() - first.at.getTime()).toBeGreaterThanOrEqual(5000);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toBe(first.body);
    expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp']);
    verifySignature(second, secret);
    await waitForDelivery(delivery.id);
    expect(await fetchDeliveries(tenant.identityKey, webhook.id)).toMatchObject([
      {
        status: 'succeeded',
        attempts: [
          { number: 1, status: 500, response: 'out of order' },
          { number: 2, status: 204, response: '' },
        ],
      },
    ]);
  });

  test.each([
    ['once', '600'],
    ['in two headers, one of which asks for less', ['600', '5']],
  ])('waits at least as long as the receiver requests %s', async (_times, requested) => {
    receiver.reply({ status: 429, headers: { 'retry-after': requested } });
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    const { at } = await receiver.waitFor(() => true);
    const { status, nextAttemptAt } = await waitForAttempts(delivery);
    expect(status).toBe('pending');
    expect(new Date(nextAttemptAt ?? 0).getTime() - at.getTime()).toBeGreaterThanOrEqual(600_000);
  });

  test('that is redirected fails without following the redirect', async () => {
    receiver.reply({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
    const { webhook } = await registerWebhook(tenant.identityKey, `${receiver.url}/hook`, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    expect((await waitForAttempts(delivery)).attempts[0]).toMatchObject({ number: 1, status: 307 });
    // It may have been repeated by now.
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/hook']));
  });

  test('stores the first kilobyte of a long response, or the reason for a missing one', async () => {
    receiver.reply((_request, count) => (count === 1 ? { status: 400, body: 'x'.repeat(50_000) } : 'cut'));
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    const { attempts } = await waitForAttempts(delivery, 2);
    expect(attempts[0]?.response).toBe('x'.repeat(1024));
    expect(attempts[1]).toMatchObject({ number: 2, status: null, error: 'connection_failed', response: null });
  });

  test('with a 410 response disables its webhook, which then receives no events or tests', async () => {
    receiver.reply({ status: 410 });
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    await waitForDelivery(delivery.id);
    expect(await fetchDeliveries(tenant.identityKey, webhook.id)).toMatchObject([
      { status: 'failed', reason: 'endpoint_gone' },
    ]);
    expect(await fetchWebhooks(tenant.identityKey)).toMatchObject([{ status: 'disabled', disabledReason: 'gone' }]);
    expect(
      await emitTestEvent(tenant.organisationId, {
        type: 'session.created',
        key: 'created:1',
        data: EVENT_DOCS['session.created'].example,
      }),
    ).toEqual([]);
    const response = await call('POST', `/v1/webhooks/${webhook.id}/test`, { key: tenant.identityKey });
    expect([response.status, response.body]).toMatchObject([409, { error: { code: 'webhook_disabled' } }]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('ends with its time when its subject is erased', async () => {
    receiver.reply({ status: 503, headers: { 'retry-after': '86400' } });
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['session.created']);
    const { id } = await createSession(tenant.identityKey);
    await receiver.waitFor(() => true);
    const erased = await call('DELETE', `/v1/sessions/${id}`, { key: tenant.identityKey });
    expect([erased.status, erased.body]).toMatchObject([200, { erasure: { status: 'completed' } }]);
    const [delivery] = await fetchDeliveries(tenant.identityKey, webhook.id);
    expect(delivery).toMatchObject({ status: 'cancelled', reason: 'event_erased', nextAttemptAt: null });
    expect(delivery?.completedAt).not.toBeNull();
  });

  test('ends without another attempt when its webhook is deleted', async () => {
    // The second attempt is far away, however long it takes to delete the webhook.
    receiver.reply({ status: 503, headers: { 'retry-after': '86400' } });
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    await receiver.waitFor(() => true);
    expect((await call('DELETE', `/v1/webhooks/${webhook.id}`, { key: tenant.identityKey })).status).toBe(200);
    await waitForDelivery(delivery.id).catch(() => undefined);
    expect(receiver.requests).toHaveLength(1);
  });
});
