import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { CheckActivities } from '../../activities/checks';
import { QUEUES } from '../../workflows/contracts';
import { keepHistory } from '../support/histories';
import { bundleWorkflow, startTimeSkipping } from '../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  environment = await startTimeSkipping();
  workflowBundle = await bundleWorkflow(require.resolve('../../workflows/check'));
});

afterAll(async () => {
  await environment.teardown();
});

/** Runs one check with the given engine; tells the reasons it was given up for, and how often the engine ran. */
async function runWith(
  runCheck: CheckActivities['runCheck'],
): Promise<{ workflowId: string; failures: string[]; runs: number }> {
  const failures: string[] = [];
  let runs = 0;
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      failCheck: ({ reason }: { reason: string }) => {
        failures.push(reason);
        return Promise.resolve();
      },
    },
  });
  const vision = await Worker.create({
    connection,
    taskQueue: QUEUES.vision,
    activities: {
      runCheck: (input: { checkId: string }) => {
        runs += 1;
        return runCheck(input);
      },
    },
  });
  const checkId = `chk_${randomUUID()}`;
  await orchestration.runUntil(
    vision.runUntil(
      environment.client.workflow.execute('check', {
        workflowId: checkId,
        taskQueue: QUEUES.orchestration,
        args: [{ checkId, kind: 'liveness', organisationId: 'org_1' }],
      }),
    ),
  );
  return { workflowId: checkId, failures, runs };
}

describe('the check workflow', () => {
  test('ends when the vision pool has recorded a result', async () => {
    const done = await runWith(() => Promise.resolve({ status: 'completed', verdict: 'approved', risks: [] }));
    expect(done).toMatchObject({ failures: [], runs: 1 });
  });

  test('tries a decoder that crashed four times, then gives the check up and says why', async () => {
    const crash = () => Promise.reject(ApplicationFailure.retryable('The decoder crashed.', 'image_decoder_crashed'));
    const done = await runWith(crash);
    expect(done).toMatchObject({ failures: ['image_decoder_crashed'], runs: 4 });
    await keepHistory(environment.client.workflow.getHandle(done.workflowId), 'check-failed');
  });

  test('recovers when a later attempt succeeds', async () => {
    let crashes = 2;
    const done = await runWith(() =>
      crashes-- > 0
        ? Promise.reject(new Error('The worker was killed.'))
        : Promise.resolve({ status: 'completed', verdict: 'review', risks: ['image_blurred'] }),
    );
    expect(done).toMatchObject({ failures: [], runs: 3 });
  });

  test('does not try again what cannot succeed', async () => {
    const refused = () => Promise.reject(ApplicationFailure.nonRetryable('Not an image.', 'image_not_decodable'));
    expect(await runWith(refused)).toMatchObject({ failures: ['image_not_decodable'], runs: 1 });
  });
});
