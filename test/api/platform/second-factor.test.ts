import { generateTotpCode } from '../../../lib/crypto/one-time-codes';
import { Audit } from '../../../models/platform/audit/audit';
import { SecondFactor } from '../../../models/platform/access/second-factor';
import { User } from '../../../models/platform/access/user';
import { signInFromBrowser } from '../../support/browser';
import { getData, parseLoginData, signIn } from '../../support/business/client';
import { createTestAddress, startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { runAdminCommand } from '../../support/commands';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

interface Account {
  email: string;
  password: string;
}

let tenant: Tenant;
let own: OwnApi;
beforeAll(async () => {
  tenant = await createTenant('Second factor');
  own = await startOwnApi({ RATE_LIMIT_AUTH_PER_MINUTE: 100_000, RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000 });
});
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

const getCode = ({ status, body }: ApiResponse) => [status, body['code']];
const login = (user: Account, fields: object = {}, address = createTestAddress()): Promise<ApiResponse> =>
  call('POST', '/api/auth/login', {
    api: own.url,
    json: { ...user, ...fields },
    headers: { 'x-forwarded-for': address },
  });
/** The next code that was not used yet: each period has one. */
function nextCode(secret: string): string {
  own.advance(30_000);
  return generateTotpCode(secret, own.platform.clock.now());
}

async function enrol(user: Account): Promise<{ secret: string; recoveryCodes: string[]; token: string }> {
  const { token } = parseLoginData(await login(user));
  const begun = await call('POST', '/api/auth/second-factor', {
    api: own.url,
    token,
    json: { currentPassword: user.password },
  });
  const secret = String(getData(begun)['secret']);
  const json = { code: nextCode(secret) };
  const confirmed = await call('POST', '/api/auth/second-factor/confirm', { api: own.url, token, json });
  expect(confirmed.status).toBe(200);
  return { secret, recoveryCodes: getData(confirmed)['recoveryCodes'] as string[], token };
}

test('sign-in needs a current code after the enrolment, accepts each code once and each recovery code once', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const { secret, recoveryCodes, token } = await enrol(user);
  expect(getCode(await login(user))).toEqual([401, 'second_factor_required']);
  expect(getCode(await login(user, { code: '000000' }))).toEqual([401, 'second_factor_invalid']);
  expect(getCode(await login({ ...user, password: 'wrong' }, { code: nextCode(secret) }))).toEqual([
    401,
    'unauthorized',
  ]);
  const code = nextCode(secret);
  const parallel = await Promise.all([login(user, { code }), login(user, { code }), login(user, { code })]);
  expect(parallel.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  expect(getCode(await login(user, { code }))).toEqual([401, 'second_factor_invalid']);
  expect(recoveryCodes).toHaveLength(10);
  const [recovery = ''] = recoveryCodes;
  expect((await login(user, { code: recovery.toUpperCase() })).status).toBe(200);
  expect(getCode(await login(user, { code: recovery }))).toEqual([401, 'second_factor_invalid']);
  // Users of earlier versions have no such field.
  await User.updateOne({ email: user.email }, { $unset: { secondFactorRequired: 1 } });
  const status = await call('GET', '/api/auth/second-factor', { api: own.url, token });
  expect(getData(status)).toMatchObject({ required: false, recoveryCodesLeft: 9 });
  const record = await User.findOne({ email: user.email }).lean();
  const stored = JSON.stringify(await SecondFactor.findById(record?._id).lean());
  for (const plain of [secret, ...recoveryCodes]) expect(stored).not.toContain(plain);
  const actions = await Audit.distinct('action', { subject: record?._id ?? '' });
  expect(actions).toEqual(expect.arrayContaining(['user.second_factor_begun', 'user.second_factor_enabled']));
});

test('a wrong code is audited as a failed sign-in, and a missing one as an incomplete sign-in', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const { secret } = await enrol(user);
  const read = async ({ body }: ApiResponse) =>
    (await Audit.find({ requestId: String(body['requestId']) }).lean()).map(({ action, reason }) => [action, reason]);
  expect(await read(await login(user))).toEqual([['login.incomplete', 'second_factor_required']]);
  expect(await read(await login(user, { code: '000000' }))).toEqual([['login.failed', 'second_factor_invalid']]);
  // Asking for the code is no failure, however often a client does it.
  const address = createTestAddress();
  for (let request = 0; request < 6; request += 1)
    expect(getCode(await login(user, {}, address))).toEqual([401, 'second_factor_required']);
  expect((await login(user, { code: nextCode(secret) }, address)).status).toBe(200);
});

test('enrolment needs the password, ends other sessions, and works for users of the identity API', async () => {
  const user = await tenant.createIdentityUser('reviewer');
  const [current, other] = [await signInFromBrowser(user), await signInFromBrowser(user)];
  const begin = (currentPassword: string) =>
    call('POST', '/v1/auth/second-factor', { headers: current.headers, json: { currentPassword } });
  const confirm = (code: string) =>
    call('POST', '/v1/auth/second-factor/confirm', { headers: current.headers, json: { code } });
  expect((await begin('wrong')).status).toBe(400);
  expect((await confirm('123456')).status).toBe(400);
  const begun = await begin(user.password);
  const secret = String(begun.body['secret']);
  expect(begun.body['uri']).toMatch(/^otpauth:\/\/totp\/Vouch/);
  expect((await confirm('12')).status).toBe(400);
  const confirmed = await confirm(generateTotpCode(secret, new Date()));
  expect(confirmed.status).toBe(200);
  expect(await begin(user.password)).toMatchObject({
    status: 409,
    body: { error: { code: 'second_factor_enrolled' } },
  });
  expect((await call('GET', '/v1/auth/me', { headers: other.headers })).status).toBe(401);
  expect((await signInFromBrowser(user)).response.body['error']).toMatchObject({ code: 'second_factor_required' });
  const later = generateTotpCode(secret, new Date(Date.now() + 30_000));
  const again = await signInFromBrowser(user, { code: later });
  expect(again.response.status).toBe(200);
  const { body } = await call('GET', '/v1/auth/second-factor', { headers: again.headers });
  expect(body).toMatchObject({ enrolledAt: expect.any(String) as string, recoveryCodesLeft: 10 });
  const remove = (code: string | undefined) => {
    const json = { currentPassword: user.password, code };
    return call('POST', '/v1/auth/second-factor/remove', { headers: again.headers, json });
  };
  expect((await remove(later)).status).toBe(400);
  const [recovery] = confirmed.body['recoveryCodes'] as string[];
  expect((await remove(recovery)).status).toBe(200);
  expect((await signInFromBrowser(user)).response.status).toBe(200);
});

test('a valid code gets through while the account is attacked, and a rejection does not tell whether the password was right', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const { secret } = await enrol(user);
  const address = createTestAddress();
  for (let attempt = 0; attempt < 5; attempt += 1) await login({ ...user, password: 'wrong' }, {}, address);
  expect(getCode(await login(user, {}, address))).toEqual([429, 'sign_in_throttled']);
  const wrongCode = await login(user, { code: '000000' }, address);
  const wrongPassword = await login({ ...user, password: 'wrong' }, { code: nextCode(secret) }, address);
  expect([getCode(wrongCode), getCode(wrongPassword)]).toEqual([
    [401, 'unauthorized'],
    [401, 'unauthorized'],
  ]);
  expect(wrongCode.body['message']).toBe(wrongPassword.body['message']);
  expect((await login(user, { code: nextCode(secret) }, address)).status).toBe(200);
  for (let attempt = 0; attempt < 5; attempt += 1) await login(user, { code: '000000' }, address);
  expect((await login(user, { code: nextCode(secret) }, address)).status).toBe(429);
});

test('ten wrong codes after the right password delay the next one, from any address', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const { secret } = await enrol(user);
  for (let guess = 0; guess < 10; guess += 1) expect((await login(user, { code: '000000' })).status).toBe(401);
  expect(getCode(await login(user, { code: '000000' }))).toEqual([429, 'sign_in_throttled']);
  expect((await login(user, { code: nextCode(secret) })).status).toBe(200);
});

test('an organisation can require it: a user without one can only enrol, in open sessions too', async () => {
  const organisation = await createTenant('Strict');
  const { token } = await signIn(organisation.admin);
  const early = await organisation.createUserWithRole('viewer');
  const open = await signIn(early);
  const policy = await call('PUT', '/api/admin/sign-in-policy', { token, json: { secondFactorRequired: true } });
  expect(policy.body['data']).toEqual({ secondFactorRequired: true });
  const late = await organisation.createUserWithRole('viewer');
  for (const session of [open, await signIn(late)]) {
    const get = (path: string) => call('GET', path, { token: session.token });
    expect(getCode(await get('/api/products'))).toEqual([403, 'second_factor_enrolment_required']);
    expect(getCode(await get('/api/auth/sessions'))).toEqual([403, 'second_factor_enrolment_required']);
    expect([(await get('/api/auth/me')).status, (await get('/api/auth/second-factor')).status]).toEqual([200, 200]);
  }
  expect((await call('GET', '/v1/sessions', { key: organisation.identityKey })).status).toBe(200);
  const { secret, token: enrolled } = await enrol(late);
  expect((await call('GET', '/api/products', { api: own.url, token: enrolled })).status).toBe(200);
  const json = { currentPassword: late.password, code: nextCode(secret) };
  const removal = await call('POST', '/api/auth/second-factor/remove', { api: own.url, token: enrolled, json });
  expect(getCode(removal)).toEqual([409, 'second_factor_mandatory']);
  expect((await call('GET', '/api/admin/sign-in-policy', { token })).status).toBe(403);
});

test('it survives a reset of the password; it is removed by its user with password and code, by an administrator, and by the operator', async () => {
  const { token } = await signIn(tenant.admin);
  const user = await tenant.createUserWithRole('viewer');
  const first = await enrol(user);
  const json = { currentPassword: user.password, code: nextCode(first.secret) };
  const remove = () => call('POST', '/api/auth/second-factor/remove', { api: own.url, token: first.token, json });
  expect((await remove()).status).toBe(200);
  expect((await login(user)).status).toBe(200);

  await enrol(user);
  const search = await call('GET', `/api/admin/users?search=${encodeURIComponent(user.email)}`, { token });
  const [row] = search.body['data'] as { id: number }[];
  const path = `/api/admin/users/${row?.id ?? 0}/second-factor`;
  const resetPath = path.replace('second-factor', 'reset-password');
  await call('POST', resetPath, { token, json: { password: user.password } });
  expect(getCode(await login(user))).toEqual([401, 'second_factor_required']);
  expect((await call('DELETE', path, { token })).status).toBe(200);
  expect((await login(user)).status).toBe(200);

  await enrol(user);
  expect((await runAdminCommand(['remove-second-factor', '--email', user.email])).code).toBe(0);
  expect((await login(user)).status).toBe(200);
});
