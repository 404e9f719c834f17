import { randomBytes } from 'node:crypto';
import { Organisation } from '../../../models/platform/access/organisation';
import { User } from '../../../models/platform/access/user';
import { LoginFailure } from '../../../models/platform/access/login-failure';
import { Audit } from '../../../models/platform/audit/audit';
import { signInFromBrowser } from '../../support/browser';
import { getData, parseLoginData, signIn } from '../../support/business/client';
import { createTestAddress, startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { runAdminCommand } from '../../support/commands';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

const PASSWORDS = ['a long passphrase of one', 'another passphrase of two'] as const;

let tenants: [Tenant, Tenant];
let own: OwnApi;
beforeAll(async () => {
  tenants = [await createTenant('First Office'), await createTenant('Second Office')];
  own = await startOwnApi({ RATE_LIMIT_AUTH_PER_MINUTE: 100_000, RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000 });
});
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

const createEmail = (): string => `shared.${randomBytes(6).toString('hex')}@tenant.example`;
const login = (json: object, address = createTestAddress()): Promise<ApiResponse> =>
  call('POST', '/api/auth/login', { api: own.url, json, headers: { 'x-forwarded-for': address } });

/** Has the administrator of each organisation create a user with the same email address. */
async function addUsers(email: string, passwords: readonly [string, string]): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  for (const [index, tenant] of tenants.entries()) {
    const { token } = await signIn(tenant.admin);
    const json = { email, name: `User ${index}`, role: 'viewer', identityRole: 'viewer', password: passwords[index] };
    responses.push(await call('POST', '/api/admin/users', { token, json }));
  }
  return responses;
}
const getSlug = async ({ organisationId }: Tenant): Promise<string> =>
  (await Organisation.findById(organisationId).lean())?.slug ?? '';
const getUserName = (response: ApiResponse): unknown => parseLoginData(response).user['name'];

test('creating a user does not reveal that another organisation has one with the same email address', async () => {
  const email = createEmail();
  const [first, second] = await addUsers(email, PASSWORDS);
  if (first === undefined || second === undefined) throw new Error('no user was created');
  expect([second.status, second.body['message']]).toEqual([201, first.body['message']]);
  expect(Object.keys(getData(second))).toEqual(Object.keys(getData(first)));
  expect(getData(second)).toMatchObject({ email, name: 'User 1' });
  expect(getUserName(await login({ email, password: PASSWORDS[0] }))).toBe('User 0');
  expect(getUserName(await login({ email, password: PASSWORDS[1] }))).toBe('User 1');
  // The salt is shared, so that a sign-in computes one hash, as for an address with one account or none.
  const hashes = (await User.find({ email }).lean()).map(({ passwordHash }) => passwordHash.split('$'));
  expect(hashes).toHaveLength(2);
  expect(new Set(hashes.map((parts) => parts.slice(0, -1).join('$'))).size).toBe(1);
});

test('only the right password reveals the organisations to choose from', async () => {
  const email = createEmail();
  const password = PASSWORDS[0];
  await addUsers(email, [password, password]);
  expect((await login({ email, password: 'wrong' })).body['code']).toBe('unauthorized');
  const ambiguous = await login({ email, password });
  expect([ambiguous.status, ambiguous.body['code']]).toEqual([409, 'organisation_required']);
  // In the log of neither organisation: its administrators would learn of the account and password elsewhere.
  const audited = await Audit.find({ requestId: String(ambiguous.body['requestId']) }).lean();
  expect(audited.map(({ organisationId, action, reason }) => [organisationId, action, reason])).toEqual([
    ['installation', 'login.incomplete', 'organisation_required'],
  ]);
  const { organisations } = ambiguous.body['details'] as { organisations: { name: string; slug: string }[] };
  expect(organisations.map(({ name }) => name).sort()).toEqual(['First Office', 'Second Office']);
  for (const { name, slug } of organisations) {
    const chosen = await login({ email, password, organisation: slug });
    expect(getUserName(chosen)).toBe(name === 'First Office' ? 'User 0' : 'User 1');
    const inBrowser = await signInFromBrowser({ email, password }, { organisation: slug });
    expect(inBrowser.response.status).toBe(200);
  }
  expect((await login({ email, password, organisation: 'no-such' })).status).toBe(401);
  const unnamed = await runAdminCommand(['unlock-user', '--email', email]);
  expect([unnamed.code, unnamed.error]).toEqual([1, expect.stringContaining('--organisation: is required')]);
  const named = await runAdminCommand([
    'unlock-user',
    '--email',
    email,
    '--organisation',
    organisations[0]?.slug ?? '',
  ]);
  expect(named.code).toBe(0);
});

test('signing in to an own account with the address of another user resets neither count nor delay of the guesses', async () => {
  const email = createEmail();
  await addUsers(email, PASSWORDS);
  const address = createTestAddress();
  const account = { email, password: PASSWORDS[1], organisation: await getSlug(tenants[1]) };
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await login({ email, password: `guess ${guess}` }, address)).status).toBe(401);
    if (guess < 4) expect((await login(account, address)).status).toBe(200);
  }
  expect((await login(account, address)).status).toBe(429);
});

test('an administrator gains no guesses at the account of another user by choosing or resetting the password of an own one', async () => {
  const email = createEmail();
  const ids = (await addUsers(email, PASSWORDS)).map((response) => Number(getData(response)['id']));
  const address = createTestAddress();
  const { token } = await signIn(tenants[1].admin);
  const reset = (password: string) =>
    call('POST', `/api/admin/users/${ids[1]}/reset-password`, { token, json: { password } });
  // The answer reveals whether the password is that of the other account as well.
  for (let guess = 0; guess < 5; guess += 1) {
    const password = `a guessed passphrase of ${guess}`;
    expect((await reset(password)).status).toBe(200);
    expect((await login({ email, password }, address)).status).toBe(200);
  }
  expect((await reset(PASSWORDS[0])).status).toBe(200);
  // From any address, the right guess has the same answer as a wrong one, until the delay is over.
  for (const from of [address, createTestAddress()])
    expect(getUserName(await login({ email, password: PASSWORDS[0] }, from))).toBe('User 1');
  own.advance(31_000);
  expect((await login({ email, password: PASSWORDS[0] }, address)).body['code']).toBe('organisation_required');
});

test('of many guesses at once by the password of an own account, five are compared with that of the other one', async () => {
  const email = createEmail();
  await addUsers(email, PASSWORDS);
  const guesses = await Promise.all(Array.from({ length: 12 }, () => login({ email, password: PASSWORDS[1] })));
  expect(guesses.map(getUserName)).toEqual(Array.from({ length: 12 }, () => 'User 1'));
  const [other] = await User.find({ email }).sort({ createdAt: 1 }).lean();
  const counter = [email, 'comparison', other?._id];
  const key = own.platform.masterKey.authenticate(JSON.stringify(counter), 'sign-in-failures');
  expect(await LoginFailure.findById(key).lean()).toMatchObject({ failures: 5 });
});

test('people with several accounts and passwords are not locked by signing in, however often they do', async () => {
  const email = createEmail();
  await addUsers(email, PASSWORDS);
  const address = createTestAddress();
  for (const index of [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1])
    expect(getUserName(await login({ email, password: PASSWORDS[index] }, address))).toBe(`User ${index}`);
  // Guesses remain limited.
  for (let guess = 0; guess < 5; guess += 1)
    expect((await login({ email, password: `guess ${guess}` }, address)).status).toBe(401);
  expect((await login({ email, password: PASSWORDS[0] }, address)).status).toBe(429);
});

test('a known device permits attempts only for the account that signed in on it', async () => {
  const email = createEmail();
  await addUsers(email, PASSWORDS);
  const [known, address] = [await login({ email, password: PASSWORDS[1] }), createTestAddress()];
  for (let guess = 0; guess < 5; guess += 1) await login({ email, password: `guess ${guess}` }, address);
  const headers = { 'x-forwarded-for': address, 'x-device-token': known.headers.get('x-device-token') ?? '' };
  const loginKnown = (password: string) =>
    call('POST', '/api/auth/login', { api: own.url, json: { email, password }, headers });
  expect((await loginKnown(PASSWORDS[0])).status).toBe(401);
  expect((await loginKnown(PASSWORDS[1])).status).toBe(200);
});
