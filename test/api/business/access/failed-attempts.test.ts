import { DAY_MS, MINUTE_MS } from '../../../../domain/durations';
import { User } from '../../../../models/platform/access/user';
import { Audit } from '../../../../models/platform/audit/audit';
import { createTestAddress, startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { getErrorCode, getOrigin } from '../../../support/browser';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

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

const login = (email: string, password: string): Promise<ApiResponse> =>
  call('POST', '/api/auth/login', { json: { email, password } });

describe('failed attempts', () => {
  const loginFrom = (address: string, user: { email: string; password: string }, headers = {}): Promise<ApiResponse> =>
    call('POST', '/api/auth/login', { api: own.url, json: user, headers: { ...headers, 'x-forwarded-for': address } });
  const failFrom = async (address: string, email: string, count: number): Promise<void> => {
    for (let attempt = 0; attempt < count; attempt += 1)
      expect((await loginFrom(address, { email, password: 'wrong' })).status).toBe(401);
  };
  const getCode = ({ status, body }: ApiResponse) => [status, body['code']];

  test('five from one address lock the account for this address for 15 minutes, and for no other one', async () => {
    const user = await tenant.createUserWithRole('sales');
    const attacker = createTestAddress();
    await failFrom(attacker, user.email, 5);
    const locked = await loginFrom(attacker, user);
    expect(getCode(locked)).toEqual([429, 'sign_in_throttled']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    expect(locked.body['message']).toContain(`${locked.headers.get('retry-after')} s`);
    expect((await loginFrom(createTestAddress(), user)).status).toBe(200);
    own.advance(14 * MINUTE_MS);
    expect((await loginFrom(attacker, user)).status).toBe(429);
    own.advance(1.1 * MINUTE_MS);
    expect((await loginFrom(attacker, user)).status).toBe(200);
  });

  test('many from all addresses delay further ones by a growing time; a known device gets through', async () => {
    const user = await tenant.createUserWithRole('sales');
    const known = await loginFrom(createTestAddress(), user);
    const deviceToken = known.headers.get('x-device-token') ?? '';
    for (let round = 0; round < 4; round += 1) await failFrom(createTestAddress(), user.email, 5);
    const delayed = await loginFrom(createTestAddress(), user);
    expect(getCode(delayed)).toEqual([429, 'sign_in_throttled']);
    expect(Number(delayed.headers.get('retry-after'))).toBeLessThanOrEqual(30);
    expect((await loginFrom(createTestAddress(), user, { 'x-device-token': deviceToken })).status).toBe(200);
    for (let failure = 0; failure < 3; failure += 1) {
      own.advance(2 ** failure * 30_000);
      await failFrom(createTestAddress(), user.email, 1);
    }
    const later = await loginFrom(createTestAddress(), user);
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(120);
    expect((await loginFrom(createTestAddress(), user, { 'x-device-token': deviceToken })).status).toBe(200);
    own.advance(240_000);
    expect((await loginFrom(createTestAddress(), user)).status).toBe(200);
  });

  test('a forged, foreign or expired device token changes nothing, and a known device has five tries of its own', async () => {
    const [user, other] = [await tenant.createUserWithRole('sales'), await tenant.createUserWithRole('sales')];
    const address = createTestAddress();
    const readToken = (response: ApiResponse): string => response.headers.get('x-device-token') ?? '';
    const [token, foreign] = [readToken(await loginFrom(address, user)), readToken(await loginFrom(address, other))];
    await failFrom(address, user.email, 5);
    const forged = foreign.replace(/^[^.]+/, token.split('.')[0] ?? '');
    for (const deviceToken of [foreign, forged, `${token}x`, 'a.b.c.d', '.'])
      expect((await loginFrom(address, user, { 'x-device-token': deviceToken })).status).toBe(429);
    const guess = { email: user.email, password: 'wrong' };
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await loginFrom(address, guess, { 'x-device-token': token })).status).toBe(401);
    expect((await loginFrom(address, user, { 'x-device-token': token })).status).toBe(429);
    own.advance(91 * DAY_MS);
    await failFrom(address, user.email, 5);
    expect((await loginFrom(address, user, { 'x-device-token': token })).status).toBe(429);
  });

  test('an unknown address is delayed like a known one', async () => {
    const user = await tenant.createUserWithRole('viewer');
    const address = createTestAddress();
    const responses: ApiResponse[][] = [];
    for (const email of [user.email, `nobody.${user.email}`]) {
      const each: ApiResponse[] = [];
      for (let attempt = 0; attempt < 6; attempt += 1)
        each.push(await loginFrom(address, { email, password: 'wrong' }));
      responses.push(each);
    }
    const [known, unknown] = responses.map((each) => each.map(({ status, body }) => [status, body['code']]));
    expect(unknown).toEqual(known);
    const last = String(responses[1]?.[5]?.body['requestId']);
    expect(await Audit.findOne({ requestId: last }).lean()).toMatchObject({
      action: 'login.refused',
      reason: 'throttled',
    });
  });

  test('the right password of a user without a role in the API counts and is audited like a wrong one', async () => {
    const user = await tenant.createIdentityUser('reviewer');
    const address = createTestAddress();
    const responses: ApiResponse[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) responses.push(await loginFrom(address, user));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    const record = await User.findOne({ email: user.email }).lean();
    const failed = await Audit.find({ subject: record?._id ?? '', action: 'login.failed' })
      .sort({ at: 1 })
      .lean();
    expect(failed.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 4 }, () => 'role_without_access'),
      'role_without_access, throttled from now on',
    ]);
  });

  test('the right password of a user without a role in either API counts and is audited in browsers, too', async () => {
    const user = await tenant.createUserWithRole('viewer');
    await User.updateOne({ email: user.email }, { $set: { role: null, identityRole: null } });
    const headers = { 'x-forwarded-for': createTestAddress(), origin: getOrigin() };
    const send = () => call('POST', '/v1/auth/login', { api: own.url, json: user, headers });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const rejected = await send();
      expect([rejected.status, getErrorCode(rejected)]).toEqual([403, 'role_without_access']);
    }
    expect((await send()).status).toBe(429);
    const record = await User.findOne({ email: user.email }).lean();
    const failed = { subject: record?._id ?? '', action: 'login.failed', reason: /^role_without_access/ };
    expect(await Audit.countDocuments(failed)).toBe(5);
  });

  test('a successful sign-in forgets those of its address', async () => {
    const user = await tenant.createUserWithRole('sales');
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) expect((await login(user.email, 'wrong')).status).toBe(401);
      expect((await login(user.email, user.password)).status).toBe(200);
    }
  });

  test('thirty concurrent guesses are limited to five attempts', async () => {
    const user = await tenant.createUserWithRole('sales');
    await Promise.all(Array.from({ length: 30 }, (_, index) => login(user.email, `guess ${index}`)));
    const record = await User.findOne({ email: user.email }).lean();
    const tries = { subject: record?._id ?? '', action: 'login.failed' };
    expect(await Audit.countDocuments(tries)).toBe(5);
    expect((await login(user.email, user.password)).status).toBe(429);
  });

  test('concurrent sign-ins with the right password all succeed', async () => {
    const user = await tenant.createUserWithRole('sales');
    const responses = await Promise.all(Array.from({ length: 8 }, () => login(user.email, user.password)));
    expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 8 }, () => 200));
  });
});
