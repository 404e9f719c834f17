import { createHmac } from 'node:crypto';
import { formatDocumentIdentity } from '../../../../domain/identity/documents/document-identity';
import { newId } from '../../../../lib/ids';
import { BlockedDocument } from '../../../../models/identity/documents/blocked-document';
import { DocumentUses } from '../../../../models/identity/documents/document-use';
import { ensureDataKey } from '../../../../services/platform/evidence/data-keys';
import { call } from '../../../support/client';
import {
  parseCheck,
  createSession,
  createFacelessImage,
  postDocument,
  postLiveness,
} from '../../../support/identity/identity';
import type { Check } from '../../../support/identity/identity';
import { listRiskCodes } from '../../../support/identity/risk-codes';
import { makeSpecimenPassports } from '../../../support/identity/specimen-passports';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { pollUntilFound } from '../../../support/poll';

const BLOCKLIST_PATH = '/v1/blocklist/documents';

let tenant: IdentityTenant;
let key: string;
const passports: Buffer[] = [];

beforeAll(async () => {
  tenant = await createIdentityTenant('Documents');
  key = tenant.identityKey;
  passports.push(
    ...(await makeSpecimenPassports(
      {},
      { givenNames: 'Ingrid', dateOfBirth: '1985-02-02' },
      { documentNumber: 'B55512345' },
    )),
  );
});
afterAll(closeTestPlatform);

const getPassport = (index: number) => ({ body: passports[index] ?? Buffer.alloc(0) });

async function presentDocument(index: number, externalId?: string, as = key): Promise<Check> {
  const { id: sessionId } = await createSession(as, {
    features: ['id'],
    ...(externalId === undefined ? {} : { externalId }),
  });
  return parseCheck(await postDocument(as, { sessionId, frontImage: getPassport(index) }));
}

describe('a document used before', () => {
  test('is a duplicate for another person, but not for the same one', async () => {
    expect(listRiskCodes(await presentDocument(0, 'customer-1'))).toEqual([]);
    expect(listRiskCodes(await presentDocument(0, 'customer-1'))).toEqual([]);
    // Without an externalId the date of birth identifies the holder.
    expect(listRiskCodes(await presentDocument(0))).toEqual([]);
    const other = await presentDocument(0, 'customer-2');
    expect(other).toMatchObject({ outcome: 'review', risks: [{ code: 'duplicate_document', action: 'review' }] });
    expect(listRiskCodes(await presentDocument(1))).toEqual(['duplicate_document']);
  });

  test('is known only to its own organisation, by a keyed hash', async () => {
    const elsewhere = await createIdentityTenant('Elsewhere');
    expect(listRiskCodes(await presentDocument(0, 'customer-9', elsewhere.identityKey))).toEqual([]);
    const rows = await DocumentUses.find({}).lean();
    const [ownUse, otherUse] = [tenant, elsewhere].map(({ organisationId }) =>
      rows.find((row) => row.organisationId === organisationId),
    );
    expect(ownUse?.fingerprint).toMatch(/^=[0-9a-z]+:[\w-]{22}$/);
    expect(ownUse?.fingerprint).not.toBe(otherUse?.fingerprint);
    expect(JSON.stringify(rows)).not.toContain('X42K90617');
  });

  test('is erased with its session', async () => {
    const fresh = await createIdentityTenant('Forgetting');
    const check = await presentDocument(0, 'customer-1', fresh.identityKey);
    const erased = await call('DELETE', `/v1/sessions/${check.sessionId ?? ''}`, { key: fresh.identityKey });
    expect(erased.status).toBe(200);
    await waitUntilForgotten(fresh);
    expect(listRiskCodes(await presentDocument(0, 'customer-2', fresh.identityKey))).toEqual([]);
  });
});

const waitUntilForgotten = ({ organisationId }: IdentityTenant): Promise<true> =>
  pollUntilFound(async () => ((await DocumentUses.countDocuments({ organisationId })) === 0 ? true : undefined));

describe('the blocklist of documents', () => {
  test('declines a document until it is removed, and stores no number', async () => {
    const json = { documentNumber: 'b55512345', issuingState: 'UTO', reason: 'reported stolen' };
    const added = await call('POST', BLOCKLIST_PATH, { key, json });
    expect(added).toMatchObject({
      status: 201,
      body: { document: { hint: '••••••345', issuingState: 'UTO', reason: 'reported stolen' } },
    });
    expect((await call('POST', BLOCKLIST_PATH, { key, json })).body).toMatchObject({
      error: { code: 'already_blocked' },
    });
    expect(await presentDocument(2)).toMatchObject({
      outcome: 'declined',
      risks: [{ code: 'document_in_blocklist', action: 'decline' }],
    });
    expect(JSON.stringify(await BlockedDocument.find({ organisationId: tenant.organisationId }).lean())).not.toMatch(
      /B55512345/i,
    );

    const listed = await call('GET', BLOCKLIST_PATH, { key });
    expect(listed.body).toMatchObject({ ok: true, total: 1, nextCursor: null, documents: [added.body['document']] });
    const { id } = added.body['document'] as { id: string };
    const foreign = await createIdentityTenant('Foreign');
    expect((await call('DELETE', `${BLOCKLIST_PATH}/${id}`, { key: foreign.identityKey })).status).toBe(404);
    expect((await call('GET', BLOCKLIST_PATH, { key: foreign.identityKey })).body).toMatchObject({ total: 0 });
    expect((await call('DELETE', `${BLOCKLIST_PATH}/${id}`, { key })).body).toEqual({ ok: true, id, deleted: true });
    expect((await call('DELETE', `${BLOCKLIST_PATH}/${id}`, { key })).status).toBe(404);
    expect(listRiskCodes(await presentDocument(2))).toEqual([]);
  });

  test('adds a document by session or check without storing the reference', async () => {
    const own = await createIdentityTenant('Blocking by session');
    const presented = await presentDocument(0, 'customer-1', own.identityKey);
    const other = await presentDocument(2, 'customer-2', own.identityKey);
    const bySession = await call('POST', BLOCKLIST_PATH, {
      key: own.identityKey,
      json: { sessionId: presented.sessionId },
    });
    expect(bySession).toMatchObject({ status: 201, body: { document: { hint: '••••••617', issuingState: 'UTO' } } });
    const byCheck = await call('POST', BLOCKLIST_PATH, {
      key: own.identityKey,
      json: { checkId: other.id, reason: 'stolen' },
    });
    expect(byCheck).toMatchObject({ status: 201, body: { document: { hint: '••••••345', reason: 'stolen' } } });
    expect(listRiskCodes(await presentDocument(0, 'customer-1', own.identityKey))).toContain('document_in_blocklist');
    const kept = JSON.stringify(await BlockedDocument.find({ organisationId: own.organisationId }).lean());
    expect(kept).not.toContain(presented.sessionId);
    expect(kept).not.toContain(other.id);

    const again = await call('POST', BLOCKLIST_PATH, { key: own.identityKey, json: { checkId: presented.id } });
    expect(again.body).toMatchObject({ error: { code: 'already_blocked' } });
    for (const json of [{ sessionId: presented.sessionId }, { checkId: other.id }]) {
      expect(await call('POST', BLOCKLIST_PATH, { key, json })).toMatchObject({ status: 404 });
    }
  });

  test('applies entries of versions without wrapping keys', async () => {
    const { organisationId, identityKey } = await createIdentityTenant('Earlier entries');
    const scope = { organisationId, mode: 'live' } as const;
    const document = { documentNumber: 'B55512345', issuingState: 'UTO' };
    const recordId = `fingerprints.${organisationId}.live`;
    const { key: hashKey } = await ensureDataKey(await getTestPlatform(), scope, recordId);
    const hash = createHmac('sha256', hashKey).update(`document:${formatDocumentIdentity(document)}`);
    const content = { hint: '••••••345', issuingState: 'UTO', reason: null, createdBy: 'test', createdAt: new Date() };
    await BlockedDocument.create({ _id: newId('blk'), ...scope, ...content, fingerprint: hash.digest('hex') });
    expect(await call('POST', BLOCKLIST_PATH, { key: identityKey, json: document })).toMatchObject({
      status: 409,
      body: { error: { code: 'already_blocked' } },
    });
    expect(listRiskCodes(await presentDocument(2, undefined, identityKey))).toContain('document_in_blocklist');
  });

  test('rejects a check that read no document', async () => {
    const faceless = parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }));
    const unread = parseCheck(await postDocument(key, { frontImage: { body: await createFacelessImage() } }));
    const { id: empty } = await createSession(key, { features: ['id'] });
    for (const json of [{ checkId: faceless.id }, { checkId: unread.id }, { sessionId: empty }]) {
      expect(await call('POST', BLOCKLIST_PATH, { key, json })).toMatchObject({
        status: 409,
        body: { error: { code: 'document_not_read' } },
      });
    }
  });

  test.each([
    [{ documentNumber: 'X1', issuingState: 'UTO' }, 'three or more Latin letters or digits'],
    [{ documentNumber: 'X42K90617', issuingState: 'ZZ' }, 'issuingState'],
    [{ documentNumber: 'X42K90617' }, 'issuingState'],
    [{ issuingState: 'UTO' }, 'documentNumber'],
    [{ sessionId: 'ses_1' }, 'sessionId'],
    [{ documentNumber: 'X42K90617', issuingState: 'UTO', checkId: 'chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7' }, 'exactly one'],
  ])('refuses %j by its field', async (json, field) => {
    const { status, body } = await call('POST', BLOCKLIST_PATH, { key, json });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
  });
});
