import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { WebhookRecordsActivities } from '../../../activities/records/webhooks';
import { MAX_OPEN_TRANSACTION_MS, QUEUES } from '../../../workflows/contracts';
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
  lateUntil: '2026-11-21T00:03:00.000Z',
  cursor: null,
};
const buildCursor = (number: number): RecoveryCursor => ({
  occurredAt: recovery.since,
  eventId: `evt_${number}`,
});

/** Runs a recovery to its end. */
async function recover(
  input: WebhookRecovery,
  recoverDeliveries: WebhookRecordsActivities['recoverDeliveries'],
): Promise<WorkflowHandle> {
  const activities: WebhookRecordsActivities = { recoverDeliveries };
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities,
  });
  return worker.runUntil(async () => {
    const started = await environment.client.workflow.start('webhookRecovery', {
      workflowId: `whk_${randomUUID()}.recovery.1`,
      taskQueue: QUEUES.orchestration,
      args: [input],
    });
    await started.result();
    return started;
  });
}

test('requests batch after batch from the end of the previous one, and retries a failed batch', async () => {
  const cursors: (RecoveryCursor | null)[] = [];
  let failures = 1;
  const handle = await recover(recovery, ({ cursor, late }) => {
    if (late === true) return Promise.resolve({ sent: 0, next: null });
    cursors.push(cursor);
    if (cursor?.eventId === 'evt_1' && failures-- > 0) return Promise.reject(new Error('The database is away.'));
    const number = cursors.length;
    return Promise.resolve({ sent: 2, next: number < 4 ? buildCursor(number) : null });
  });
  await recordHistory(handle, 'webhook-recovery');
  expect(cursors).toEqual([null, buildCursor(1), buildCursor(1), buildCursor(3)]);
});

describe('events of transactions that were running when the webhook was enabled', () => {
  test('are looked for in all batches once those transactions must have ended', async () => {
    const spans: WebhookRecovery[] = [];
    const times: number[] = [];
    await recover(recovery, async (span) => {
      spans.push(span);
      times.push(await environment.currentTimeMs());
      return { sent: 1, next: spans.length === 2 ? buildCursor(2) : null };
    });
    const late = { ...recovery, since: '2026-11-20T23:50:00.000Z', until: recovery.lateUntil, late: true };
    expect(spans).toEqual([recovery, late, { ...late, cursor: buildCursor(2) }]);
    const [first = NaN, second = NaN] = times;
    expect(second - first).toBeGreaterThanOrEqual(MAX_OPEN_TRANSACTION_MS);
  });

  test('are not looked for outside the span that was requested', async () => {
    const spans: WebhookRecovery[] = [];
    const { lateUntil: _, ...earlier } = { ...recovery, since: '2026-11-20T23:59:00.000Z' };
    await recover(earlier, (span) => {
      spans.push(span);
      return Promise.resolve({ sent: 0, next: null });
    });
    expect(spans).toEqual([earlier, { ...earlier, late: true }]);
  });
});
