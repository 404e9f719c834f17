import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import type { Feature } from '../../../../domain/identity/sessions/features';
import type { Attempt } from '../../../../domain/identity/sessions/steps';
import { Session as SessionModel } from '../../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../../models/identity/sessions/session';
import { call } from '../../../support/client';
import {
  createFacelessImage,
  createSession,
  getSession,
  parseCheck,
  parseSession,
  postDecision,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import type { Check, Session } from '../../../support/identity/identity';
import { CONSENT } from '../../../support/identity/sharing';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import { getHits } from '../../../support/identity/hits';

const FEATURES: Feature[] = ['id', 'liveness', 'face_match', 'poa', 'aml'];

let bankKey: string;
let lenderKey: string;
/** A session of the bank with a result for each feature, and a hit on a watch list. */
let sharedId: string;

beforeAll(async () => {
  const [bank, lender] = await Promise.all([createIdentityTenant('Bank'), createIdentityTenant('Lender')]);
  const createTestKey = (tenant: typeof bank) => tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
  [bankKey, lenderKey] = await Promise.all([createTestKey(bank), createTestKey(lender)]);
  sharedId = (await createSession(bankKey, { features: FEATURES, metadata: { sandbox: 'aml_possible_match' } })).id;
  for (const send of [sendDocument, sendSelfie, sendProofOfAddress]) await send(bankKey, sharedId);
  await waitForStatus(bankKey, sharedId, 'in_review');
  expect((await postDecision(bankKey, sharedId, { decision: 'approve' })).status).toBe(200);
});
afterAll(closeTestPlatform);

async function sendDocument(key: string, sessionId: string): Promise<Check> {
  return parseCheck(await postDocument(key, { sessionId, frontImage: { body: await createFacelessImage() } }));
}

async function sendSelfie(key: string, sessionId: string): Promise<Check> {
  return parseCheck(await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } }));
}

async function sendProofOfAddress(key: string, sessionId: string): Promise<Check> {
  const form = { sessionId, document: { body: await createFacelessImage() } };
  return parseCheck(await call('POST', '/v1/documents/poa', { key, form }));
}

/** Imports the session; its further checks are those of the sandbox. */
async function importSession(include: readonly string[]): Promise<Session> {
  const json = { consentText: CONSENT, include };
  const shared = await call('POST', `/v1/sessions/${sharedId}/share`, { key: bankKey, json });
  const { shareToken } = shared.body;
  const imported = await call('POST', '/v1/sessions/import', { key: lenderKey, json: { shareToken } });
  const { id } = parseSession(imported, 201);
  const metadata = { sandbox: 'approve' };
  return parseSession(await call('PATCH', `/v1/sessions/${id}`, { key: lenderKey, json: { metadata } }));
}

async function requestSteps(sessionId: string, steps: Feature[]): Promise<Session> {
  const decided = await postDecision(lenderKey, sessionId, { decision: 'resubmit', steps });
  expect([decided.status, decided.body['error']]).toEqual([200, undefined]);
  return getSession(lenderKey, sessionId);
}

const listCheckIds = ({ steps }: Session, feature: Feature): string[] =>
  steps.find((step) => step.feature === feature)?.checkIds ?? [];

const listReopened = ({ reviews }: Session) => reviews.at(-1)?.steps;

async function reviewHits(session: Session): Promise<void> {
  const json = { status: 'false_positive', reason: 'Another person.' };
  for (const { id } of getHits(session)) {
    expect((await call('POST', `/v1/aml/hits/${id}/review`, { key: lenderKey, json })).status).toBe(200);
  }
}

describe('an imported session of which steps are requested again', () => {
  test.each([['with', ['images']] as const, ['without', []] as const])(
    '%s images keeps comparison, screening and review of hits, if they do not follow from those steps',
    async (_title, include) => {
      const imported = await importSession(include);
      await reviewHits(imported);
      expect(listReopened(await requestSteps(imported.id, ['poa']))).toEqual(['poa']);
      await sendProofOfAddress(lenderKey, imported.id);
      const decided = await waitForStatus(lenderKey, imported.id, 'approved', 'in_review');
      expect(decided.status).toBe('approved');
      for (const feature of ['face_match', 'aml'] as const) {
        expect(listCheckIds(decided, feature)).toEqual(listCheckIds(imported, feature));
      }
      expect(getHits(decided)).toMatchObject(getHits(imported).map(() => ({ reviewStatus: 'false_positive' })));
    },
  );

  test('with images compares a new document with the selfie of the share', async () => {
    const imported = await importSession(['images']);
    expect(listReopened(await requestSteps(imported.id, ['id']))).toEqual(['id', 'face_match', 'aml']);
    await sendDocument(lenderKey, imported.id);
    const decided = await waitForStatus(lenderKey, imported.id, 'approved');
    expect(listCheckIds(decided, 'liveness')).toEqual(listCheckIds(imported, 'liveness'));
    expect(listCheckIds(decided, 'face_match')).toHaveLength(2);
  });

  test.each([
    ['id', ['id', 'liveness', 'face_match', 'aml']],
    ['liveness', ['id', 'liveness', 'face_match', 'aml']],
    ['face_match', ['id', 'liveness', 'face_match', 'aml']],
  ] as const)('without images reopens with %s every capture that the comparison lacks', async (step, reopened) => {
    const imported = await importSession([]);
    expect(listReopened(await requestSteps(imported.id, [step]))).toEqual(reopened);
    const document = await sendDocument(lenderKey, imported.id);
    await sendSelfie(lenderKey, imported.id);
    const decided = await waitForStatus(lenderKey, imported.id, 'approved');
    expect(document.status).toBe('completed');
    expect(listCheckIds(decided, 'face_match')).toHaveLength(2);
  });

  /** Changes the attempts of the comparison as they are stored. */
  async function changeComparison(sessionId: string, change: Partial<Attempt>): Promise<void> {
    await getTestPlatform();
    const record = await SessionModel.findById(sessionId).orFail().lean<SessionRecord>();
    const steps = record.steps.map(({ feature, attempts }) => ({
      feature,
      attempts: feature === 'face_match' ? attempts.map((attempt) => ({ ...attempt, ...change })) : attempts,
    }));
    await SessionModel.updateOne({ _id: sessionId }, { $set: { steps } });
  }

  test('keeps its comparison, too, if an earlier version imported it', async () => {
    const imported = await importSession([]);
    // Earlier versions kept the ids of the shared checks.
    await changeComparison(imported.id, { pair: 'chk_a.chk_b' });
    await requestSteps(imported.id, ['poa']);
    await sendProofOfAddress(lenderKey, imported.id);
    await waitForStatus(lenderKey, imported.id, 'in_review');
    await requestSteps(imported.id, ['id']);
    await sendDocument(lenderKey, imported.id);
    await sendSelfie(lenderKey, imported.id);
    const decided = await waitForStatus(lenderKey, imported.id, 'approved');
    expect(listCheckIds(decided, 'face_match')).toHaveLength(2);
  });

  test('asks for the captures that it lacks where a comparison has still to be made', async () => {
    const imported = await importSession([]);
    await changeComparison(imported.id, { outcome: 'failed' });
    expect(listReopened(await requestSteps(imported.id, ['poa']))).toEqual(['poa']);
    expect((await sendProofOfAddress(lenderKey, imported.id)).status).toBe('completed');
    expect((await sendDocument(lenderKey, imported.id)).status).toBe('completed');
    expect((await sendSelfie(lenderKey, imported.id)).status).toBe('completed');
    expect((await waitForStatus(lenderKey, imported.id, 'approved')).status).toBe('approved');
  });
});
