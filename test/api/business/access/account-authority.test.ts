import { randomUUID } from 'node:crypto';
import { addUser, KEYS_PATH, uniqueEmail, USERS_PATH } from '../../../support/business/users';
import { createBusinessClient, getData, getRows, signIn } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform } from '../../../support/tenant';

const POLICY_PATH = '/api/admin/sign-in-policy';

let client: BusinessClient;
let ownId: number;
beforeAll(async () => {
  client = await createBusinessClient('Accounts');
  const search = await client.get(`${USERS_PATH}?search=${encodeURIComponent(client.tenant.admin.email)}`);
  ownId = Number(getRows(search)[0]?.['id']);
});
afterAll(closeTestPlatform);

const createKey = async (limits: object, key?: string): Promise<string> => {
  const json = { name: randomUUID(), permissions: ALL_BUSINESS_PERMISSIONS, ...limits };
  const created = await call('POST', KEYS_PATH, key === undefined ? { token: client.token, json } : { key, json });
  expect(created.status).toBe(201);
  return String(getData(created)['key']);
};

const getProblem = ({ status, body }: ApiResponse) => [status, String(body['message'])];

/** The requests that change accounts, those of the user with an id. */
const changeAccounts = async (key: string, id: number): Promise<ApiResponse[]> => {
  const path = `${USERS_PATH}/${id}`;
  return Promise.all([
    call('POST', USERS_PATH, { key, json: { email: uniqueEmail(), name: 'A', role: 'admin' } }),
    call('PUT', path, { key, json: { role: 'admin' } }),
    call('POST', `${path}/reset-password`, { key, json: {} }),
    call('DELETE', `${path}/second-factor`, { key }),
    call('PUT', POLICY_PATH, { key, json: { secondFactorRequired: false } }),
  ]);
};

test('administrators prove who they are before the own password or second factor changes, also through their keys', async () => {
  const path = `${USERS_PATH}/${ownId}`;
  const key = await createKey({});
  for (const credential of [{ token: client.token }, { key }]) {
    const reset = await call('POST', `${path}/reset-password`, { ...credential, json: {} });
    expect(getProblem(reset)).toEqual([403, expect.stringContaining('POST /v1/auth/password')]);
    const removal = await call('DELETE', `${path}/second-factor`, credential);
    expect(getProblem(removal)).toEqual([403, expect.stringContaining('POST /v1/auth/second-factor/remove')]);
  }
  expect((await signIn(client.tenant.admin)).token).not.toBe('');
});

test('keys that are limited or that a key created change no accounts, whose users would not have their limits', async () => {
  const { id } = await addUser(client, 'viewer');
  const unlimited = await createKey({});
  const keys = {
    'is limited to addresses': await createKey({ allowedIps: ['127.0.0.0/8', '::1'] }),
    expires: await createKey({ expiresAt: '2199-12-31' }),
    'was created by another key': await createKey({}, unlimited),
  };
  for (const [limit, key] of Object.entries(keys))
    for (const response of await changeAccounts(key, id))
      expect(getProblem(response)).toEqual([403, expect.stringContaining(`This API key ${limit}`)]);
  expect((await changeAccounts(unlimited, id)).map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
});

test('the sign-in policy is changed with every permission only', async () => {
  const key = await client.tenant.createBusinessKey(['admin:read', 'admin:update']);
  for (const secondFactorRequired of [true, false])
    expect((await call('PUT', POLICY_PATH, { key, json: { secondFactorRequired } })).status).toBe(403);
  expect(getData(await call('GET', POLICY_PATH, { key }))).toEqual({ secondFactorRequired: false });
});
