import { parseCheck, createSession, createFacelessImage, getSession, postLiveness } from '../support/identity/identity';
import { startOwnStack } from '../support/stack';
import type { OwnStack } from '../support/stack';

const MARK = Buffer.from('VOUCH-TEST-CRASHES-THE-DECODER');
const preload = require.resolve('../support/decoder-crash.cjs');

let stack: OwnStack;

beforeAll(async () => {
  stack = await startOwnStack({ env: { NODE_OPTIONS: `--require ${preload}` } });
}, 300_000);
afterAll(() => stack.stop(), 60_000);

test('an image that crashes the decoder fails only its own check', async () => {
  const { api, identityApiKey: key } = stack.run();
  const { id: sessionId } = await createSession(key, { features: ['liveness'] }, { api });
  const before = stack.run().pids;
  // Data after the end of a JPEG: the API accepts the image, and the preloaded module crashes the decoder on the mark.
  const image = { body: Buffer.concat([await createFacelessImage(), MARK]) };
  const crash = postLiveness(key, { sessionId, image }, { api }, '?wait=60');
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
    error: { code: 'image_decoder_crashed' },
    risks: [{ code: 'processing_failed', feature: 'liveness', details: { reason: 'image_decoder_crashed' } }],
  });
  expect(await getSession(key, sessionId, { api })).toMatchObject({
    status: 'in_progress',
    steps: [{ feature: 'liveness', status: 'retry', attempts: 1, attemptsLeft: 2 }],
  });
  expect(stack.run().pids['worker']).toBe(before['worker']);
});
