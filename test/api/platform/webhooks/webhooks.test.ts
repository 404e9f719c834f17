import { EVENT_TYPES } from '../../../../domain/platform/webhooks/event-types';
import { WebhookEndpoint } from '../../../../models/platform/webhooks/webhook-endpoint';
import { Audit } from '../../../../models/platform/audit/audit';
import { call } from '../../../support/client';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { fetchDeliveries, registerWebhook, requestTestDelivery, fetchWebhooks } from '../../../support/webhooks';

const URL = 'https://receiver.example/hook';

let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  tenant = await createTenant('Webhooks');
  other = await createTenant('Other');
});
afterAll(closeTestPlatform);

describe('registering', () => {
  test('returns the webhook and its secret, which is stored encrypted and not returned again', async () => {
    const { webhook, secret } = await registerWebhook(tenant.identityKey, URL, ['session.review', 'session.completed']);
    expect(webhook).toMatchObject({
      url: URL,
      events: ['session.completed', 'session.review'],
      status: 'enabled',
      mode: 'live',
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const list = await call('GET', '/v1/webhooks?limit=100', { key: tenant.identityKey });
    expect(JSON.stringify(list.body)).toContain(webhook.id);
    await getTestPlatform();
    for (const text of [JSON.stringify(list.body), JSON.stringify(await WebhookEndpoint.findById(webhook.id).lean())]) {
      expect(text).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test('`*` subscribes to all events', async () => {
    expect((await registerWebhook(tenant.identityKey, URL, ['session.created', '*'])).webhook.events).toEqual(['*']);
  });

  test('an idempotent repeat returns the same webhook without its secret', async () => {
    const request = {
      key: tenant.identityKey,
      json: { url: URL, events: ['*'] },
      headers: { 'idempotency-key': 'w-1' },
    };
    const first = await call('POST', '/v1/webhooks', request);
    const again = await call('POST', '/v1/webhooks', request);
    expect(again.status).toBe(201);
    expect(again.body['webhook']).toEqual(first.body['webhook']);
    expect(again.body).toMatchObject({ secret: null, secretAlreadyShown: true });
    const changed = await call('POST', '/v1/webhooks', { ...request, json: { url: URL, events: ['stock.low'] } });
    expect(changed.status).toBe(422);
  });

  test.each([
    ['http://receiver.example/hook', 'https'],
    ['https://127.0.0.1/hook', 'public internet'],
    ['https://2130706433/hook', 'public internet'],
    ['https://[::ffff:169.254.169.254]/hook', 'public internet'],
    ['https://localhost/hook', 'public internet'],
    ['https://user:pw@receiver.example/', 'user name or password'],
    ['ftp://receiver.example/', 'https'],
    ['receiver.example/hook', 'absolute URL'],
    ['', 'url'],
  ])('refuses the address %s and says why', async (url, why) => {
    const response = await call('POST', '/v1/webhooks', { key: tenant.identityKey, json: { url, events: ['*'] } });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ ok: false, error: { details: { fields: [{ field: 'url' }] } } });
    expect(JSON.stringify(response.body)).toContain(why);
  });

  test.each([
    ['http://127.0.0.1:4000/hook', '127.0.0.1:4000'],
    ['https://localhost/hook', 'localhost:443'],
  ])('the refusal of the local address %s names the command that allows it', async (url, hostPort) => {
    const response = await call('POST', '/v1/webhooks', { key: tenant.identityKey, json: { url, events: ['*'] } });
    const [problem] = (response.body as { error: { details: { fields: { problem: string }[] } } }).error.details.fields;
    expect(response.status).toBe(400);
    expect(problem?.problem).toMatch(
      new RegExp(`npm run admin -- allow-egress --organisation t-[0-9a-f]+ --add ${hostPort}$`),
    );
  });

  test('an unknown event is rejected with its index and the accepted events', async () => {
    const json = { url: URL, events: ['session.completed', 'session.done'] };
    const response = await call('POST', '/v1/webhooks', { key: tenant.identityKey, json });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { details: { fields: [{ field: 'events[1]' }] } } });
    for (const type of EVENT_TYPES) expect(JSON.stringify(response.body)).toContain(type);
  });

  test.each([
    [{}, ['url', 'events']],
    [{ url: URL }, ['events']],
    [{ url: URL, events: [] }, ['events']],
    [{ url: URL, events: 'session.completed' }, ['events']],
    [{ url: 7, events: ['*'] }, ['url']],
    [{ url: URL, events: ['*'], secret: 'mine' }, ['secret']],
  ])('refuses %j and names the fields', async (json, fields) => {
    const response = await call('POST', '/v1/webhooks', { key: tenant.identityKey, json });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { details: { fields: fields.map((field) => ({ field })) } } });
  });
});

describe('access', () => {
  test('is 401 without a key and 403 without the permission', async () => {
    expect((await call('GET', '/v1/webhooks')).status).toBe(401);
    const reader = await tenant.createIdentityKey(['webhooks:read']);
    const { webhook } = await registerWebhook(tenant.identityKey, URL, ['*']);
    expect((await call('GET', '/v1/webhooks', { key: reader })).status).toBe(200);
    expect((await call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { key: reader })).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/v1/webhooks'],
      ['DELETE', `/v1/webhooks/${webhook.id}`],
      ['POST', `/v1/webhooks/${webhook.id}/test`],
    ] as const) {
      const response = await call(method, path, { key: reader });
      expect([response.status, response.body]).toMatchObject([403, { ok: false, error: { code: 'forbidden' } }]);
    }
  });

  test('a webhook of another organisation, of the other mode or without a record is 404', async () => {
    const { webhook: theirs } = await registerWebhook(other.identityKey, URL, ['*']);
    const { webhook: ours } = await registerWebhook(tenant.identityKey, URL, ['*']);
    const testKey = await tenant.createIdentityKey(['webhooks:read', 'webhooks:write'], { mode: 'test' });
    const unknown = 'whk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7';
    const tries = [
      [tenant.identityKey, theirs.id],
      [testKey, ours.id],
      [tenant.identityKey, unknown],
      [tenant.identityKey, 'nonsense'],
    ] as const;
    for (const [key, id] of tries) {
      expect((await call('GET', `/v1/webhooks/${id}/deliveries`, { key })).status).toBe(404);
      expect((await call('POST', `/v1/webhooks/${id}/test`, { key })).status).toBe(404);
      expect((await call('DELETE', `/v1/webhooks/${id}`, { key })).status).toBe(404);
    }
    expect((await fetchWebhooks(tenant.identityKey)).map(({ id }) => id)).not.toContain(theirs.id);
    expect((await fetchWebhooks(testKey)).map(({ id }) => id)).not.toContain(ours.id);
  });
});

describe('lists', () => {
  test('have pages of webhooks and deliveries, newest first, with an exact total', async () => {
    const lists = await createTenant('Lists');
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.unshift((await registerWebhook(lists.identityKey, URL, ['*'])).webhook.id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await call('GET', `/v1/webhooks?limit=2${cursor}`, { key: lists.identityKey });
      const page = body as { webhooks: { id: string }[]; total: number; nextCursor: string | null };
      expect(page.total).toBe(5);
      seen.push(...page.webhooks.map(({ id }) => id));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(ids);

    const webhookId = ids[0] ?? '';
    const first = await requestTestDelivery(lists.identityKey, webhookId);
    const second = await requestTestDelivery(lists.identityKey, webhookId);
    expect((await fetchDeliveries(lists.identityKey, webhookId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await fetchDeliveries(lists.identityKey, webhookId, '?limit=1')).toHaveLength(1);
    expect(await fetchDeliveries(lists.identityKey, webhookId, '?status=succeeded')).toEqual([]);
  });

  test.each(['?limit=0', '?limit=101', '?limit=x', '?status=done', '?page=1'])('refuse %s', async (query) => {
    const { webhook } = await registerWebhook(tenant.identityKey, URL, ['*']);
    const response = await call('GET', `/v1/webhooks/${webhook.id}/deliveries${query}`, { key: tenant.identityKey });
    expect(response.status).toBe(400);
  });
});

describe('changing', () => {
  test('replaces the fields that are sent, keeps the others and the secret, and is audited', async () => {
    const { webhook } = await registerWebhook(tenant.identityKey, URL, ['session.created']);
    const path = `/v1/webhooks/${webhook.id}`;
    const before = await WebhookEndpoint.findById(webhook.id).lean();
    const events = ['session.declined', 'session.completed'];
    const changed = await call('PATCH', path, { key: tenant.identityKey, json: { events } });
    const expected = { ...webhook, events: ['session.completed', 'session.declined'] };
    expect([changed.status, changed.body]).toEqual([200, { ok: true, webhook: expected }]);
    const json = { url: 'https://other.example/hook', description: 'Moved' };
    expect((await call('PATCH', path, { key: tenant.identityKey, json })).status).toBe(200);
    const read = await call('GET', path, { key: tenant.identityKey });
    expect(read.body).toEqual({ ok: true, webhook: { ...expected, ...json } });
    expect((await WebhookEndpoint.findById(webhook.id).lean())?.secrets).toEqual(before?.secrets);
    const rows = await Audit.find({ subject: webhook.id, action: 'webhook.updated' }).sort({ _id: 1 }).lean();
    expect(rows.map(({ fields }) => fields)).toEqual([['events'], ['url', 'description']]);
  });

  test('refuses a URL that may not be called, an unknown event and any other field, and changes nothing', async () => {
    const { webhook } = await registerWebhook(tenant.identityKey, URL, ['*']);
    const path = `/v1/webhooks/${webhook.id}`;
    for (const json of [{ url: 'https://127.0.0.1/' }, { events: ['nothing'] }, { events: [] }, { secret: 'mine' }])
      expect((await call('PATCH', path, { key: tenant.identityKey, json })).status).toBe(400);
    expect((await call('GET', path, { key: tenant.identityKey })).body).toEqual({ ok: true, webhook });
  });
});

describe('deleting', () => {
  test('ends the webhook immediately and destroys its secret; a second deletion is 404', async () => {
    const { webhook } = await registerWebhook(tenant.identityKey, URL, ['*']);
    const response = await call('DELETE', `/v1/webhooks/${webhook.id}`, { key: tenant.identityKey });
    expect(response.body).toEqual({ ok: true, id: webhook.id, deleted: true });
    expect((await call('DELETE', `/v1/webhooks/${webhook.id}`, { key: tenant.identityKey })).status).toBe(404);
    expect((await fetchWebhooks(tenant.identityKey)).map(({ id }) => id)).not.toContain(webhook.id);
    await getTestPlatform();
    expect(await WebhookEndpoint.findById(webhook.id).lean()).toMatchObject({ secrets: [] });
  });
});
