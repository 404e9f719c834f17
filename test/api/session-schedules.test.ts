import { Session as SessionModel } from '../../models/identity/session';
import { Audit } from '../../models/platform/audit';
import { expireApprovals } from '../../services/identity/approval-expiry';
import { call } from '../support/client';
import {
  asCheck,
  createSession,
  decide,
  eventsOf,
  facelessPicture,
  getSession,
  postLiveness,
  untilStatus,
} from '../support/identity';
import { closeTestPlatform, createTenant, testPlatform } from '../support/tenant';
import type { Tenant } from '../support/tenant';

const DAY_MILLISECONDS = 86_400_000;

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant('Schedules');
});
afterAll(closeTestPlatform);

/** An approved session whose approval holds 30 days and which is kept for 60. */
async function approved(): Promise<string> {
  const key = tenant.identityKey;
  const json = {
    name: 'Timed',
    features: ['liveness'],
    actions: { no_face: 'ignore' },
    approvalValidDays: 30,
    retentionDays: 60,
  };
  const { body } = await call('POST', '/v1/sessions/workflows', { key, json });
  const { id } = await createSession(key, { workflowId: (body['workflow'] as { id: string }).id });
  asCheck(await postLiveness(key, { sessionId: id, image: { body: await facelessPicture() } }));
  await untilStatus(key, id, 'approved');
  return id;
}

/** Moves the dates of a session back, as if so many days had passed. */
async function pass(id: string, days: number): Promise<void> {
  const session = await SessionModel.findById(id).lean();
  const earlier = (date: Date | null | undefined) =>
    date === null || date === undefined ? null : new Date(date.getTime() - days * DAY_MILLISECONDS);
  await SessionModel.updateOne(
    { _id: id },
    {
      $set: {
        approvalExpiresAt: earlier(session?.approvalExpiresAt),
        retainUntil: earlier(session?.retainUntil),
        finishedAt: earlier(session?.finishedAt),
      },
    },
  );
}

const trigger = async (schedule: string): Promise<void> =>
  (await testPlatform()).temporal.schedule.getHandle(schedule).trigger();

test('an approval lapses by the Schedule once its days are over, with its event and its audit row', async () => {
  const [due, holds] = [await approved(), await approved()];
  await pass(due, 31);
  await pass(holds, 29);
  await trigger('lapse-approvals');
  const lapsed = await untilStatus(tenant.identityKey, due, 'approval_expired');
  expect(lapsed).toMatchObject({ approvalExpiresAt: null, decision: { outcome: 'approved' } });
  expect(await eventsOf(due)).toContain('session.approval_expired');
  expect(await Audit.findOne({ subject: due, action: 'session.approval_expired' }).lean()).toMatchObject({
    actor: 'system',
  });
  expect((await getSession(tenant.identityKey, holds)).status).toBe('approved');
});

test('an approval lapses once, however many look at once, and its retention does not begin anew', async () => {
  const id = await approved();
  await pass(id, 31);
  const before = await getSession(tenant.identityKey, id);
  const platform = await testPlatform();
  await Promise.all([expireApprovals(platform), expireApprovals(platform), expireApprovals(platform)]);
  const after = await getSession(tenant.identityKey, id);
  expect(after).toMatchObject({ status: 'approval_expired', finishedAt: before.finishedAt });
  expect(after.retainUntil).toBe(before.retainUntil);
  expect((await eventsOf(id)).filter((type) => type === 'session.approval_expired')).toHaveLength(1);
});

test('an approval that a reviewer took back does not lapse', async () => {
  const id = await approved();
  await decide(tenant.identityKey, id, { decision: 'review', override: true, reason: 'A doubt came up.' });
  expect(await getSession(tenant.identityKey, id)).toMatchObject({
    status: 'in_review',
    approvalExpiresAt: null,
    retainUntil: null,
    finishedAt: null,
  });
  const refused = await decide(tenant.identityKey, id, { decision: 'review', override: true, reason: 'Again.' });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'invalid_transition' } } });
});

test('a session is erased by the Schedule once it was kept for long enough', async () => {
  const [due, kept] = [await approved(), await approved()];
  await pass(due, 61);
  await trigger('apply-retention');
  for (;;) {
    const { status } = await call('GET', `/v1/sessions/${due}`, { key: tenant.identityKey });
    if (status === 404) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await Audit.findOne({ subject: due, action: 'session.deleted' }).lean()).toMatchObject({
    actor: 'system',
    reason: 'retention',
  });
  expect((await getSession(tenant.identityKey, kept)).status).toBe('approved');
});
