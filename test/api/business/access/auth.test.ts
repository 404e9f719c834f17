import jwt from 'jsonwebtoken';
import { loadConfig } from '../../../../lib/config';
import { Audit } from '../../../../models/platform/audit/audit';
import { User } from '../../../../models/platform/access/user';
import { call } from '../../../support/client';
import type { Answer } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { dataOf, loginData, signIn } from '../../../support/business/client';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';

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

const login = (email: string, password: string, api?: string): Promise<Answer> =>
  call('POST', '/api/auth/login', { json: { email, password }, ...(api === undefined ? {} : { api }) });
const refresh = (refreshToken: string, api?: string): Promise<Answer> =>
  call('POST', '/api/auth/refresh', { json: { refreshToken }, ...(api === undefined ? {} : { api }) });
const me = (token: string, api?: string): Promise<Answer> =>
  call('GET', '/api/auth/me', { token, ...(api === undefined ? {} : { api }) });

describe('login', () => {
  test('answers the contract’s token set and user', async () => {
    const answer = await login(tenant.admin.email, tenant.admin.password);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ok: true,
      data: { expiresIn: 3600, user: { id: 1, name: 'Test admin', email: tenant.admin.email, role: 'admin' } },
    });
    expect(Object.keys(loginData(answer)).sort()).toEqual(['expiresIn', 'refreshToken', 'token', 'user']);
  });

  test('the address is normalised', async () => {
    expect((await login(`  ${tenant.admin.email.toUpperCase()} `, tenant.admin.password)).status).toBe(200);
  });

  test('a wrong password and an unknown address are answered in the same words, and both are audited', async () => {
    const user = await tenant.userWith('viewer');
    const wrong = await login(user.email, 'not the password');
    const unknown = await login(`nobody.${user.email}`, 'not the password');
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('retry-after')).toBeNull();
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
    const answer = await call('POST', '/api/auth/login', { json });
    expect(answer.status).toBe(400);
    expect(String(answer.body['errors'])).toContain(`${field}:`);
  });

  test('a password hash or password never leaves', async () => {
    const answer = await login(tenant.admin.email, tenant.admin.password);
    const text = answer.bytes.toString('utf8') + (await me(loginData(answer).token)).bytes.toString('utf8');
    expect(text).not.toContain('argon2');
    expect(text).not.toContain(tenant.admin.password);
  });
});

describe('the lock', () => {
  const MINUTE = 60_000;

  test('five failures lock for 15 minutes; the right password meanwhile is refused alike and does not extend it', async () => {
    const user = await tenant.userWith('sales');
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await login(user.email, 'wrong', own.url)).status).toBe(401);
    const locked = await login(user.email, user.password, own.url);
    expect(locked.status).toBe(401);
    expect(locked.body['message']).toBe((await login(`x.${user.email}`, 'wrong', own.url)).body['message']);
    own.advance(14 * MINUTE);
    expect((await login(user.email, user.password, own.url)).status).toBe(401);
    own.advance(1.1 * MINUTE);
    expect((await login(user.email, user.password, own.url)).status).toBe(200);
  });

  test('an unknown address locks as a known one does', async () => {
    const email = `nobody.${(await tenant.userWith('viewer')).email}`;
    const answers: Answer[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) answers.push(await login(email, 'wrong'));
    expect(new Set(answers.map((answer) => answer.body['message'])).size).toBe(1);
    const last = String(answers[5]?.body['requestId']);
    expect(await Audit.findOne({ requestId: last }).lean()).toMatchObject({
      action: 'login.refused',
      reason: 'locked',
    });
  });

  test('a success in between sets the count back', async () => {
    const user = await tenant.userWith('sales');
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) expect((await login(user.email, 'wrong')).status).toBe(401);
      expect((await login(user.email, user.password)).status).toBe(200);
    }
  });

  test('thirty parallel guesses get no more tries than five in a row', async () => {
    const user = await tenant.userWith('sales');
    await Promise.all(Array.from({ length: 30 }, (_, index) => login(user.email, `guess ${index}`)));
    const record = await User.findOne({ email: user.email }).lean();
    const tries = { subject: record?._id ?? '', action: 'login.failed' };
    expect(await Audit.countDocuments(tries)).toBe(5);
    expect((await login(user.email, user.password)).status).toBe(401);
  });

  test('parallel logins with the right password all succeed', async () => {
    const user = await tenant.userWith('sales');
    const answers = await Promise.all(Array.from({ length: 8 }, () => login(user.email, user.password)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
  });
});

describe('access tokens', () => {
  test('a missing, malformed, foreign or unsigned token is 401', async () => {
    const { jwtSecret } = loadConfig();
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
    for (const each of presented) expect((await me(each)).status).toBe(401);
    expect((await call('GET', '/api/auth/me')).status).toBe(401);
    expect((await me(token)).status).toBe(200);
  });

  test('expire after an hour', async () => {
    const { token } = loginData(await login(tenant.admin.email, tenant.admin.password, own.url));
    own.advance(3_500_000);
    expect((await me(token, own.url)).status).toBe(200);
    own.advance(200_000);
    expect((await me(token, own.url)).status).toBe(401);
  });

  test('stop working when the user is deactivated', async () => {
    const user = await tenant.userWith('viewer');
    const { token } = await signIn(user);
    await User.updateOne({ email: user.email }, { $set: { active: false } });
    expect((await me(token)).status).toBe(401);
    expect((await login(user.email, user.password)).status).toBe(401);
  });

  test('me shows user, role, permissions, company and time zone', async () => {
    const user = await tenant.userWith('viewer');
    const { token } = await signIn(user);
    expect(dataOf(await me(token))).toMatchObject({
      email: user.email,
      role: 'viewer',
      permissions: expect.arrayContaining(['invoices:read']) as string[],
      company: { name: 'Tenant', baseCurrencyCode: 'EUR' },
      timeZone: 'UTC',
    });
  });

  test('an API key may ask who it is, and cannot log out', async () => {
    const key = await tenant.businessKeyWith(['products:read']);
    const answer = await call('GET', '/api/auth/me', { key });
    expect(dataOf(answer)).toMatchObject({ id: null, name: 'Test', role: null, permissions: ['products:read'] });
    expect((await call('POST', '/api/auth/logout', { key })).status).toBe(401);
  });
});

describe('refresh tokens', () => {
  const GRACE = 10_000;

  test('give a new pair once; the chain goes on', async () => {
    const first = await signIn(tenant.admin);
    const second = loginData(await refresh(first.refreshToken));
    expect(Object.keys(second).sort()).toEqual(['expiresIn', 'refreshToken', 'token']);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await me(second.token)).status).toBe(200);
    expect((await refresh(second.refreshToken)).status).toBe(200);
  });

  test('of twenty parallel uses exactly one succeeds, and the session lives', async () => {
    const { refreshToken } = await signIn(tenant.admin);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(19);
    const [winner] = won;
    if (winner === undefined) throw new Error('no parallel use succeeded');
    expect((await me(loginData(winner).token)).status).toBe(200);
  });

  test('a second use within the grace is refused; a later one ends the family and is audited', async () => {
    const user = await tenant.userWith('accountant');
    const first = loginData(await login(user.email, user.password, own.url));
    const second = loginData(await refresh(first.refreshToken, own.url));
    expect((await refresh(first.refreshToken, own.url)).status).toBe(401);
    expect((await me(second.token, own.url)).status).toBe(200);
    own.advance(GRACE + 1000);
    expect((await refresh(first.refreshToken, own.url)).status).toBe(401);
    expect((await me(second.token, own.url)).status).toBe(401);
    expect((await refresh(second.refreshToken, own.url)).status).toBe(401);
    const record = await User.findOne({ email: user.email }).lean();
    expect(await Audit.countDocuments({ actor: record?._id ?? '', action: 'refresh_token.reused' })).toBe(1);
  });

  test('live seven days from the last refresh', async () => {
    const DAY = 86_400_000;
    const first = loginData(await login(tenant.admin.email, tenant.admin.password, own.url));
    own.advance(6 * DAY);
    const second = loginData(await refresh(first.refreshToken, own.url));
    own.advance(6 * DAY);
    const third = loginData(await refresh(second.refreshToken, own.url));
    own.advance(8 * DAY);
    expect((await refresh(third.refreshToken, own.url)).status).toBe(401);
  });

  test.each([[{}], [{ refreshToken: 7 }], [{ refreshToken: '' }], [{ refreshToken: 'x', more: 1 }]])(
    '%j is 400',
    async (json) => {
      expect((await call('POST', '/api/auth/refresh', { json })).status).toBe(400);
    },
  );

  test('an access token, a forged token and nonsense are 401', async () => {
    const { token } = await signIn(tenant.admin);
    for (const each of [token, 'nonsense', jwt.sign({ sid: 'x' }, 'a'.repeat(32))])
      expect((await refresh(each)).status).toBe(401);
  });
});

describe('logout', () => {
  test('ends the access token and its refresh token, and no other session', async () => {
    const other = await signIn(tenant.admin);
    const session = await signIn(tenant.admin);
    const answer = await call('POST', '/api/auth/logout', { token: session.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true });
    expect((await me(session.token)).status).toBe(401);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    expect((await call('POST', '/api/auth/logout', { token: session.token })).status).toBe(401);
    expect((await me(other.token)).status).toBe(200);
  });

  test('on one replica ends the session on every other at once', async () => {
    const replica = await startOwnApi({ RATE_LIMIT_AUTH_PER_MINUTE: 100_000, RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000 });
    try {
      const session = await signIn(tenant.admin);
      expect((await me(session.token, replica.url)).status).toBe(200);
      expect((await call('POST', '/api/auth/logout', { token: session.token })).status).toBe(200);
      expect((await me(session.token, replica.url)).status).toBe(401);
      expect((await refresh(session.refreshToken, replica.url)).status).toBe(401);
    } finally {
      await replica.close();
    }
  });

  test('a refresh in parallel leaves no living token', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = await signIn(tenant.admin);
      const [, renewed] = await Promise.all([
        call('POST', '/api/auth/logout', { token: session.token }),
        refresh(session.refreshToken),
      ]);
      if (renewed.status === 200) expect((await me(loginData(renewed).token)).status).toBe(401);
    }
  });
});
