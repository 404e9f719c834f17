import { randomBytes } from 'node:crypto';
import { Audit } from '../../../../models/platform/audit/audit';
import { Idempotency } from '../../../../models/platform/transactions/idempotency';
import { User } from '../../../../models/platform/access/user';
import { computeRequestFingerprint, protectFingerprint } from '../../../../services/platform/transactions/idempotency';
import { call } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  createBusinessClient,
  createClientWithToken,
  getData,
  parseLoginData,
  getRows,
  signIn,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { HOUR_MS, MINUTE_MS } from '../../../../domain/durations';
import { addUser, KEYS_PATH, uniqueEmail, USERS_PATH, WEBHOOKS_PATH } from '../../../support/business/users';
import type { Account } from '../../../support/business/users';
import { listErrorFields } from '../../../support/business/rejections';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

const login = ({ email, password }: { email: string; password: string }) =>
  call('POST', '/api/auth/login', { json: { email, password } });
const signInTo = ({ email, password }: Account) => signIn({ email, password });
const getMe = (token: string) => call('GET', '/api/auth/me', { token });

describe('users', () => {
  test('a user is created with a generated password that is returned once and works', async () => {
    const headers = { 'idempotency-key': 'user-1' };
    const body = { email: uniqueEmail().toUpperCase(), name: 'Robin Meyer', role: 'sales' };
    const created = await client.post(USERS_PATH, body, headers);
    expect(getData(created)).toMatchObject({ email: body.email.toLowerCase(), role: 'sales', active: true });
    const password = String(getData(created)['password']);
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(getData(await client.post(USERS_PATH, body, headers))).toMatchObject({
      id: getData(created)['id'],
      password: null,
    });
    expect((await login({ email: body.email, password })).status).toBe(200);
    const stored = await User.findOne({ email: body.email.toLowerCase() }).lean();
    expect(JSON.stringify(stored)).not.toContain(password);
    const audited = await Audit.findOne({ subject: stored?._id ?? '', action: 'user.created' }).lean();
    expect([audited?.actor === 'system', audited?.fields]).toEqual([false, ['email', 'name', 'role', 'identityRole']]);
  });

  test('a chosen password is not returned', async () => {
    const account = { email: uniqueEmail(), password: 'correct horse battery' };
    const created = await client.post(USERS_PATH, { ...account, name: 'A', role: 'viewer' });
    expect(getData(created)['password']).toBeNull();
    expect((await login(account)).status).toBe(200);
  });

  test('the stored hash of an idempotent request does not allow a password to be guessed', async () => {
    const kept = async (path: string, body: object) => {
      const fingerprint = computeRequestFingerprint(`POST ${path}`, { params: {}, body });
      const { organisationId } = client.tenant;
      const stored = await protectFingerprint(await getTestPlatform(), { organisationId, fingerprint });
      return Idempotency.exists({ fingerprint: stored });
    };
    const headers = { 'idempotency-key': 'guess-1' };
    const customer = { name: `Customer ${randomBytes(6).toString('hex')}` };
    await client.post('/api/customers', customer, headers);
    expect(await kept('/api/customers', customer)).not.toBeNull();
    const user = { email: uniqueEmail(), name: 'A', role: 'viewer', password: 'correct horse battery' };
    expect((await client.post(USERS_PATH, user, headers)).status).toBe(201);
    expect(await kept(USERS_PATH, user)).toBeNull();
    expect((await client.post(USERS_PATH, { ...user, password: 'another horse battery' }, headers)).status).toBe(422);
  });

  test('an email address is unique in its organisation', async () => {
    const { email } = await addUser(client, 'viewer');
    const response = await client.post(USERS_PATH, { email: email.toUpperCase(), name: 'A', role: 'viewer' });
    expect([response.status, response.body['code'], listErrorFields(response)]).toEqual([
      409,
      'email_taken',
      ['email'],
    ]);
  });

  test.each([
    [{ name: 'A', role: 'viewer' }, 'email'],
    [{ email: 'nobody', name: 'A', role: 'viewer' }, 'email'],
    [{ email: 'a@b.example', role: 'viewer' }, 'name'],
    [{ email: 'a@b.example', name: 'A' }, 'role'],
    [{ email: 'a@b.example', name: 'A', role: 'root' }, 'role'],
    [{ email: 'a@b.example', name: 'A', identityRole: 'sales' }, 'identityRole'],
    [{ email: 'a@b.example', name: 'A', role: 'viewer', password: 'short' }, 'password'],
    [{ email: 'a@b.example', name: 'A', role: 'viewer', active: false }, 'active'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post(USERS_PATH, json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });

  test('are listed, searched by prefixes of words and filtered by role and activity', async () => {
    const own = await createBusinessClient();
    const one = await addUser(own, 'sales', 'Ada Lovelace');
    await addUser(own, 'viewer', 'Alan Turing (night)');
    await own.put(`${USERS_PATH}/${one.id}`, { active: false });
    const names = async (query: string): Promise<unknown[]> =>
      getRows(await own.get(`${USERS_PATH}?${query}`)).map((row) => row['name']);
    expect(await names('sortBy=name')).toEqual(['Alan Turing (night)', 'Test admin']);
    expect(await names('active=all&search=love ad')).toEqual(['Ada Lovelace']);
    expect(await names('active=all&search=ovelace')).toEqual([]);
    expect(await names('search=(night')).toEqual(['Alan Turing (night)']);
    expect(await names('role=viewer')).toEqual(['Alan Turing (night)']);
    expect(await names('active=false')).toEqual(['Ada Lovelace']);
    expect((await own.get(`${USERS_PATH}?active=all&pageSize=2&page=2`)).body).toMatchObject({
      totalCount: 3,
      page: 2,
    });
  });

  test('are found by names with diacritics, written with or without them', async () => {
    const own = await createBusinessClient();
    await addUser(own, 'viewer', 'Zoë Müller-Weiß');
    const names = async (search: string): Promise<unknown[]> =>
      getRows(await own.get(`${USERS_PATH}?search=${encodeURIComponent(search)}`)).map((row) => row['name']);
    for (const search of ['Müller', 'muller', 'zoë WEISS', 'Weiß'])
      expect([search, await names(search)]).toEqual([search, ['Zoë Müller-Weiß']]);
    expect(await names('Möller')).toEqual([]);
  });

  test('a role takes effect with the next request; a response can be sent back as it is', async () => {
    const account = await addUser(client, 'viewer');
    const { token } = await signInTo(account);
    const theirs = createClientWithToken(client.tenant, token);
    expect((await theirs.post('/api/customers', { name: 'A' })).status).toBe(403);
    const changed = await client.put(`${USERS_PATH}/${account.id}`, { role: 'sales', name: 'Promoted' });
    expect(getData(changed)).toMatchObject({ role: 'sales', name: 'Promoted' });
    expect((await theirs.post('/api/customers', { name: 'A' })).status).toBe(201);
    expect((await client.put(`${USERS_PATH}/${account.id}`, getData(changed))).status).toBe(200);
    expect(listErrorFields(await client.put(`${USERS_PATH}/${account.id}`, { email: 'new@b.example' }))).toEqual([
      'email',
    ]);
    expect(listErrorFields(await client.put(`${USERS_PATH}/${account.id}`, { role: 'root' }))).toEqual(['role']);
    expect(listErrorFields(await client.put(`${USERS_PATH}/${account.id}`, { role: null }))).toEqual(['role']);
    const moved = await client.put(`${USERS_PATH}/${account.id}`, { role: null, identityRole: 'reviewer' });
    expect(getData(moved)).toMatchObject({ role: null, identityRole: 'reviewer' });
    expect((await theirs.post('/api/customers', { name: 'A' })).status).toBe(401);
  });

  test('a deactivated user is signed out immediately and cannot sign in; ended sessions stay ended after reactivation', async () => {
    const account = await addUser(client, 'viewer');
    const session = await signInTo(account);
    expect((await client.put(`${USERS_PATH}/${account.id}`, { active: false })).status).toBe(200);
    expect((await getMe(session.token)).status).toBe(401);
    expect((await login(account)).status).toBe(401);
    expect((await client.put(`${USERS_PATH}/${account.id}`, { active: true })).status).toBe(200);
    expect((await getMe(session.token)).status).toBe(401);
    const refreshed = await call('POST', '/api/auth/refresh', { json: { refreshToken: session.refreshToken } });
    expect(refreshed.status).toBe(401);
    expect((await login(account)).status).toBe(200);
  });

  test('a password reset replaces the old password, ends sessions and removes the lock', async () => {
    const account = await addUser(client, 'viewer');
    const session = await signInTo(account);
    for (let attempt = 0; attempt < 5; attempt += 1) await login({ ...account, password: 'wrong password' });
    expect((await login(account)).status).toBe(429);
    const reset = await client.post(`${USERS_PATH}/${account.id}/reset-password`, {});
    const password = String(getData(reset)['password']);
    expect((await login({ email: account.email, password })).status).toBe(200);
    expect((await login(account)).status).toBe(401);
    expect((await getMe(session.token)).status).toBe(401);
    const chosen = await client.post(`${USERS_PATH}/${account.id}/reset-password`, {
      password: 'correct horse battery',
    });
    expect(getData(chosen)['password']).toBeNull();
    expect((await client.post(`${USERS_PATH}/${account.id}/reset-password`, { password: 'short' })).status).toBe(400);
  });

  test('a password that a reset generates must be changed before anything else and ends after 24 hours', async () => {
    const account = await addUser(client, 'viewer');
    const reset = async (): Promise<string> =>
      String(getData(await client.post(`${USERS_PATH}/${account.id}/reset-password`, {}))['password']);
    const password = await reset();
    const { token } = await signIn({ email: account.email, password });
    const theirs = createClientWithToken(client.tenant, token);
    const restricted = await theirs.get('/api/products');
    expect([restricted.status, restricted.body['code']]).toEqual([403, 'password_change_required']);
    const change = { currentPassword: password, newPassword: 'correct horse battery' };
    expect((await theirs.post('/api/auth/password', change)).status).toBe(200);
    expect((await theirs.get('/api/products')).status).toBe(200);

    const unused = await reset();
    const until = (await User.findOne({ email: account.email }).lean())?.temporaryPasswordUntil?.getTime() ?? 0;
    expect(Math.abs(until - Date.now() - 24 * HOUR_MS)).toBeLessThan(10 * MINUTE_MS);
    await User.updateOne({ email: account.email }, { $set: { temporaryPasswordUntil: new Date() } });
    expect((await login({ email: account.email, password: unused })).status).toBe(401);
  });

  test('the last administrator can be neither demoted nor deactivated', async () => {
    const own = await createBusinessClient();
    for (const change of [{ role: 'viewer' }, { active: false }]) {
      const rejected = await own.put(`${USERS_PATH}/1`, change);
      expect([rejected.status, rejected.body['code']]).toEqual([409, 'last_administrator']);
    }
    const second = await addUser(own, 'admin');
    await own.put(`${USERS_PATH}/${second.id}`, { active: false });
    expect((await own.put(`${USERS_PATH}/1`, { role: 'viewer' })).status).toBe(409);
    expect((await own.put(`${USERS_PATH}/1`, { name: 'Still here' })).status).toBe(200);
  });

  test('two administrators who demote each other concurrently leave one administrator', async () => {
    const own = await createBusinessClient();
    const others = await Promise.all([1, 2, 3].map(() => addUser(own, 'admin')));
    const sessions = await Promise.all(others.map((account) => signInTo(account)));
    const clients = [own, ...sessions.map(({ token }) => createClientWithToken(own.tenant, token))];
    const ids = [1, ...others.map(({ id }) => id)];
    await Promise.all(
      clients.map((each, index) => each.put(`${USERS_PATH}/${ids[(index + 1) % ids.length] ?? 1}`, { role: 'viewer' })),
    );
    const left = { organisationId: own.tenant.organisationId, role: 'admin', active: true };
    expect(await User.countDocuments(left)).toBeGreaterThanOrEqual(1);
  });

  test('a key that lacks a permission can neither create nor change an account, nor remove its second factor', async () => {
    const key = await client.tenant.createBusinessKey(['admin:read', 'admin:update']);
    const account = await addUser(client, 'viewer');
    const attempts = [
      call('POST', USERS_PATH, { key, json: { email: uniqueEmail(), name: 'A', role: 'viewer' } }),
      call('PUT', `${USERS_PATH}/${account.id}`, { key, json: { role: 'admin' } }),
      call('POST', `${USERS_PATH}/${account.id}/reset-password`, { key, json: {} }),
      call('DELETE', `${USERS_PATH}/${account.id}/second-factor`, { key }),
    ];
    for (const response of await Promise.all(attempts)) expect(response.status).toBe(403);
  });
});

test('only administrators have access to administration', async () => {
  for (const role of ['accountant', 'sales', 'warehouse', 'viewer'] as const) {
    const { token } = parseLoginData(await login(await client.tenant.createUserWithRole(role)));
    for (const path of [USERS_PATH, KEYS_PATH, WEBHOOKS_PATH, '/api/admin/audit-log', '/api/admin/audit-log/verify'])
      expect((await call('GET', path, { token })).status).toBe(403);
  }
});
