import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { InvariantActivities } from '../../../activities/records/invariants';
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

const createWorker = (activities: InvariantActivities): Promise<Worker> =>
  Worker.create({
    connection: environment.nativeConnection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities,
  });

test('the scheduled workflow checks every company page by page, even if the check of one fails', async () => {
  expect(SCHEDULES.map(({ workflowType }) => workflowType)).toContain('checkInvariants');
  const cursors: (string | null)[] = [];
  const checkCounts = new Map<string, number>();
  const worker = await createWorker({
    companiesToCheck: (after) => {
      cursors.push(after);
      return Promise.resolve(
        after === null ? { ids: ['org_1', 'org_2'], last: false } : { ids: ['org_3'], last: true },
      );
    },
    checkCompanyInvariants: (id) => {
      checkCounts.set(id, (checkCounts.get(id) ?? 0) + 1);
      if (id === 'org_2') throw ApplicationFailure.retryable('Its records cannot be read.', 'unreadable');
      return Promise.resolve(id === 'org_1' ? 3 : 0);
    },
  });
  const handle = await worker.runUntil(async () => {
    const started = await environment.client.workflow.start('checkInvariants', {
      workflowId: `check-invariants-${randomUUID()}`,
      taskQueue: QUEUES.orchestration,
      args: [{}],
    });
    await started.result();
    return started;
  });
  await recordHistory(handle, 'check-invariants');
  expect(cursors).toEqual([null, 'org_2']);
  expect(Object.fromEntries(checkCounts)).toEqual({ org_1: 1, org_2: 5, org_3: 1 });
});

test('a requested check is retried after a failure and returns its result', async () => {
  let runs = 0;
  const worker = await createWorker({
    companiesToCheck: () => Promise.resolve({ ids: [], last: true }),
    checkCompanyInvariants: () => {
      runs += 1;
      return runs < 3 ? Promise.reject(new Error('MongoDB is away.')) : Promise.resolve(2);
    },
  });
  const handle = await worker.runUntil(async () => {
    const started = await environment.client.workflow.start('companyInvariants', {
      workflowId: `org_1.invariants.${randomUUID()}`,
      taskQueue: QUEUES.orchestration,
      args: [{ organisationId: 'org_1' }],
    });
    await started.result();
    return started;
  });
  await recordHistory(handle, 'company-invariants');
  const found: unknown = await handle.result();
  expect({ found, runs }).toEqual({ found: 2, runs: 3 });
});
