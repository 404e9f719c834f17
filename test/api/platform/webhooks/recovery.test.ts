import { EVENT_DOCS } from '../../../../api/platform/webhooks/event-docs';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { deliverySchema, webhookSchema } from '../../../../api/platform/webhooks/webhook-responses';
import { WebhookDelivery } from '../../../../models/platform/webhooks/webhook-delivery';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { setEgressExceptions } from '../../../../services/platform/access/organisations';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
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
import { workflowIds } from '../../../../workflows/contracts';
import { DAY_MS, HOUR_MS } from '../../../../domain/durations';
import { pollUntilFound } from '../../../support/poll';

let tenant: Tenant;
let receiver: Receiver;

beforeEach(async () => {
  tenant = await createTenant('Recovery');
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(closeTestPlatform);

const post = (path: string, json?: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  call('POST', `/v1/webhooks/${path}`, { key: tenant.identityKey, headers, ...(json === undefined ? {} : { json }) });

const rotationSchema = z.object({ webhook: webhookSchema, secret: z.string().nullable() });
const sentSchema = z.object({ delivery: deliverySchema });
const anHourAgo = (): string => new Date(Date.now() - HOUR_MS).toISOString();

describe('rotating a secret', () => {
  test('overlaps: deliveries verify with both secrets until the time that the webhook reports', async () => {
    const { webhook, secret: previous } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const response = await post(`${webhook.id}/rotate`, { overlapSeconds: 3600 });
    expect(response.status).toBe(200);
    const { webhook: after, secret } = rotationSchema.parse(response.body);
    const overlap = new Date(after.previousSecretsUntil ?? 0).getTime() - Date.now();
    expect(overlap).toBeGreaterThan(3_500_000);
    expect(overlap).toBeLessThanOrEqual(HOUR_MS);
    await requestTestDelivery(tenant.identityKey, webhook.id);
    const request = await receiver.waitFor(() => true);
    expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    verifySignature(request, previous);
    verifySignature(request, secret ?? '');
  });

  test('without overlap invalidates the previous secret immediately', async () => {
    const { webhook, secret: previous } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const { secret, webhook: after } = rotationSchema.parse(
      (await post(`${webhook.id}/rotate`, { overlapSeconds: 0 })).body,
    );
    expect(after.previousSecretsUntil).toBeNull();
    await requestTestDelivery(tenant.identityKey, webhook.id);
    const request = await receiver.waitFor(() => true);
    verifySignature(request, secret ?? '');
    expect(() => verifySignature(request, previous)).toThrow('No matching signature');
  });

  test('overlaps for a day by default and a week at most, with at most five valid secrets', async () => {
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    expect((await post(`${webhook.id}/rotate`, { overlapSeconds: 604_801 })).status).toBe(400);
    for (let count = 0; count < 4; count += 1) expect((await post(`${webhook.id}/rotate`, {})).status).toBe(200);
    const rejected = await post(`${webhook.id}/rotate`, {});
    expect([rejected.status, rejected.body]).toMatchObject([409, { error: { code: 'too_many_secrets' } }]);
    expect((await post(`${webhook.id}/rotate`, { overlapSeconds: 0 })).status).toBe(200);
  });

  test('runs once per Idempotency-Key, and a repeat does not return the secret', async () => {
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const headers = { 'idempotency-key': randomUUID() };
    const first = rotationSchema.parse((await post(`${webhook.id}/rotate`, {}, headers)).body);
    const again = await post(`${webhook.id}/rotate`, {}, headers);
    expect(first.secret).toMatch(/^whsec_/);
    expect(again.body).toMatchObject({ secret: null, secretAlreadyShown: true });
  });
});

describe('redelivering one event', () => {
  test('posts the same event with the same webhook-id in a new delivery', async () => {
    receiver.reply((_request, count) => ({ status: count === 1 ? 410 : 204 }));
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const first = await requestTestDelivery(tenant.identityKey, webhook.id);
    await waitForDelivery(first.id);
    expect((await post(`${webhook.id}/deliveries/${first.id}/resend`)).body).toMatchObject({
      error: { code: 'webhook_disabled' },
    });
    expect((await post(`${webhook.id}/recover`, { since: anHourAgo() })).status).toBe(202);
    const response = await post(`${webhook.id}/deliveries/${first.id}/resend`);
    expect(response.status).toBe(202);
    const { delivery } = sentSchema.parse(response.body);
    expect(delivery).toMatchObject({ eventId: first.eventId, status: 'pending', attempts: [] });
    expect(delivery.id).not.toBe(first.id);
    const [before, after] = await receiver.waitForCount(2);
    expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(after?.body).toBe(before?.body);
    await waitForDelivery(delivery.id);
    const listed = await fetchDeliveries(tenant.identityKey, webhook.id);
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      [delivery.id, 'succeeded'],
      [first.id, 'failed'],
    ]);
  });

  test('is rejected while the delivery is pending, for another webhook, and after the erasure of its subject', async () => {
    receiver.reply({ status: 500 });
    const one = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const other = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, one.webhook.id);
    expect((await post(`${one.webhook.id}/deliveries/${delivery.id}/resend`)).body).toMatchObject({
      error: { code: 'delivery_pending' },
    });
    expect((await post(`${other.webhook.id}/deliveries/${delivery.id}/resend`)).status).toBe(404);
    await getTestPlatform();
    await WebhookDelivery.updateOne({ _id: delivery.id }, { $set: { status: 'failed' } });
    await WebhookEvent.updateOne({ _id: delivery.eventId }, { $set: { body: null } });
    expect((await post(`${one.webhook.id}/deliveries/${delivery.id}/resend`)).body).toMatchObject({
      error: { code: 'event_erased' },
    });
  });
});

describe('recovering', () => {
  test('delivers events missed while disabled once, and no delivered or unsubscribed events', async () => {
    const kinds = ['session.declined', 'session.review'];
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, kinds);
    const event = (type: 'session.declined' | 'session.review' | 'session.created', number: number) =>
      emitTestEvent(tenant.organisationId, {
        type,
        key: `${type}:${number}`,
        data: { ...EVENT_DOCS[type].example, number },
      });
    await event('session.declined', 1);
    await receiver.waitForCount(1);
    receiver.reply({ status: 410 });
    const [gone] = await event('session.declined', 2);
    await waitForDelivery(gone ?? '');
    expect(await fetchWebhooks(tenant.identityKey)).toMatchObject([{ status: 'disabled' }]);
    for (let number = 3; number < 60; number += 1) expect(await event('session.review', number)).toEqual([]);
    await event('session.created', 99);
    receiver.reply({ status: 204 });

    const response = await post(`${webhook.id}/recover`, { since: anHourAgo() });
    expect(response.status).toBe(202);
    expect(response.body).toMatchObject({ webhook: { status: 'enabled', disabledReason: null } });
    // A concurrent recovery finds all deliveries pending.
    expect((await post(`${webhook.id}/recover`, { since: anHourAgo() })).status).toBe(202);

    await receiver.waitForCount(2 + 58);
    await pollUntilFound(async () => {
      const pending = await fetchDeliveries(tenant.identityKey, webhook.id, '?status=pending');
      return pending.length === 0 ? true : undefined;
    });
    const numbers = receiver.requests.map(({ body }) => (JSON.parse(body) as { data: { number: number } }).data.number);
    const missed = Array.from({ length: 58 }, (_value, index) => index + 2);
    expect(numbers.slice(2).sort((a, b) => a - b)).toEqual(missed);
    expect(numbers.slice(0, 2)).toEqual([1, 2]);
  });

  test('attempts pending deliveries at once instead of after their retry delay', async () => {
    receiver.reply({ status: 429, headers: { 'retry-after': '86400' } });
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const [id = ''] = await emitTestEvent(tenant.organisationId, {
      type: 'session.declined',
      key: 'session.declined:pending',
      data: EVENT_DOCS['session.declined'].example,
    });
    await pollUntilFound(async () => {
      const [delivery] = await fetchDeliveries(tenant.identityKey, webhook.id);
      return delivery?.attempts.length === 1 ? true : undefined;
    });
    receiver.reply({ status: 204 });
    expect((await post(`${webhook.id}/recover`, { since: anHourAgo() })).status).toBe(202);
    await waitForDelivery(id);
    const [delivery] = await fetchDeliveries(tenant.identityKey, webhook.id);
    expect(delivery).toMatchObject({ id, status: 'succeeded', attempts: [{ status: 429 }, { status: 204 }] });
  });

  test.each([
    ['the future', new Date(Date.now() + DAY_MS).toISOString()],
    ['before any event that is kept', '2001-01-01T00:00:00Z'],
    ['not a time', 'yesterday'],
  ])('since %s is refused by name', async (_what, since) => {
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const response = await post(`${webhook.id}/recover`, { since });
    expect([response.status, response.body]).toMatchObject([
      400,
      { error: { details: { fields: [{ field: 'since' }] } } },
    ]);
  });
});

describe('deleting a webhook', () => {
  test('cancels pending deliveries immediately, and ends their workflow', async () => {
    receiver.reply({ status: 429, headers: { 'retry-after': '86400' } });
    const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
    const delivery = await requestTestDelivery(tenant.identityKey, webhook.id);
    await receiver.waitFor(() => true);
    await getTestPlatform();
    const record = () => WebhookDelivery.findById(delivery.id).lean();
    await pollUntilFound(async () => ((await record())?.attempts.length === 1 ? true : undefined));
    expect((await call('DELETE', `/v1/webhooks/${webhook.id}`, { key: tenant.identityKey })).status).toBe(200);
    expect(await record()).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted', nextAttemptAt: null });
    const { temporal } = await getTestPlatform();
    await temporal.workflow.getHandle(workflowIds.webhookDeliveries(webhook.id)).result();
    expect(await record()).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted' });
  });
});

describe('private addresses', () => {
  test('an exception of an organisation allows only its own webhooks', async () => {
    const privateUrl = 'http://127.0.0.1:9/hook';
    const create = (of: Tenant) =>
      call('POST', '/v1/webhooks', { key: of.identityKey, json: { url: privateUrl, events: ['*'] } });
    expect((await create(tenant)).status).toBe(400);
    await setEgressExceptions(await getTestPlatform(), tenant.organisationId, ['127.0.0.1:9']);
    const created = await create(tenant);
    expect(created.status).toBe(201);
    expect((await create(await createTenant('Other'))).status).toBe(400);
    // The guard allows the attempt; it fails because no process listens on the port.
    const { webhook } = z.object({ webhook: webhookSchema }).parse(created.body);
    await requestTestDelivery(tenant.identityKey, webhook.id);
    const attempt = await pollUntilFound(async () => {
      const [delivery] = await fetchDeliveries(tenant.identityKey, webhook.id);
      return delivery?.attempts[0];
    });
    expect(attempt).toMatchObject({ status: null, error: 'connection_failed' });
  });

  test('a repeated registration is answered again although the exception was withdrawn', async () => {
    const own = await createTenant('Withdrawn exception');
    const platform = await getTestPlatform();
    const create = (headers = {}) =>
      call('POST', '/v1/webhooks', {
        key: own.identityKey,
        json: { url: 'http://127.0.0.1:9/hook', events: ['*'] },
        headers,
      });
    const headers = { 'idempotency-key': 'private-webhook' };
    await setEgressExceptions(platform, own.organisationId, ['127.0.0.1:9']);
    const first = await create(headers);
    await setEgressExceptions(platform, own.organisationId, []);
    const again = await create(headers);
    expect([again.status, again.body]).toMatchObject([201, { webhook: first.body['webhook'], secret: null }]);
    expect((await create()).status).toBe(400);
  });
});
