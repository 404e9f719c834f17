import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { makeDemoImages } from '../../scripts/demo/images';
import { workflowIds } from '../../workflows/contracts';
import { insertJpegSegment, JPEG_SEGMENT } from '../support/identity/crafted-files';
import { parseCheck, createSession, createFacelessImage, getSession, postLiveness } from '../support/identity/identity';
import { call } from '../support/client';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

/** See `test/support/vision-crash.cjs`. */
const MARK = Buffer.from('VOUCH-TEST-CRASHES-THE-DECODER');
const FATAL_WIDTH = 321;

let stack: SharedStack;

/** Attempts after which a fault of the engine is final. */
const FORMER_LIMIT = 4;

/** Waits until the activities of a session's checks have been attempted more than `count` times each. */
async function waitForAttempts(sessionId: string, checkIds: readonly string[], count: number): Promise<void> {
  const connection = await Connection.connect({ address: stack.run().temporal });
  try {
    const handle = new Client({ connection }).workflow.getHandle(workflowIds.session(sessionId));
    const describe = () =>
      handle.describe().catch((error: unknown) => {
        // The outbox may still have to start the workflow.
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      });
    const countAttempts = async (): Promise<number[]> => {
      const pending = (await describe())?.raw.pendingActivities;
      const find = (id: string) => pending?.find(({ activityId }) => activityId === id);
      return checkIds.map((id) => find(id)?.attempt ?? 0);
    };
    while ((await countAttempts()).some((attempts) => attempts <= count)) await delay(200);
  } finally {
    await connection.close();
  }
}

beforeAll(async () => {
  stack = await shareOwnStack();
});

/** The API accepts a comment in a JPEG, and the preloaded module crashes the decoder on the mark in it. */
const createCrashingImage = async (): Promise<Buffer> =>
  insertJpegSegment(await createFacelessImage(), JPEG_SEGMENT.comment, MARK);

test.each([
  ['crashes the decoder', 'image_decoder_crashed', createCrashingImage],
  ['ends the thread of the networks', 'inference_failed', () => createFacelessImage(FATAL_WIDTH)],
])('an image that %s fails only its own check', async (_what, code, createImage) => {
  const { api, identityApiKey: key } = stack.run();
  const { id: sessionId } = await createSession(key, { features: ['liveness'] }, { api });
  const before = stack.run().pids;
  const crash = postLiveness(key, { sessionId, image: { body: await createImage() } }, { api });
  const neighbours = Array.from({ length: 8 }, async () =>
    parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }, { api })),
  );
  for (const neighbour of await Promise.all(neighbours)) {
    expect(neighbour).toMatchObject({ status: 'completed', outcome: 'declined', error: null });
  }
  const check = parseCheck(await crash);
  expect(check).toMatchObject({
    status: 'failed',
    outcome: null,
    result: null,
    error: { code },
    risks: [{ code: 'processing_failed', feature: 'liveness', details: { reason: code } }],
  });
  expect(await getSession(key, sessionId, { api })).toMatchObject({
    status: 'in_progress',
    steps: [{ feature: 'liveness', status: 'retry', attempts: 1, attemptsLeft: 2 }],
  });
  const next = parseCheck(
    await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } }, { api }),
  );
  expect(next).toMatchObject({ status: 'completed', error: null });
  expect(stack.run().pids['worker']).toBe(before['worker']);
});

test('what was accepted before an outage of the object store is completed after it, and uploads during it get 503', async () => {
  const { api, identityApiKey: key, environment } = stack.run();
  process.env['CHROMIUM_PATH'] ??= environment['CHROMIUM_PATH'];
  const { passport, selfie } = await makeDemoImages();
  const { id: sessionId } = await createSession(key, { features: ['id', 'liveness', 'face_match'] }, { api });

  stack.kill('worker', 'SIGSTOP');
  const uploads = [
    await call('POST', '/v1/documents/id-verification?wait=0', { key, api, form: { sessionId, frontImage: passport } }),
    await call('POST', '/v1/biometrics/liveness?wait=0', { key, api, form: { sessionId, image: selfie } }),
  ];
  const checkIds = uploads.map((response) => (response.body as { check: { id: string } }).check.id);
  stack.proxies.s3.disturb('refuse');
  stack.kill('worker', 'SIGCONT');

  const refused = await postLiveness(key, { sessionId, image: selfie }, { api });
  expect([refused.status, refused.body]).toMatchObject([503, { error: { code: 'unavailable' } }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await waitForAttempts(sessionId, checkIds, FORMER_LIMIT);

  stack.proxies.s3.disturb('forward');
  for (;;) {
    const session = await getSession(key, sessionId, { api });
    if (session.status !== 'in_progress') {
      expect(session.status).toBe('approved');
      expect(session.steps).toMatchObject(
        ['id', 'liveness', 'face_match'].map((feature) => ({ feature, status: 'passed', attempts: 1 })),
      );
      break;
    }
    await delay(200);
  }
});
