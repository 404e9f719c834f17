import { Audit } from '../../../../models/platform/audit/audit';
import { signInFromBrowser } from '../../../support/browser';
import { signIn } from '../../../support/business/client';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { runAdminCommand } from '../../../support/commands';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Recovery');
});
afterAll(closeTestPlatform);

const login = (email: string, password: string): Promise<ApiResponse> =>
  call('POST', '/api/auth/login', { json: { email, password } });
const listActions = async (): Promise<string[]> =>
  (await Audit.find({ organisationId: tenant.organisationId }).sort({ _id: 1 }).lean()).map(({ action }) => action);

test('admin unlock-user ends the delay of an account, and is audited', async () => {
  const user = await tenant.createUserWithRole('viewer');
  for (let attempt = 0; attempt < 5; attempt += 1) await login(user.email, 'wrong');
  expect((await login(user.email, user.password)).status).toBe(429);
  const { code, report } = await runAdminCommand(['unlock-user', '--email', user.email]);
  expect([code, report['hadFailures']]).toEqual([0, true]);
  expect((await login(user.email, user.password)).status).toBe(200);
  expect(await listActions()).toContain('user.unlocked');
});

test('admin reset-password prints a temporary password, which must be changed before anything else, and ends sessions, keys and the lock', async () => {
  const session = await signIn(tenant.admin);
  const created = await call('POST', '/api/admin/api-keys', {
    token: session.token,
    json: { name: 'Made', permissions: ['products:read'] },
  });
  const { secret: key = '' } = created.body['data'] as { secret?: string };
  const browser = await signInFromBrowser(tenant.admin);
  for (let attempt = 0; attempt < 5; attempt += 1) await login(tenant.admin.email, 'wrong');
  const { code, report } = await runAdminCommand(['reset-password', '--email', tenant.admin.email]);
  expect(code).toBe(0);
  const password = String(report['password']);

  expect((await login(tenant.admin.email, tenant.admin.password)).status).toBe(401);
  expect((await call('GET', '/api/auth/me', { token: session.token })).status).toBe(401);
  expect((await call('GET', '/v1/auth/me', { headers: browser.headers })).status).toBe(401);
  expect((await call('GET', '/api/products', { key })).status).toBe(401);

  const { token } = await signIn({ email: tenant.admin.email, password });
  const readProducts = () => call('GET', '/api/products', { token });
  const restricted = await readProducts();
  expect([restricted.status, restricted.body['code']]).toEqual([403, 'password_change_required']);
  const console = await signInFromBrowser({ email: tenant.admin.email, password });
  const rejected = await call('GET', '/v1/sessions', { headers: console.headers });
  expect([rejected.status, rejected.body['error']]).toMatchObject([403, { code: 'password_change_required' }]);
  const json = { currentPassword: password, newPassword: 'a new long passphrase' };
  expect((await call('POST', '/api/auth/password', { token, json })).status).toBe(200);
  expect((await readProducts()).status).toBe(200);
  expect(await listActions()).toEqual(expect.arrayContaining(['user.password_reset', 'api_key.revoked']));
});

test('admin commands name a user that does not exist', async () => {
  const { code, error } = await runAdminCommand(['unlock-user', '--email', 'nobody@tenant.example']);
  expect([code, error]).toEqual([1, 'not_found: No such user.\n']);
});
