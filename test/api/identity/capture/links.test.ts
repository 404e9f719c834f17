import { CaptureBrowser } from '../../../../models/identity/capture/capture-browser';
import { CaptureLink } from '../../../../models/identity/capture/capture-link';
import { getOrigin } from '../../../support/browser';
import { call } from '../../../support/client';
import {
  callAsPage,
  createCapture,
  createLink,
  exchangeToken,
  openCapture,
  parseLinkToken,
  parseState,
  readRefusal,
} from '../../../support/identity/capture';
import { createSession, getSession } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let key: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Capture links');
  key = tenant.identityKey;
});
afterAll(closeTestPlatform);

describe('a link to the capture page', () => {
  test('is returned once, opens the page once, and its token is stored as a hash only', async () => {
    const idempotent = { key, json: {}, headers: { 'idempotency-key': `link-${Date.now()}` } };
    const created = await call('POST', '/v1/sessions', idempotent);
    const { id, url } = created.body['session'] as { id: string; url: string };
    expect(url).toMatch(new RegExp(`^${getOrigin()}/verify#[\\w-]{43}$`));
    expect((await call('POST', '/v1/sessions', idempotent)).body['session']).toMatchObject({ id, url });
    expect((await getSession(key, id)).url).toBeNull();
    const token = parseLinkToken(url);
    const opened = await exchangeToken(token);
    expect(opened.status).toBe(200);
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^vouch_capture_\d+=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(readRefusal(await exchangeToken(token))).toEqual([410, 'link_used']);
    // The browser that has opened it may open it again.
    expect((await exchangeToken(token, { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
    await getTestPlatform();
    const of = { organisationId: tenant.organisationId, sessionId: id };
    const stored = JSON.stringify([await CaptureLink.find(of).lean(), await CaptureBrowser.find(of).lean()]);
    for (const secret of [token, /=([\w-]{43});/.exec(cookie)?.[1] ?? '']) expect(stored).not.toContain(secret);
  });

  test('is replaced by a new one of the same session, and ends with the session', async () => {
    const { id, url } = await createSession(key, { features: ['liveness'] });
    const response = await createLink(id, key);
    expect(response.status).toBe(201);
    const { url: newer } = response.body['link'] as { url: string };
    expect(readRefusal(await exchangeToken(parseLinkToken(url)))).toEqual([410, 'link_expired']);
    const page = await openCapture(newer);
    expect((await call('POST', `/v1/sessions/${id}/cancel`, { key, json: {} })).status).toBe(200);
    expect(readRefusal(await createLink(id, key))).toEqual([409, 'session_closed']);
    expect(parseState(await callAsPage(page, 'GET', '/v1/capture/state'))).toMatchObject({
      status: 'cancelled',
      open: false,
      decided: true,
    });
  });

  test('that has expired or is unknown is answered as such, and one of an erased session as that', async () => {
    const { id, url } = await createSession(key);
    await getTestPlatform();
    await CaptureLink.updateMany({ sessionId: id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    expect(readRefusal(await exchangeToken(parseLinkToken(url)))).toEqual([410, 'link_expired']);
    expect(readRefusal(await exchangeToken('unknown'))).toEqual([404, 'link_unknown']);
    const { id: erased, page, url: used } = await createCapture(key);
    expect((await call('DELETE', `/v1/sessions/${erased}`, { key })).status).toBe(200);
    expect(readRefusal(await exchangeToken(parseLinkToken(used)))).toEqual([410, 'session_erased']);
    expect(readRefusal(await callAsPage(page, 'GET', '/v1/capture/state'))).toEqual([410, 'session_erased']);
    expect(readRefusal(await callAsPage(page, 'GET', '/v1/capture/events'))).toEqual([410, 'session_erased']);
  });

  test('is exchanged only by the page itself, and not created for a session that the page cannot complete', async () => {
    const { url } = await createSession(key);
    for (const origin of ['https://evil.example', 'null']) {
      const response = await exchangeToken(parseLinkToken(url), { origin });
      expect(readRefusal(response)).toEqual([403, 'origin_not_allowed']);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    const { id, url: none } = await createSession(key, { features: ['face_match'] });
    expect(none).toBeNull();
    expect(readRefusal(await createLink(id, key))).toEqual([409, 'session_not_capturable']);
  });
});
