import { Face } from '../../../../models/identity/biometrics/face';
import { loadPortrait, loadSelfie } from '../../../../scripts/demo/photos';
import { Session as SessionModel } from '../../../../models/identity/sessions/session';
import { Audit } from '../../../../models/platform/audit/audit';
import { expireApprovals } from '../../../../services/identity/sessions/approval-expiry';
import { call } from '../../../support/client';
import {
  parseCheck,
  createSession,
  postDecision,
  listEventTypes,
  createFacelessImage,
  getSession,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { DAY_MS } from '../../../../domain/durations';
import { pollUntilFound } from '../../../support/poll';
import { triggerSchedule } from '../../../support/schedules';

let tenant: IdentityTenant;

beforeAll(async () => {
  tenant = await createIdentityTenant('Schedules');
});
afterAll(closeTestPlatform);

/** Creates an approved session: its approval is valid for 30 days, and it is kept for 60. */
async function createApprovedSession(): Promise<string> {
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
  parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
  await waitForStatus(key, id, 'approved');
  return id;
}

/** Moves the dates of a session back by a number of days. */
async function shiftDatesBack(id: string, days: number): Promise<void> {
  const session = await SessionModel.findById(id).lean();
  const earlier = (date: Date | null | undefined) =>
    date === null || date === undefined ? null : new Date(date.getTime() - days * DAY_MS);
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

/** Waits until the Schedule has erased a record, so that it is a 404. */
const waitUntilGone = (path: string): Promise<true> =>
  pollUntilFound(async () => {
    const { status } = await call('GET', path, { key: tenant.identityKey });
    return status === 404 ? true : undefined;
  });

test('the Schedule expires an approval after its days, with its event and audit row', async () => {
  const [due, holds] = [await createApprovedSession(), await createApprovedSession()];
  await shiftDatesBack(due, 31);
  await shiftDatesBack(holds, 29);
  await triggerSchedule('lapse-approvals');
  const expired = await waitForStatus(tenant.identityKey, due, 'approval_expired');
  expect(expired).toMatchObject({ approvalExpiresAt: null, decision: { outcome: 'approved' } });
  expect(await listEventTypes(due)).toContain('session.approval_expired');
  expect(await Audit.findOne({ subject: due, action: 'session.approval_expired' }).lean()).toMatchObject({
    actor: 'system',
  });
  expect((await getSession(tenant.identityKey, holds)).status).toBe('approved');
});

test('concurrent runs expire an approval once, and its retention does not restart', async () => {
  const id = await createApprovedSession();
  await shiftDatesBack(id, 31);
  const before = await getSession(tenant.identityKey, id);
  const platform = await getTestPlatform();
  await Promise.all([expireApprovals(platform), expireApprovals(platform), expireApprovals(platform)]);
  const after = await getSession(tenant.identityKey, id);
  expect(after).toMatchObject({ status: 'approval_expired', finishedAt: before.finishedAt });
  expect(after.retainUntil).toBe(before.retainUntil);
  expect((await listEventTypes(id)).filter((type) => type === 'session.approval_expired')).toHaveLength(1);
});

test('the selfie of an approval that expired stays in face search', async () => {
  const { identityKey: key } = await createIdentityTenant('Expired selfie');
  const { id } = await createSession(key, { features: ['liveness'] });
  parseCheck(await postLiveness(key, { sessionId: id, image: { body: await loadSelfie('anna') } }));
  await waitForStatus(key, id, 'approved');
  await SessionModel.updateOne({ _id: id }, { $set: { approvalExpiresAt: new Date(0) } });
  await expireApprovals(await getTestPlatform());
  expect((await getSession(key, id)).status).toBe('approval_expired');
  const { body } = await call('GET', '/v1/biometrics/face-search/index', { key });
  expect(body).toMatchObject({ total: 1, faces: [{ sessionId: id, status: 'indexed' }] });
});

test('an approval that a reviewer reversed does not expire', async () => {
  const id = await createApprovedSession();
  await postDecision(tenant.identityKey, id, { decision: 'review', override: true, reason: 'A doubt came up.' });
  expect(await getSession(tenant.identityKey, id)).toMatchObject({
    status: 'in_review',
    approvalExpiresAt: null,
    retainUntil: null,
    finishedAt: null,
  });
  const rejected = await postDecision(tenant.identityKey, id, { decision: 'review', override: true, reason: 'Again.' });
  expect(rejected).toMatchObject({ status: 409, body: { error: { code: 'invalid_transition' } } });
});

test('the Schedule erases a session after its retention', async () => {
  const [due, kept] = [await createApprovedSession(), await createApprovedSession()];
  await shiftDatesBack(due, 61);
  await triggerSchedule('apply-retention');
  await waitUntilGone(`/v1/sessions/${due}`);
  expect(await Audit.findOne({ subject: due, action: 'session.deleted' }).lean()).toMatchObject({
    actor: 'system',
    reason: 'retention',
  });
  expect((await getSession(tenant.identityKey, kept)).status).toBe('approved');
});

describe('an indexed face', () => {
  const INDEX = '/v1/biometrics/face-search/index';
  interface IndexedFace {
    id: string;
    status: string;
    createdAt: string;
    retainUntil: string | null;
  }

  async function indexFace(fields: Record<string, string>, imageBytes?: Buffer): Promise<IndexedFace> {
    const image = { body: imageBytes ?? (await loadPortrait('anna')) };
    const response = await call('POST', INDEX, { key: tenant.identityKey, form: { image, ...fields } });
    return response.body['face'] as IndexedFace;
  }

  const daysKept = ({ createdAt, retainUntil }: IndexedFace): number | null =>
    retainUntil === null ? null : (Date.parse(retainUntil) - Date.parse(createdAt)) / DAY_MS;

  test('is kept until it is deleted or for the requested days; an unusable one as long as a check', async () => {
    expect(daysKept(await indexFace({}))).toBeNull();
    expect(daysKept(await indexFace({ list: 'blocklist', retentionDays: '90' }))).toBe(90);
    const facelessImage = await createFacelessImage();
    const useless = await indexFace({ retentionDays: '90' }, facelessImage);
    expect(useless.status).toBe('rejected');
    expect(daysKept(useless)).toBe((await getTestPlatform()).config.CHECK_RETENTION_DAYS);
    expect(daysKept(await indexFace({ retentionDays: '2' }, facelessImage))).toBe(2);
  });

  test.each(['0', '3651', '1.5', 'long', '0x5a', '9e1'])('is rejected with retentionDays %s', async (retentionDays) => {
    const form = { image: { body: await createFacelessImage() }, retentionDays };
    const { status, body } = await call('POST', INDEX, { key: tenant.identityKey, form });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('"field":"retentionDays"')]);
  });

  test('is erased by the Schedule after its retention, and no search finds it from then on', async () => {
    const [due, kept] = [await indexFace({ retentionDays: '30' }), await indexFace({ retentionDays: '31' })];
    await Face.updateOne({ _id: due.id }, { $set: { retainUntil: new Date(Date.now() - 1000) } });
    await triggerSchedule('apply-retention');
    await waitUntilGone(`${INDEX}/${due.id}`);
    expect(await Audit.findOne({ subject: due.id, action: 'face.deleted' }).lean()).toMatchObject({
      actor: 'system',
      reason: 'retention',
    });
    const form = { image: { body: await loadPortrait('anna') }, topK: '100' };
    const { body } = await call('POST', '/v1/biometrics/face-search', { key: tenant.identityKey, form });
    const { result } = body['check'] as { result: { matches: { id: string }[] } };
    const found = result.matches.map(({ id }) => id);
    expect(found).toContain(kept.id);
    expect(found).not.toContain(due.id);
  });
});
