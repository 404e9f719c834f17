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

describe('a new version of a list', () => {
  const argument = { versionId: 'alv_1' };
  const page = (fields: object) => ({ monitors: 200, affected: 1, failures: 0, failed: [], next: null, ...fields });

  test('has the subjects it concerns screened again in parts, after which its effect is recorded', async () => {
    const asked: object[] = [];
    const recorded: object[] = [];
    const pages = [page({ next: 'amm_200' }), page({ monitors: 3, affected: 0 })];
    const { id } = await runWith('amlListChanged', argument, {
      rescreenMonitors: (input: object) => {
        asked.push(input);
        return Promise.resolve(pages.shift());
      },
      recordListImpact: (input: object) => Promise.resolve(void recorded.push(input)),
    });
    expect(asked).toEqual([
      { ...argument, after: null, only: null },
      { ...argument, after: 'amm_200', only: null },
    ]);
    expect(recorded).toEqual([{ ...argument, impact: { monitors: 203, affected: 1 } }]);
    await recordHistory(environment.client.workflow.getHandle(id), 'aml-list-changed');
  });

  test('is compared later with the subjects that failed, and with no others', async () => {
    const asked: object[] = [];
    const recorded: object[] = [];
    const pages = [
      page({ failures: 1, failed: ['amm_7'], next: 'amm_200' }),
      page({ failures: 1, failed: ['amm_201'] }),
      page({ monitors: 1, failures: 1, failed: ['amm_201'] }),
      page({ monitors: 1, affected: 0 }),
    ];
    const { id } = await runWith('amlListChanged', argument, {
      rescreenMonitors: ({ only }: { only: string[] | null }) => {
        asked.push({ only });
        return Promise.resolve(pages.shift());
      },
      recordListImpact: (input: object) => Promise.resolve(void recorded.push(input)),
    });
    expect(asked).toEqual([{ only: null }, { only: null }, { only: ['amm_7', 'amm_201'] }, { only: ['amm_201'] }]);
    expect(recorded).toEqual([{ ...argument, impact: { monitors: 402, affected: 3 } }]);
    await recordHistory(environment.client.workflow.getHandle(id), 'aml-list-changed-repeated');
  });

  test('is compared with all subjects again if more failed than are remembered', async () => {
    const asked: object[] = [];
    const pages = [page({ failures: 201, failed: ['amm_1'] }), page({})];
    await runWith('amlListChanged', argument, {
      rescreenMonitors: ({ only }: { only: string[] | null }) => {
        asked.push({ only });
        return Promise.resolve(pages.shift());
      },
      recordListImpact: ({ impact }: { impact: object }) => Promise.resolve(void asked.push(impact)),
    });
    expect(asked).toEqual([{ only: null }, { only: null }, { monitors: 200, affected: 1 }]);
  });

  test('whose subjects cannot be screened to the last fails, so that operators see it', async () => {
    let passes = 0;
    const workflow = runWith('amlListChanged', argument, {
      rescreenMonitors: () => {
        passes += 1;
        return Promise.resolve(page({ failures: 1, failed: ['amm_7'] }));
      },
    });
    await expect(workflow).rejects.toMatchObject({ cause: { type: 'monitors_not_screened' } });
    expect(passes).toBe(4);
  });
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
