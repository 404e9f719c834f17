import sharp from 'sharp';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { Check as CheckModel } from '../../../../models/identity/checks/check';
import { loadPortrait } from '../../../../scripts/demo/photos';
import { readHistoryTexts, recordHistory } from '../../../support/histories';
import {
  parseCheck,
  createSession,
  postDecision,
  listEventTypes,
  getSession,
  postDocument,
  postFaceMatch,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { pollUntilFound } from '../../../support/poll';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import { registerWebhook } from '../../../support/webhooks';
import { workflowIds } from '../../../../workflows/contracts';

let images: DemoImages;
let key: string;

beforeAll(async () => {
  key = (await createIdentityTenant('Flow')).identityKey;
  images = await makeDemoImages();
});
afterAll(closeTestPlatform);

/** Submits passport and selfie like a client and waits for the decision. */
async function verify(selfie: DemoImages['selfie'], options: object = {}): Promise<Session> {
  const { id: sessionId } = await createSession(key, { externalId: 'holder', ...options });
  parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
  parseCheck(await postLiveness(key, { sessionId, image: selfie }));
  return waitForStatus(key, sessionId, 'approved', 'declined', 'in_review');
}

describe('the portrait of the passport, sent as selfie', () => {
  test.each(['document first', 'selfie first'])('is the same picture, %s, also without a face match', async (order) => {
    const { id: sessionId } = await createSession(key, { externalId: 'holder', features: ['id', 'liveness'] });
    const selfie = {
      body: await sharp(await loadPortrait('anna'))
        .resize(500)
        .modulate({ brightness: 1.1 })
        .jpeg({ quality: 70 })
        .toBuffer(),
    };
    const sendDocument = async () => parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
    const sendSelfie = async () => parseCheck(await postLiveness(key, { sessionId, image: selfie }));
    const last = order === 'document first' ? [sendDocument, sendSelfie] : [sendSelfie, sendDocument];
    await last[0]?.();
    expect((await last[1]?.())?.risks).toContainEqual(
      expect.objectContaining({ code: 'same_capture', action: 'review' }),
    );
  });
});

describe('a person with their own passport', () => {
  let session: Session;
  let receiver: Receiver;
  let webhookId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    const { webhook } = await registerWebhook(key, receiver.url, ['session.created', 'session.completed']);
    webhookId = webhook.id;
    session = await verify(images.selfie);
  });
  afterAll(() => receiver.close());

  test('is approved by the rules with every step passed and the faces compared automatically', () => {
    expect(session).toMatchObject({
      status: 'approved',
      decision: { outcome: 'approved', reasons: [], decidedBy: 'rules' },
      steps: [
        { feature: 'id', status: 'passed', attempts: 1 },
        { feature: 'liveness', status: 'passed', attempts: 1 },
        { feature: 'face_match', status: 'passed', attempts: 1 },
      ],
      results: {
        document: {
          documentType: 'passport',
          documentNumber: 'L898902C3',
          lastName: expect.stringMatching(/^eriksson$/i) as string,
          dateOfBirth: '1994-08-12',
          mrz: { format: 'TD3', valid: true },
        },
        faceMatch: { match: true },
      },
    });
    expect(session.finishedAt).not.toBeNull();
    expect(session.evidence.map(({ field }) => field).sort()).toEqual(['frontImage', 'image']);
  });

  test('emits an event for every transition', async () => {
    const events = await listEventTypes(session.id);
    expect(events.filter((type) => type !== 'check.completed')).toEqual([
      'session.created',
      'session.started',
      'session.completed',
    ]);
    expect(events.filter((type) => type === 'check.completed')).toHaveLength(3);
  });

  test('leaves no personal data in the history of its workflow, which is found by VouchSession and VouchStatus', async () => {
    const platform = await getTestPlatform();
    const checks = await CheckModel.find({ sessionId: session.id }).lean();
    const handle = platform.temporal.workflow.getHandle(session.id);
    expect(await handle.result()).toBe('approved');
    const history = await readHistoryTexts(handle);
    expect(checks).toHaveLength(3);
    for (const { _id } of checks) expect(history).toContain(_id);
    for (const personal of ['ERIKSSON', 'Eriksson', 'ANNA', 'L898902C3', '1994-08-12', '"940812"']) {
      expect(history).not.toContain(personal);
    }
    await recordHistory(handle, 'verification-approved');
    // Visibility follows the workflow with a delay.
    const query = `VouchSession = '${session.id}' AND VouchStatus = 'approved'`;
    await pollUntilFound(async () => ((await platform.temporal.workflow.count(query)).count === 1 ? true : undefined));
  });

  test('names the workflow that delivers each of its events in the details of its own', async () => {
    const platform = await getTestPlatform();
    const handle = platform.temporal.workflow.getHandle(session.id);
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const [, webhooks] = currentDetails.split('Webhooks:\n');
    const workflowId = workflowIds.webhookDeliveries(webhookId);
    expect(webhooks).toBe(`- \`session.created\` in \`${workflowId}\`\n- \`session.completed\` in \`${workflowId}\``);
    await receiver.waitForCount(2);
    expect(await platform.temporal.workflow.getHandle(workflowId).describe()).toMatchObject({
      type: 'webhookDeliveries',
    });
  });

  test('may compare the faces once more: the check has a result but no effect', async () => {
    const form = { sessionId: session.id, userImage: images.otherSelfie };
    const responses = await Promise.all([postFaceMatch(key, form), postFaceMatch(key, form)]);
    const [taken, late] = responses.sort((one, two) => one.status - two.status);
    expect([taken?.status, late?.status]).toEqual([201, 409]);
    const check = parseCheck(taken ?? responses[0]);
    expect(check).toMatchObject({ supplementary: true, status: 'completed', result: { match: false } });
    const after = await getSession(key, session.id);
    expect(after.status).toBe('approved');
    expect(after.steps).toEqual(session.steps);
  });

  test('can be declined afterwards only by an override', async () => {
    expect((await postDecision(key, session.id, { decision: 'decline' })).status).toBe(409);
  });
});

test("another person's selfie is declined", async () => {
  const session = await verify(images.otherSelfie);
  expect(session).toMatchObject({
    status: 'declined',
    decision: { outcome: 'declined', reasons: ['face_mismatch'], decidedBy: 'rules' },
    results: { faceMatch: { match: false } },
  });
  expect(await listEventTypes(session.id)).toContain('session.declined');
});

test('a passport that differs from the expected details goes to review', async () => {
  const session = await verify(images.selfie, {
    expected: { firstName: 'Anna', lastName: 'Müller', dateOfBirth: '1994-08-12', documentNumber: 'l898902c3' },
  });
  expect(session).toMatchObject({
    status: 'in_review',
    decision: { reasons: ['expected_name_mismatch'] },
  });
  const { details } = session.risks.find(({ code }) => code === 'expected_name_mismatch') ?? {};
  expect(details).toEqual({ field: 'name', found: true });
});

test('two images are compared without a session, also if one is a document', async () => {
  const check = parseCheck(await postFaceMatch(key, { userImage: images.selfie, refImage: images.passport }));
  expect(check).toMatchObject({ sessionId: null, outcome: 'approved', result: { match: true } });
});

test('documents and selfies sent concurrently lead to one comparison', async () => {
  const { id: sessionId } = await createSession(key, { externalId: 'holder' });
  const responses = await Promise.all([
    postDocument(key, { sessionId, frontImage: images.passport }),
    postLiveness(key, { sessionId, image: images.selfie }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  const session = await waitForStatus(key, sessionId, 'approved');
  expect(session.steps[2]).toMatchObject({ feature: 'face_match', status: 'passed', attempts: 1 });
});
