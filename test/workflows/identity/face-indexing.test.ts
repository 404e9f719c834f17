import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { FaceActivities } from '../../../activities/vision/face-indexing';
import { QUEUES } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { PoolWorkflowRunner } from '../../support/pool-workflow';

let indexing: PoolWorkflowRunner;

beforeAll(async () => {
  indexing = await PoolWorkflowRunner.start({
    name: 'faceIndexing',
    queue: QUEUES.vision,
    activity: 'indexFace',
    failure: 'failFace',
  });
});
afterAll(() => indexing.stop());

/** Indexes one face with the given engine. */
const runWith = (engine: () => ReturnType<FaceActivities['indexFace']>, faceId: string) =>
  indexing.run(faceId, { faceId, organisationId: 'org_1' }, engine);

describe('the indexing of a face', () => {
  const faceId = () => `fac_${randomUUID()}`;

  test('ends when the vision pool has indexed the face', async () => {
    const id = faceId();
    const done = await runWith(() => Promise.resolve('indexed'), id);
    expect(done).toEqual({ ended: 'completed', failures: [], runs: 1 });
    await recordHistory(indexing.getHandle(id), 'face-indexing');
  });

  test('runs a crashing decoder four times, then fails the face with the reason', async () => {
    const id = faceId();
    const crash = () => Promise.reject(ApplicationFailure.retryable('The decoder crashed.', 'image_decoder_crashed'));
    expect(await runWith(crash, id)).toMatchObject({ failures: ['image_decoder_crashed'], runs: 4 });
    await recordHistory(indexing.getHandle(id), 'face-indexing-failed');
  });
});
