import { BrowserSession } from '../../../models/platform/access/browser-session';
import { User } from '../../../models/platform/access/user';
import { Audit } from '../../../models/platform/audit/audit';
import { getErrorCode, signInFromBrowser } from '../../support/browser';
import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { startApi } from '../../support/processes';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Browser');
});
afterAll(closeTestPlatform);

describe('switching the mode', () => {
  const switchMode = (headers: Record<string, string>, mode: string) =>
    call('POST', '/v1/auth/mode', { headers, json: { mode } });

  test('replaces the session without extending it; the business API needs live mode', async () => {
    const live = await signInFromBrowser(tenant.admin);
    const switched = await switchMode(live.headers, 'test');
    expect(switched.body).toMatchObject({ mode: 'test', user: { email: tenant.admin.email } });
    expect(switched.body['expiresAt']).toBe(live.response.body['expiresAt']);
    const cookie = switched.headers.get('set-cookie')?.split(';')[0] ?? '';
    // Another tab sends the new cookie with the CSRF token of the mode that it still shows.
    const stale = await call('POST', '/v1/sessions', { headers: { ...live.headers, cookie }, json: {} });
    expect([stale.status, getErrorCode(stale)]).toEqual([403, 'csrf_token_invalid']);
    expect((await call('GET', '/v1/auth/me', { headers: live.headers })).status).toBe(401);
    const headers = { ...live.headers, cookie, 'x-csrf-token': String(switched.body['csrfToken']) };
    expect((await call('POST', '/v1/sessions', { headers, json: {} })).body).toMatchObject({
      session: { mode: 'test' },
    });
    const business = await call('GET', '/api/invoices', { headers });
    expect([business.status, business.body['code']]).toEqual([403, 'live_mode_required']);
    await getTestPlatform();
    const rows = await Audit.find({
      organisationId: tenant.organisationId,
      action: 'sign_in_session.mode_switched',
    }).lean();
    expect(rows.map(({ mode }) => mode).sort()).toEqual(['live', 'test']);
    const sessions = (await call('GET', '/v1/auth/sessions', { headers })).body['sessions'] as { current: boolean }[];
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
  });

  test('happens once for two simultaneous requests, and not for a key or another origin', async () => {
    const { headers } = await signInFromBrowser(tenant.admin);
    const evil = { ...headers, origin: 'https://evil.example' };
    expect(getErrorCode(await switchMode(evil, 'test'))).toBe('origin_not_allowed');
    const both = await Promise.all([switchMode(headers, 'test'), switchMode(headers, 'test')]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const key = await call('POST', '/v1/auth/mode', { key: tenant.identityKey, json: { mode: 'test' } });
    expect(key.status).toBe(401);
  });
});

describe('the end of a session', () => {
  test('logout ends it immediately on every replica, and clears the cookie', async () => {
    const replica = await startApi();
    try {
      const { headers } = await signInFromBrowser(tenant.admin);
      const listSessions = (api?: string) =>
        call('GET', '/v1/sessions', { headers, ...(api === undefined ? {} : { api }) });
      expect((await listSessions(replica.url)).status).toBe(401);
      const cookie = (headers['cookie'] ?? '').replace(/_\d+=/, `_${new URL(replica.url).port}=`);
      const there = (): Promise<ApiResponse> => call('GET', '/v1/sessions', { headers: { cookie }, api: replica.url });
      expect((await there()).status).toBe(200);
      const out = await call('POST', '/v1/auth/logout', { headers });
      expect(out.status).toBe(200);
      expect(out.headers.get('set-cookie')).toMatch(/=; Max-Age=0;/);
      expect((await listSessions()).status).toBe(401);
      expect((await there()).status).toBe(401);
    } finally {
      await replica.stop();
    }
  });

  test('a changed password ends every other session of the user, and not this one', async () => {
    const user = await tenant.createIdentityUser('auditor');
    const [current, other] = [await signInFromBrowser(user), await signInFromBrowser(user)];
    const change = (currentPassword: string) =>
      call('POST', '/v1/auth/password', {
        headers: current.headers,
        json: { currentPassword, newPassword: 'a new long passphrase' },
      });
    expect((await change('not the password')).status).toBe(400);
    expect((await change(user.password)).status).toBe(200);
    const isSignedIn = async ({ headers }: typeof current): Promise<boolean> =>
      (await call('GET', '/v1/auth/me', { headers })).status === 200;
    expect([await isSignedIn(current), await isSignedIn(other)]).toEqual([true, false]);
    expect((await signInFromBrowser(user)).response.status).toBe(401);
    const renewed = await signInFromBrowser({ ...user, password: 'a new long passphrase' });
    expect(renewed.response.status).toBe(200);
  });

  test('an hour without a request, twelve hours, or the deactivation of the account ends it', async () => {
    await getTestPlatform();
    const user = await tenant.createIdentityUser('viewer');
    const ended = async (change: (id: string) => Promise<unknown>): Promise<void> => {
      const { headers } = await signInFromBrowser(user);
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
