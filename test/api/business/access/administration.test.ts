import { randomBytes } from 'node:crypto';
import { ApiKey } from '../../../../models/platform/access/api-key';
import { Audit } from '../../../../models/platform/audit/audit';
import { Idempotency } from '../../../../models/platform/transactions/idempotency';
import { User } from '../../../../models/platform/access/user';
import { requestFingerprint } from '../../../../services/platform/transactions/idempotency';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { businessClient, clientWith, dataOf, loginData, rowsOf, signIn } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await businessClient();
});
afterAll(closeTestPlatform);

const USERS = '/api/admin/users';
const KEYS = '/api/admin/api-keys';
const HOOKS = '/api/admin/webhooks';

const uniqueEmail = (): string => `user.${randomBytes(6).toString('hex')}@tenant.example`;
const namesIn = (answer: { body: Record<string, unknown> }): (string | undefined)[] =>
  ((answer.body['errors'] ?? []) as string[]).map((error) => error.split(':')[0]);

interface Account {
  id: number;
  email: string;
  password: string;
}

async function addUser(owner: BusinessClient, role: string, name = 'Robin Meyer'): Promise<Account> {
  const answer = await owner.post(USERS, { email: uniqueEmail(), name, role });
  expect(answer.status).toBe(201);
  const { id, email, password } = dataOf(answer);
  return { id: Number(id), email: String(email), password: String(password) };
}

const login = ({ email, password }: { email: string; password: string }) =>
  call('POST', '/api/auth/login', { json: { email, password } });
const sessionOf = ({ email, password }: Account) => signIn({ email, password });
const me = (token: string) => call('GET', '/api/auth/me', { token });

describe('users', () => {
  test('a user is made with a generated password that is told once and works', async () => {
    const headers = { 'idempotency-key': 'user-1' };
    const body = { email: uniqueEmail().toUpperCase(), name: 'Robin Meyer', role: 'sales' };
    const made = await client.post(USERS, body, headers);
    expect(dataOf(made)).toMatchObject({ email: body.email.toLowerCase(), role: 'sales', active: true });
    const password = String(dataOf(made)['password']);
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(dataOf(await client.post(USERS, body, headers))).toMatchObject({ id: dataOf(made)['id'], password: null });
    expect((await login({ email: body.email, password })).status).toBe(200);
    const stored = await User.findOne({ email: body.email.toLowerCase() }).lean();
    expect(JSON.stringify(stored)).not.toContain(password);
    const audited = await Audit.findOne({ subject: stored?._id ?? '', action: 'user.created' }).lean();
    expect([audited?.actor === 'system', audited?.fields]).toEqual([false, ['email', 'name', 'role']]);
  });

  test('a chosen password is not told back', async () => {
    const account = { email: uniqueEmail(), password: 'correct horse battery' };
    const made = await client.post(USERS, { ...account, name: 'A', role: 'viewer' });
    expect(dataOf(made)['password']).toBeNull();
    expect((await login(account)).status).toBe(200);
  });

  test('what is kept of an Idempotency-Key’s request gives no password away to guesses', async () => {
    const kept = (path: string, body: object) =>
      Idempotency.exists({ fingerprint: requestFingerprint(`POST ${path}`, { params: {}, body }) });
    const headers = { 'idempotency-key': 'guess-1' };
    const customer = { name: `Customer ${randomBytes(6).toString('hex')}` };
    await client.post('/api/customers', customer, headers);
    expect(await kept('/api/customers', customer)).not.toBeNull();
    const user = { email: uniqueEmail(), name: 'A', role: 'viewer', password: 'correct horse battery' };
    expect((await client.post(USERS, user, headers)).status).toBe(201);
    expect(await kept(USERS, user)).toBeNull();
    expect((await client.post(USERS, { ...user, password: 'another horse battery' }, headers)).status).toBe(422);
  });

  test('an address is taken once in the installation', async () => {
    const { email } = await addUser(client, 'viewer');
    const other = await businessClient();
    const answer = await other.post(USERS, { email, name: 'A', role: 'viewer' });
    expect([answer.status, answer.body['code'], namesIn(answer)]).toEqual([409, 'email_taken', ['email']]);
  });

  test.each([
    [{ name: 'A', role: 'viewer' }, 'email'],
    [{ email: 'nobody', name: 'A', role: 'viewer' }, 'email'],
    [{ email: 'a@b.example', role: 'viewer' }, 'name'],
    [{ email: 'a@b.example', name: 'A' }, 'role'],
    [{ email: 'a@b.example', name: 'A', role: 'root' }, 'role'],
    [{ email: 'a@b.example', name: 'A', role: 'viewer', password: 'short' }, 'password'],
    [{ email: 'a@b.example', name: 'A', role: 'viewer', active: false }, 'active'],
  ])('%j is 400 naming %s', async (json, field) => {
    const answer = await client.post(USERS, json);
    expect([answer.status, namesIn(answer)]).toEqual([400, [field]]);
  });

  test('are listed, searched by the beginnings of words and filtered by role and activity', async () => {
    const own = await businessClient();
    const one = await addUser(own, 'sales', 'Ada Lovelace');
    await addUser(own, 'viewer', 'Alan Turing (night)');
    await own.put(`${USERS}/${one.id}`, { active: false });
    const names = async (query: string): Promise<unknown[]> =>
      rowsOf(await own.get(`${USERS}?${query}`)).map((row) => row['name']);
    expect(await names('sortBy=name')).toEqual(['Alan Turing (night)', 'Test admin']);
    expect(await names('active=all&search=love ad')).toEqual(['Ada Lovelace']);
    expect(await names('active=all&search=ovelace')).toEqual([]);
    expect(await names('search=(night')).toEqual(['Alan Turing (night)']);
    expect(await names('role=viewer')).toEqual(['Alan Turing (night)']);
    expect(await names('active=false')).toEqual(['Ada Lovelace']);
    expect((await own.get(`${USERS}?active=all&pageSize=2&page=2`)).body).toMatchObject({ totalCount: 3, page: 2 });
  });

  test('a role takes effect with the next request; what is read can be put back', async () => {
    const account = await addUser(client, 'viewer');
    const { token } = await sessionOf(account);
    const theirs = clientWith(client.tenant, token);
    expect((await theirs.post('/api/customers', { name: 'A' })).status).toBe(403);
    const changed = await client.put(`${USERS}/${account.id}`, { role: 'sales', name: 'Promoted' });
    expect(dataOf(changed)).toMatchObject({ role: 'sales', name: 'Promoted' });
    expect((await theirs.post('/api/customers', { name: 'A' })).status).toBe(201);
    expect((await client.put(`${USERS}/${account.id}`, dataOf(changed))).status).toBe(200);
    expect(namesIn(await client.put(`${USERS}/${account.id}`, { email: 'new@b.example' }))).toEqual(['email']);
    expect(namesIn(await client.put(`${USERS}/${account.id}`, { role: 'root' }))).toEqual(['role']);
  });

  test('a deactivated user is signed out at once, cannot sign in, and old sessions stay ended when revived', async () => {
    const account = await addUser(client, 'viewer');
    const session = await sessionOf(account);
    expect((await client.put(`${USERS}/${account.id}`, { active: false })).status).toBe(200);
    expect((await me(session.token)).status).toBe(401);
    expect((await login(account)).status).toBe(401);
    expect((await client.put(`${USERS}/${account.id}`, { active: true })).status).toBe(200);
    expect((await me(session.token)).status).toBe(401);
    const refreshed = await call('POST', '/api/auth/refresh', { json: { refreshToken: session.refreshToken } });
    expect(refreshed.status).toBe(401);
    expect((await login(account)).status).toBe(200);
  });

  test('a reset password replaces the old one, ends sessions and lifts the lock', async () => {
    const account = await addUser(client, 'viewer');
    const session = await sessionOf(account);
    for (let attempt = 0; attempt < 5; attempt += 1) await login({ ...account, password: 'wrong password' });
    expect((await login(account)).status).toBe(401);
    const reset = await client.post(`${USERS}/${account.id}/reset-password`, {});
    const password = String(dataOf(reset)['password']);
    expect((await login({ email: account.email, password })).status).toBe(200);
    expect((await login(account)).status).toBe(401);
    expect((await me(session.token)).status).toBe(401);
    const chosen = await client.post(`${USERS}/${account.id}/reset-password`, { password: 'correct horse battery' });
    expect(dataOf(chosen)['password']).toBeNull();
    expect((await client.post(`${USERS}/${account.id}/reset-password`, { password: 'short' })).status).toBe(400);
  });

  test('the last administrator can be neither demoted nor deactivated', async () => {
    const own = await businessClient();
    for (const change of [{ role: 'viewer' }, { active: false }]) {
      const refused = await own.put(`${USERS}/1`, change);
      expect([refused.status, refused.body['code']]).toEqual([409, 'last_administrator']);
    }
    const second = await addUser(own, 'admin');
    await own.put(`${USERS}/${second.id}`, { active: false });
    expect((await own.put(`${USERS}/1`, { role: 'viewer' })).status).toBe(409);
    expect((await own.put(`${USERS}/1`, { name: 'Still here' })).status).toBe(200);
  });

  test('administrators who take each other away at the same moment leave one', async () => {
    const own = await businessClient();
    const others = await Promise.all([1, 2, 3].map(() => addUser(own, 'admin')));
    const sessions = await Promise.all(others.map((account) => sessionOf(account)));
    const clients = [own, ...sessions.map(({ token }) => clientWith(own.tenant, token))];
    const ids = [1, ...others.map(({ id }) => id)];
    await Promise.all(
      clients.map((each, index) => each.put(`${USERS}/${ids[(index + 1) % ids.length] ?? 1}`, { role: 'viewer' })),
    );
    const left = { organisationId: own.tenant.organisationId, role: 'admin', active: true };
    expect(await User.countDocuments(left)).toBeGreaterThanOrEqual(1);
  });

  test('a key that lacks a permission makes and changes no account, whatever the role', async () => {
    const key = await client.tenant.businessKeyWith(['admin:read', 'admin:update']);
    const account = await addUser(client, 'viewer');
    const attempts = [
      call('POST', USERS, { key, json: { email: uniqueEmail(), name: 'A', role: 'viewer' } }),
      call('PUT', `${USERS}/${account.id}`, { key, json: { role: 'admin' } }),
      call('POST', `${USERS}/${account.id}/reset-password`, { key, json: {} }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer.status).toBe(403);
  });
});

describe('API keys', () => {
  const make = (fields: object = {}) =>
    client.post(KEYS, { name: 'Web shop', permissions: ['products:read'], ...fields });
  const keyOf = (answer: { body: Record<string, unknown> }): string =>
    String((answer.body['data'] as Record<string, unknown>)['key']);

  test('the value is shown once, kept as a hash, and works for its permissions alone', async () => {
    const made = await client.post(KEYS, { name: 'Once', permissions: ['products:read'] }, { 'idempotency-key': 'k1' });
    const key = keyOf(made);
    expect(key).toMatch(/^erp_[0-9A-Z]{26}_/);
    expect(dataOf(made)).toMatchObject({ status: 'Active', expired: false, lastUsedAt: null, allowedIps: [] });
    const again = await client.post(
      KEYS,
      { name: 'Once', permissions: ['products:read'] },
      { 'idempotency-key': 'k1' },
    );
    expect(dataOf(again)).toMatchObject({ id: dataOf(made)['id'], key: null });
    expect((await client.get(KEYS)).bytes.toString('utf8')).not.toContain(key.slice(-43));
    expect(JSON.stringify(await ApiKey.findById(String(dataOf(made)['id'])).lean())).not.toContain(key.slice(-43));
    expect((await call('GET', '/api/products', { key })).status).toBe(200);
    expect((await call('GET', '/api/customers', { key })).status).toBe(403);
  });

  test('revoked is final: the key stops at once, stays in the list, and revoking again changes nothing', async () => {
    const made = await make();
    const id = String(dataOf(made)['id']);
    expect(dataOf(await client.delete(`${KEYS}/${id}`))).toMatchObject({ id, status: 'Revoked' });
    expect((await call('GET', '/api/products', { key: keyOf(made) })).status).toBe(401);
    expect(dataOf(await client.delete(`${KEYS}/${id}`))).toMatchObject({ status: 'Revoked' });
    const revoked = rowsOf(await client.get(`${KEYS}?status=Revoked`)).map((row) => row['id']);
    const active = rowsOf(await client.get(`${KEYS}?status=Active&pageSize=100`)).map((row) => row['id']);
    expect([revoked.includes(id), active.includes(id)]).toEqual([true, false]);
    expect(await Audit.countDocuments({ subject: id, action: 'api_key.revoked' })).toBe(1);
  });

  test('an address outside its ranges is refused, one inside let through', async () => {
    const outside = keyOf(await make({ allowedIps: ['203.0.113.0/24'] }));
    const inside = keyOf(await make({ allowedIps: ['127.0.0.0/8', '::1'] }));
    expect((await call('GET', '/api/products', { key: outside })).status).toBe(401);
    expect((await call('GET', '/api/products', { key: inside })).status).toBe(200);
  });

  test('an expired key is refused and reads expired, yet is not revoked', async () => {
    const made = await make({ expiresAt: '2199-12-31' });
    expect(dataOf(made)).toMatchObject({ expiresAt: '2200-01-01T00:00:00.000Z', expired: false });
    const id = String(dataOf(made)['id']);
    await ApiKey.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    expect((await call('GET', '/api/products', { key: keyOf(made) })).status).toBe(401);
    const [row] = rowsOf(await client.get(`${KEYS}?pageSize=1`));
    expect(row).toMatchObject({ id, expired: true, status: 'Active' });
  });

  test('the last use is noted, and never set back by a request that was slower', async () => {
    const made = await make();
    const id = String(dataOf(made)['id']);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('GET', '/api/products', { key: keyOf(made) })),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const lastUse = async (): Promise<unknown> =>
      rowsOf(await client.get(`${KEYS}?pageSize=100`)).find((row) => row['id'] === id)?.['lastUsedAt'];
    // Written beside the request, not within it.
    let seen = await lastUse();
    for (const deadline = Date.now() + 5000; seen === null && Date.now() < deadline;) seen = await lastUse();
    expect(Math.abs(Date.parse(String(seen)) - Date.now())).toBeLessThan(60_000);
    const later = new Date(Date.now() + 3_600_000);
    await ApiKey.updateOne({ _id: id }, { $set: { lastUsedAt: later } });
    await call('GET', '/api/products', { key: keyOf(made) });
    expect(Date.parse(String(await lastUse()))).toBe(later.getTime());
  });

  test('a key hands on no more than it has', async () => {
    const key = keyOf(await make({ permissions: ['admin:update', 'products:read'], expiresAt: '2199-12-31' }));
    const attempt = (fields: object) =>
      call('POST', KEYS, {
        key,
        json: { name: 'Child', permissions: ['products:read'], expiresAt: '2199-01-01', ...fields },
      });
    expect((await attempt({})).status).toBe(201);
    expect((await attempt({ permissions: ['customers:read'] })).status).toBe(403);
    expect((await attempt({ expiresAt: null })).status).toBe(403);
    expect((await attempt({ expiresAt: '2200-12-31' })).status).toBe(403);
  });

  test.each([
    [{ permissions: ['products:read'] }, 'name'],
    [{ name: 'A' }, 'permissions'],
    [{ name: 'A', permissions: [] }, 'permissions'],
    [{ name: 'A', permissions: ['products:fly'] }, 'permissions[0]'],
    [{ name: 'A', permissions: ['products:read'], allowedIps: ['300.1.1.1'] }, 'allowedIps[0]'],
    [{ name: 'A', permissions: ['products:read'], expiresAt: '2020-01-01' }, 'expiresAt'],
    [{ name: 'A', permissions: ['products:read'], expiresAt: 'soon' }, 'expiresAt'],
    [{ name: 'A', permissions: ['products:read'], status: 'Active' }, 'status'],
  ])('%j is 400 naming %s', async (json, field) => {
    const answer = await client.post(KEYS, json);
    expect([answer.status, namesIn(answer)]).toEqual([400, [field]]);
  });
});

test('administration is for administrators alone', async () => {
  for (const role of ['accountant', 'sales', 'warehouse', 'viewer'] as const) {
    const { token } = loginData(await login(await client.tenant.userWith(role)));
    for (const path of [USERS, KEYS, HOOKS, '/api/admin/audit-log', '/api/admin/audit-log/verify'])
      expect((await call('GET', path, { token })).status).toBe(403);
  }
});
