import { ApiKey } from '../../../models/platform/access/api-key';
import { call } from '../../support/client';
import { startApi } from '../../support/processes';
import type { ReplicaProcess } from '../../support/processes';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { HOUR_MS } from '../../../domain/durations';
import { pollUntilFound } from '../../support/poll';

const LIMIT = 20;

/** Two API processes with one database, as behind a load balancer. */
let replicas: ReplicaProcess[];
let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant('Replicas');
  const env = { RATE_LIMIT_IDENTITY_PER_MINUTE: String(LIMIT), RATE_LIMIT_SESSION_CREATION_PER_MINUTE: '5' };
  replicas = await Promise.all([startApi(env), startApi(env)]);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await closeTestPlatform();
});

const countStatuses = async (key: string, count: number, send: (api: string) => Promise<{ status: number }>) => {
  const responses = await Promise.all(
    Array.from({ length: count }, (_value, index) => send(replicas[index % 2]?.url ?? '')),
  );
  return responses.map(({ status }) => status);
};

describe('two replicas', () => {
  test('a key revoked on one is rejected by the next request to the other', async () => {
    const [one, two] = replicas;
    const created = await call('POST', '/v1/keys', {
      key: tenant.identityKey,
      api: one?.url ?? '',
      json: { permissions: ['keys:read'] },
    });
    const { key, secret } = created.body as { key: { id: string }; secret: string };
    expect((await call('GET', '/v1/keys', { key: secret, api: two?.url ?? '' })).status).toBe(200);
    await call('DELETE', `/v1/keys/${key.id}`, { key: tenant.identityKey, api: one?.url ?? '' });
    expect((await call('GET', '/v1/keys', { key: secret, api: two?.url ?? '' })).status).toBe(401);
  });

  test('share one rate limit', async () => {
    const key = await tenant.createIdentityKey(['keys:read']);
    const statusCounts = await countStatuses(key, LIMIT + 15, (api) => call('GET', '/v1/keys', { key, api }));
    expect(statusCounts.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statusCounts.filter((status) => status === 429)).toHaveLength(15);
    const rejected = await call('GET', '/v1/keys', { key, api: replicas[0]?.url ?? '' });
    expect(rejected.body).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(rejected.headers.get('ratelimit-remaining')).toBe('0');
  });

  test('count session creation separately, for each key', async () => {
    const key = await tenant.createIdentityKey(['sessions:write', 'sessions:read']);
    const create = (api: string) => call('POST', '/v1/sessions', { key, api, json: {} });
    expect((await countStatuses(key, 8, create)).filter((status) => status === 201)).toHaveLength(5);
    expect((await call('GET', '/v1/sessions', { key, api: replicas[0]?.url ?? '' })).status).toBe(200);
    const other = await tenant.createIdentityKey(['sessions:write']);
    expect((await call('POST', '/v1/sessions', { key: other, api: replicas[1]?.url ?? '', json: {} })).status).toBe(
      201,
    );
  });

  test('record the last use of a key, and reject it after its expiry', async () => {
    await getTestPlatform();
    const key = await tenant.createIdentityKey(['keys:read']);
    const before = Date.now();
    await call('GET', '/v1/keys', { key, api: replicas[0]?.url ?? '' });
    const id = `key_${key.split('_')[2] ?? ''}`;
    const used = await pollUntilFound(async () => {
      const record = await ApiKey.findById(id).lean();
      return record?.lastUsedAt instanceof Date ? record.lastUsedAt.getTime() : undefined;
    });
    expect(used).toBeGreaterThanOrEqual(before);
    await ApiKey.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await call('GET', '/v1/keys', { key, api: replicas[1]?.url ?? '' })).status).toBe(401);
    const listed = await call('GET', '/v1/keys?limit=100', { key: tenant.identityKey, api: replicas[1]?.url ?? '' });
    const keys = listed.body['keys'] as { id: string; status: string }[];
    expect(keys.find((each) => each.id === id)?.status).toBe('expired');
  });

  test('limit the lifetime of a new key to that of its creator', async () => {
    const key = await tenant.createIdentityKey(['keys:read', 'keys:write']);
    const id = `key_${key.split('_')[2] ?? ''}`;
    const end = new Date(Date.now() + HOUR_MS);
    await ApiKey.updateOne({ _id: id }, { $set: { expiresAt: end } });
    const create = (json: object) => call('POST', '/v1/keys', { key, json });
    const later = await create({ permissions: ['keys:read'], expiresAt: new Date(end.getTime() + 1000).toISOString() });
    expect([later.status, later.body]).toMatchObject([403, { error: { details: { field: 'expiresAt' } } }]);
    const same = await create({ permissions: ['keys:read'] });
    expect(same.body).toMatchObject({ key: { expiresAt: end.toISOString() } });
  });
});
