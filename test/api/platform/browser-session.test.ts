import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import { PERMISSIONS } from '../../../domain/business/access/permissions';
import type { Role } from '../../../domain/business/access/permissions';
import { BrowserSession } from '../../../models/platform/access/browser-session';
import { User } from '../../../models/platform/access/user';
import { getErrorCode, getOrigin, signInFromBrowser } from '../../support/browser';
import { createBusinessClient } from '../../support/business/client';
import { call } from '../../support/client';
import { createSession } from '../../support/identity/identity';
import { startApi } from '../../support/processes';
import { readStack } from '../../support/stack';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Browser');
});
afterAll(closeTestPlatform);

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites cannot send, and returns user and permissions', async () => {
    const { response, headers } = await signInFromBrowser(tenant.admin);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      user: { email: tenant.admin.email, role: 'admin', businessRole: 'admin' },
      mode: 'live',
      permissions: IDENTITY_PERMISSIONS,
      businessPermissions: PERMISSIONS,
      restriction: null,
    });
    const { port } = new URL(readStack().api);
    expect(response.headers.get('set-cookie')).toMatch(
      new RegExp(`^vouch_console_${port}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict, vouch_device_`),
    );
    const me = await call('GET', '/v1/auth/me', { headers: { cookie: headers['cookie'] ?? '' } });
    expect(me.body).toMatchObject({
      user: { email: tenant.admin.email },
      key: null,
      organisation: { id: tenant.organisationId, name: 'Browser' },
      permissions: IDENTITY_PERMISSIONS,
      businessPermissions: PERMISSIONS,
      csrfToken: response.body['csrfToken'],
      expiresAt: response.body['expiresAt'],
      temporalUi: expect.stringMatching(/^http:.*\/namespaces\/\w+$/) as string,
    });
    await getTestPlatform();
    const stored = JSON.stringify(await BrowserSession.find({ organisationId: tenant.organisationId }).lean());
    expect(stored).not.toContain(headers['cookie']?.split('=')[1]);
  });

  test('requires an allowed origin', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const response = await call('POST', '/v1/auth/login', { headers, json: tenant.admin });
      expect([response.status, getErrorCode(response)]).toEqual([403, 'origin_not_allowed']);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  test('a wrong password and an unknown address have equal responses; both APIs count failures together, and a known browser gets through', async () => {
    const user = await tenant.createIdentityUser('viewer');
    const [, deviceCookie = ''] = (await signInFromBrowser(user)).response.headers.getSetCookie();
    const wrong = await signInFromBrowser({ ...user, password: 'not the password' });
    const unknown = await signInFromBrowser({ email: `nobody.${user.email}`, password: 'not the password' });
    expect([wrong.response.status, unknown.response.status]).toEqual([401, 401]);
    const { message } = wrong.response.body['error'] as { message: string };
    expect(unknown.response.body).toMatchObject({ error: { message } });
    for (let failure = 0; failure < 4; failure += 1) {
      await call('POST', '/api/auth/login', { json: { ...user, password: 'not the password' } });
    }
    const delayed = await signInFromBrowser(user);
    expect([delayed.response.status, getErrorCode(delayed.response)]).toEqual([429, 'sign_in_throttled']);
    expect(Number(delayed.response.headers.get('retry-after'))).toBeGreaterThan(0);
    const cookie = deviceCookie.split(';')[0] ?? '';
    expect((await signInFromBrowser(user, {}, { headers: { cookie } })).response.status).toBe(200);
  });

  test('a user with a role in one API has no permission in the other, and one without any role cannot sign in', async () => {
    const account = await tenant.createUserWithRole('sales');
    const sales = await signInFromBrowser(account);
    expect(sales.response.body).toMatchObject({ user: { role: null, businessRole: 'sales' }, permissions: [] });
    expect((await call('GET', '/v1/sessions', { headers: sales.headers })).status).toBe(403);
    expect((await call('GET', '/api/invoices', { headers: sales.headers })).status).toBe(200);
    const reviewer = await signInFromBrowser(await tenant.createIdentityUser('reviewer'));
    expect(reviewer.response.body).toMatchObject({ user: { businessRole: null }, businessPermissions: [] });
    expect((await call('GET', '/api/invoices', { headers: reviewer.headers })).status).toBe(403);
    const me = await call('GET', '/api/auth/me', { headers: reviewer.headers });
    expect(me.body['data']).toMatchObject({ role: null, permissions: [] });
    await getTestPlatform();
    await User.updateOne({ email: account.email }, { $set: { role: null } });
    expect((await call('GET', '/api/auth/me', { headers: sales.headers })).status).toBe(401);
    const { response } = await signInFromBrowser(account);
    expect([response.status, getErrorCode(response)]).toEqual([403, 'role_without_access']);
  });
});

describe('a signed-in page', () => {
  test('reads with only its cookie, and writes only with origin and CSRF token', async () => {
    const { headers } = await signInFromBrowser(tenant.admin);
    const { cookie = '' } = headers;
    expect((await call('GET', '/v1/sessions', { headers: { cookie } })).status).toBe(200);
    const create = (sent: Record<string, string>) => call('POST', '/v1/sessions', { headers: sent, json: {} });
    expect(getErrorCode(await create({ cookie }))).toBe('origin_not_allowed');
    expect(getErrorCode(await create({ ...headers, origin: 'https://evil.example' }))).toBe('origin_not_allowed');
    expect(getErrorCode(await create({ cookie, origin: getOrigin() }))).toBe('csrf_token_invalid');
    expect(getErrorCode(await create({ ...headers, 'x-csrf-token': 'guess' }))).toBe('csrf_token_invalid');
    expect((await create(headers)).status).toBe(201);
  });

  test('accepts only the CSRF token of its own session', async () => {
    const one = await signInFromBrowser(tenant.admin);
    const other = await signInFromBrowser(tenant.admin);
    const mixed = { ...one.headers, 'x-csrf-token': other.headers['x-csrf-token'] ?? '' };
    expect(getErrorCode(await call('POST', '/v1/sessions', { headers: mixed, json: {} }))).toBe('csrf_token_invalid');
  });

  test('has the permissions of its role: a reviewer decides and sees no keys', async () => {
    const { headers, response } = await signInFromBrowser(await tenant.createIdentityUser('reviewer'));
    expect(response.body['permissions']).toContain('sessions:decide');
    expect((await call('GET', '/v1/sessions/pending', { headers })).status).toBe(200);
    expect((await call('GET', '/v1/keys', { headers })).status).toBe(403);
    expect((await call('POST', '/v1/sessions', { headers, json: {} })).status).toBe(403);
  });

  test('may use an Idempotency-Key in each mode: the records of the modes are separate', async () => {
    const create = async (mode: 'live' | 'test') => {
      const { headers } = await signInFromBrowser(tenant.admin, { mode });
      const options = { headers: { ...headers, 'idempotency-key': 'both-modes' }, json: {} };
      return call('POST', '/v1/sessions', options);
    };
    const responses = [await create('live'), await create('test'), await create('live')];
    const sessions = responses.map(({ body }) => body['session'] as { id: string; mode: string });
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(sessions.map(({ mode }) => mode)).toEqual(['live', 'test', 'live']);
    expect(sessions[2]?.id).toBe(sessions[0]?.id);
  });

  test('sees the records of the mode chosen at login', async () => {
    const { id } = await createSession(tenant.identityKey, {});
    const live = await signInFromBrowser(tenant.admin);
    const test = await signInFromBrowser(tenant.admin, { mode: 'test' });
    expect((await call('GET', `/v1/sessions/${id}`, { headers: live.headers })).status).toBe(200);
    expect((await call('GET', `/v1/sessions/${id}`, { headers: test.headers })).status).toBe(404);
    const key = await call('POST', '/v1/keys', { headers: test.headers, json: { permissions: ['sessions:read'] } });
    expect(key.body).toMatchObject({ key: { mode: 'test', permissions: ['sessions:read'] } });
    expect(String(key.body['secret'])).toMatch(/^vk_test_/);
  });

  test('an API key takes precedence over the cookie, and requires neither origin nor token', async () => {
    const { headers } = await signInFromBrowser(tenant.admin);
    const { cookie = '' } = headers;
    const other = await createTenant('Other');
    const me = await call('GET', '/v1/auth/me', { headers: { cookie }, key: other.identityKey });
    expect(me.body).toMatchObject({ user: null, organisation: { id: other.organisationId } });
    const created = await call('POST', '/v1/sessions', { headers: { cookie }, key: other.identityKey, json: {} });
    expect(created.status).toBe(201);
  });
});

describe('the same cookie at the business API', () => {
  const customer = { name: 'Northwind' };

  test('reads without, and writes only with origin and CSRF token; a token or key takes precedence', async () => {
    const { headers } = await signInFromBrowser(tenant.admin);
    const { cookie = '' } = headers;
    const create = (sent: Record<string, string>) =>
      call('POST', '/api/customers', { headers: { 'idempotency-key': 'once', ...sent }, json: customer });
    const me = await call('GET', '/api/auth/me', { headers: { cookie } });
    expect(me.body['data']).toMatchObject({ email: tenant.admin.email, role: 'admin', permissions: PERMISSIONS });
    expect((await create({ cookie })).body['code']).toBe('origin_not_allowed');
    expect((await create({ ...headers, origin: 'https://evil.example' })).body['code']).toBe('origin_not_allowed');
    expect((await create({ cookie, origin: getOrigin() })).body['code']).toBe('csrf_token_invalid');
    const created = await create(headers);
    expect([created.status, (await create(headers)).body['data']]).toEqual([201, created.body['data']]);
    const other = await createBusinessClient('Other');
    const both = await call('GET', '/api/auth/me', { headers: { cookie }, token: other.token });
    expect(both.body['data']).toMatchObject({ email: other.tenant.admin.email });
    const key = await tenant.createBusinessKey(['customers:read']);
    expect((await call('POST', '/api/customers', { headers, key, json: customer })).status).toBe(403);
    expect((await call('GET', '/api/auth/me', { headers, token: 'wrong' })).status).toBe(401);
  });

  test('is counted per user instead of per address', async () => {
    const replica = await startApi({ RATE_LIMIT_BUSINESS_PER_MINUTE: '3' });
    // Requests at the other API with its larger limits would count for this organisation, too.
    const counted = await createTenant('Counted');
    try {
      const cookieOf = async (role: Role): Promise<string> => {
        const { headers } = await signInFromBrowser(await counted.createUserWithRole(role));
        return (headers['cookie'] ?? '').replace(/_\d+=/, `_${new URL(replica.url).port}=`);
      };
      const [one, other] = [await cookieOf('sales'), await cookieOf('viewer')];
      const request = (cookie: string) => call('GET', '/api/auth/me', { headers: { cookie }, api: replica.url });
      for (let count = 0; count < 3; count += 1) expect((await request(one)).status).toBe(200);
      const limited = await request(one);
      expect([limited.status, limited.body['details']]).toMatchObject([429, { limit: 'user' }]);
      expect((await request(other)).status).toBe(200);
    } finally {
      await replica.stop();
    }
  });

  test('is restricted while a second factor is required, and ends at a logout from either API', async () => {
    const policyTenant = await createTenant('Policy');
    const { headers } = await signInFromBrowser(policyTenant.admin);
    const policy = await call('PUT', '/api/admin/sign-in-policy', { headers, json: { secondFactorRequired: true } });
    expect(policy.status).toBe(200);
    expect((await call('GET', '/api/invoices', { headers })).body['code']).toBe('second_factor_enrolment_required');
    const me = await call('GET', '/v1/auth/me', { headers });
    expect(me.body['restriction']).toBe('second_factor_enrolment_required');
    const out = await call('POST', '/api/auth/logout', { headers });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([200, expect.stringMatching(/=; Max-Age=0;/)]);
    for (const path of ['/api/auth/me', '/v1/auth/me']) expect((await call('GET', path, { headers })).status).toBe(401);
  });
});

describe('pages of another origin', () => {
  const preflight = (from: string) =>
    call('OPTIONS', '/v1/sessions', {
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-csrf-token',
      },
    });

  test('that are allowed may call with the cookie; others get no permission to read', async () => {
    const allowed = await preflight(getOrigin());
    expect(allowed.status).toBe(200);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': getOrigin(),
      'access-control-allow-credentials': 'true',
    });
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-CSRF-Token');
    const rejected = await preflight('https://evil.example');
    expect(rejected.headers.get('access-control-allow-origin')).toBeNull();
    const read = await call('GET', '/v1/sessions', {
      key: tenant.identityKey,
      headers: { origin: 'https://evil.example' },
    });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
    expect(read.headers.get('vary')).toContain('Origin');
  });

  test('over https the cookie is bound to this host and to TLS; plain http to another machine prevents the start', async () => {
    const replica = await startApi({ PUBLIC_URL: 'https://vouch.example', ALLOWED_ORIGINS: 'https://console.example' });
    try {
      const { response } = await signInFromBrowser(
        tenant.admin,
        {},
        { api: replica.url, headers: { origin: 'https://console.example' } },
      );
      expect(response.headers.get('set-cookie')).toMatch(
        /^__Host-vouch_console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict, __Host-vouch_device=/,
      );
      const own = await signInFromBrowser(
        tenant.admin,
        {},
        { api: replica.url, headers: { origin: 'https://vouch.example' } },
      );
      expect(getErrorCode(own.response)).toBe('origin_not_allowed');
    } finally {
      await replica.stop();
    }
    await expect(startApi({ PUBLIC_URL: 'http://vouch.example' })).rejects.toThrow('PUBLIC_URL: accepts an https');
  });
});
