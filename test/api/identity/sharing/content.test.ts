import { call } from '../../../support/client';
import {
  createFacelessImage,
  createSession,
  getSession,
  parseSession,
  postDecision,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { createSharingFixture } from '../../../support/identity/sharing';
import type { SharingFixture } from '../../../support/identity/sharing';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform } from '../../../support/tenant';
import { importOwnList } from '../../../support/identity/watch-lists';
import { getHits } from '../../../support/identity/hits';

let fixture: SharingFixture;

beforeAll(async () => {
  fixture = await createSharingFixture();
});
afterAll(closeTestPlatform);

const shareAndImport = async (sessionId: string): Promise<Session> =>
  parseSession(await fixture.importShare(await fixture.createShareToken({}, sessionId)), 201);

test('a share has no reviews of hits by reviewers of the sharing organisation', async () => {
  const { bank } = fixture;
  const name = 'Ottilie Vandersmissen';
  await importOwnList(bank.organisationId, [{ id: 'S1', type: 'person', name }]);
  const expected = { firstName: 'Ottilie', lastName: 'Vandersmissen' };
  const { id } = await createSession(bank.identityKey, { features: ['liveness', 'aml'], expected });
  const image = { body: await createFacelessImage() };
  await postLiveness(bank.identityKey, { sessionId: id, image });
  const [hit] = await pollUntilFound(async () => {
    const now = await getSession(bank.identityKey, id);
    return now.results.aml == null ? undefined : getHits(now);
  });
  const json = { status: 'false_positive', reason: 'Known to our branch in Lyon.' };
  expect((await call('POST', `/v1/aml/hits/${hit?.id}/review`, { key: bank.identityKey, json })).status).toBe(200);
  expect((await postDecision(bank.identityKey, id, { decision: 'decline' })).status).toBe(200);

  const imported = await shareAndImport(id);
  expect(imported.results.aml).toMatchObject({ match: false, score: 0 });
  expect(getHits(imported)).toMatchObject([{ entryId: 'S1', reviewStatus: 'false_positive', review: null }]);
});

test('a share names no other records of the sharing organisation', async () => {
  const { bank, images } = fixture;
  const json = { documentNumber: 'L898902C3', issuingState: 'UTO' };
  expect((await call('POST', '/v1/blocklist/documents', { key: bank.identityKey, json })).status).toBe(201);
  const { id } = await createSession(bank.identityKey, { features: ['id'] });
  await postDocument(bank.identityKey, { sessionId: id, frontImage: images.passport });
  const declined = await waitForStatus(bank.identityKey, id, 'declined');
  expect(declined.risks.map(({ details }) => String(details?.['entry']))).toEqual([expect.stringMatching(/^blk_/)]);

  const imported = await shareAndImport(id);
  expect(imported.risks).toMatchObject([{ code: 'document_in_blocklist', details: {} }]);
  expect(JSON.stringify(imported)).not.toContain('blk_');
});
