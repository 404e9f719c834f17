import mongoose from 'mongoose';
import { LoginFailure } from '../../../../models/platform/access/login-failure';
import { Audit } from '../../../../models/platform/audit/audit';
import { getOrigin } from '../../../support/browser';
import { call } from '../../../support/client';
import { pollUntilFound } from '../../../support/poll';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { signIn } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
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

const NEW_PASSWORD = 'a new long passphrase';
const changePassword = (token: string, currentPassword: string, newPassword = NEW_PASSWORD): Promise<ApiResponse> =>
  call('POST', '/api/auth/password', { token, api: own.url, json: { currentPassword, newPassword } });
const login = async (email: string, password: string): Promise<number> =>
  (await call('POST', '/api/auth/login', { api: own.url, json: { email, password } })).status;
const isTokenValid = async (token: string): Promise<boolean> =>
  (await call('GET', '/api/auth/me', { token, api: own.url })).status === 200;
const getErrors = (response: ApiResponse) => [response.status, response.body['errors']];
const WRONG_PASSWORD_ERROR = [400, ['currentPassword: is not the current password']];

/** Holds up sign-ins of an account after they have read its password, until the returned function is called. */
async function holdUpSignIns(email: string): Promise<() => Promise<void>> {
  expect(await login(email, 'not the password')).toBe(401);
  const account = own.platform.masterKey.authenticate(JSON.stringify([email]), 'sign-in-failures');
  const lock = await mongoose.connection.startSession();
  lock.startTransaction();
  await LoginFailure.updateMany({ account }, { $set: { attemptedAt: new Date() } }, { session: lock });
  return async () => {
    await lock.abortTransaction();
    await lock.endSession();
  };
}

/** Waits until a sign-in is held up. */
const waitForHeldUpSignIn = () =>
  pollUntilFound(async () => {
    const inLoginFailures = { ns: `${mongoose.connection.name}.login_failures`, active: true };
    const [operation] = await mongoose.connection
      .getClient()
      .db('admin')
      .aggregate([{ $currentOp: { allUsers: true } }, { $match: inLoginFailures }], { readConcern: { level: 'local' } })
      .toArray();
    return operation;
  });

test('a sign-in that has verified the old password when it is changed begins no session, in either API', async () => {
  const other = await createTenant();
  for (const path of ['/api/auth/login', '/v1/auth/login']) {
    const user = await other.createUserWithRoles({ business: 'viewer', identity: 'viewer' });
    const current = await signIn(user);
    const release = await holdUpSignIns(user.email);
    const late = call('POST', path, { api: own.url, json: user, headers: { origin: getOrigin() } });
    await waitForHeldUpSignIn();
    expect((await changePassword(current.token, user.password, NEW_PASSWORD)).status).toBe(200);
    await release();
    const rejected = await late;
    expect(rejected.status).toBe(401);
    const requestId = rejected.headers.get('x-request-id') ?? '';
    expect(await Audit.findOne({ requestId }).lean()).toMatchObject({
      action: 'login.failed',
      reason: 'changed meanwhile',
    });
  }
});

test('a user changes the own password: the old one is rejected, this session remains valid, every other session ends', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const [current, other] = [await signIn(user), await signIn(user)];
  const response = await changePassword(current.token, user.password);
  expectDocumented('post', '/api/auth/password', response);
  expect([await isTokenValid(current.token), await isTokenValid(other.token)]).toEqual([true, false]);
  const json = { refreshToken: other.refreshToken };
  expect((await call('POST', '/api/auth/refresh', { api: own.url, json })).status).toBe(401);
  expect([await login(user.email, user.password), await login(user.email, NEW_PASSWORD)]).toEqual([401, 200]);
  const rows = await Audit.find({ organisationId: tenant.organisationId, action: 'user.password_changed' }).lean();
  expect(rows.map(({ actor, subject, fields }) => [actor === subject, fields])).toEqual([[true, ['password']]]);
  expect(response.bytes.toString('utf8')).not.toContain(NEW_PASSWORD);
});

test.each([
  ['short', 'newPassword: accepts at least 12 characters'],
  ['', 'newPassword: must not be empty'],
])('%j as the new one is 400 naming it', async (newPassword, problem) => {
  const user = await tenant.createUserWithRole('viewer');
  const { token } = await signIn(user);
  const response = await changePassword(token, user.password, newPassword);
  expect(getErrors(response)).toEqual([400, [problem]]);
  expect(await login(user.email, user.password)).toBe(200);
});

test('a password from breaches and one made of the email address are rejected for every way to set a password', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const [{ token }, admin] = [await signIn(user), await signIn(tenant.admin)];
  const account = { email: `new.${user.email}`, name: 'New', role: 'viewer' };
  const send = (path: string, json: object) => call('POST', path, { api: own.url, token: admin.token, json });
  const { id } = (await send('/api/admin/users', account)).body['data'] as { id: number };
  for (const weak of ['password1234', user.email]) {
    const [status, errors] = getErrors(await changePassword(token, user.password, weak));
    expect([status, String(errors)]).toEqual([400, expect.stringMatching(/^newPassword: is too easy to guess\./)]);
  }
  for (const response of [
    await send('/api/admin/users', { ...account, email: `other.${user.email}`, password: 'password1234' }),
    await send(`/api/admin/users/${id}/reset-password`, { password: 'password1234' }),
  ])
    expect(getErrors(response)).toEqual([400, [expect.stringMatching(/^password: is too easy to guess\./)]]);
});

test('the current password is rejected as the new one', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const { token } = await signIn(user);
  expect(getErrors(await changePassword(token, user.password, user.password))).toEqual([
    400,
    ['newPassword: must differ from the current password'],
  ]);
});

test('five wrong current passwords prevent the change for 15 minutes, but not the sign-in', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const { token } = await signIn(user);
  for (let guess = 0; guess < 5; guess += 1)
    expect(getErrors(await changePassword(token, `wrong guess ${guess}`))).toEqual(WRONG_PASSWORD_ERROR);
  const throttled = await changePassword(token, user.password);
  expect([throttled.status, throttled.body['code']]).toEqual([429, 'sign_in_throttled']);
  expect(await login(user.email, user.password)).toBe(200);
});

test('of two concurrent changes one takes effect, and the other fails because the current password has changed', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const [first, second] = [await signIn(user), await signIn(user)];
  const responses = await Promise.all([
    changePassword(first.token, user.password, 'first new passphrase'),
    changePassword(second.token, user.password, 'second new passphrase'),
  ]);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const response of responses) if (response.status !== 200) expect([400, 401]).toContain(response.status);
  const works = await Promise.all(
    ['first new passphrase', 'second new passphrase', user.password].map((each) => login(user.email, each)),
  );
  expect(works).toEqual([...responses.map(({ status }) => (status === 200 ? 200 : 401)), 401]);
});

test('an API key has no password to change', async () => {
  const key = await tenant.createBusinessKey(['products:read']);
  const json = { currentPassword: 'x', newPassword: NEW_PASSWORD };
  expect((await call('POST', '/api/auth/password', { key, api: own.url, json })).status).toBe(401);
});
