import { Audit } from '../../../../models/platform/audit/audit';
import {
  parseSession,
  createSession,
  postDecision,
  listEventTypes,
  exhaustLiveness,
  createFacelessImage,
  getSession,
  postLiveness,
  createSessionInReview,
  waitForStatus,
} from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getStartedWorkflow } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let key: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Decisions');
  key = tenant.identityKey;
});
afterAll(closeTestPlatform);

const decideSession = async (session: Session, json: object): Promise<Session> =>
  parseSession(await postDecision(key, session.id, json));

/** Waits until the workflow has ended. */
async function waitForWorkflow(workflowId: string): Promise<void> {
  await (await getStartedWorkflow(workflowId)).result();
}

describe('a reviewer', () => {
  test('approves: the event is emitted, the decision audited, and the workflow ends', async () => {
    const session = await createSessionInReview(key);
    const approved = await decideSession(session, {
      decision: 'approve',
      reason: 'Known customer',
      comment: 'Seen in person',
    });
    expect(approved).toMatchObject({
      status: 'approved',
      decision: { outcome: 'approved', decidedBy: 'reviewer', reasons: [] },
      reviews: [
        {
          decision: 'approve',
          from: 'in_review',
          to: 'approved',
          reason: 'Known customer',
          comment: 'Seen in person',
          byName: 'Test',
          override: false,
        },
      ],
      reviewSince: null,
    });
    expect(approved.finishedAt).not.toBeNull();
    expect(await getSession(key, session.id)).toEqual(approved);
    await waitForWorkflow(session.id);
    const eventTypes = await listEventTypes(session.id);
    expect(eventTypes.filter((type) => type.startsWith('session.'))).toEqual([
      'session.created',
      'session.started',
      'session.review',
      'session.completed',
    ]);
    const rows = await Audit.find({ subject: session.id, action: 'session.decided' }).sort({ _id: 1 }).lean();
    expect(rows.map(({ actor }) => actor)).toEqual(['system', expect.stringMatching(/^key_/)]);
    expect(JSON.stringify(rows)).not.toContain('Known customer');
  });

  test('declines, with the risks that caused the review as reasons', async () => {
    const declined = await decideSession(await createSessionInReview(key), { decision: 'decline' });
    expect(declined).toMatchObject({
      status: 'declined',
      decision: { outcome: 'declined', reasons: ['attempts_exhausted', 'no_face'] },
    });
    await waitForWorkflow(declined.id);
    expect(await listEventTypes(declined.id)).toContain('session.declined');
  });

  test('requests a step again: its attempts are reset and the workflow continues', async () => {
    const session = await createSessionInReview(key);
    const resubmitted = await decideSession(session, { decision: 'resubmit', steps: ['liveness'] });
    expect(resubmitted).toMatchObject({
      status: 'resubmission_requested',
      steps: [{ feature: 'liveness', status: 'not_run', attempts: 0, attemptsLeft: 3 }],
      reviews: [{ decision: 'resubmit', steps: ['liveness'] }],
    });
    expect(resubmitted.steps[0]?.checkIds).toHaveLength(3);
    expect(await listEventTypes(session.id)).toContain('session.resubmission_requested');
    const again = await exhaustLiveness(key, session.id);
    expect(again.reviews).toHaveLength(1);
    await decideSession(again, { decision: 'decline' });
    await waitForWorkflow(session.id);
  });

  test('cannot approve while a step has no result', async () => {
    const { id } = await createSession(key, { features: ['id', 'liveness'] });
    const session = await exhaustLiveness(key, id);
    expect(session.steps).toMatchObject([{ status: 'not_run' }, { status: 'exhausted' }]);
    const { status, body } = await postDecision(key, session.id, { decision: 'approve' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'steps_not_run', details: { steps: ['id'] } } });
    expect((await getSession(key, id)).status).toBe('in_review');
    await decideSession(session, { decision: 'decline' });
  });

  test('cannot decide a session that is not started; the error names the allowed transitions', async () => {
    const { id } = await createSession(key);
    const { status, body } = await postDecision(key, id, { decision: 'approve' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      error: {
        code: 'invalid_transition',
        details: { from: 'not_started', to: 'approved', allowed: ['in_progress', 'expired', 'cancelled'] },
      },
    });
  });

  test('decides once: one of two concurrent decisions is rejected', async () => {
    const session = await createSessionInReview(key);
    const responses = await Promise.all([
      postDecision(key, session.id, { decision: 'approve' }),
      postDecision(key, session.id, { decision: 'decline' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { reviews } = await getSession(key, session.id);
    expect(reviews).toHaveLength(1);
  });

  test('gets the same response to a repeated idempotent request', async () => {
    const session = await createSessionInReview(key);
    const options = { headers: { 'idempotency-key': `decide-${session.id}` } };
    const first = await postDecision(key, session.id, { decision: 'approve' }, options);
    const again = await postDecision(key, session.id, { decision: 'approve' }, options);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect((await postDecision(key, session.id, { decision: 'decline' }, options)).status).toBe(422);
  });

  test.each<[string, object, string]>([
    ['no decision', {}, 'decision'],
    ['an unknown decision', { decision: 'maybe' }, 'decision'],
    ['steps with another decision', { decision: 'approve', steps: ['liveness'] }, 'steps'],
    ['a step the session does not have', { decision: 'resubmit', steps: ['id'] }, 'steps[0]'],
    ['an override without a reason', { decision: 'decline', override: true }, 'reason'],
    ['an unknown field', { decision: 'decline', because: 'x' }, 'because'],
    ['a comment of another type', { decision: 'decline', comment: 5 }, 'comment'],
  ])('is refused %s by its name', async (_what, json, field) => {
    const { id } = await createSession(key, { features: ['liveness'] });
    const { status, body } = await postDecision(key, id, json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { fields: [{ field }] } } });
  });
});

describe('a final decision', () => {
  test('is reversed only by an override with a reason, which is audited', async () => {
    const session = await createSessionInReview(key);
    await decideSession(session, { decision: 'approve' });
    const rejected = await postDecision(key, session.id, { decision: 'decline' });
    expect(rejected.status).toBe(409);
    expect(rejected.body).toMatchObject({
      error: { details: { allowed: ['approval_expired'], overrideRequired: true } },
    });
    const reversed = await decideSession(session, { decision: 'decline', override: true, reason: 'Fraud report' });
    expect(reversed).toMatchObject({ status: 'declined', reviews: [{ override: false }, { override: true }] });
    expect(await Audit.exists({ subject: session.id, action: 'session.overridden' })).not.toBeNull();
  });

  test('that is reopened has a new workflow up to the next decision', async () => {
    const session = await createSessionInReview(key);
    await decideSession(session, { decision: 'decline' });
    await waitForWorkflow(session.id);
    const back = await decideSession(session, { decision: 'review', override: true, reason: 'Second look' });
    expect(back.status).toBe('in_review');
    await decideSession(session, { decision: 'resubmit' });
    await postLiveness(key, { sessionId: session.id, image: { body: await createFacelessImage() } });
    await waitForStatus(key, session.id, 'in_progress');
    const again = await exhaustRemaining(session.id);
    await decideSession(again, { decision: 'approve' });
    await waitForWorkflow(`${session.id}.2`);
    expect((await getSession(key, session.id)).reviews.map(({ decision }) => decision)).toEqual([
      'decline',
      'review',
      'resubmit',
      'approve',
    ]);
  });

  test('ends the acceptance of checks', async () => {
    const session = await createSessionInReview(key);
    const { status, body } = await postLiveness(key, {
      sessionId: session.id,
      image: { body: await createFacelessImage() },
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'session_closed', details: { status: 'in_review' } } });
  });

  /** The two remaining attempts. */
  async function exhaustRemaining(sessionId: string): Promise<Session> {
    for (let i = 0; i < 2; i += 1) {
      await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } });
    }
    return waitForStatus(key, sessionId, 'in_review');
  }
});
