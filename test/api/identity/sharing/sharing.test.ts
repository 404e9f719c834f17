import { createPublicKey, verify } from 'node:crypto';
import { Audit } from '../../../../models/platform/audit/audit';
import { SigningKey } from '../../../../models/platform/access/signing-key';
import { getApiUrl, call } from '../../../support/client';
import { createSession } from '../../../support/identity/identity';
import { getStatusAndCode, CONSENT, createSharingFixture } from '../../../support/identity/sharing';
import type { SharingFixture } from '../../../support/identity/sharing';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let bank: SharingFixture['bank'];
let lender: SharingFixture['lender'];
let sessionId: SharingFixture['sessionId'];
let createApprovedSession: SharingFixture['createApprovedSession'];
let share: SharingFixture['share'];
let createShareToken: SharingFixture['createShareToken'];
let importShare: SharingFixture['importShare'];

beforeAll(async () => {
  ({ bank, lender, sessionId, createApprovedSession, share, createShareToken, importShare } =
    await createSharingFixture());
});
afterAll(closeTestPlatform);

// Covers operations: shareSession
describe('a share token', () => {
  test('contains only issuer, audience, id and expiry; the published key verifies it', async () => {
    const token = await createShareToken({ ttlSeconds: 60 });
    const [head = '', payload = '', signature = ''] = token.split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    const claims = read(payload) as Record<string, unknown>;
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iss', 'jti']);
    expect(claims).toMatchObject({ iss: getApiUrl(), aud: getApiUrl() });
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

  test('is signed with a key that is stored sealed', async () => {
    await createShareToken();
    const keys = await SigningKey.find().lean();
    expect(keys.length).toBeGreaterThan(0);
    for (const { sealed } of keys) {
      expect(Buffer.from(sealed.data, 'base64').toString('latin1')).not.toContain('PRIVATE');
    }
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

  test.each([
    ['x'.repeat(4001), 'must have at most 4000 characters'],
    [' ', 'is required: what the person agreed to'],
    [7, 'must be a string'],
  ])('says what is wrong with the consent text, case %#', async (consentText, problem) => {
    const { body } = await share({ consentText });
    expect(body['error']).toMatchObject({ details: { fields: [{ field: 'consentText', problem }] } });
  });

  test('is issued for finished sessions only', async () => {
    const { id } = await createSession(bank.identityKey, { features: ['id'] });
    expect(getStatusAndCode(await share({}, id))).toEqual([409, 'session_not_finished']);
  });

  test('requires specific permissions on both sides', async () => {
    const reader = await bank.createIdentityKey(['sessions:read', 'sessions:write', 'sessions:decide']);
    expect((await share({}, sessionId, reader)).status).toBe(403);
    expect((await importShare(await createShareToken(), {}, reader)).status).toBe(403);
  });
});

describe('the audience of a share', () => {
  test.each([
    ['lender', 'accepts the id of an organisation'],
    ['', 'accepts the id of an organisation'],
    ['org_1', 'accepts the id of an organisation'],
    ['ftp://elsewhere.example', 'accepts the id of an organisation'],
    ['https://user:secret@elsewhere.example', 'accepts the id of an organisation'],
    ['https://elsewhere.example/?a=1', 'accepts the id of an organisation'],
    ['org_01JQZ4A7C9E1G3J5M7P9R1T3V5', 'is not an organisation of this installation'],
  ])('%j is refused, because no organisation could import the share', async (audience, problem) => {
    const { status, body } = await share({ audience });
    expect(status).toBe(400);
    const expected = { field: 'audience', problem: expect.stringContaining(problem) as string };
    expect(body['error']).toMatchObject({ code: 'invalid_request', details: { fields: [expected] } });
  });

  test('may be the address of another installation, which has no slash at its end', async () => {
    const { status, body } = await share({ audience: 'https://elsewhere.example:8443/vouch/' });
    expect([status, body['audience']]).toEqual([201, 'https://elsewhere.example:8443/vouch']);
  });
});

describe('the shares of a session', () => {
  const listShares = (id: string, query = '') =>
    call('GET', `/v1/sessions/${id}/shares${query}`, { key: bank.identityKey });
  const revoke = (id: string, shareId: string, key = bank.identityKey) =>
    call('DELETE', `/v1/sessions/${id}/shares/${shareId}`, { key });
  const createShare = async (id: string, json: object = {}): Promise<{ shareId: string; shareToken: string }> =>
    (await share(json, id)).body as { shareId: string; shareToken: string };

  test('are listed newest first with their status, and never with a token', async () => {
    const id = await createApprovedSession();
    const used = await createShare(id);
    const open = await createShare(id, { audience: lender.organisationId, include: ['images'] });
    expect((await importShare(used.shareToken)).status).toBe(201);
    const { body } = await listShares(id);
    expect(body).toMatchObject({
      total: 2,
      nextCursor: null,
      shares: [
        { id: open.shareId, status: 'open', audience: lender.organisationId, include: ['images'], usedAt: null },
        {
          id: used.shareId,
          status: 'used',
          consentText: CONSENT,
          usedAt: expect.any(String) as string,
          createdByName: 'Test',
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain(open.shareToken);
    const first = await listShares(id, '?limit=1');
    expect(first.body).toMatchObject({ shares: [{ id: open.shareId }], nextCursor: open.shareId });
    expect((await listShares(id, `?limit=1&cursor=${open.shareId}`)).body).toMatchObject({
      shares: [{ id: used.shareId }],
    });
  });

  test('cannot be imported once revoked, which is audited once', async () => {
    const id = await createApprovedSession();
    const { shareId, shareToken } = await createShare(id);
    expect((await revoke(id, shareId)).body).toMatchObject({
      share: { status: 'revoked', createdByName: 'Test' },
    });
    expect(getStatusAndCode(await importShare(shareToken))).toEqual([410, 'share_revoked']);
    const again = await revoke(id, shareId);
    expect(again.status).toBe(200);
    expect(await Audit.countDocuments({ subject: id, action: 'session.share_revoked' })).toBe(1);
    expect((await listShares(id)).body).toMatchObject({ shares: [{ id: shareId, status: 'revoked' }] });
  });

  test('have a bundle whose link ends when they are revoked, and no repeated request returns another', async () => {
    const id = await createApprovedSession();
    const request = {
      key: bank.identityKey,
      json: { consentText: CONSENT, include: ['images'], bundle: true },
      headers: { 'idempotency-key': `bundle-${id}` },
    };
    const created = await call('POST', `/v1/sessions/${id}/share`, request);
    const { shareId, bundle } = created.body as { shareId: string; bundle: { url: string } };
    const path = new URL(bundle.url).pathname;
    expect((await call('GET', path)).status).toBe(200);
    expect((await revoke(id, shareId)).status).toBe(200);
    expect((await call('GET', path)).status).toBe(404);
    const repeated = await call('POST', `/v1/sessions/${id}/share`, request);
    expect([repeated.status, repeated.body]).toMatchObject([201, { shareId, bundle: null }]);
  });

  test('are either imported or revoked, even with simultaneous requests', async () => {
    const id = await createApprovedSession();
    const { shareId, shareToken } = await createShare(id);
    const [taken, revoked] = await Promise.all([importShare(shareToken), revoke(id, shareId)]);
    expect([taken.status, revoked.status]).toEqual(taken.status === 201 ? [201, 409] : [410, 200]);
  });

  test('cannot be revoked once imported, nor by another organisation', async () => {
    const id = await createApprovedSession();
    const { shareId, shareToken } = await createShare(id);
    const stranger = await createIdentityTenant('Stranger');
    expect((await revoke(id, shareId, stranger.identityKey)).status).toBe(404);
    expect((await revoke(sessionId, shareId)).status).toBe(404);
    expect((await importShare(shareToken)).status).toBe(201);
    expect(getStatusAndCode(await revoke(id, shareId))).toEqual([409, 'share_used']);
  });
});
