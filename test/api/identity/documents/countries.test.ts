import { loadPortrait } from '../../../../scripts/demo/photos';
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
import { closeTestPlatform, createTenant } from '../../../support/tenant';

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

beforeAll(async () => {
  const portrait = await loadPortrait('anna');
  ({ image } = await drawSpecimen({ format: 'TD3', content: PASSPORT, portrait }));
});
afterAll(closeTestPlatform);

test.each(['XK', 'XKK', 'XKX', 'RKS'])('a passport of Kosovo is of the country %s', async (country) => {
  const { identityKey: key } = await createTenant('Kosovo');
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
