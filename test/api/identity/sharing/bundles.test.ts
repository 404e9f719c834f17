import { sha256Hex } from '../../../../lib/crypto/secrets';
import type { TrustedIssuer } from '../../../../lib/trusted-issuers';
import { Share } from '../../../../models/identity/sharing/share';
import { importSession } from '../../../../services/identity/sharing/import';
import { apiUrl, call } from '../../../support/client';
import type { Answer } from '../../../support/client';
import { asSession } from '../../../support/identity/identity';
import { codeOf, createSharingWorld } from '../../../support/identity/sharing';
import type { SharingWorld } from '../../../support/identity/sharing';
import { closeTestPlatform, testPlatform } from '../../../support/tenant';

let bank: SharingWorld['bank'];
let lender: SharingWorld['lender'];
let images: SharingWorld['images'];
let sessionId: SharingWorld['sessionId'];
let approved: SharingWorld['approved'];
let share: SharingWorld['share'];

beforeAll(async () => {
  ({ bank, lender, images, sessionId, approved, share } = await createSharingWorld());
});
afterAll(closeTestPlatform);

describe('a bundle', () => {
  const importBundle = (body: Buffer, form: Record<string, string> = {}): Promise<Answer> =>
    call('POST', '/v1/sessions/import/bundle', { key: lender.identityKey, form: { bundle: { body }, ...form } });

  async function bundleOf(json: object = {}, id = sessionId): Promise<Buffer> {
    const answer = await share({ bundle: true, include: ['images'], ...json }, id);
    expect(answer.status).toBe(201);
    const { url } = answer.body['bundle'] as { url: string };
    return (await call('GET', new URL(url).pathname)).bytes;
  }

  /** A platform that trusts the stack under another name, as another installation would. */
  async function elsewhere(trustReview: boolean) {
    const platform = await testPlatform();
    const keys = (await call('GET', '/.well-known/jwks.json')).body['keys'] as TrustedIssuer['keys'];
    const PUBLIC_URL = 'https://elsewhere.example';
    const config = { ...platform.config, PUBLIC_URL, trustedIssuers: [{ issuer: apiUrl(), trustReview, keys }] };
    return { ...platform, config };
  }
  const scope = () => ({ organisationId: lender.organisationId, mode: 'live' }) as const;
  const actor = { id: 'key_test', permissions: new Set(['sessions:trust-import']) };

  test('carries results and images, signed, and is imported once', async () => {
    const bundle = await bundleOf();
    const session = asSession(await importBundle(bundle, { trustReview: 'true' }), 201);
    expect(session).toMatchObject({ status: 'approved', evidence: [{ sha256: sha256Hex(images.passport.body) }] });
    expect(codeOf(await importBundle(bundle))).toEqual([409, 'share_used']);
  });

  test('of which anything was altered is refused', async () => {
    const parsed = JSON.parse((await bundleOf()).toString()) as { manifest: string; files: Record<string, string> };
    const [head = '', payload = '', signature = ''] = parsed.manifest.split('.');
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { share: { status: string } };
    content.share.status = 'declined';
    const forged = Buffer.from(JSON.stringify(content)).toString('base64url');
    const swapped = Object.fromEntries(
      Object.keys(parsed.files).map((hash) => [hash, Buffer.from('x').toString('base64')]),
    );
    for (const hostile of [
      { ...parsed, manifest: `${head}.${forged}.${signature}` },
      { ...parsed, files: swapped },
      { ...parsed, files: {} },
      { ...parsed, version: 2 },
      { ...parsed, more: true },
      [],
    ]) {
      expect(codeOf(await importBundle(Buffer.from(JSON.stringify(hostile))))).toEqual([400, 'invalid_request']);
    }
    expect(codeOf(await importBundle(Buffer.from('{')))).toEqual([400, 'invalid_request']);
  });

  test('is imported by another installation that lists its issuer, without asking anyone, once', async () => {
    const bundle = await bundleOf({ audience: 'https://elsewhere.example' });
    expect(codeOf(await importBundle(bundle))).toEqual([403, 'wrong_audience']);
    const other = await elsewhere(false);
    const input = { trustReview: false };
    const session = await importSession(other, scope(), actor, { bundle }, input, undefined);
    expect(session).toMatchObject({ status: 'in_review', imported: { issuer: apiUrl() } });
    const again = importSession(other, scope(), actor, { bundle }, input, undefined);
    await expect(again).rejects.toMatchObject({ status: 409, code: 'share_used' });
  });

  test('of an issuer whose decisions are not accepted is never approved without a review', async () => {
    const bundle = await bundleOf({ audience: 'https://elsewhere.example' });
    const trusting = { trustReview: true };
    const distrustful = importSession(await elsewhere(false), scope(), actor, { bundle }, trusting, undefined);
    await expect(distrustful).rejects.toMatchObject({ status: 403, code: 'issuer_not_trusted' });
    const session = await importSession(await elsewhere(true), scope(), actor, { bundle }, trusting, undefined);
    expect(session.status).toBe('approved');
  });

  test('of an issuer that is not listed is refused', async () => {
    const bundle = await bundleOf({ audience: 'https://elsewhere.example' });
    const known = await elsewhere(true);
    const unknown = { ...known, config: { ...known.config, trustedIssuers: [] } };
    const refused = importSession(unknown, scope(), actor, { bundle }, { trustReview: false }, undefined);
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });

  test('goes with its session', async () => {
    const source = await approved();
    const answer = await share({ bundle: true }, source);
    const { url } = answer.body['bundle'] as { url: string };
    expect((await call('DELETE', `/v1/sessions/${source}`, { key: bank.identityKey })).status).toBe(200);
    expect((await call('GET', new URL(url).pathname)).status).toBe(404);
    expect(await Share.countDocuments({ sessionId: source })).toBe(0);
  });
});
