import { randomUUID } from 'node:crypto';
import { call } from '../../support/client';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { newId } from '../../../lib/ids';
import { MAX_ACTIVE_KEYS } from '../../../services/platform/access/api-keys';
import { ApiKey } from '../../../models/platform/access/api-key';

interface KeyBody {
  key: { id: string; status: string; permissions: string[] };
  secret: string | null;
  secretAlreadyShown?: boolean;
}
const toKeyBody = (body: Record<string, unknown>): KeyBody => body as unknown as KeyBody;

describe('API keys', () => {
  let tenant: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    tenant = await createTenant('Keys');
    other = await createTenant('Other');
  });
  afterAll(closeTestPlatform);

  test('a created key works immediately, and only the hash of its secret is stored', async () => {
    const created = await call('POST', '/v1/keys', {
      key: tenant.identityKey,
      json: { name: 'Reader', permissions: ['keys:read'] },
    });
    expect(created.status).toBe(201);
    const { key, secret } = toKeyBody(created.body);
    expect(secret).toMatch(/^vk_live_[0-9A-Z]{26}_[A-Za-z0-9_-]{43}$/);
    expect((await call('GET', '/v1/keys', { key: secret ?? '' })).status).toBe(200);
    await getTestPlatform();
    const stored = JSON.stringify(await ApiKey.findById(key.id).lean());
    expect(stored).not.toContain(secret?.split('_').slice(3).join('_'));
  });

  test('a key is also accepted as a bearer token', async () => {
    expect((await call('GET', '/v1/keys', { token: tenant.identityKey })).status).toBe(200);
  });

  test('a revoked key stops working immediately; revoking twice changes nothing', async () => {
    const { key, secret } = toKeyBody(
      (await call('POST', '/v1/keys', { key: tenant.identityKey, json: { permissions: ['keys:read'] } })).body,
    );
    const revoked = await call('DELETE', `/v1/keys/${key.id}`, { key: tenant.identityKey });
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject({ id: key.id, deleted: true, key: { status: 'revoked' } });
    expect((await call('GET', '/v1/keys', { key: secret ?? '' })).status).toBe(401);
    expect((await call('DELETE', `/v1/keys/${key.id}`, { key: tenant.identityKey })).status).toBe(200);
  });

  test('a key can create only keys with at most its permissions, addresses and lifetime', async () => {
    const narrow = await tenant.createIdentityKey(['keys:write', 'keys:read'], { allowedIps: ['127.0.0.0/8', '::1'] });
    const wider = await call('POST', '/v1/keys', { key: narrow, json: { permissions: ['sessions:decide'] } });
    expect(wider.status).toBe(403);
    const elsewhere = await call('POST', '/v1/keys', {
      key: narrow,
      json: { permissions: ['keys:read'], allowedIps: ['0.0.0.0/0'] },
    });
    expect(elsewhere.status).toBe(403);
    const inside = await call('POST', '/v1/keys', {
      key: narrow,
      json: { permissions: ['keys:read'], allowedIps: ['127.0.0.1'] },
    });
    expect(inside.status).toBe(201);
  });

  test('revoking a key ends the keys that were created with it, in every generation', async () => {
    const createWith = async (parent: string): Promise<{ id: string; secret: string }> => {
      const json = { permissions: ['keys:read', 'keys:write'] };
      const { key, secret } = toKeyBody((await call('POST', '/v1/keys', { key: parent, json })).body);
      return { id: key.id, secret: secret ?? '' };
    };
    const parent = await createWith(tenant.identityKey);
    const child = await createWith(parent.secret);
    const grandchild = await createWith(child.secret);
    const unrelated = await createWith(tenant.identityKey);
    await call('DELETE', `/v1/keys/${parent.id}`, { key: tenant.identityKey });
    for (const { secret } of [parent, child, grandchild])
      expect((await call('GET', '/v1/keys', { key: secret })).status).toBe(401);
    expect((await call('GET', '/v1/keys', { key: unrelated.secret })).status).toBe(200);
    const query = `/v1/audit-log?action=api_key.revoked&subject=${grandchild.id}`;
    expect((await call('GET', query, { key: tenant.identityKey })).body).toMatchObject({ total: 1 });
  });

  test('an organisation with the maximum number of keys creates another one only after revoking one', async () => {
    await getTestPlatform();
    const full = await createTenant('Full');
    const { key, secret } = toKeyBody((await call('POST', '/v1/keys', { key: full.identityKey, json: {} })).body);
    const template = await ApiKey.findById(key.id).lean().orFail();
    const existing = await ApiKey.countDocuments({
      organisationId: full.organisationId,
      api: 'identity',
      mode: 'live',
    });
    const copies = Array.from({ length: MAX_ACTIVE_KEYS - existing }, () => ({ ...template, _id: newId('key') }));
    await ApiKey.insertMany(copies);
    const refused = await call('POST', '/v1/keys', { key: secret ?? '', json: {} });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error: { code: 'api_key_limit' } });
    await call('DELETE', `/v1/keys/${copies[0]?._id ?? ''}`, { key: full.identityKey });
    expect((await call('POST', '/v1/keys', { key: secret ?? '', json: {} })).status).toBe(201);
  });

  test('expired keys do not count towards the maximum', async () => {
    await getTestPlatform();
    const busy = await createTenant('Short-lived keys');
    const { key } = toKeyBody((await call('POST', '/v1/keys', { key: busy.identityKey, json: {} })).body);
    const template = await ApiKey.findById(key.id).lean().orFail();
    const expiresAt = new Date(Date.now() - 1000);
    await ApiKey.insertMany(
      Array.from({ length: MAX_ACTIVE_KEYS }, () => ({ ...template, _id: newId('key'), expiresAt })),
    );
    expect((await call('POST', '/v1/keys', { key: busy.identityKey, json: {} })).status).toBe(201);
  });

  test('a key is rejected from an address outside its CIDR ranges', async () => {
    const elsewhere = await tenant.createIdentityKey(['keys:read'], { allowedIps: ['203.0.113.0/24'] });
    expect((await call('GET', '/v1/keys', { key: elsewhere })).status).toBe(401);
  });

  test('no credential is 401, a missing permission 403 naming it, another organisation’s key 404', async () => {
    expect((await call('GET', '/v1/keys')).status).toBe(401);
    const reader = await tenant.createIdentityKey(['sessions:read']);
    const rejected = await call('GET', '/v1/keys', { key: reader });
    expect(rejected.status).toBe(403);
    expect(rejected.body).toMatchObject({
      ok: false,
      error: { code: 'forbidden', details: { permission: 'keys:read' } },
    });
    const theirs = toKeyBody((await call('POST', '/v1/keys', { key: other.identityKey, json: {} })).body).key.id;
    expect((await call('DELETE', `/v1/keys/${theirs}`, { key: tenant.identityKey })).status).toBe(404);
    expect((await call('DELETE', '/v1/keys/nonsense', { key: tenant.identityKey })).status).toBe(404);
  });

  test('keys of one mode do not see those of the other', async () => {
    const testKey = await tenant.createIdentityKey(['keys:read', 'keys:write'], { mode: 'test' });
    const created = await call('POST', '/v1/keys', { key: testKey, json: {} });
    expect(toKeyBody(created.body).secret).toMatch(/^vk_test_/);
    const seen = await call('GET', '/v1/keys?limit=100', { key: tenant.identityKey });
    expect(JSON.stringify(seen.body)).not.toContain(toKeyBody(created.body).key.id);
  });

  test.each([
    ['an unknown permission', { permissions: ['everything'] }, 'permissions[0]'],
    ['an unknown field', { permission: [] }, 'permission'],
    ['a malformed address', { allowedIps: ['300.1.1.1'] }, 'allowedIps[0]'],
    ['a shortened range, which would mean another one', { allowedIps: ['::1', '203.0.113/24'] }, 'allowedIps[1]'],
    ['an octal address, which would mean another one', { allowedIps: ['010.1.1.1'] }, 'allowedIps[0]'],
    ['a number as an address', { allowedIps: ['10'] }, 'allowedIps[0]'],
    ['a past expiry', { expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    ['a number as a name', { name: 5 }, 'name'],
  ])('%s is 400 and names the field', async (_what, json, field) => {
    const response = await call('POST', '/v1/keys', { key: tenant.identityKey, json });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', details: { fields: [{ field }] } },
    });
  });

  test('a repeat with the same Idempotency-Key creates one key and does not return the secret again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = (json: object) => call('POST', '/v1/keys', { key: tenant.identityKey, headers, json });
    const [first, second] = await Promise.all([send({ name: 'Once' }), send({ name: 'Once' })]);
    const bodies = [toKeyBody(first.body), toKeyBody(second.body)];
    expect(new Set(bodies.map(({ key }) => key.id)).size).toBe(1);
    expect(bodies.filter(({ secret }) => secret !== null)).toHaveLength(1);
    expect(bodies.filter(({ secretAlreadyShown }) => secretAlreadyShown === true)).toHaveLength(1);
    const other = await send({ name: 'Another' });
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({ error: { code: 'idempotency_key_reused' } });
  });

  test('the list returns every key once by cursor, with an exact total', async () => {
    const own = await createTenant('Pages');
    for (let count = 0; count < 4; count += 1) await own.createIdentityKey(['keys:read']);
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await call('GET', `/v1/keys?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`, {
        key: own.identityKey,
      });
      const body = page.body as unknown as { keys: { id: string }[]; total: number; nextCursor: string | null };
      expect(body.total).toBe(5);
      ids.push(...body.keys.map(({ id }) => id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(new Set(ids).size).toBe(5);
    expect(ids).toHaveLength(5);
  });
});
