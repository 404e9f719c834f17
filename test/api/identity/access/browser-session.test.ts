import { BrowserSession } from '../../../../models/platform/access/browser-session';
import { User } from '../../../../models/platform/access/user';
import { call } from '../../../support/client';
import type { Answer, RequestOptions } from '../../../support/client';
import { createSession } from '../../../support/identity/identity';
import { startApi } from '../../../support/processes';
import { readStack } from '../../../support/stack';
import { closeTestPlatform, createTenant, testPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

const origin = (): string => new URL(readStack().api).origin;

interface SignedIn {
  answer: Answer;
  headers: Record<string, string>;
}

/** Signs in as a page of ours would, and gives back what it then sends along. */
async function signIn(
  user: { email: string; password: string },
  json: object = {},
  options: RequestOptions = {},
): Promise<SignedIn> {
  const from = { origin: origin(), ...options.headers };
  const answer = await call('POST', '/v1/auth/login', { ...options, headers: from, json: { ...user, ...json } });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { answer, headers: { ...from, cookie, 'x-csrf-token': String(answer.body['csrfToken']) } };
}

const code = ({ body }: Answer): unknown => (body['error'] as { code: string } | undefined)?.code;

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Browser');
});
afterAll(closeTestPlatform);

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites cannot send, and answers who and what', async () => {
    const { answer, headers } = await signIn(tenant.admin);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ user: { email: tenant.admin.email, role: 'admin' }, mode: 'live' });
    const { port } = new URL(readStack().api);
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^vouch_console_${port}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`),
    );
    const me = await call('GET', '/v1/auth/me', { headers: { cookie: headers['cookie'] ?? '' } });
    expect(me.body).toMatchObject({
      user: { email: tenant.admin.email },
      key: null,
      organisation: { id: tenant.organisationId, name: 'Browser' },
      csrfToken: answer.body['csrfToken'],
    });
    await testPlatform();
    const stored = JSON.stringify(await BrowserSession.find({ organisationId: tenant.organisationId }).lean());
    expect(stored).not.toContain(headers['cookie']?.split('=')[1]);
  });

  test('needs an allowed origin', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await call('POST', '/v1/auth/login', { headers, json: tenant.admin });
      expect([answer.status, code(answer)]).toEqual([403, 'origin_not_allowed']);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  test('a wrong password, an unknown address and a locked account read the same, and the lock is that of both APIs', async () => {
    const user = await tenant.userWith('viewer');
    const wrong = await signIn({ ...user, password: 'not the password' });
    const unknown = await signIn({ email: `nobody.${user.email}`, password: 'not the password' });
    expect([wrong.answer.status, unknown.answer.status]).toEqual([401, 401]);
    const { message } = wrong.answer.body['error'] as { message: string };
    expect(unknown.answer.body).toMatchObject({ error: { message } });
    for (let failure = 0; failure < 4; failure += 1) {
      await call('POST', '/api/auth/login', { json: { ...user, password: 'not the password' } });
    }
    const locked = await signIn(user);
    expect(locked.answer.status).toBe(401);
    expect(locked.answer.body).toMatchObject({ error: { message } });
  });

  test('a role of the business API alone has no access, and a role of this one none there', async () => {
    const sales = await signIn(await tenant.userWith('sales'));
    expect([sales.answer.status, code(sales.answer)]).toEqual([403, 'role_without_access']);
    const reviewer = await tenant.userWith('reviewer');
    expect((await signIn(reviewer)).answer.status).toBe(200);
    expect((await call('POST', '/api/auth/login', { json: reviewer })).status).toBe(401);
  });
});

describe('a signed-in page', () => {
  test('reads with its cookie alone, and changes things only with origin and CSRF token', async () => {
    const { headers } = await signIn(tenant.admin);
    const { cookie = '' } = headers;
    expect((await call('GET', '/v1/sessions', { headers: { cookie } })).status).toBe(200);
    const create = (sent: Record<string, string>) => call('POST', '/v1/sessions', { headers: sent, json: {} });
    expect(code(await create({ cookie }))).toBe('origin_not_allowed');
    expect(code(await create({ ...headers, origin: 'https://evil.example' }))).toBe('origin_not_allowed');
    expect(code(await create({ cookie, origin: origin() }))).toBe('csrf_token_invalid');
    expect(code(await create({ ...headers, 'x-csrf-token': 'guess' }))).toBe('csrf_token_invalid');
    expect((await create(headers)).status).toBe(201);
  });

  test('has the token of its own session only', async () => {
    const one = await signIn(tenant.admin);
    const other = await signIn(tenant.admin);
    const mixed = { ...one.headers, 'x-csrf-token': other.headers['x-csrf-token'] ?? '' };
    expect(code(await call('POST', '/v1/sessions', { headers: mixed, json: {} }))).toBe('csrf_token_invalid');
  });

  test('does what its role may do: a reviewer decides and sees no keys', async () => {
    const { headers, answer } = await signIn(await tenant.userWith('reviewer'));
    expect(answer.body['permissions']).toContain('sessions:decide');
    expect((await call('GET', '/v1/sessions/pending', { headers })).status).toBe(200);
    expect((await call('GET', '/v1/keys', { headers })).status).toBe(403);
    expect((await call('POST', '/v1/sessions', { headers, json: {} })).status).toBe(403);
  });

  test('sees the records of the mode chosen at login', async () => {
    const { id } = await createSession(tenant.identityKey, {});
    const live = await signIn(tenant.admin);
    const test = await signIn(tenant.admin, { mode: 'test' });
    expect((await call('GET', `/v1/sessions/${id}`, { headers: live.headers })).status).toBe(200);
    expect((await call('GET', `/v1/sessions/${id}`, { headers: test.headers })).status).toBe(404);
    const key = await call('POST', '/v1/keys', { headers: test.headers, json: { permissions: ['sessions:read'] } });
    expect(key.body).toMatchObject({ key: { mode: 'test', permissions: ['sessions:read'] } });
    expect(String(key.body['secret'])).toMatch(/^vk_test_/);
  });

  test('a key beside the cookie is what counts, and needs neither origin nor token', async () => {
    const { headers } = await signIn(tenant.admin);
    const { cookie = '' } = headers;
    const other = await createTenant('Other');
    const me = await call('GET', '/v1/auth/me', { headers: { cookie }, key: other.identityKey });
    expect(me.body).toMatchObject({ user: null, organisation: { id: other.organisationId } });
    const made = await call('POST', '/v1/sessions', { headers: { cookie }, key: other.identityKey, json: {} });
    expect(made.status).toBe(201);
  });
});

describe('the end of a session', () => {
  test('logout ends it at once on every replica, and clears the cookie', async () => {
    const replica = await startApi();
    try {
      const { headers } = await signIn(tenant.admin);
      const look = (api?: string) => call('GET', '/v1/sessions', { headers, ...(api === undefined ? {} : { api }) });
      expect((await look(replica.url)).status).toBe(401);
      const cookie = (headers['cookie'] ?? '').replace(/_\d+=/, `_${new URL(replica.url).port}=`);
      const there = (): Promise<Answer> => call('GET', '/v1/sessions', { headers: { cookie }, api: replica.url });
      expect((await there()).status).toBe(200);
      const out = await call('POST', '/v1/auth/logout', { headers });
      expect(out.status).toBe(200);
      expect(out.headers.get('set-cookie')).toMatch(/=; Max-Age=0;/);
      expect((await look()).status).toBe(401);
      expect((await there()).status).toBe(401);
    } finally {
      await replica.stop();
    }
  });

  test('an hour without a request, twelve hours, or the end of the account', async () => {
    await testPlatform();
    const user = await tenant.userWith('viewer');
    const ended = async (change: (id: string) => Promise<unknown>): Promise<void> => {
      const { headers } = await signIn(user);
      const session = await BrowserSession.findOne({ organisationId: tenant.organisationId }).sort({ _id: -1 }).lean();
      expect((await call('GET', '/v1/sessions', { headers })).status).toBe(200);
      await change(String(session?._id));
      expect((await call('GET', '/v1/sessions', { headers })).status).toBe(401);
    };
    const past = new Date(Date.now() - 3_601_000);
    await ended((id) => BrowserSession.updateOne({ _id: id }, { $set: { lastSeenAt: past } }));
    await ended((id) => BrowserSession.updateOne({ _id: id }, { $set: { expiresAt: past } }));
    await ended(() => User.updateOne({ email: user.email }, { $set: { active: false } }));
  });

  test('a key cannot log out', async () => {
    expect((await call('POST', '/v1/auth/logout', { key: tenant.identityKey })).status).toBe(401);
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

  test('that is allowed may call with the cookie; any other gets no permission to read', async () => {
    const allowed = await preflight(origin());
    expect(allowed.status).toBe(200);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': origin(),
      'access-control-allow-credentials': 'true',
    });
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-CSRF-Token');
    const refused = await preflight('https://evil.example');
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    const read = await call('GET', '/v1/sessions', {
      key: tenant.identityKey,
      headers: { origin: 'https://evil.example' },
    });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
    expect(read.headers.get('vary')).toContain('Origin');
  });

  test('over https the cookie is bound to this host and to TLS; plain http to another machine refuses the start', async () => {
    const replica = await startApi({ PUBLIC_URL: 'https://vouch.example', ALLOWED_ORIGINS: 'https://console.example' });
    try {
      const { answer } = await signIn(
        tenant.admin,
        {},
        { api: replica.url, headers: { origin: 'https://console.example' } },
      );
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-vouch_console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
      const own = await signIn(tenant.admin, {}, { api: replica.url, headers: { origin: 'https://vouch.example' } });
      expect(code(own.answer)).toBe('origin_not_allowed');
    } finally {
      await replica.stop();
    }
    await expect(startApi({ PUBLIC_URL: 'http://vouch.example' })).rejects.toThrow('PUBLIC_URL: accepts an https');
  });
});
