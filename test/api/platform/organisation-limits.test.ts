import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { createTestAddress, startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

/** Two API processes of one installation: an organisation may send twice the requests of one key, user or address. */
let replicas: [OwnApi, OwnApi];
beforeAll(async () => {
  const limits = {
    RATE_LIMIT_IDENTITY_PER_MINUTE: 6,
    RATE_LIMIT_SESSION_CREATION_PER_MINUTE: 2,
    RATE_LIMIT_BUSINESS_PER_MINUTE: 6,
    RATE_LIMIT_EXPORTS_PER_MINUTE: 2,
    RATE_LIMIT_ORGANISATION_MULTIPLE: 2,
  };
  replicas = [await startOwnApi(limits), await startOwnApi(limits)];
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await closeTestPlatform();
});

/** Sends one request with each key in turn, alternating between the processes. */
async function sendWithEach(
  keys: readonly string[],
  send: (key: string, api: string) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  for (const [index, key] of keys.entries()) responses.push(await send(key, replicas[index % 2 === 0 ? 0 : 1].url));
  return responses;
}

const countStatus = (responses: readonly ApiResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

const listKeys = (key: string, api: string) => call('GET', '/v1/keys', { key, api });

const createKeys = (tenant: Tenant, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => tenant.createIdentityKey(['keys:read', 'sessions:write'])));

const repeat = (keys: readonly string[], times: number): string[] => Array.from({ length: times }, () => keys).flat();

test('an organisation does not multiply its limit with further keys; other organisations and test mode are not affected', async () => {
  const tenant = await createTenant('Limited');
  const keys = await createKeys(tenant, 5);
  const responses = await sendWithEach(repeat(keys, 4), listKeys);
  expect([countStatus(responses, 200), countStatus(responses, 429)]).toEqual([12, 8]);
  const rejected = responses.at(-1);
  expect(rejected?.body).toMatchObject({ error: { code: 'rate_limit_exceeded', details: { limit: 'organisation' } } });
  expect(JSON.stringify(rejected?.body)).toContain('all keys and users of the organisation together');
  expect(rejected?.headers.get('ratelimit-policy')).toBe('"organisation";q=12;w=60');
  expect(rejected?.headers.get('ratelimit-limit')).toBe('12');
  expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(0);

  const testKey = await tenant.createIdentityKey(['keys:read'], { mode: 'test' });
  expect((await listKeys(testKey, replicas[0].url)).status).toBe(200);
  const other = await createTenant('Unlimited');
  expect((await listKeys(other.identityKey, replicas[1].url)).status).toBe(200);
});

test('requests that the limit of a key rejects do not use up that of its organisation', async () => {
  const tenant = await createTenant('One key');
  const [busy = '', quiet = ''] = await createKeys(tenant, 2);
  const responses = await sendWithEach(repeat([busy], 16), listKeys);
  expect(countStatus(responses, 200)).toBe(6);
  expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"key";q=6;w=60');
  expect(responses.at(-1)?.body).toMatchObject({
    error: { message: expect.stringMatching(/for one API key/) as string, details: { limit: 'key' } },
  });
  expect(countStatus(await sendWithEach(repeat([quiet], 6), listKeys), 200)).toBe(6);
});

test('created sessions count per organisation, separately from other requests', async () => {
  const tenant = await createTenant('Sessions');
  const keys = await createKeys(tenant, 3);
  const create = (key: string, api: string) => call('POST', '/v1/sessions', { key, api, json: {} });
  const responses = await sendWithEach(repeat(keys, 2), create);
  expect([countStatus(responses, 201), countStatus(responses, 429)]).toEqual([4, 2]);
  expect((await listKeys(keys[0] ?? '', replicas[0].url)).status).toBe(200);
});

test('business requests count per organisation whatever address and key they come from', async () => {
  const tenant = await createTenant('Addresses');
  const keys = await Promise.all(Array.from({ length: 3 }, () => tenant.createBusinessKey(['customers:read'])));
  const list = (key: string, api: string) =>
    call('GET', '/api/customers', { key, api, headers: { 'x-forwarded-for': createTestAddress() } });
  const responses = await sendWithEach(repeat(keys, 5), list);
  expect([countStatus(responses, 200), countStatus(responses, 429)]).toEqual([12, 3]);
  expect(responses.at(-1)?.body).toMatchObject({ code: 'rate_limit_exceeded', details: { limit: 'organisation' } });
});

test('exports count per organisation, and a rejected one is taken back from the limit of its key', async () => {
  const tenant = await createTenant('Exports');
  const keys = await Promise.all(
    Array.from({ length: 3 }, () => tenant.createBusinessKey(['exports:create', 'customers:read'])),
  );
  const begin = (key: string, api: string) =>
    call('POST', '/api/exports', {
      key,
      api,
      json: { resource: 'customers', format: 'csv', filters: {} },
      headers: { 'x-forwarded-for': createTestAddress() },
    });
  const responses = await sendWithEach([...repeat(keys.slice(0, 2), 2), ...repeat(keys.slice(2), 3)], begin);
  expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202, 429, 429, 429]);
  // The limit of the third key is never reached, although it sent more requests than that.
  expect(responses.slice(4).map(({ body }) => body['details'])).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ limit: 'organisation' }) as object),
  );
});
