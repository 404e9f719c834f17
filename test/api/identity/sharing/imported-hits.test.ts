import { AmlHit } from '../../../../models/identity/aml/aml-hit';
import { call } from '../../../support/client';
import {
  createSession,
  getSession,
  parseSession,
  postDecision,
  postLiveness,
} from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { createSharingFixture } from '../../../support/identity/sharing';
import type { SharingFixture } from '../../../support/identity/sharing';
import { importOwnList } from '../../../support/identity/watch-lists';
import { pollUntilFound } from '../../../support/poll';
import { loadTestImage } from '../../../support/record-factories';
import { closeTestPlatform } from '../../../support/tenant';
import { getHits } from '../../../support/identity/hits';

const EXPECTED = { firstName: 'Ottilie', lastName: 'Vandersmissen', dateOfBirth: '1977-05-06' };

let fixture: SharingFixture;
let sessionId: string;

beforeAll(async () => {
  fixture = await createSharingFixture();
  const { bank } = fixture;
  const entry = { type: 'person', name: 'Ottilie Vandersmissen', datesOfBirth: '1977-05-06' };
  await importOwnList(bank.organisationId, [
    { ...entry, id: 'S1' },
    { ...entry, id: 'S2' },
  ]);
  const created = await createSession(bank.identityKey, { features: ['liveness', 'aml'], expected: EXPECTED });
  sessionId = created.id;
  await postLiveness(bank.identityKey, { sessionId, image: await loadTestImage() });
  const screened = await pollUntilFound(async () => {
    const now = await getSession(bank.identityKey, sessionId);
    return now.results.aml === null || now.results.aml === undefined ? undefined : now;
  });
  expect(getHits(screened)).toHaveLength(2);
  await review(bank.identityKey, getHits(screened)[0]?.id);
  const json = { decision: 'approve', override: true, reason: 'Known customer.' };
  expect((await postDecision(bank.identityKey, sessionId, json)).status).toBe(200);
});
afterAll(closeTestPlatform);

const review = (key: string, hitId: string | undefined) =>
  call('POST', `/v1/aml/hits/${hitId ?? ''}/review`, {
    key,
    json: { status: 'false_positive', reason: 'Another person.' },
  });

const importSession = async (options: object = {}): Promise<Session> =>
  parseSession(await fixture.importShare(await fixture.createShareToken({}, sessionId), options), 201);

test('hits of an imported session are reviewed by the importer, apart from those of the owner', async () => {
  const { bank, lender } = fixture;
  const before = getHits(await getSession(bank.identityKey, sessionId));
  const imported = await importSession();
  const [excluded, counted] = getHits(imported);
  expect(getHits(imported).map(({ entryId }) => entryId)).toEqual(before.map(({ entryId }) => entryId));
  expect(before.map(({ id }) => id)).not.toContain(counted?.id);
  expect([excluded?.reviewStatus, excluded?.review]).toEqual(['false_positive', null]);
  expect((await review(bank.identityKey, counted?.id)).status).toBe(404);

  const reviewed = await review(lender.identityKey, counted?.id);
  expect([reviewed.status, reviewed.body['error']]).toEqual([200, undefined]);
  const after = await getSession(lender.identityKey, imported.id);
  expect(after.status).toBe('in_review');
  expect(after.results.aml).toMatchObject({ match: false, score: 0 });
  expect(getHits(after)[1]).toMatchObject({ id: counted?.id, reviewStatus: 'false_positive' });
  expect(after.risks.map(({ code }) => code)).not.toContain('aml_match');
  expect(getHits(await getSession(bank.identityKey, sessionId))).toEqual(before);
});

test('a trusted import keeps its approval when one of its hits is reviewed', async () => {
  const imported = await importSession({ trustReview: true });
  expect(imported.status).toBe('approved');
  expect((await review(fixture.lender.identityKey, getHits(imported)[1]?.id)).status).toBe(200);
  const after = await getSession(fixture.lender.identityKey, imported.id);
  expect([after.status, getHits(after)[1]?.reviewStatus]).toEqual(['approved', 'false_positive']);
});

test('a repeated import records the hits once, and the erasure of the session removes them', async () => {
  const { lender } = fixture;
  const json = { shareToken: await fixture.createShareToken({}, sessionId) };
  const options = { key: lender.identityKey, json, headers: { 'Idempotency-Key': 'import-hits' } };
  const first = parseSession(await call('POST', '/v1/sessions/import', options), 201);
  const second = parseSession(await call('POST', '/v1/sessions/import', options), 201);
  expect(getHits(second)).toEqual(getHits(first));
  expect((await fixture.importShare(json.shareToken)).status).toBe(409);
  const filter = { organisationId: lender.organisationId, recordId: first.id };
  expect(await AmlHit.countDocuments(filter)).toBe(2);
  expect((await call('DELETE', `/v1/sessions/${first.id}`, { key: lender.identityKey })).status).toBe(200);
  await pollUntilFound(async () => ((await AmlHit.countDocuments(filter)) === 0 ? true : undefined));
});

test('hits of a session that was imported from a bundle are reviewed, too', async () => {
  const { lender } = fixture;
  const shared = await fixture.share({ bundle: true }, sessionId);
  const { url } = shared.body['bundle'] as { url: string };
  const { bytes } = await call('GET', new URL(url).pathname);
  const form = { bundle: { body: bytes } };
  const imported = parseSession(
    await call('POST', '/v1/sessions/import/bundle', { key: lender.identityKey, form }),
    201,
  );
  expect((await review(lender.identityKey, getHits(imported)[1]?.id)).status).toBe(200);
});
