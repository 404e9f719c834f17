import { Check, isCheckOfKind } from '../../../../models/identity/checks/check';
import type { CheckRecord } from '../../../../models/identity/checks/check';
import { loadPortrait } from '../../../../scripts/demo/photos';
import { completeCheck } from '../../../../services/identity/checks/check-results';
import { call } from '../../../support/client';
import {
  createSession,
  getSession,
  listSessions,
  parseCheck,
  postDocument,
  waitForCheck,
} from '../../../support/identity/identity';
import { drawSpecimen } from '../../../support/identity/specimens';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

/** A passport of Kosovo, whose code on documents is not one of ISO 3166-1. */
const PASSPORT = {
  documentCode: 'P',
  issuingState: 'RKS',
  name: 'KRASNIQI<<ARTA',
  documentNumber: 'P00417729',
  nationality: 'RKS',
  dateOfBirth: '900214',
  sex: 'F',
  expiryDate: '330314',
};

let image: Buffer;
let otherImage: Buffer;

beforeAll(async () => {
  const portrait = await loadPortrait('anna');
  ({ image } = await drawSpecimen({ format: 'TD3', content: PASSPORT, portrait }));
  const other = { ...PASSPORT, issuingState: 'EST', nationality: 'EST' };
  ({ image: otherImage } = await drawSpecimen({ format: 'TD3', content: other, portrait }));
});
afterAll(closeTestPlatform);

test.each(['XK', 'XKK', 'XKX', 'RKS'])('a passport of Kosovo is of the country %s', async (country) => {
  const { identityKey: key } = await createIdentityTenant('Kosovo');
  const acceptedDocuments = [{ type: 'passport', countries: [country] }];
  const workflow = await call('POST', '/v1/sessions/workflows', { key, json: { name: 'Kosovo', acceptedDocuments } });
  const { id: workflowId } = workflow.body['workflow'] as { id: string };
  const blocked = { documentNumber: PASSPORT.documentNumber, issuingState: country };
  expect((await call('POST', '/v1/blocklist/documents', { key, json: blocked })).status).toBe(201);

  const expected = { country, nationality: country };
  const { id: sessionId } = await createSession(key, { workflowId, features: ['id'], expected });
  const { id } = parseCheck(await postDocument(key, { sessionId, frontImage: { body: image } }, {}, '?wait=60'));
  await waitForCheck(key, id);

  const session = await getSession(key, sessionId);
  expect(session).toMatchObject({ country: 'XKK', results: { document: { issuingState: 'XKK', nationality: 'XKK' } } });
  const codes = session.risks.map(({ code }) => code);
  expect(codes).toContain('document_in_blocklist');
  expect(codes).not.toContain('expected_country_mismatch');
  expect(codes).not.toContain('document_not_accepted');
  expect((await listSessions(key, `?country=${country}`)).sessions.map((found) => found.id)).toEqual([sessionId]);
});

test('the country of a session is that of its last document, also if an earlier one ends after it', async () => {
  const { identityKey: key } = await createIdentityTenant('Two documents');
  const { id: sessionId } = await createSession(key, { features: ['id', 'liveness'] });
  const submit = async (body: Buffer): Promise<string> => {
    const { id } = parseCheck(await postDocument(key, { sessionId, frontImage: { body } }, {}, '?wait=60'));
    await waitForCheck(key, id);
    return id;
  };
  const first = await submit(image);
  await submit(otherImage);
  expect((await getSession(key, sessionId)).country).toBe('EST');

  const platform = await getTestPlatform();
  const check = await Check.findById(first).lean<CheckRecord>().orFail();
  if (!isCheckOfKind(check, 'id_verification') || check.result === null) throw new Error('the check has no result');
  await Check.updateOne({ _id: first }, { $set: { status: 'processing' } });
  await completeCheck(platform, 'id_verification', check, { ...check.result, risks: check.risks, status: 'approved' });
  expect(await getSession(key, sessionId)).toMatchObject({
    country: 'EST',
    results: { document: { issuingState: 'EST' } },
  });
});
