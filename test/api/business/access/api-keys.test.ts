import { ApiKey } from '../../../../models/platform/access/api-key';
import { Audit } from '../../../../models/platform/audit/audit';
import { call } from '../../../support/client';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform } from '../../../support/tenant';
import { createBusinessClient, getData, getRows, signIn } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { HOUR_MS, MINUTE_MS } from '../../../../domain/durations';
import { listErrorFields } from '../../../support/business/rejections';
import { addUser, KEYS_PATH, USERS_PATH } from '../../../support/business/users';
import type { Account } from '../../../support/business/users';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);
const signInTo = ({ email, password }: Account) => signIn({ email, password });

describe('API keys', () => {
  const createKey = (fields: object = {}) =>
    client.post(KEYS_PATH, { name: 'Web shop', permissions: ['products:read'], ...fields });
  const getKey = (response: { body: Record<string, unknown> }): string =>
    String((response.body['data'] as Record<string, unknown>)['key']);

  test('the value is returned once, stored as a hash, and works only for its permissions', async () => {
    const created = await client.post(
      KEYS_PATH,
      { name: 'Once', permissions: ['products:read'] },
      { 'idempotency-key': 'k1' },
    );
    const key = getKey(created);
    expect(key).toMatch(/^erp_[0-9A-Z]{26}_/);
    expect(getData(created)).toMatchObject({ status: 'Active', expired: false, lastUsedAt: null, allowedIps: [] });
    const again = await client.post(
      KEYS_PATH,
      { name: 'Once', permissions: ['products:read'] },
      { 'idempotency-key': 'k1' },
    );
    expect(getData(again)).toMatchObject({ id: getData(created)['id'], key: null });
    expect((await client.get(KEYS_PATH)).bytes.toString('utf8')).not.toContain(key.slice(-43));
    expect(JSON.stringify(await ApiKey.findById(String(getData(created)['id'])).lean())).not.toContain(key.slice(-43));
    expect((await call('GET', '/api/products', { key })).status).toBe(200);
    expect((await call('GET', '/api/customers', { key })).status).toBe(403);
  });

  test('revocation is final: the key stops working immediately, stays in the list, and revoking it again changes nothing', async () => {
    const created = await createKey();
    const id = String(getData(created)['id']);
    expect(getData(await client.delete(`${KEYS_PATH}/${id}`))).toMatchObject({ id, status: 'Revoked' });
    expect((await call('GET', '/api/products', { key: getKey(created) })).status).toBe(401);
    expect(getData(await client.delete(`${KEYS_PATH}/${id}`))).toMatchObject({ status: 'Revoked' });
    const revoked = getRows(await client.get(`${KEYS_PATH}?status=Revoked`)).map((row) => row['id']);
    const active = getRows(await client.get(`${KEYS_PATH}?status=Active&pageSize=100`)).map((row) => row['id']);
    expect([revoked.includes(id), active.includes(id)]).toEqual([true, false]);
    expect(await Audit.countDocuments({ subject: id, action: 'api_key.revoked' })).toBe(1);
  });

  test('an address outside the ranges of the key is rejected, one inside is accepted', async () => {
    const outside = getKey(await createKey({ allowedIps: ['203.0.113.0/24'] }));
    const inside = getKey(await createKey({ allowedIps: ['127.0.0.0/8', '::1'] }));
    expect((await call('GET', '/api/products', { key: outside })).status).toBe(401);
    expect((await call('GET', '/api/products', { key: inside })).status).toBe(200);
  });

  test('an expired key is rejected and shown as expired, but not as revoked', async () => {
    const last = await createKey({ expiresAt: '9999-12-31' });
    expect(getData(last)).toMatchObject({ expiresAt: '9999-12-31T23:59:59.999Z' });
    const created = await createKey({ expiresAt: '2199-12-31' });
    expect(getData(created)).toMatchObject({ expiresAt: '2199-12-31T23:59:59.999Z', expired: false });
    const id = String(getData(created)['id']);
    await ApiKey.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await call('GET', '/api/products', { key: getKey(created) })).status).toBe(401);
    const [row] = getRows(await client.get(`${KEYS_PATH}?pageSize=1`));
    expect(row).toMatchObject({ id, expired: true, status: 'Active' });
  });

  test('the last use is recorded and never moved back by a slower request', async () => {
    const created = await createKey();
    const id = String(getData(created)['id']);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => call('GET', '/api/products', { key: getKey(created) })),
    );
    expect(responses.every((response) => response.status === 200)).toBe(true);
    const findLastUse = async (): Promise<string | undefined> => {
      const row = getRows(await client.get(`${KEYS_PATH}?pageSize=100`)).find((each) => each['id'] === id);
      return (row?.['lastUsedAt'] ?? undefined) as string | undefined;
    };
    // Written outside the transaction of the request.
    const seen = await pollUntilFound(findLastUse);
    expect(Math.abs(Date.parse(seen) - Date.now())).toBeLessThan(MINUTE_MS);
    const later = new Date(Date.now() + HOUR_MS);
    await ApiKey.updateOne({ _id: id }, { $set: { lastUsedAt: later } });
    await call('GET', '/api/products', { key: getKey(created) });
    expect(Date.parse(String(await findLastUse()))).toBe(later.getTime());
  });

  test('a key can only create keys with a subset of its permissions', async () => {
    const key = getKey(await createKey({ permissions: ['admin:update', 'products:read'], expiresAt: '2199-12-31' }));
    const attempt = (fields: object) =>
      call('POST', KEYS_PATH, {
        key,
        json: { name: 'Child', permissions: ['products:read'], expiresAt: '2199-01-01', ...fields },
      });
    expect((await attempt({})).status).toBe(201);
    expect((await attempt({ permissions: ['customers:read'] })).status).toBe(403);
    expect((await attempt({ expiresAt: null })).status).toBe(403);
    expect((await attempt({ expiresAt: '2200-12-31' })).status).toBe(403);
  });

  test('a key ends when its creator is deactivated or can no longer create it', async () => {
    const account = await addUser(client, 'admin');
    const { token } = await signInTo(account);
    const createWith = async (permissions: string[]): Promise<string> =>
      getKey(await call('POST', KEYS_PATH, { token, json: { name: 'Own', permissions } }));
    const reading = await createWith(['products:read']);
    const writing = await createWith(['products:read', 'products:create']);
    const statusOf = async (key: string): Promise<number> => (await call('GET', '/api/products', { key })).status;
    await client.put(`${USERS_PATH}/${account.id}`, { role: 'viewer' });
    expect([await statusOf(reading), await statusOf(writing)]).toEqual([200, 401]);
    await client.put(`${USERS_PATH}/${account.id}`, { active: false });
    expect(await statusOf(reading)).toBe(401);
  });

  test.each([
    [{ permissions: ['products:read'] }, 'name'],
    [{ name: 'A' }, 'permissions'],
    [{ name: 'A', permissions: [] }, 'permissions'],
    [{ name: 'A', permissions: ['products:fly'] }, 'permissions[0]'],
    [{ name: 'A', permissions: ['products:read'], allowedIps: ['300.1.1.1'] }, 'allowedIps[0]'],
    [{ name: 'A', permissions: ['products:read'], expiresAt: '2020-01-01' }, 'expiresAt'],
    [{ name: 'A', permissions: ['products:read'], expiresAt: 'soon' }, 'expiresAt'],
    [{ name: 'A', permissions: ['products:read'], expiresAt: '9999-12-31T23:30:00-01:00' }, 'expiresAt'],
    [{ name: 'A', permissions: ['products:read'], status: 'Active' }, 'status'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post(KEYS_PATH, json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });
});
