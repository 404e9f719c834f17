import { z } from 'zod';
import { livenessResultSchema } from '../../../../api/identity/biometrics/result-responses';
import { LIVENESS_ACTIONS } from '../../../../domain/identity/biometrics/active-liveness';
import { LivenessChallenge } from '../../../../models/identity/biometrics/liveness-challenge';
import { Session } from '../../../../models/identity/sessions/session';
import { loadSelfie } from '../../../../scripts/demo/photos';
import { call } from '../../../support/client';
import type { RequestOptions } from '../../../support/client';
import {
  parseCheck,
  createSession,
  createFacelessImage,
  createSessionInReview,
  postDecision,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { takeLivenessShots } from '../../../support/identity/liveness-shots';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let key: string;

beforeAll(async () => {
  key = (await createIdentityTenant('Active liveness')).identityKey;
});
afterAll(closeTestPlatform);

const challengeSchema = z.object({
  challengeId: z.string(),
  sessionId: z.string().nullable(),
  actions: z.array(z.enum(LIVENESS_ACTIONS)),
  expiresAt: z.string(),
});
type Challenge = z.infer<typeof challengeSchema>;

async function requestChallenge(json: object = {}): Promise<Challenge> {
  const response = await call('POST', '/v1/biometrics/liveness/challenges', { key, json });
  expect(response.status).toBe(201);
  return challengeSchema.parse(response.body['challenge']);
}

/** Creates a challenge and replaces its actions by ones that still images can show. */
async function requestBlinkAndApproach(json: object = {}): Promise<Challenge> {
  const challenge = await requestChallenge({ ...json, count: 2 });
  const actions: Challenge['actions'] = ['blink', 'come_closer'];
  await LivenessChallenge.updateOne({ _id: challenge.challengeId }, { $set: { actions } });
  return { ...challenge, actions };
}

type File = { body: Buffer };
const toFiles = (...bodies: Buffer[]): File[] => bodies.map((body) => ({ body }));

async function performActions(actions: Challenge['actions']): Promise<File[]> {
  const taken = await takeLivenessShots();
  const actionFrames = actions.flatMap((action) =>
    action === 'blink' || action === 'come_closer' ? [taken[action], taken.neutral] : [],
  );
  return toFiles(taken.neutral, taken.neutral, ...actionFrames);
}

const post = (form: NonNullable<RequestOptions['form']>, options: RequestOptions = {}) =>
  postLiveness(key, form, options);

const parseResult = (check: { result: unknown }) => livenessResultSchema.parse(check.result);

test('the requested actions in their order pass', async () => {
  const { challengeId, actions } = await requestBlinkAndApproach();
  const check = parseCheck(await post({ challengeId, frames: await performActions(actions) }));
  const result = parseResult(check);
  expect(result).toMatchObject({
    method: 'active',
    active: { challengeId, unexpected: null, frames: 6, facelessFrames: 0 },
  });
  expect(result.active?.actions).toEqual(actions.map((action, at) => ({ action, frame: at === 0 ? 2 : 4 })));
  expect(result.active?.continuity).toBeGreaterThan(0.31);
  expect(result.score).toBe(Math.round(10 * (50 + (result.active?.passiveScore ?? 0) / 2)) / 10);
  expect(check.outcome).toBe('approved');
  expect(check.evidence.map(({ field }) => field)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `frames[${at}]`));
  expect(result.models.map(({ role }) => role)).toEqual(expect.arrayContaining(['face_pose', 'eye_state']));
});

test('a still image, or the wrong order, can be retried', async () => {
  const { challengeId, actions } = await requestBlinkAndApproach();
  const check = parseCheck(await post({ challengeId, frames: await performActions([...actions].reverse()) }));
  expect(check).toMatchObject({ outcome: 'declined', risks: [{ code: 'liveness_low', action: 'decline' }] });
  expect(parseResult(check).score).toBeNull();
  const still = await requestBlinkAndApproach();
  const { neutral } = await takeLivenessShots();
  const frames = toFiles(neutral, neutral, neutral, neutral);
  const nothing = parseCheck(await post({ challengeId: still.challengeId, frames }));
  expect(nothing.risks).toMatchObject([{ code: 'liveness_low', details: { missing: still.actions[0] } }]);
});

test('frames of two people are an attack', async () => {
  const { challengeId, actions } = await requestBlinkAndApproach();
  const frames = [...(await performActions(actions)), ...toFiles(await loadSelfie('anna'))];
  const check = parseCheck(await post({ challengeId, frames }));
  expect(check).toMatchObject({ outcome: 'declined', risks: [{ code: 'attack_suspected' }], result: { score: 0 } });
});

test('frames without a face are reported once', async () => {
  const { challengeId } = await requestChallenge();
  const images = await Promise.all([1, 2, 3, 4].map(() => createFacelessImage()));
  const check = parseCheck(await post({ challengeId, frames: toFiles(...images) }));
  const faceless = check.risks.filter(({ code }) => code === 'no_face');
  expect(faceless).toMatchObject([{ feature: 'liveness', action: 'decline', details: { frames: 4 } }]);
  expect(parseResult(check)).toMatchObject({ score: null, active: { bestFrame: null, facelessFrames: 4 } });
});

test('a challenge can be answered once, also under concurrency, and a repeated request is one check', async () => {
  const { challengeId, actions } = await requestBlinkAndApproach();
  const frames = await performActions(actions);
  const headers = { 'Idempotency-Key': 'active-1' };
  const responses = await Promise.all([post({ challengeId, frames }, { headers }), post({ challengeId, frames })]);
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  const late = await post({ challengeId, frames });
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'challenge_used' } } });
});

test('an expired challenge is 410, an unknown or foreign one 404', async () => {
  const { challengeId, actions } = await requestBlinkAndApproach();
  const frames = await performActions(actions);
  const stranger = await createIdentityTenant('Stranger');
  expect((await postLiveness(stranger.identityKey, { challengeId, frames })).status).toBe(404);
  expect((await post({ challengeId: 'chl_00000000000000000000000000', frames })).status).toBe(404);
  const { id: sessionId } = await createSession(key, { features: ['liveness'] });
  const bound = await requestChallenge({ sessionId });
  expect((await post({ challengeId: bound.challengeId, frames })).status).toBe(404);
  await LivenessChallenge.updateOne({ _id: challengeId }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
  expect(await post({ challengeId, frames })).toMatchObject({
    status: 410,
    body: { error: { code: 'challenge_expired' } },
  });
});

test.each([
  ['too few frames', { frames: 3, challenge: true }, 'frames'],
  ['too many frames', { frames: 25, challenge: true }, 'frames'],
  ['frames without a challenge', { frames: 4, challenge: false }, 'challengeId'],
  ['nothing', { frames: 0, challenge: false }, 'image'],
])('%s are refused by their field', async (_what, { frames: count, challenge }, field) => {
  const image = await createFacelessImage();
  const form = {
    ...(challenge ? { challengeId: (await requestChallenge()).challengeId } : {}),
    ...(count === 0 ? { sessionId: 'none' } : { frames: toFiles(...Array.from({ length: count }, () => image)) }),
  };
  const { status, body } = await post(form);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { details: { fields: [{ field }] } } });
});

describe('a session', () => {
  const draw = (sessionId: string) => call('POST', '/v1/biometrics/liveness/challenges', { key, json: { sessionId } });
  const EXHAUSTED = {
    status: 409,
    body: { error: { code: 'challenges_exhausted', details: { feature: 'liveness' } } },
  };

  test('draws at most ten challenges without an attempt, also under concurrency, and one more for each attempt', async () => {
    const { id } = await createSession(key, { features: ['liveness'] });
    const responses = await Promise.all(Array.from({ length: 13 }, () => draw(id)));
    const statuses = responses.map(({ status }) => status);
    expect([201, 409].map((status) => statuses.filter((each) => each === status).length)).toEqual([10, 3]);
    expect(responses.find(({ status }) => status === 409)).toMatchObject(EXHAUSTED);
    const { challenge } = z
      .object({ challenge: challengeSchema })
      .parse(responses.find(({ status }) => status === 201)?.body);
    const image = await createFacelessImage();
    const frames = toFiles(image, image, image, image);
    parseCheck(await post({ sessionId: id, challengeId: challenge.challengeId, frames }));
    expect((await draw(id)).status).toBe(201);
    expect(await draw(id)).toMatchObject(EXHAUSTED);
  });

  test('draws ten challenges again once a reviewer requests its liveness step again', async () => {
    const { id } = await createSessionInReview(key);
    await Session.updateOne({ _id: id }, { $set: { drawnChallenges: 13 } });
    expect(await draw(id)).toMatchObject(EXHAUSTED);
    expect((await postDecision(key, id, { decision: 'resubmit', steps: ['liveness'] })).status).toBe(200);
    for (let drawn = 0; drawn < 10; drawn += 1) expect((await draw(id)).status).toBe(201);
    expect(await draw(id)).toMatchObject(EXHAUSTED);
  });

  test('that is unknown or of another organisation has no challenges', async () => {
    const { identityKey } = await createIdentityTenant('Other');
    const { id } = await createSession(identityKey, { features: ['liveness'] });
    expect((await draw(id)).status).toBe(404);
  });
});

test('a session accepts an active check and estimates the age on its best frame', async () => {
  const { id: sessionId } = await createSession(key, { features: ['liveness', 'age'], externalId: 'clara' });
  const { challengeId, actions } = await requestBlinkAndApproach({ sessionId });
  parseCheck(await post({ sessionId, challengeId, frames: await performActions(actions) }));
  const session = await waitForStatus(key, sessionId, 'approved');
  expect(session.results.liveness).toMatchObject({ method: 'active' });
  expect(session.results.age?.age).toBeGreaterThan(15);
});
