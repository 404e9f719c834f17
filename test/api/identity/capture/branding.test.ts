import sharp from 'sharp';
import { callAsPage, openCapture } from '../../../support/identity/capture';
import { createSession } from '../../../support/identity/identity';
import { call } from '../../../support/client';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

const BRANDING_PATH = '/v1/branding';
const PATH = `${BRANDING_PATH}/logo`;

let tenant: IdentityTenant;
let key: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Branding');
  key = tenant.identityKey;
});
afterAll(closeTestPlatform);

const createImage = (format: 'png' | 'jpeg' | 'webp', side = 40): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer();

const put = (body: Buffer, by = key) => call('PUT', PATH, { key: by, form: { logo: { body } } });

test('people see the logo of their organisation on the capture page, under an address that changes with it', async () => {
  expect((await call('GET', PATH, { key })).status).toBe(404);
  const before = await openCapture((await createSession(key)).url);
  expect(before.state.organisation.logo).toBeNull();
  const first = await put(await createImage('png'));
  expect(first.status).toBe(200);
  expect(first.body['logo']).toMatchObject({ contentType: 'image/png' });
  expect(JSON.stringify(first.body['logo'])).toMatch(/"sha256":"[0-9a-f]{64}"/);
  const page = await openCapture((await createSession(key)).url);
  const address = page.state.organisation.logo ?? '';
  expect(address).toMatch(/^\/v1\/capture\/logo\?version=/);
  const shown = await callAsPage(page, 'GET', address);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(shown.headers.get('cache-control')).toContain('private');
  expect((await call('GET', '/v1/capture/logo', { key })).status).toBe(401);
  await put(await createImage('jpeg'));
  const changed = await openCapture((await createSession(key)).url);
  expect(changed.state.organisation.logo).not.toBe(address);
  expect((await call('GET', PATH, { key })).headers.get('content-type')).toBe('image/jpeg');
});

test('the branding says whether there is a logo, and which one', async () => {
  const other = await createIdentityTenant('Branding without logo');
  const branding = () => call('GET', BRANDING_PATH, { key: other.identityKey });
  expect(await branding()).toMatchObject({ status: 200, body: { logo: null } });
  const image = await createImage('png');
  const { body } = await put(image, other.identityKey);
  expect(body['logo']).toMatchObject({ contentType: 'image/png', bytes: image.length });
  expect((await branding()).body['logo']).toEqual(body['logo']);
  expect((await call('DELETE', PATH, { key: other.identityKey })).status).toBe(200);
  expect((await branding()).body['logo']).toBeNull();
});

test('a change of the logo with a test key is in the audit log of live mode, too: people see it there', async () => {
  const other = await createIdentityTenant('Branding in test mode');
  const testKey = await other.createIdentityKey(['workflows:write', 'audit:read'], { mode: 'test' });
  await put(await createImage('png'), testKey);
  await call('DELETE', PATH, { key: testKey });
  for (const reader of [testKey, other.identityKey]) {
    const { entries } = (await call('GET', '/v1/audit-log?limit=10', { key: reader })).body as {
      entries: { action: string }[];
    };
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('organisation.logo'));
    expect(actions).toEqual(['organisation.logo_removed', 'organisation.logo_changed']);
  }
});

test('another organisation has its own logo, and a removed one is not found', async () => {
  await put(await createImage('png'));
  const other = await createIdentityTenant('Without logo');
  expect((await call('GET', PATH, { key: other.identityKey })).status).toBe(404);
  expect((await call('DELETE', PATH, { key: other.identityKey })).status).toBe(404);
  expect((await call('DELETE', PATH, { key })).status).toBe(200);
  expect((await call('GET', PATH, { key })).status).toBe(404);
});

test.each([
  ['another format', 415, () => createImage('webp')],
  ['text', 415, () => Promise.resolve(Buffer.from('logo'))],
  ['too many bytes', 413, () => Promise.resolve(Buffer.alloc(256 * 1024 + 1))],
  ['too many pixels', 400, () => createImage('png', 1500)],
  ['a side that is too long', 400, () => createImage('png', 2001)],
  ['a truncated image', 400, async () => (await createImage('png')).subarray(0, 60)],
])('rejects %s', async (_name, status, create) => {
  const response = await put(await create());
  expect([response.status, JSON.stringify(response.body)]).toEqual([status, expect.stringContaining('logo')]);
});
