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

/** The workflow of each Schedule, its activity, and the name of its recorded history. */
const MAINTENANCE_ACTIVITIES = [
  ['sealAudit', 'sealAuditLog', 'seal-audit'],
  ['sweepObjects', 'sweepUnnamedObjects', 'sweep-objects'],
  ['rotateKeys', 'replaceWrappingKeys', 'rotate-keys'],
  ['applyRetention', 'eraseOverdue', 'apply-retention'],
  ['lapseApprovals', 'expireApprovals', 'lapse-approvals'],
  ['countStatistics', 'countDays', 'count-statistics'],
] as const;

test.each(MAINTENANCE_ACTIVITIES)('%s runs %s and retries it until it succeeds', async (workflow, activity, name) => {
  expect(SCHEDULES.map(({ workflowType }) => workflowType)).toContain(workflow);
  let runs = 0;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      [activity]: () => {
        runs += 1;
        // More attempts than pools with a limit make.
        if (runs < 6) throw ApplicationFailure.retryable('MongoDB is away.', 'database_unavailable');
        return Promise.resolve(7);
      },
    },
  });
  const workflowId = `${workflow}-${randomUUID()}`;
  const result: unknown = await worker.runUntil(
    environment.client.workflow.execute(workflow, { workflowId, taskQueue: QUEUES.orchestration, args: [{}] }),
  );
  expect({ result, runs }).toEqual({ result: 7, runs: 6 });
  await recordHistory(environment.client.workflow.getHandle(workflowId), name);
});
