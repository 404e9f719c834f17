import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { WebhookRecordsActivities } from '../../../activities/records/webhooks';
import { QUEUES } from '../../../workflows/contracts';
import type { RecoveryCursor, WebhookRecovery } from '../../../workflows/contracts';
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

const recovery: WebhookRecovery = {
  webhookId: 'whk_1',
  organisationId: 'org_1',
  mode: 'live',
  since: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  cursor: null,
};
const buildCursor = (number: number): RecoveryCursor => ({
  occurredAt: recovery.since,
  eventId: `evt_${number}`,
});

test('requests batch after batch from the end of the previous one, and retries a failed batch', async () => {
  const cursors: (RecoveryCursor | null)[] = [];
  let failures = 1;
  const activities: WebhookRecordsActivities = {
    recoverDeliveries: ({ cursor }) => {
      cursors.push(cursor);
      if (cursor?.eventId === 'evt_1' && failures-- > 0) return Promise.reject(new Error('The database is away.'));
      const number = cursors.length;
      return Promise.resolve({ sent: 2, next: number < 4 ? buildCursor(number) : null });
    },
  };
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities,
  });
  const handle = await worker.runUntil(async () => {
    const started = await environment.client.workflow.start('webhookRecovery', {
      workflowId: `whk_${randomUUID()}.recovery.1`,
      taskQueue: QUEUES.orchestration,
      args: [recovery],
    });
    await started.result();
    return started;
  });
  await recordHistory(handle, 'webhook-recovery');
  expect(cursors).toEqual([null, buildCursor(1), buildCursor(1), buildCursor(3)]);
});
