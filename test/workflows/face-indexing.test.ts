import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { FaceActivities } from '../../activities/vision/faces-index';
import { QUEUES } from '../../workflows/contracts';
import { keepHistory } from '../support/histories';
import { bundleWorkflow, startTimeSkipping } from '../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  environment = await startTimeSkipping();
  workflowBundle = await bundleWorkflow(require.resolve('../../workflows/face-indexing'));
});

afterAll(async () => {
  await environment.teardown();
});

/** Indexes one face with the given engine; tells the reasons it was given up for, and how often the engine ran. */
async function runWith(
  indexFace: FaceActivities['indexFace'],
): Promise<{ workflowId: string; failures: string[]; runs: number }> {
  const failures: string[] = [];
  let runs = 0;
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      failFace: ({ reason }: { reason: string }) => {
        failures.push(reason);
        return Promise.resolve();
      },
    },
  });
  const vision = await Worker.create({
    connection,
    taskQueue: QUEUES.vision,
    activities: {
      indexFace: (input: { faceId: string }) => {
        runs += 1;
        return indexFace(input);
      },
    },
  });
  const faceId = `fac_${randomUUID()}`;
  await orchestration.runUntil(
    vision.runUntil(
      environment.client.workflow.execute('faceIndexing', {
        workflowId: faceId,
        taskQueue: QUEUES.orchestration,
        args: [{ faceId, organisationId: 'org_1' }],
      }),
    ),
  );
  return { workflowId: faceId, failures, runs };
}

describe('the indexing of a face', () => {
  test('ends when the vision pool has made it searchable', async () => {
    const done = await runWith(() => Promise.resolve('indexed'));
    expect(done).toMatchObject({ failures: [], runs: 1 });
    await keepHistory(environment.client.workflow.getHandle(done.workflowId), 'face-indexing');
  });

  test('tries a decoder that crashed four times, then gives the face up and says why', async () => {
    const crash = () => Promise.reject(ApplicationFailure.retryable('The decoder crashed.', 'image_decoder_crashed'));
    const done = await runWith(crash);
    expect(done).toMatchObject({ failures: ['image_decoder_crashed'], runs: 4 });
    await keepHistory(environment.client.workflow.getHandle(done.workflowId), 'face-indexing-failed');
  });
});
