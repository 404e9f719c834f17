import { DocumentUses } from '../../../../models/identity/documents/document-use';
import { loadPortrait } from '../../../../scripts/demo/photos';
import { photographPages } from '../../../../scripts/demo/specimen';
import { createFingerprinter } from '../../../../services/identity/documents/document-fingerprints';
import { findChromium } from '../../../support/chromium';
import { call } from '../../../support/client';
import { composeAamva } from '../../../support/identity/aamva';
import { buildLicenceBack, buildLicenceFront } from '../../../support/identity/cards';
import { createSession, parseCheck, postDocument } from '../../../support/identity/identity';
import type { Check } from '../../../support/identity/identity';
import { listRiskCodes } from '../../../support/identity/risk-codes';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

const BLOCKLIST_PATH = '/v1/blocklist/documents';
const DOCUMENT = { documentNumber: 'Y4217906', issuingState: 'USA' };
const TEXAS = '636015';

type State = 'CA' | 'TX';

const backs: Record<State, Buffer> = { CA: Buffer.alloc(0), TX: Buffer.alloc(0) };
let front: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  const pages = [
    buildLicenceFront(await loadPortrait('anna')),
    await buildLicenceBack(),
    await buildLicenceBack(composeAamva({ issuerId: TEXAS })),
  ];
  const [drawn, california, texas] = await photographPages(pages, { chromiumPath: await findChromium() });
  front = drawn ?? front;
  backs.CA = california ?? backs.CA;
  backs.TX = texas ?? backs.TX;
});
afterAll(closeTestPlatform);

/** The risks of a licence by its history, shown by a person. */
async function present(
  key: string,
  externalId: string,
  state: State | null,
): Promise<{ check: Check; codes: string[] }> {
  const { id: sessionId } = await createSession(key, { features: ['id'], externalId });
  const back = state === null ? {} : { backImage: { body: backs[state] } };
  const check = parseCheck(await postDocument(key, { sessionId, frontImage: { body: front }, ...back }));
  const codes = listRiskCodes(check).filter(
    (code) => code === 'duplicate_document' || code === 'document_in_blocklist',
  );
  return { check, codes };
}

describe('licences of two states with one number', () => {
  test('are two documents, each of which is a duplicate for another person', async () => {
    const { identityKey, organisationId } = await createIdentityTenant('Licences');
    expect((await present(identityKey, 'customer-1', 'CA')).codes).toEqual([]);
    expect((await present(identityKey, 'customer-2', 'TX')).codes).toEqual([]);
    expect((await present(identityKey, 'customer-3', 'CA')).codes).toEqual(['duplicate_document']);
    expect(await DocumentUses.countDocuments({ organisationId })).toBe(2);
  });

  test('that an earlier version has recorded as one document are distinguished by their barcodes', async () => {
    const { identityKey, organisationId } = await createIdentityTenant('Earlier licences');
    const scope = { organisationId, mode: 'live' } as const;
    await present(identityKey, 'customer-1', 'CA');
    const fingerprint = (await createFingerprinter(await getTestPlatform(), scope)).compute(DOCUMENT);
    expect((await DocumentUses.updateOne(scope, { $set: { fingerprint } })).modifiedCount).toBe(1);
    expect((await present(identityKey, 'customer-2', 'TX')).codes).toEqual([]);
    expect((await present(identityKey, 'customer-3', 'CA')).codes).toEqual(['duplicate_document']);
  });

  test('are blocked by session one by one, also without the back, and by number both', async () => {
    const { identityKey: key } = await createIdentityTenant('Blocked licences');
    const { check } = await present(key, 'customer-1', 'CA');
    const entry = await call('POST', BLOCKLIST_PATH, { key, json: { sessionId: check.sessionId } });
    expect(entry).toMatchObject({ status: 201, body: { document: { issuingState: 'USA' } } });
    expect((await present(key, 'customer-1', 'CA')).codes).toEqual(['document_in_blocklist']);
    expect((await present(key, 'customer-1', null)).codes).toEqual(['document_in_blocklist']);
    expect((await present(key, 'customer-2', 'TX')).codes).toEqual([]);
    // Entries of earlier versions have this form, too.
    expect((await call('POST', BLOCKLIST_PATH, { key, json: DOCUMENT })).status).toBe(201);
    expect((await present(key, 'customer-2', 'TX')).codes).toEqual(['document_in_blocklist']);
    const again = await call('POST', BLOCKLIST_PATH, { key, json: { checkId: check.id } });
    expect(again.body).toMatchObject({ error: { code: 'already_blocked' } });
  });
});
