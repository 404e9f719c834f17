import { sha256Hex } from '../../../../lib/crypto/secrets';
import type { TrustedIssuer } from '../../../../lib/trusted-issuers';
import { Share } from '../../../../models/identity/sharing/share';
import { importSession } from '../../../../services/identity/sharing/import';
import { getApiUrl, call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { parseSession, postDecision } from '../../../support/identity/identity';
import { getStatusAndCode, createSharingFixture } from '../../../support/identity/sharing';
import type { SharingFixture } from '../../../support/identity/sharing';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let bank: SharingFixture['bank'];
let lender: SharingFixture['lender'];
let images: SharingFixture['images'];
let sessionId: SharingFixture['sessionId'];
let createApprovedSession: SharingFixture['createApprovedSession'];
let share: SharingFixture['share'];

beforeAll(async () => {
  ({ bank, lender, images, sessionId, createApprovedSession, share } = await createSharingFixture());
});
afterAll(closeTestPlatform);

describe('a bundle', () => {
  const importBundle = (body: Buffer, form: Record<string, string> = {}): Promise<ApiResponse> =>
    call('POST', '/v1/sessions/import/bundle', { key: lender.identityKey, form: { bundle: { body }, ...form } });

  async function downloadBundle(json: object = {}, id = sessionId): Promise<Buffer> {
    const response = await share({ bundle: true, include: ['images'], ...json }, id);
    expect(response.status).toBe(201);
    const { url } = response.body['bundle'] as { url: string };
    return (await call('GET', new URL(url).pathname)).bytes;
  }

  /** A platform that trusts the stack under another name, as another installation would. */
  async function createOtherInstallation(trustReview: boolean) {
    const platform = await getTestPlatform();
    const keys = (await call('GET', '/.well-known/jwks.json')).body['keys'] as TrustedIssuer['keys'];
    const PUBLIC_URL = 'https://elsewhere.example';
    const config = { ...platform.config, PUBLIC_URL, trustedIssuers: [{ issuer: getApiUrl(), trustReview, keys }] };
    return { ...platform, config };
  }
  const scope = () => ({ organisationId: lender.organisationId, mode: 'live' }) as const;
  const actor = { id: 'key_test', permissions: new Set(['sessions:trust-import']) };

  test('contains signed results and images, and is imported once', async () => {
    const bundle = await downloadBundle();
    const session = parseSession(await importBundle(bundle, { trustReview: 'true' }), 201);
    expect(session).toMatchObject({ status: 'approved', evidence: [{ sha256: sha256Hex(images.passport.body) }] });
    expect(getStatusAndCode(await importBundle(bundle))).toEqual([409, 'share_used']);
  });

  test('that was altered anywhere is rejected', async () => {
    const parsed = JSON.parse((await downloadBundle()).toString()) as {
      manifest: string;
      files: Record<string, string>;
    };
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
      expect(getStatusAndCode(await importBundle(Buffer.from(JSON.stringify(hostile))))).toEqual([
        400,
        'invalid_request',
      ]);
    }
    expect(getStatusAndCode(await importBundle(Buffer.from('{')))).toEqual([400, 'invalid_request']);
  });

  test('is imported once by another installation that lists its issuer, offline', async () => {
    const bundle = await downloadBundle({ audience: 'https://elsewhere.example' });
    expect(getStatusAndCode(await importBundle(bundle))).toEqual([403, 'wrong_audience']);
    const other = await createOtherInstallation(false);
    const input = { trustReview: false };
    const shareToken = String((await share({ audience: 'https://elsewhere.example' })).body['shareToken']);
    const withoutBundle = importSession(other, scope(), actor, { shareToken }, input, undefined);
    await expect(withoutBundle).rejects.toMatchObject({ status: 400, code: 'bundle_required' });
    const session = await importSession(other, scope(), actor, { bundle }, input, undefined);
    expect(session).toMatchObject({
      status: 'in_review',
      imported: { issuer: getApiUrl(), organisation: { id: bank.organisationId, name: 'Bank' } },
    });
    const again = importSession(other, scope(), actor, { bundle }, input, undefined);
    await expect(again).rejects.toMatchObject({ status: 409, code: 'share_used' });
  });

  test('of an issuer whose decisions are not accepted is never approved without a review', async () => {
    const bundle = await downloadBundle({ audience: 'https://elsewhere.example' });
    const trusting = { trustReview: true };
    const distrustful = importSession(
      await createOtherInstallation(false),
      scope(),
      actor,
      { bundle },
      trusting,
      undefined,
    );
    await expect(distrustful).rejects.toMatchObject({ status: 403, code: 'issuer_not_trusted' });
    const session = await importSession(
      await createOtherInstallation(true),
      scope(),
      actor,
      { bundle },
      trusting,
      undefined,
    );
    expect(session.status).toBe('approved');
  });

  test('of an issuer that is not listed is rejected', async () => {
    const bundle = await downloadBundle({ audience: 'https://elsewhere.example' });
    const trustingPlatform = await createOtherInstallation(true);
    const untrustingPlatform = { ...trustingPlatform, config: { ...trustingPlatform.config, trustedIssuers: [] } };
    const rejected = importSession(untrustingPlatform, scope(), actor, { bundle }, { trustReview: false }, undefined);
    await expect(rejected).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ['reopened', ['review']],
    ['reopened and approved again', ['review', 'approve']],
    ['declined', ['decline']],
  ])('of a session that was %s since is refused with a code of its own', async (_what, decisions) => {
    const source = await createApprovedSession();
    const bundle = await downloadBundle({}, source);
    for (const decision of decisions) {
      const json = { decision, override: true, reason: 'New findings.' };
      expect((await postDecision(bank.identityKey, source, json)).status).toBe(200);
    }
    expect(getStatusAndCode(await importBundle(bundle))).toEqual([409, 'share_outdated']);
  });

  test('is erased with its session', async () => {
    const source = await createApprovedSession();
    const response = await share({ bundle: true }, source);
    const { url } = response.body['bundle'] as { url: string };
    expect((await call('DELETE', `/v1/sessions/${source}`, { key: bank.identityKey })).status).toBe(200);
    expect((await call('GET', new URL(url).pathname)).status).toBe(404);
    expect(await Share.countDocuments({ sessionId: source })).toBe(0);
  });
});
