import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { EFFECTS } from '../../../../domain/identity/aml/thresholds';
import { AmlHit } from '../../../../models/identity/aml/aml-hit';
import { Check, isCheckOfKind } from '../../../../models/identity/checks/check';
import type { CheckRecord } from '../../../../models/identity/checks/check';
import { loadPortrait, loadSelfie } from '../../../../scripts/demo/photos';
import { makePassports } from '../../../../scripts/demo/specimen';
import type { Holder } from '../../../../scripts/demo/specimen';
import { importList } from '../../../../services/identity/aml/import';
import { completeCheck } from '../../../../services/identity/checks/check-results';
import { findChromium } from '../../../support/chromium';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import {
  createSession,
  postDecision,
  createFacelessImage,
  getSession,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { drawSpecimen } from '../../../support/identity/specimens';
import { loadTestImage } from '../../../support/record-factories';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import { importOwnList, createMemorySource, buildOwnListCsv } from '../../../support/identity/watch-lists';
import { HOUR_MS } from '../../../../domain/durations';
import { pollUntilFound } from '../../../support/poll';
import { listRiskCodes } from '../../../support/identity/risk-codes';
import { getHits } from '../../../support/identity/hits';

afterAll(closeTestPlatform);

const EXPECTED = { firstName: 'Ottilie', lastName: 'Vandersmissen', dateOfBirth: '1977-05-06' };
const ENTRY = { id: 'S1', type: 'person', name: 'Ottilie Vandersmissen', datesOfBirth: '1977-05-06' };

/** Waits until the screening has a result. */
const waitForScreening = (key: string, id: string) =>
  pollUntilFound(async () => {
    const now = await getSession(key, id);
    const step = now.steps.find(({ feature }) => feature === 'aml');
    const isDone = step !== undefined && step.checkIds.length > 0 && step.status !== 'processing';
    return isDone ? { now, step } : undefined;
  });

/** Opens a session that screens whom it expects, by its first upload. */
async function createScreenedSession(key: string, expected: object, options: object = {}) {
  const session = await createSession(key, { features: ['liveness', 'aml'], expected, ...options });
  await postLiveness(key, { sessionId: session.id, image: await loadTestImage() });
  return waitForScreening(key, session.id);
}

/** Calls the first hit of a session a mistake. */
const review = (key: string, session: Session): Promise<ApiResponse> =>
  call('POST', `/v1/aml/hits/${getHits(session)[0]?.id}/review`, {
    key,
    json: { status: 'false_positive', reason: 'Another person.' },
  });

test('a session screens the person it expects, and a match sends it to review', async () => {
  const own = await createIdentityTenant('Session screening');
  await importOwnList(own.organisationId, [ENTRY]);
  const { now, step } = await createScreenedSession(own.identityKey, EXPECTED);
  expect(step.status).toBe('review');
  expect(now.results.aml).toMatchObject({ match: true, status: 'review', hits: [{ entryId: 'S1', list: 'own' }] });
  expect(listRiskCodes(now)).toContain('aml_match');
});

test('a session screens the name, date of birth and number that were read from the document', async () => {
  const own = await createIdentityTenant('Session with document');
  const holder: Holder = {
    surname: 'Vandersmissen',
    givenNames: 'Ottilie Rosalind',
    state: 'UTO',
    documentNumber: 'X42K90617',
    dateOfBirth: '1977-05-06',
    sex: 'F',
    issueDate: '2021-01-11',
    expiryDate: '2031-01-10',
    placeOfBirth: 'Zenith',
    portrait: await loadPortrait('anna'),
  };
  const [image = Buffer.alloc(0)] = await makePassports([holder], { chromiumPath: await findChromium() });
  const name = `${holder.givenNames} ${holder.surname}`;
  await importOwnList(own.organisationId, [
    { id: 'N1', type: 'person', name, datesOfBirth: holder.dateOfBirth },
    { id: 'N2', type: 'person', name: 'Known By Number', identifiers: holder.documentNumber },
    { id: 'N3', type: 'person', name: 'Unrelated Person' },
  ]);
  const { id: sessionId } = await createSession(own.identityKey, { features: ['id', 'aml'] });
  await postDocument(own.identityKey, { sessionId, frontImage: { body: image } });
  const { now } = await waitForScreening(own.identityKey, sessionId);
  const hits = getHits(now);
  expect(hits.map(({ entryId }) => entryId).sort()).toEqual(['N1', 'N2']);
  const named = hits.find(({ entryId }) => entryId === 'N1');
  expect(named?.explanation.map(({ part }) => part)).toEqual(expect.arrayContaining(['name', 'date_of_birth']));
  expect(hits.find(({ entryId }) => entryId === 'N2')?.explanation.map(({ part }) => part)).toContain('document');
  expect(listRiskCodes(now)).toContain('aml_match');
  expect(now.decision?.outcome ?? now.status).not.toBe('approved');
});

test('a document that leaves the day of birth open is screened with the year that it states', async () => {
  const own = await createIdentityTenant('Session without a day of birth');
  await importOwnList(own.organisationId, [ENTRY]);
  const content = {
    documentCode: 'P',
    issuingState: 'UTO',
    name: 'VANDERSMISSEN<<OTTILIE',
    documentNumber: 'X42K90618',
    nationality: 'UTO',
    dateOfBirth: '77<<<<',
    sex: 'F',
    expiryDate: '310110',
  };
  const { image } = await drawSpecimen({ format: 'TD3', content, portrait: await loadPortrait('anna') });
  const { id: sessionId } = await createSession(own.identityKey, { features: ['id', 'aml'] });
  await postDocument(own.identityKey, { sessionId, frontImage: { body: image } });
  const { now } = await waitForScreening(own.identityKey, sessionId);
  const date = getHits(now)[0]?.explanation.find(({ part }) => part === 'date_of_birth');
  expect(date).toMatchObject({ queryValue: '1977', effect: EFFECTS.sameYearOfBirth });
});

test('a matching name with a different date of birth is a possible match that requires a review', async () => {
  const own = await createIdentityTenant('Possible match');
  await importOwnList(own.organisationId, [{ ...ENTRY, datesOfBirth: '1950-01-01' }]);
  const { now, step } = await createScreenedSession(own.identityKey, EXPECTED);
  expect(step.status).toBe('review');
  expect(listRiskCodes(now)).toContain('aml_possible_match');
  expect(listRiskCodes(now)).not.toContain('aml_match');
});

test('a stale list is a risk of the session that names the list', async () => {
  const own = await createIdentityTenant('Stale list');
  const platform = await getTestPlatform();
  const before = new Date(platform.clock.now().getTime() - 100 * HOUR_MS);
  await importList(
    { ...platform, clock: { now: () => before } },
    {
      code: 'own',
      organisationId: own.organisationId,
      source: createMemorySource({
        'own.csv': buildOwnListCsv([{ id: 'S1', type: 'person', name: 'Unrelated Person' }]),
      }),
    },
  );
  const { now } = await createScreenedSession(own.identityKey, EXPECTED);
  expect(now.results.aml?.risks).toMatchObject([{ code: 'aml_list_stale', details: { lists: 'own' } }]);
  expect(now.results.aml?.listsSearched).toMatchObject([{ list: 'own', ageHours: 100, stale: true }]);
  expect(listRiskCodes(now)).toContain('aml_list_stale');
});

test('a name without a hit passes the step', async () => {
  const own = await createIdentityTenant('Session screening');
  await importOwnList(own.organisationId, [{ id: 'S1', type: 'person', name: 'Unrelated Person' }]);
  const { now, step } = await createScreenedSession(own.identityKey, EXPECTED);
  expect(step.status).toBe('passed');
  expect(now.results.aml).toMatchObject({ match: false, hits: [] });
});

test('without a list the step is not_run, which is never a pass', async () => {
  const own = await createIdentityTenant('Session without lists');
  const { now, step } = await createScreenedSession(own.identityKey, EXPECTED);
  expect(step.status).toBe('not_run');
  expect(now.results.aml).toBeNull();
  expect(now.status).not.toBe('approved');
});

test('a session without the name of a person fails the screening, which a reviewer has to decide on', async () => {
  const own = await createIdentityTenant('No name to screen');
  const key = own.identityKey;
  await importOwnList(own.organisationId, [ENTRY]);
  const { id } = await createSession(key, { features: ['liveness', 'aml'] });
  await postLiveness(key, { sessionId: id, image: { body: await loadSelfie('anna') } });
  const session = await waitForStatus(key, id, 'in_review');
  expect(session.steps.find(({ feature }) => feature === 'aml')?.status).toBe('not_run');
  expect(session.results.aml).toBeNull();
  const failure = { code: 'processing_failed', feature: 'aml', details: { reason: 'name_not_found' } };
  expect(session.risks).toMatchObject([failure]);
  const { body } = await call('GET', `/v1/checks?sessionId=${id}`, { key });
  expect(body['checks']).toContainEqual(
    expect.objectContaining({
      kind: 'aml_screening',
      status: 'failed',
      error: expect.objectContaining({ code: 'name_not_found' }) as object,
    }),
  );
});

describe('a hit of a session that a reviewer marks as a false positive', () => {
  const withNumber = (documentNumber: string) => ({ ...EXPECTED, documentNumber });

  /** An organisation whose list has the person of customer c-1, reviewed. */
  async function reviewed() {
    const own = await createIdentityTenant('Reviewed sessions');
    await importOwnList(own.organisationId, [ENTRY]);
    const { now } = await createScreenedSession(own.identityKey, withNumber('AA111111'), { externalId: 'c-1' });
    const response = await review(own.identityKey, now);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      match: false,
      score: 0,
      hit: { reviewStatus: 'false_positive', review: { byName: 'Test' } },
    });
    return { own, sessionId: now.id };
  }

  test('no longer counts in that session, which shows the review with its author and reason', async () => {
    const { own, sessionId } = await reviewed();
    const { now, step } = await waitForScreening(own.identityKey, sessionId);
    expect(step.status).toBe('passed');
    expect(listRiskCodes(now)).not.toContain('aml_match');
    const hits = [
      { entryId: 'S1', reviewStatus: 'false_positive', review: { reason: 'Another person.', byName: 'Test' } },
    ];
    expect(now.results.aml).toMatchObject({ match: false, score: 0, hits });
    const check = await call('GET', `/v1/checks/${String(now.results.aml?.checkId)}`, { key: own.identityKey });
    expect(check.body).toMatchObject({ check: { kind: 'aml_screening', result: { hits } } });
  });

  test('is not raised by the next session of the same customer with another document', async () => {
    const { own } = await reviewed();
    const { now, step } = await createScreenedSession(own.identityKey, withNumber('BB222222'), { externalId: 'c-1' });
    expect(step.status).toBe('passed');
    expect(now.results.aml).toMatchObject({ match: false, hits: [{ reviewStatus: 'false_positive' }] });
  });

  test('is not raised by the next session of the same details without a customer', async () => {
    const { own } = await reviewed();
    expect((await createScreenedSession(own.identityKey, withNumber('AA111111'))).step.status).toBe('passed');
  });

  test.each([
    ['another customer with other details', withNumber('BB222222'), 'c-2'],
    ['the same customer born on another day', { ...EXPECTED, dateOfBirth: '1977-05-07' }, 'c-1'],
    ['a person in no register of the organisation', withNumber('CC333333'), undefined],
  ])('is raised by a session of %s', async (_whom, expected, externalId) => {
    const { own } = await reviewed();
    const { now, step } = await createScreenedSession(
      own.identityKey,
      expected,
      externalId === undefined ? {} : { externalId },
    );
    expect(step.status).toBe('review');
    expect(now.results.aml).toMatchObject({ match: true, hits: [{ reviewStatus: 'unreviewed' }] });
  });

  test('is not raised by a session whose screening is completed at the same time', async () => {
    const own = await createIdentityTenant('Reviewed meanwhile');
    await importOwnList(own.organisationId, [ENTRY]);
    const { now: first } = await createScreenedSession(own.identityKey, EXPECTED);
    const { now, step } = await createScreenedSession(own.identityKey, EXPECTED);
    const platform = await getTestPlatform();
    const check = await Check.findById(step.checkIds[0]).lean<CheckRecord>().orFail();
    if (!isCheckOfKind(check, 'aml_screening') || check.result === null) throw new Error('the check has no result');
    await AmlHit.deleteMany({ screeningId: check._id });
    await Check.updateOne({ _id: check._id }, { $set: { status: 'processing' } });
    let reviews = 0;
    const reviewFirst = async (): Promise<void> => {
      if (reviews === 0) expect((await review(own.identityKey, first)).status).toBe(200);
      reviews += 1;
    };
    const result = { ...check.result, risks: check.risks, status: 'review' } as const;
    await completeCheck(platform, 'aml_screening', check, result, [reviewFirst]);
    const after = await getSession(own.identityKey, now.id);
    expect(after.results.aml).toMatchObject({ match: false, score: 0, hits: [{ reviewStatus: 'false_positive' }] });
    expect(listRiskCodes(after)).not.toContain('aml_match');
  });

  test('counts again once the list changes the entry', async () => {
    const { own } = await reviewed();
    await importOwnList(own.organisationId, [{ ...ENTRY, countries: 'BE' }]);
    const { step } = await createScreenedSession(own.identityKey, withNumber('AA111111'), { externalId: 'c-1' });
    expect(step.status).toBe('review');
  });

  test('does not change a decided session', async () => {
    const own = await createIdentityTenant('Decided session');
    await importOwnList(own.organisationId, [ENTRY]);
    const { id } = await createSession(own.identityKey, { features: ['aml', 'liveness'], expected: EXPECTED });
    await postLiveness(own.identityKey, { sessionId: id, image: await loadTestImage() });
    const { now } = await waitForScreening(own.identityKey, id);
    expect(
      (await postDecision(own.identityKey, id, { decision: 'decline', reason: 'listed', override: true })).status,
    ).toBe(200);
    expect((await review(own.identityKey, now)).status).toBe(200);
    const after = await getSession(own.identityKey, id);
    expect(after.status).toBe('declined');
    expect(listRiskCodes(after)).toContain('aml_match');
    expect(after.results.aml).toMatchObject({ status: 'review', hits: [{ reviewStatus: 'false_positive' }] });
  });

  test('is a 404 for another organisation, and removed with the session', async () => {
    const own = await createIdentityTenant('Erased review');
    const stranger = await createIdentityTenant('Stranger');
    await importOwnList(own.organisationId, [ENTRY]);
    const { now } = await createScreenedSession(own.identityKey, EXPECTED);
    expect((await review(stranger.identityKey, now)).status).toBe(404);
    await call('DELETE', `/v1/sessions/${now.id}`, { key: own.identityKey });
    expect((await review(own.identityKey, now)).status).toBe(404);
  });
});

describe('in the sandbox', () => {
  test.each([
    ['aml_match', 'review', true],
    ['aml_possible_match', 'review', true],
    ['aml_list_stale', 'passed', false],
    ['review', 'review', true],
    ['approve', 'passed', false],
  ])('%s brings the step to %s', async (value, status, match) => {
    const own = await createIdentityTenant('Sandbox screening');
    const key = await own.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
    const { id: sessionId } = await createSession(key, {
      features: ['id', 'aml'],
      metadata: { sandbox: value },
      expected: { firstName: 'Ada', lastName: 'Byron' },
    });
    await postDocument(key, { sessionId, frontImage: { body: await createFacelessImage() } });
    const { now, step } = await waitForScreening(key, sessionId);
    expect(step.status).toBe(status);
    expect(now.results.aml).toMatchObject({ match, listsSearched: [{ list: 'fictional' }] });
    if (value.startsWith('aml_')) expect(listRiskCodes(now)).toEqual([value]);
    if (!match) return;
    expect(getHits(now)).toMatchObject([{ caption: 'Ada Byron', reviewStatus: 'unreviewed' }]);
    expect((await review(key, now)).status).toBe(200);
    expect((await getSession(key, sessionId)).results.aml).toMatchObject({ match: false });
  });

  test('fail results in the step not_run', async () => {
    const own = await createIdentityTenant('Sandbox failure');
    const key = await own.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
    const { id: sessionId } = await createSession(key, {
      features: ['liveness', 'aml'],
      metadata: { sandbox: 'fail' },
      expected: EXPECTED,
    });
    await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } });
    const { now, step } = await waitForScreening(key, sessionId);
    expect(step.status).toBe('not_run');
    expect(now.results.aml).toBeNull();
  });
});
