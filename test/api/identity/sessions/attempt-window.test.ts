import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { DAY_MS } from '../../../../domain/durations';
import { Session } from '../../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../../models/identity/sessions/session';
import { call } from '../../../support/client';
import {
  createFacelessImage,
  createSession,
  getSession,
  postDecision,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

test('a session that used all attempts shows it for good, also when they have left the window of attempts', async () => {
  await getTestPlatform();
  const key = await (
    await createIdentityTenant('Window')
  ).createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
  const json = { name: 'Once', features: ['liveness'], maxAttempts: 1, attemptWindowDays: 7 };
  const { id: workflowId } = (await call('POST', '/v1/sessions/workflows', { key, json })).body['workflow'] as {
    id: string;
  };
  const { id } = await createSession(key, { workflowId });
  const image = { body: await createFacelessImage() };
  await postLiveness(key, { sessionId: id, image }, { headers: { 'x-sandbox-result': 'face_too_small' } });
  const exhausted = {
    steps: [{ feature: 'liveness', status: 'exhausted', attempts: 1, attemptsLeft: 0 }],
    risks: [{ code: 'face_too_small' }, { code: 'attempts_exhausted' }],
  };
  expect(await waitForStatus(key, id, 'in_review')).toMatchObject(exhausted);
  const { steps } = await Session.findById(id).orFail().lean<Pick<SessionRecord, 'steps'>>();
  const at = new Date(Date.now() - 8 * DAY_MS);
  const aged = steps.map((step) => ({ ...step, attempts: step.attempts.map((attempt) => ({ ...attempt, at })) }));
  await Session.updateOne({ _id: id }, { $set: { steps: aged } });
  expect(await getSession(key, id)).toMatchObject(exhausted);
  expect((await postDecision(key, id, { decision: 'decline', reason: 'No face' })).status).toBe(200);
  expect(await getSession(key, id)).toMatchObject({ status: 'declined', ...exhausted });
});
