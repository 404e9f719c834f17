import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sha256Hex } from '../../../../lib/crypto/secrets';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { Audit } from '../../../../models/platform/audit/audit';
import { Session } from '../../../../models/identity/sessions/session';
import { Share } from '../../../../models/identity/sharing/share';
import { importSession } from '../../../../services/identity/sharing/import';
import { getApiUrl, call } from '../../../support/client';
import { parseSession, postDecision, listEventTypes, getSession } from '../../../support/identity/identity';
import { getStatusAndCode, CONSENT, createSharingFixture } from '../../../support/identity/sharing';
import type { SharingFixture } from '../../../support/identity/sharing';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

let bank: SharingFixture['bank'];
let lender: SharingFixture['lender'];
let images: SharingFixture['images'];
let sessionId: SharingFixture['sessionId'];
let createApprovedSession: SharingFixture['createApprovedSession'];
let createShareToken: SharingFixture['createShareToken'];
let trust: SharingFixture['trust'];
let importShare: SharingFixture['importShare'];

beforeAll(async () => {
  ({ bank, lender, images, sessionId, createApprovedSession, createShareToken, importShare, trust } =
    await createSharingFixture());
});
afterAll(closeTestPlatform);

const countAudited = async (organisationId: string, action: string): Promise<number> =>
  Audit.countDocuments({ organisationId, action });

describe('an import', () => {
  test('copies the results into a session in review, without how the other organisation uses them', async () => {
    const before = await getSession(bank.identityKey, sessionId);
    const session = parseSession(await importShare(await createShareToken()), 201);
    expect(before.expected).toEqual({ firstName: 'Anna Maria', lastName: 'Eriksson' });
    expect(session).toMatchObject({
      status: 'in_review',
      expected: null,
      externalId: null,
      metadata: null,
      contact: null,
      decision: null,
      evidence: [],
      imported: {
        issuer: getApiUrl(),
        organisation: { id: bank.organisationId, name: 'Bank' },
        trusted: false,
        include: [],
        consent: { text: CONSENT },
      },
    });
    expect(session.id).not.toBe(sessionId);
    expect(session.results.document).toMatchObject({ documentNumber: 'L898902C3', status: 'approved' });
    expect(session.steps[0]?.checkIds).not.toEqual(before.steps[0]?.checkIds);
    expect(await listEventTypes(session.id)).toEqual(['session.review']);
  });

  test('is decided by the importer’s reviewer like any other session', async () => {
    const session = parseSession(await importShare(await createShareToken()), 201);
    const decided = await postDecision(lender.identityKey, session.id, {
      decision: 'approve',
      reason: 'Known customer.',
    });
    expect(decided.status).toBe(200);
    expect((await getSession(lender.identityKey, session.id)).status).toBe('approved');
  });

  test('copies included images under a key of the new session', async () => {
    const session = parseSession(await importShare(await createShareToken({ include: ['images', 'contact'] })), 201);
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

  test('survives the erasure of the shared session', async () => {
    const source = await createApprovedSession();
    const session = parseSession(await importShare(await createShareToken({ include: ['images'] }, source)), 201);
    expect((await call('DELETE', `/v1/sessions/${source}`, { key: bank.identityKey })).status).toBe(200);
    const link = await call('GET', `/v1/sessions/${session.id}/evidence/${session.evidence[0]?.id ?? ''}`, {
      key: lender.identityKey,
    });
    expect((await call('GET', new URL(String(link.body['url'])).pathname)).status).toBe(200);
  });

  test('with trustReview accepts the approval if the key is permitted to', async () => {
    const session = parseSession(await importShare(await createShareToken(), { trustReview: true }), 201);
    expect(session).toMatchObject({ status: 'approved', imported: { trusted: true } });
    expect(session.decision).toMatchObject({ outcome: 'approved', decidedBy: 'rules' });
    expect(await listEventTypes(session.id)).toEqual(['session.completed']);
    const careful = await lender.createIdentityKey(['sessions:import', 'sessions:read']);
    const rejected = await importShare(await createShareToken(), { trustReview: true }, careful);
    expect(rejected.status).toBe(403);
    expect(JSON.stringify(rejected.body)).toContain('sessions:trust-import');
  });

  test('adopts approvals only of organisations that the importer has named, with its permission', async () => {
    const path = '/v1/sharing/trusted-organisations';
    const read = () => call('GET', path, { key: lender.identityKey });
    expect((await read()).body['organisations']).toEqual([{ id: bank.organisationId, name: 'Bank' }]);
    expect((await trust([])).status).toBe(200);
    const token = await createShareToken();
    expect(getStatusAndCode(await importShare(token, { trustReview: true }))).toEqual([403, 'issuer_not_trusted']);
    const unpermitted = await lender.createIdentityKey(['sharing:read', 'sessions:trust-import']);
    const json = { organisationIds: [bank.organisationId] };
    const refused = await call('PUT', '/v1/sharing/trusted-organisations', { key: unpermitted, json });
    expect([refused.status, refused.body['error']]).toMatchObject([403, { details: { permission: 'sharing:trust' } }]);
    const unknown = await trust(['org_01JQZ4A7C9E1G3J5M7P9R1T3V5']);
    expect(getStatusAndCode(unknown)).toEqual([400, 'invalid_request']);
    expect((await trust([bank.organisationId])).status).toBe(200);
    expect(parseSession(await importShare(token, { trustReview: true }), 201).status).toBe('approved');
    expect(await countAudited(lender.organisationId, 'organisation.trust_changed')).toBe(3);
  });

  test('a test key changes only which organisations are trusted in test mode', async () => {
    const path = '/v1/sharing/trusted-organisations';
    const testKey = await lender.createIdentityKey(['sharing:read', 'sharing:trust'], { mode: 'test' });
    const listIds = async (key: string) => {
      const { organisations } = (await call('GET', path, { key })).body as { organisations: { id: string }[] };
      return organisations.map(({ id }) => id);
    };
    expect(await listIds(testKey)).toEqual([]);
    expect((await trust([lender.organisationId], testKey)).status).toBe(200);
    expect([await listIds(testKey), await listIds(lender.identityKey)]).toEqual([
      [lender.organisationId],
      [bank.organisationId],
    ]);
  });

  test('of a declined session requires a review, trusted or not', async () => {
    const source = await createApprovedSession();
    const json = { decision: 'decline', override: true, reason: 'Lost passport.' };
    expect((await postDecision(bank.identityKey, source, json)).status).toBe(200);
    const session = parseSession(await importShare(await createShareToken({}, source), { trustReview: true }), 201);
    expect(session.status).toBe('in_review');
  });

  test('is recorded and audited on both sides, with the consent', async () => {
    const before = await countAudited(bank.organisationId, 'session.share_imported');
    const token = await createShareToken();
    const session = parseSession(await importShare(token), 201);
    const { jti } = jwt.decode(token) as { jti: string };
    expect(await Share.findById(jti).lean()).toMatchObject({
      consentText: CONSENT,
      consumedAt: expect.any(Date) as Date,
    });
    expect(await countAudited(bank.organisationId, 'session.share_imported')).toBe(before + 1);
    const rows = await Audit.find({ organisationId: lender.organisationId, subject: session.id }).lean();
    expect(rows.map(({ action }) => action)).toContain('session.imported');
    expect(JSON.stringify(rows)).not.toContain('Anna');
  });

  test('happens once per token, even with simultaneous requests', async () => {
    const token = await createShareToken();
    const responses = await Promise.all([importShare(token), importShare(token), importShare(token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(getStatusAndCode(await importShare(token))).toEqual([409, 'share_used']);
  });

  test('repeated with its Idempotency-Key returns the same session', async () => {
    const shareToken = await createShareToken();
    const options = { key: lender.identityKey, json: { shareToken }, headers: { 'Idempotency-Key': 'import-1' } };
    const first = parseSession(await call('POST', '/v1/sessions/import', options), 201);
    const second = parseSession(await call('POST', '/v1/sessions/import', options), 201);
    expect(second.id).toBe(first.id);
  });

  test('of a token for another organisation is rejected', async () => {
    const stranger = await createIdentityTenant('Stranger');
    const token = await createShareToken({ audience: lender.organisationId });
    expect(getStatusAndCode(await importShare(token, {}, stranger.identityKey))).toEqual([403, 'wrong_audience']);
    expect((await importShare(token)).status).toBe(201);
  });

  test('into another mode is rejected', async () => {
    const sandbox = await lender.createIdentityKey(['sessions:import'], { mode: 'test' });
    expect(getStatusAndCode(await importShare(await createShareToken(), {}, sandbox))).toEqual([403, 'wrong_audience']);
  });

  test('of an expired token, or of a session erased since, is rejected as gone', async () => {
    const platform = await getTestPlatform();
    const token = await createShareToken({ ttlSeconds: 60 });
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

    const source = await createApprovedSession();
    const orphan = await createShareToken({}, source);
    expect((await call('DELETE', `/v1/sessions/${source}`, { key: bank.identityKey })).status).toBe(200);
    expect(getStatusAndCode(await importShare(orphan))).toEqual([410, 'share_gone']);
  });

  test('while the store fails is not reported as erased, so that the client tries again', async () => {
    const [platform, shareToken] = [await getTestPlatform(), await createShareToken()];
    const failure = new Error('no connection');
    const findOne = jest.spyOn(Session, 'findOne').mockImplementationOnce(() => {
      throw failure;
    });
    const imported = importSession(
      platform,
      { organisationId: lender.organisationId, mode: 'live' },
      { id: 'key_test', permissions: new Set<string>() },
      { shareToken },
      { trustReview: false },
      undefined,
    );
    await expect(imported).rejects.toBe(failure);
    findOne.mockRestore();
  });

  test('of a token that was altered, signed by another key or unsigned is rejected', async () => {
    const [head = '', payload = '', signature = ''] = (await createShareToken()).split('.');
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
    for (const token of hostile) expect(getStatusAndCode(await importShare(token))).toEqual([400, 'invalid_request']);
  });
});
