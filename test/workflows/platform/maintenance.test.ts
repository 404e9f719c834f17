import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { SCHEDULES } from '../../../workers/schedules';
import { QUEUES } from '../../../workflows/contracts';
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

/** Workflows of Schedules that have one activity, this activity, and the name of its recorded history. */
const MAINTENANCE_ACTIVITIES = [
  ['sealAudit', 'sealAuditLog', 'seal-audit'],
  ['rotateKeys', 'replaceWrappingKeys', 'rotate-keys'],
  ['lapseApprovals', 'expireApprovals', 'lapse-approvals'],
  ['countStatistics', 'countDays', 'count-statistics'],
] as const;

/** Runs a workflow of a Schedule with these activities. */
async function runScheduled(
  workflow: string,
  activities: object,
  argument: object = {},
): Promise<{ workflowId: string; result: unknown }> {
  expect(SCHEDULES.map(({ workflowType }) => workflowType)).toContain(workflow);
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities,
  });
  const workflowId = `${workflow}-${randomUUID()}`;
  const result: unknown = await worker.runUntil(
    environment.client.workflow.execute(workflow, { workflowId, taskQueue: QUEUES.orchestration, args: [argument] }),
  );
  return { workflowId, result };
}

test.each(MAINTENANCE_ACTIVITIES)('%s runs %s and retries it until it succeeds', async (workflow, activity, name) => {
  let runs = 0;
  const { workflowId, result } = await runScheduled(workflow, {
    [activity]: () => {
      runs += 1;
      // More attempts than pools with a limit make.
      if (runs < 6) throw ApplicationFailure.retryable('MongoDB is away.', 'database_unavailable');
      return Promise.resolve(7);
    },
  });
  expect({ result, runs }).toEqual({ result: 7, runs: 6 });
  await recordHistory(environment.client.workflow.getHandle(workflowId), name);
});

test('retention goes on until no overdue record is left, whatever fails on the way', async () => {
  const rounds = [{ begun: 900, more: true }, null, { begun: 300, more: true }, { begun: 20, more: false }];
  const { workflowId, result } = await runScheduled('applyRetention', {
    eraseOverdueRound: () => {
      const round = rounds.shift();
      if (round === null) throw ApplicationFailure.retryable('MongoDB is away.', 'database_unavailable');
      return Promise.resolve(round);
    },
  });
  expect({ result, rounds }).toEqual({ result: 1220, rounds: [] });
  await recordHistory(environment.client.workflow.getHandle(workflowId), 'apply-retention');
});

test('retention leaves records that cannot be erased now to its next run', async () => {
  const rounds = [
    { begun: 5, more: true },
    { begun: 0, more: true },
  ];
  const { result } = await runScheduled('applyRetention', { eraseOverdueRound: () => Promise.resolve(rounds.shift()) });
  expect({ result, rounds }).toEqual({ result: 5, rounds: [] });
});

describe('the sweep of the object store', () => {
  const sweepWith = async (sweepArea: (input: object) => object, argument: object = {}) => {
    const asked: object[] = [];
    const run = await runScheduled(
      'sweepObjects',
      {
        sweepRecords: () => Promise.resolve(void asked.push({ area: 'records' })),
        sweepArea: (input: object) => {
          asked.push(input);
          return Promise.resolve(sweepArea(input));
        },
      },
      argument,
    );
    return { ...run, asked };
  };

  test('goes through every area in parts, whatever fails on the way', async () => {
    const parts = [{ removed: 1, next: 'evidence/5' }, null, { removed: 2, next: null }];
    const { workflowId, result, asked } = await sweepWith(() => {
      const part = parts.shift();
      if (part === null) throw ApplicationFailure.retryable('The object store is away.', 'unavailable');
      return part ?? { removed: 4, next: null };
    });
    expect(asked).toEqual([
      { area: 'records' },
      { area: 'evidence', after: null },
      { area: 'evidence', after: 'evidence/5' },
      { area: 'evidence', after: 'evidence/5' },
      { area: 'lists', after: null },
      { area: 'business', after: null },
    ]);
    expect(result).toBe(11);
    await recordHistory(environment.client.workflow.getHandle(workflowId), 'sweep-objects');
  });

  test('goes on where the previous run stopped', async () => {
    const progress = { area: 'lists', after: 'lists/7', removed: 30 };
    const { result, asked } = await sweepWith(() => ({ removed: 1, next: null }), { progress });
    expect(asked).toEqual([
      { area: 'lists', after: 'lists/7' },
      { area: 'business', after: null },
    ]);
    expect(result).toBe(32);
  });
});
