import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { QUEUES } from '../../../workflows/contracts';
import { POOL_INTERCEPTORS } from '../../support/pool-interceptors';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

/** Runs one workflow with the given activities of the screening pool; returns what failed for good, and why. */
async function runWith(
  workflow: string,
  argument: object,
  screening: object,
): Promise<{ id: string; failed: string[] }> {
  const failed: string[] = [];
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      failScreening: ({ reason }: { reason: string }) => {
        failed.push(reason);
        return Promise.resolve();
      },
    },
  });
  const pool = await Worker.create({
    connection,
    taskQueue: QUEUES.screening,
    activities: screening,
    interceptors: POOL_INTERCEPTORS,
  });
  const id = `aml_${randomUUID()}`;
  await orchestration.runUntil(
    pool.runUntil(
      environment.client.workflow.execute(workflow, {
        workflowId: id,
        taskQueue: QUEUES.orchestration,
        args: [argument],
      }),
    ),
  );
  return { id, failed };
}

const screening = { screeningId: 'aml_1', organisationId: 'org_1' };

test('a screening is answered by the pool and given up by no one', async () => {
  const { id, failed } = await runWith('amlScreening', screening, {
    runScreening: () => Promise.resolve({ status: 'completed', match: true, hits: 2 }),
  });
  expect(failed).toEqual([]);
  await recordHistory(environment.client.workflow.getHandle(id), 'aml-screening');
});

test('a screening without lists is given up after four attempts, with its reason', async () => {
  let runs = 0;
  const { id, failed } = await runWith('amlScreening', screening, {
    runScreening: () => {
      runs += 1;
      return Promise.reject(ApplicationFailure.create({ type: 'lists_unavailable', message: 'none' }));
    },
  });
  expect(runs).toBe(4);
  expect(failed).toEqual(['lists_unavailable']);
  await recordHistory(environment.client.workflow.getHandle(id), 'aml-screening-failed');
});

test('a new version of a list has the subjects it concerns screened again', async () => {
  const versions: string[] = [];
  const { id } = await runWith(
    'amlListChanged',
    { versionId: 'alv_1' },
    {
      rescreenAffected: ({ versionId }: { versionId: string }) => {
        versions.push(versionId);
        return Promise.resolve({ monitors: 3, affected: 1 });
      },
    },
  );
  expect(versions).toEqual(['alv_1']);
  await recordHistory(environment.client.workflow.getHandle(id), 'aml-list-changed');
});

test('lists are fetched one by one, and one whose source is down keeps no other waiting', async () => {
  const fetched: string[] = [];
  const { id } = await runWith(
    'refreshLists',
    {},
    {
      dueWatchLists: () => Promise.resolve(['un', 'eu']),
      refreshWatchList: ({ listId }: { listId: string }) => {
        fetched.push(listId);
        return listId === 'un'
          ? Promise.reject(ApplicationFailure.create({ type: 'list_fetch_failed', message: 'down' }))
          : Promise.resolve(true);
      },
    },
  );
  expect(fetched).toEqual(['un', 'un', 'un', 'un', 'eu']);
  await recordHistory(environment.client.workflow.getHandle(id), 'refresh-lists');
});
