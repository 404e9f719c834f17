import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { sha256Hex } from '../../lib/crypto/secrets';
import { Evidence } from '../../models/platform/evidence';
import { Audit } from '../../models/platform/audit';
import { Share } from '../../models/identity/share';
import { SigningKey } from '../../models/platform/signing-key';
import { importSession } from '../../services/identity/sharing/import';
import type { TrustedIssuer } from '../../lib/trusted-issuers';
import { apiUrl, call } from '../support/client';
import type { Answer } from '../support/client';
import {
  asCheck,
  asSession,
  createSession,
  decide,
  eventsOf,
  getSession,
  postDocument,
  untilStatus,
} from '../support/identity';
import { closeTestPlatform, createTenant, testPlatform } from '../support/tenant';
import type { Tenant } from '../support/tenant';

const CONSENT = 'I, Anna Eriksson, agree that Lender receives my verification.';

let bank: Tenant;
let lender: Tenant;
let images: DemoImages;
let sessionId: string;

beforeAll(async () => {
  bank = await createTenant('Bank');
  lender = await createTenant('Lender');
  images = await makeDemoImages();
  sessionId = await approved();
});
afterAll(closeTestPlatform);

/** A session of the bank that its passport got approved. */
async function approved(options: object = {}): Promise<string> {
  const { id } = await createSession(bank.identityKey, {
    features: ['id'],
    externalId: 'bank-internal-17',
    metadata: { branch: 'Lyon' },
    contact: { email: 'anna@example.com' },
    ...options,
  });
  asCheck(await postDocument(bank.identityKey, { sessionId: id, frontImage: images.passport }));
  await untilStatus(bank.identityKey, id, 'approved');
  return id;
}

const share = (json: object = {}, id = sessionId, key = bank.identityKey): Promise<Answer> =>
  call('POST', `/v1/sessions/${id}/share`, { key, json: { consentText: CONSENT, ...json } });

async function tokenOf(json: object = {}, id = sessionId): Promise<string> {
  const answer = await share(json, id);
  expect([answer.status, answer.body['error']]).toEqual([201, undefined]);
  return String(answer.body['shareToken']);
}

const take = (shareToken: string, json: object = {}, key = lender.identityKey): Promise<Answer> =>
  call('POST', '/v1/sessions/import', { key, json: { shareToken, ...json } });

const codeOf = ({ status, body }: Answer): [number, string] => [status, (body['error'] as { code: string }).code];

const audited = async (organisationId: string, action: string): Promise<number> =>
  Audit.countDocuments({ organisationId, action });

describe('a share token', () => {
  test('says issuer, audience, id and expiry, and nothing else; the published key verifies it', async () => {
    const token = await tokenOf({ ttlSeconds: 60 });
    const [head = '', payload = '', signature = ''] = token.split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    const claims = read(payload) as Record<string, unknown>;
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iss', 'jti']);
    expect(claims).toMatchObject({ iss: apiUrl(), aud: apiUrl() });
    const { body } = await call('GET', '/.well-known/jwks.json');
    const { kid, alg } = read(head) as { kid: string; alg: string };
    expect(alg).toBe('ES256');
    const jwk = (body['keys'] as { kid: string; x: string; y: string; d?: string }[]).find((key) => key.kid === kid);
    expect(jwk).not.toHaveProperty('d');
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: jwk?.x ?? '', y: jwk?.y ?? '' }, format: 'jwk' });
    const signed = Buffer.from(`${head}.${payload}`);
    const encoding = { key, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', signed, encoding, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  test('is signed with a key that lies sealed', async () => {
    await tokenOf();
    const keys = await SigningKey.find().lean();
    expect(keys).toHaveLength(1);
    expect(Buffer.from(keys[0]?.sealed.data ?? '', 'base64').toString('latin1')).not.toContain('PRIVATE');
  });

  test.each([
    [{ ttlSeconds: 59 }, 'ttlSeconds'],
    [{ ttlSeconds: 86_401 }, 'ttlSeconds'],
    [{ consentText: '  ' }, 'consentText'],
    [{ consentText: undefined }, 'consentText'],
    [{ include: ['everything'] }, 'include[0]'],
    [{ unknown: 1 }, 'unknown'],
  ])('is refused with %j, naming %s', async (json, field) => {
    const { status, body } = await share(json);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(`"field":"${field}"`);
  });

  test('is given for finished sessions only', async () => {
    const { id } = await createSession(bank.identityKey, { features: ['id'] });
    expect(codeOf(await share({}, id))).toEqual([409, 'session_not_finished']);
  });

  test('needs permissions of its own on both sides', async () => {
    const reader = await bank.identityKeyWith(['sessions:read', 'sessions:write', 'sessions:decide']);
    expect((await share({}, sessionId, reader)).status).toBe(403);
    expect((await take(await tokenOf(), {}, reader)).status).toBe(403);
  });
});

describe('an import', () => {
  test('copies what was found out into a session in review, and leaves out what is the other’s business', async () => {
    const before = await getSession(bank.identityKey, sessionId);
    const session = asSession(await take(await tokenOf()), 201);
    expect(session).toMatchObject({
      status: 'in_review',
      externalId: null,
      metadata: null,
      contact: null,
      decision: null,
      evidence: [],
      imported: { issuer: apiUrl(), trusted: false, include: [], consent: { text: CONSENT } },
    });
    expect(session.id).not.toBe(sessionId);
    expect(session.results.document).toMatchObject({ documentNumber: 'L898902C3', status: 'approved' });
    expect(session.steps[0]?.checkIds).not.toEqual(before.steps[0]?.checkIds);
    expect(await eventsOf(session.id)).toEqual(['session.review']);
  });

  test('is decided by the importer’s reviewer like any other session', async () => {
    const session = asSession(await take(await tokenOf()), 201);
    const decided = await decide(lender.identityKey, session.id, { decision: 'approve', reason: 'Known customer.' });
    expect(decided.status).toBe(200);
    expect((await getSession(lender.identityKey, session.id)).status).toBe('approved');
  });

  test('takes images where they were included, under a key of the new session', async () => {
    const session = asSession(await take(await tokenOf({ include: ['images', 'contact'] })), 201);
    expect(session.contact).toEqual({ email: 'anna@example.com' });
    expect(session.evidence).toMatchObject([{ field: 'frontImage', sha256: sha256Hex(images.passport.body) }]);
    const link = await call('GET', `/v1/sessions/${session.id}/evidence/${session.evidence[0]?.id ?? ''}`, {
      key: lender.identityKey,
    });
    const file = await call('GET', new URL(String(link.body['url'])).pathname);
    expect(sha256Hex(file.bytes)).toBe(sha256Hex(images.passport.body));
    const record = await Evidence.findById(session.evidence[0]?.id).lean();
    expect(record).toMatchObject({ organisationId: lender.organisationId, recordId: session.id });
  });

  test('outlives the erasure of the session it came from', async () => {
    const source = await approved();
    const session = asSession(await take(await tokenOf({ include: ['images'] }, source)), 201);
    expect((await call('DELETE', `/v1/sessions/${source}`, { key: bank.identityKey })).status).toBe(200);
    const link = await call('GET', `/v1/sessions/${session.id}/evidence/${session.evidence[0]?.id ?? ''}`, {
      key: lender.identityKey,
    });
    expect((await call('GET', new URL(String(link.body['url'])).pathname)).status).toBe(200);
  });

  test('with trustReview takes the approval over, where the key may', async () => {
    const session = asSession(await take(await tokenOf(), { trustReview: true }), 201);
    expect(session).toMatchObject({ status: 'approved', imported: { trusted: true } });
    expect(session.decision).toMatchObject({ outcome: 'approved', decidedBy: 'rules' });
    expect(await eventsOf(session.id)).toEqual(['session.completed']);
    const careful = await lender.identityKeyWith(['sessions:import', 'sessions:read']);
    const refused = await take(await tokenOf(), { trustReview: true }, careful);
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain('sessions:trust-import');
  });

  test('of a declined session goes to review, trusted or not', async () => {
    const source = await approved();
    const json = { decision: 'decline', override: true, reason: 'Lost passport.' };
    expect((await decide(bank.identityKey, source, json)).status).toBe(200);
    const session = asSession(await take(await tokenOf({}, source), { trustReview: true }), 201);
    expect(session.status).toBe('in_review');
  });

  test('is recorded and audited on both sides, with the consent it rests on', async () => {
    const before = await audited(bank.organisationId, 'session.share_imported');
    const token = await tokenOf();
    const session = asSession(await take(token), 201);
    const { jti } = jwt.decode(token) as { jti: string };
    expect(await Share.findById(jti).lean()).toMatchObject({
      consentText: CONSENT,
      consumedAt: expect.any(Date) as Date,
    });
    expect(await audited(bank.organisationId, 'session.share_imported')).toBe(before + 1);
    const rows = await Audit.find({ organisationId: lender.organisationId, subject: session.id }).lean();
    expect(rows.map(({ action }) => action)).toContain('session.imported');
    expect(JSON.stringify(rows)).not.toContain('Anna');
  });

  test('happens once for a token, also where several come at once', async () => {
    const token = await tokenOf();
    const answers = await Promise.all([take(token), take(token), take(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(codeOf(await take(token))).toEqual([409, 'share_used']);
  });

  test('repeated with its Idempotency-Key is the same session', async () => {
    const shareToken = await tokenOf();
    const options = { key: lender.identityKey, json: { shareToken }, headers: { 'Idempotency-Key': 'import-1' } };
    const first = asSession(await call('POST', '/v1/sessions/import', options), 201);
    const second = asSession(await call('POST', '/v1/sessions/import', options), 201);
    expect(second.id).toBe(first.id);
  });

  test('of a token for another organisation is refused', async () => {
    const stranger = await createTenant('Stranger');
    const token = await tokenOf({ audience: lender.organisationId });
    expect(codeOf(await take(token, {}, stranger.identityKey))).toEqual([403, 'wrong_audience']);
    expect((await take(token)).status).toBe(201);
  });

  test('into another mode is refused', async () => {
    const sandbox = await lender.identityKeyWith(['sessions:import'], { mode: 'test' });
    expect(codeOf(await take(await tokenOf(), {}, sandbox))).toEqual([403, 'wrong_audience']);
  });

  test('of an expired token, or of a session erased since, is refused as gone', async () => {
    const platform = await testPlatform();
    const token = await tokenOf({ ttlSeconds: 60 });
    const clock = { now: () => new Date(Date.now() + 61_000) };
    const scope = { organisationId: lender.organisationId, mode: 'live' } as const;
    const actor = { id: 'key_test', permissions: new Set<string>() };
    const late = importSession(
      { ...platform, clock },
      scope,
      actor,
      { shareToken: token },
      { trustReview: false },
      undefined,
    );
    await expect(late).rejects.toMatchObject({ status: 410, code: 'share_expired' });

    const source = await approved();
    const orphan = await tokenOf({}, source);
    expect((await call('DELETE', `/v1/sessions/${source}`, { key: bank.identityKey })).status).toBe(200);
    expect(codeOf(await take(orphan))).toEqual([410, 'share_gone']);
  });

  test('of a token that was altered, signed by another key or by none is refused', async () => {
    const [head = '', payload = '', signature = ''] = (await tokenOf()).split('.');
    const kid = (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }).kid;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string>;
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const published = ((await call('GET', '/.well-known/jwks.json')).body['keys'] as object[])[0];
    const hostile = [
      `${head}.${encode({ ...claims, aud: lender.organisationId })}.${signature}`,
      `${encode({ alg: 'none', kid })}.${payload}.`,
      `${head}.${payload}.`,
      jwt.sign(claims, privateKey, { algorithm: 'ES256', keyid: kid, noTimestamp: true }),
      // The public key as an HMAC secret: what a verifier that lets the token choose would accept.
      jwt.sign(claims, JSON.stringify(published), { algorithm: 'HS256', keyid: kid, noTimestamp: true }),
      jwt.sign({ ...claims, iss: 'https://evil.example' }, privateKey, { algorithm: 'ES256', keyid: kid }),
      'not a token',
    ];
    for (const token of hostile) expect(codeOf(await take(token))).toEqual([400, 'invalid_request']);
  });
});

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
