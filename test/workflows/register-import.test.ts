import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { RegisterImportActivities } from '../../activities/screening/registers';
import { QUEUES } from '../../workflows/contracts';
import { keepHistory } from '../support/histories';
import { bundleWorkflow, startTimeSkipping } from '../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  environment = await startTimeSkipping();
  workflowBundle = await bundleWorkflow(require.resolve('../../workflows/register-import'));
});

afterAll(async () => {
  await environment.teardown();
});

/** Runs one import with the given reader; tells the reasons it was given up for, and how often the file was read. */
async function runWith(
  runRegisterImport: RegisterImportActivities['runRegisterImport'],
): Promise<{ workflowId: string; failures: string[]; runs: number }> {
  const failures: string[] = [];
  let runs = 0;
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      failRegisterImport: ({ reason }: { reason: string }) => {
        failures.push(reason);
        return Promise.resolve();
      },
    },
  });
  const screening = await Worker.create({
    connection,
    taskQueue: QUEUES.screening,
    activities: {
      runRegisterImport: (input: { registerId: string }) => {
        runs += 1;
        return runRegisterImport(input);
      },
    },
  });
  const registerId = `reg_${randomUUID()}`;
  await orchestration.runUntil(
    screening.runUntil(
      environment.client.workflow.execute('registerImport', {
        workflowId: registerId,
        taskQueue: QUEUES.orchestration,
        args: [{ registerId, organisationId: 'org_1' }],
      }),
    ),
  );
  return { workflowId: registerId, failures, runs };
}

describe('the import of a register', () => {
  test('ends when the screening pool has read the file', async () => {
    const done = await runWith(() => Promise.resolve({ status: 'active', imported: 810, rejected: 1, failure: null }));
    expect(done).toMatchObject({ failures: [], runs: 1 });
    await keepHistory(environment.client.workflow.getHandle(done.workflowId), 'register-import');
  });

  test('tries four times where the database is away, then gives up and says why', async () => {
    const away = () => Promise.reject(ApplicationFailure.retryable('Away.', 'MongoNetworkError'));
    expect(await runWith(away)).toMatchObject({ failures: ['MongoNetworkError'], runs: 4 });
  });
});
