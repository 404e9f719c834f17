import { DAY_MS } from '../../../domain/durations';
import { LoginSession } from '../../../models/platform/access/login-session';
import { User } from '../../../models/platform/access/user';
import { Audit } from '../../../models/platform/audit/audit';
import { signInFromBrowser } from '../../support/browser';
import { parseLoginData, signIn } from '../../support/business/client';
import { startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

let tenant: Tenant;
let own: OwnApi;
beforeAll(async () => {
  tenant = await createTenant('Sessions');
  own = await startOwnApi({ RATE_LIMIT_AUTH_PER_MINUTE: 100_000, RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000 });
});
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

interface Session {
  id: string;
  api: string;
  device: string;
  address: string;
  current: boolean;
}

const readSessions = ({ body }: ApiResponse): Session[] => (body['sessions'] ?? body['data']) as Session[];
const listOwn = (token: string) => call('GET', '/api/auth/sessions', { token });

test('a user lists the own sessions of both APIs with device, address and times, and ends one from either', async () => {
  const headers = { 'user-agent': 'Till/7' };
  const json = tenant.admin;
  const { token } = parseLoginData(await call('POST', '/api/auth/login', { headers, json }));
  const browser = await signInFromBrowser(tenant.admin, {}, { headers: { 'user-agent': 'Browser/9' } });
  const [first, second] = readSessions(await listOwn(token));
  const times = { createdAt: expect.any(String) as string, lastUsedAt: expect.any(String) as string };
  expect([first, second]).toMatchObject([
    { api: 'identity', device: 'Browser/9', current: false, ...times },
    { api: 'business', device: 'Till/7', current: true, ...times },
  ]);
  expect(first?.address).toMatch(/127\.0\.0\.1|::1/);
  const inBrowser = readSessions(await call('GET', '/v1/auth/sessions', { headers: browser.headers }));
  expect(inBrowser.map(({ id, current }) => [id, current])).toEqual([
    [first?.id, true],
    [second?.id, false],
  ]);
  const ended = await call('DELETE', `/v1/auth/sessions/${second?.id ?? ''}`, { headers: browser.headers });
  expect([ended.status, ended.body['deleted']]).toEqual([200, true]);
  expect((await listOwn(token)).status).toBe(401);
  const again = await signIn(tenant.admin);
  expect((await call('DELETE', `/api/auth/sessions/${first?.id ?? ''}`, { token: again.token })).status).toBe(200);
  expect((await call('GET', '/v1/auth/me', { headers: browser.headers })).status).toBe(401);
  const twice = await call('DELETE', `/api/auth/sessions/${first?.id ?? ''}`, { token: again.token });
  expect(twice.status).toBe(404);
  const rows = await Audit.find({ organisationId: tenant.organisationId, action: 'sign_in_session.ended' }).lean();
  expect(rows.map(({ reason }) => reason).sort()).toEqual([first?.id, second?.id].sort());
});

test('an administrator lists and ends the sessions of a user; the user cannot end those of others', async () => {
  const user = await tenant.createUserWithRole('viewer');
  const [session, admin] = [await signIn(user), await signIn(tenant.admin)];
  const search = `/api/admin/users?search=${encodeURIComponent(user.email)}`;
  const [row] = (await call('GET', search, { token: admin.token })).body['data'] as { id: number }[];
  const path = `/api/admin/users/${row?.id ?? 0}/sessions`;
  const [listed] = readSessions(await call('GET', path, { token: admin.token }));
  expect(listed).toMatchObject({ api: 'business', current: false });
  const [adminSession] = readSessions(await listOwn(admin.token));
  const foreign = await call('DELETE', `/api/auth/sessions/${adminSession?.id ?? ''}`, { token: session.token });
  expect(foreign.status).toBe(404);
  expect((await call('GET', path, { token: session.token })).status).toBe(403);
  expect((await call('DELETE', `${path}/${listed?.id ?? ''}`, { token: admin.token })).status).toBe(200);
  expect((await listOwn(session.token)).status).toBe(401);
  expect(readSessions(await call('GET', path, { token: admin.token }))).toEqual([]);
});

test('a session ends 30 days after the sign-in, however often it is refreshed', async () => {
  const json = tenant.admin;
  let pair = parseLoginData(await call('POST', '/api/auth/login', { api: own.url, json }));
  const refresh = (refreshToken: string) => call('POST', '/api/auth/refresh', { api: own.url, json: { refreshToken } });
  for (let day = 0; day < 30; day += 6) {
    expect((await call('GET', '/api/auth/me', { api: own.url, token: pair.token })).status).toBe(200);
    if (day < 24) own.advance(6 * DAY_MS);
    pair = parseLoginData(await refresh(pair.refreshToken));
  }
  own.advance(6.1 * DAY_MS);
  expect((await refresh(pair.refreshToken)).status).toBe(401);
  expect((await call('GET', '/api/auth/me', { api: own.url, token: pair.token })).status).toBe(401);
});

test('a session that began before the limit of 30 days existed is not refreshed after it', async () => {
  const { email, password } = await tenant.createUserWithRole('viewer');
  const pair = parseLoginData(await call('POST', '/api/auth/login', { json: { email, password } }));
  const user = await User.findOne({ email }).lean();
  const createdAt = new Date(Date.now() - 31 * DAY_MS);
  await LoginSession.updateOne({ userId: user?._id ?? '' }, { $set: { createdAt } });
  const refreshed = await call('POST', '/api/auth/refresh', { json: { refreshToken: pair.refreshToken } });
  expect(refreshed.status).toBe(401);
});
