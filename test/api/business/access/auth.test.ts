import jwt from 'jsonwebtoken';
import { loadConfig, requireJwtSecret } from '../../../../lib/config';
import { Audit } from '../../../../models/platform/audit/audit';
import { User } from '../../../../models/platform/access/user';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { getData, parseLoginData, signIn } from '../../../support/business/client';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../domain/durations';

let tenant: Tenant;
let own: OwnApi;

beforeAll(async () => {
  tenant = await createTenant();
  own = await startOwnApi({ RATE_LIMIT_AUTH_PER_MINUTE: 100_000, RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000 });
});
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

const login = (email: string, password: string, api?: string): Promise<ApiResponse> =>
  call('POST', '/api/auth/login', { json: { email, password }, ...(api === undefined ? {} : { api }) });
const refresh = (refreshToken: string, api?: string): Promise<ApiResponse> =>
  call('POST', '/api/auth/refresh', { json: { refreshToken }, ...(api === undefined ? {} : { api }) });
const getMe = (token: string, api?: string): Promise<ApiResponse> =>
  call('GET', '/api/auth/me', { token, ...(api === undefined ? {} : { api }) });

describe('login', () => {
  test('returns the token set and the user of the contract', async () => {
    const response = await login(tenant.admin.email, tenant.admin.password);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      ok: true,
      data: { expiresIn: 3600, user: { id: 1, name: 'Test admin', email: tenant.admin.email, role: 'admin' } },
    });
    expect(Object.keys(parseLoginData(response)).sort()).toEqual(['expiresIn', 'refreshToken', 'token', 'user']);
  });

  test('the address is normalised', async () => {
    expect((await login(`  ${tenant.admin.email.toUpperCase()} `, tenant.admin.password)).status).toBe(200);
  });

  test('a wrong password and an unknown address have the same response, and both are audited', async () => {
    const user = await tenant.createUserWithRole('viewer');
    const wrong = await login(user.email, 'not the password');
    const unknown = await login(`nobody.${user.email}`, 'not the password');
    for (const response of [wrong, unknown]) {
      expect(response.status).toBe(401);
      expect(response.headers.get('retry-after')).toBeNull();
    }
    const { requestId: first, ...wrongBody } = wrong.body;
    const { requestId: second, ...unknownBody } = unknown.body;
    expect(wrongBody).toEqual(unknownBody);
    expect(
      await Audit.countDocuments({ requestId: { $in: [String(first), String(second)] }, action: 'login.failed' }),
    ).toBe(2);
  });

  test.each([
    [{}, 'email'],
    [{ email: 'a@b.example' }, 'password'],
    [{ email: 5, password: 'x' }, 'email'],
    [{ email: 'a@b.example', password: ['x'] }, 'password'],
    [{ email: { $ne: null }, password: { $ne: null } }, 'email'],
    [{ email: 'a@b.example', password: 'x', admin: true }, 'admin'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await call('POST', '/api/auth/login', { json });
    expect(response.status).toBe(400);
    expect(String(response.body['errors'])).toMatch(new RegExp(`^${field}[:.]`));
  });

  test('no response contains a password or its hash', async () => {
    const response = await login(tenant.admin.email, tenant.admin.password);
    const text = response.bytes.toString('utf8') + (await getMe(parseLoginData(response).token)).bytes.toString('utf8');
    expect(text).not.toContain('argon2');
    expect(text).not.toContain(tenant.admin.password);
  });
});

describe('access tokens', () => {
  test('two tokens of one session and second differ', async () => {
    const first = await signIn(tenant.admin);
    const second = parseLoginData(await refresh(first.refreshToken));
    const third = parseLoginData(await refresh(second.refreshToken));
    expect(new Set([first.token, second.token, third.token]).size).toBe(3);
  });

  test('an invalid token next to a valid API key is 401, on both APIs', async () => {
    const key = await tenant.createBusinessKey(['products:read']);
    const { token } = await signIn(tenant.admin);
    const read = (path: string, apiKey: string, authorization: string) =>
      call('GET', path, { key: apiKey, headers: { authorization } }).then(({ status }) => status);
    for (const invalid of ['Bearer nonsense', 'Bearer', 'Bearer two words', `Bearer ${token.slice(0, -2)}`]) {
      expect([invalid, await read('/api/products', key, invalid)]).toEqual([invalid, 401]);
      expect([invalid, await read('/v1/sessions', tenant.identityKey, invalid)]).toEqual([invalid, 401]);
    }
    expect(await read('/api/products', key, `Bearer ${token}`)).toBe(200);
    expect(await read('/v1/sessions', tenant.identityKey, `Bearer ${tenant.identityKey}`)).toBe(200);
  });

  test('a missing, malformed, foreign or unsigned token is 401', async () => {
    const jwtSecret = requireJwtSecret(loadConfig());
    const claims = { sid: 'fam_x', sub: 'usr_x', iss: 'vouch', aud: 'vouch-access' };
    const { token, refreshToken } = await signIn(tenant.admin);
    const payload = jwt.decode(token) as object;
    const presented = [
      'nonsense',
      jwt.sign(claims, 'another secret of thirty-two characters', { expiresIn: 60 }),
      jwt.sign(claims, jwtSecret, { expiresIn: 60 }),
      jwt.sign(payload, jwtSecret, { algorithm: 'HS512' }),
      jwt.sign(payload, '', { algorithm: 'none' }),
      refreshToken,
      `${token.slice(0, -2)}xx`,
    ];
    for (const each of presented) expect((await getMe(each)).status).toBe(401);
    expect((await call('GET', '/api/auth/me')).status).toBe(401);
    expect((await getMe(token)).status).toBe(200);
  });

  test('expire after an hour', async () => {
    const { token } = parseLoginData(await login(tenant.admin.email, tenant.admin.password, own.url));
    own.advance(3_500_000);
    expect((await getMe(token, own.url)).status).toBe(200);
    own.advance(200_000);
    expect((await getMe(token, own.url)).status).toBe(401);
  });

  test('stop working when the user is deactivated', async () => {
    const user = await tenant.createUserWithRole('viewer');
    const { token } = await signIn(user);
    await User.updateOne({ email: user.email }, { $set: { active: false } });
    expect((await getMe(token)).status).toBe(401);
    expect((await login(user.email, user.password)).status).toBe(401);
  });

  test('me returns the user, role, permissions, company and time zone', async () => {
    const user = await tenant.createUserWithRole('viewer');
    const { token } = await signIn(user);
    expect(getData(await getMe(token))).toMatchObject({
      email: user.email,
      role: 'viewer',
      permissions: expect.arrayContaining(['invoices:read']) as string[],
      company: { name: 'Tenant', baseCurrencyCode: 'EUR' },
      timeZone: 'UTC',
    });
  });

  test('an API key can read its own identity but cannot sign out', async () => {
    const key = await tenant.createBusinessKey(['products:read']);
    const response = await call('GET', '/api/auth/me', { key });
    expect(getData(response)).toMatchObject({ id: null, name: 'Test', role: null, permissions: ['products:read'] });
    expect((await call('POST', '/api/auth/logout', { key })).status).toBe(401);
  });
});

describe('refresh tokens', () => {
  const GRACE = 10_000;

  test('return a new pair once; each new refresh token works', async () => {
    const first = await signIn(tenant.admin);
    const second = parseLoginData(await refresh(first.refreshToken));
    expect(Object.keys(second).sort()).toEqual(['expiresIn', 'refreshToken', 'token']);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await getMe(second.token)).status).toBe(200);
    expect((await refresh(second.refreshToken)).status).toBe(200);
  });

  test('of twenty concurrent uses exactly one succeeds, and the session remains valid', async () => {
    const { refreshToken } = await signIn(tenant.admin);
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
    const won = responses.filter((response) => response.status === 200);
    expect(won).toHaveLength(1);
    expect(responses.filter((response) => response.status === 401)).toHaveLength(19);
    const [winner] = won;
    if (winner === undefined) throw new Error('no parallel use succeeded');
    expect((await getMe(parseLoginData(winner).token)).status).toBe(200);
  });

  test('a second use within the grace period is rejected; a later one ends the family and is audited', async () => {
    const user = await tenant.createUserWithRole('accountant');
    const first = parseLoginData(await login(user.email, user.password, own.url));
    const second = parseLoginData(await refresh(first.refreshToken, own.url));
    expect((await refresh(first.refreshToken, own.url)).status).toBe(401);
    expect((await getMe(second.token, own.url)).status).toBe(200);
    own.advance(GRACE + 1000);
    expect((await refresh(first.refreshToken, own.url)).status).toBe(401);
    expect((await getMe(second.token, own.url)).status).toBe(401);
    expect((await refresh(second.refreshToken, own.url)).status).toBe(401);
    const record = await User.findOne({ email: user.email }).lean();
    expect(await Audit.countDocuments({ actor: record?._id ?? '', action: 'refresh_token.reused' })).toBe(1);
  });

  test('are valid for seven days after the last refresh', async () => {
    const first = parseLoginData(await login(tenant.admin.email, tenant.admin.password, own.url));
    own.advance(6 * DAY_MS);
    const second = parseLoginData(await refresh(first.refreshToken, own.url));
    own.advance(6 * DAY_MS);
    const third = parseLoginData(await refresh(second.refreshToken, own.url));
    own.advance(8 * DAY_MS);
    expect((await refresh(third.refreshToken, own.url)).status).toBe(401);
  });

  test('and access tokens end with the session, thirty days after the sign-in, and expiresIn says so', async () => {
    let tokens = parseLoginData(await login(tenant.admin.email, tenant.admin.password, own.url));
    for (let week = 0; week < 5; week += 1) {
      own.advance(6 * DAY_MS - (week === 4 ? 20 * MINUTE_MS : 0));
      tokens = parseLoginData(await refresh(tokens.refreshToken, own.url));
    }
    expect(tokens.expiresIn).toBeGreaterThan(1100);
    expect(tokens.expiresIn).toBeLessThanOrEqual(1200);
    for (const token of [tokens.token, tokens.refreshToken]) {
      const { iat = 0, exp = 0 } = jwt.decode(token, { json: true }) ?? {};
      expect(exp - iat).toBe(tokens.expiresIn);
    }
    own.advance((tokens.expiresIn - 60) * SECOND_MS);
    expect((await getMe(tokens.token, own.url)).status).toBe(200);
    own.advance(61 * SECOND_MS);
    expect((await getMe(tokens.token, own.url)).status).toBe(401);
    expect((await refresh(tokens.refreshToken, own.url)).status).toBe(401);
  });

  test.each([[{}], [{ refreshToken: 7 }], [{ refreshToken: '' }], [{ refreshToken: 'x', more: 1 }]])(
    '%j is 400',
    async (json) => {
      expect((await call('POST', '/api/auth/refresh', { json })).status).toBe(400);
    },
  );

  test('an access token, a forged token and an arbitrary text are 401', async () => {
    const { token } = await signIn(tenant.admin);
    for (const each of [token, 'nonsense', jwt.sign({ sid: 'x' }, 'a'.repeat(32))])
      expect((await refresh(each)).status).toBe(401);
  });
});

describe('logout', () => {
  test('ends the access token and its refresh token, and no other session', async () => {
    const other = await signIn(tenant.admin);
    const session = await signIn(tenant.admin);
    const response = await call('POST', '/api/auth/logout', { token: session.token });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true });
    expect((await getMe(session.token)).status).toBe(401);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    expect((await call('POST', '/api/auth/logout', { token: session.token })).status).toBe(401);
    expect((await getMe(other.token)).status).toBe(200);
  });

  test('ends the session of the token also if an API key is sent with it, which remains valid', async () => {
    const key = await tenant.createBusinessKey(['products:read']);
    const session = await signIn(tenant.admin);
    const both = { key, headers: { authorization: `Bearer ${session.token}` } };
    expect((await call('POST', '/api/auth/logout', both)).status).toBe(200);
    expect((await getMe(session.token)).status).toBe(401);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    expect((await call('GET', '/api/products', { key })).status).toBe(200);
  });

  test('ends the session on every replica immediately', async () => {
    const replica = await startOwnApi({ RATE_LIMIT_AUTH_PER_MINUTE: 100_000, RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000 });
    try {
      const session = await signIn(tenant.admin);
      expect((await getMe(session.token, replica.url)).status).toBe(200);
      expect((await call('POST', '/api/auth/logout', { token: session.token })).status).toBe(200);
      expect((await getMe(session.token, replica.url)).status).toBe(401);
      expect((await refresh(session.refreshToken, replica.url)).status).toBe(401);
    } finally {
      await replica.close();
    }
  });

  test('a concurrent refresh leaves no valid token', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = await signIn(tenant.admin);
      const [, renewed] = await Promise.all([
        call('POST', '/api/auth/logout', { token: session.token }),
        refresh(session.refreshToken),
      ]);
      if (renewed.status === 200) expect((await getMe(parseLoginData(renewed).token)).status).toBe(401);
    }
  });
});
