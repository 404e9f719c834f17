import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { TaxIdActivities } from '../../../activities/delivery/tax-ids';
import { VERIFICATION_RETRY_DELAYS_SECONDS } from '../../../domain/business/parties/tax-id-verification';
import { QUEUES, workflowIds } from '../../../workflows/contracts';
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

describe('the workflow that verifies VAT identifiers', () => {
  test('queries VIES again for as long as it is unavailable, and ends with the result', async () => {
    const organisationId = `org_${randomUUID()}`;
    const atSeconds: number[] = [];
    const outages = VERIFICATION_RETRY_DELAYS_SECONDS.length;
    const activities: TaxIdActivities = {
      verifyTaxIds: async () => {
        atSeconds.push((await environment.currentTimeMs()) / 1000);
        const delay = VERIFICATION_RETRY_DELAYS_SECONDS[atSeconds.length - 1];
        return delay === undefined
          ? { answers: { valid: 1 }, nextAttemptInSeconds: null }
          : { answers: { vies_ms_unavailable: 1 }, nextAttemptInSeconds: delay };
      },
    };
    const connection = environment.nativeConnection;
    const workflows = await Worker.create({ connection, taskQueue: QUEUES.orchestration, workflowBundle });
    const delivery = await Worker.create({ connection, taskQueue: QUEUES.delivery, activities });
    const handle = await workflows.runUntil(
      delivery.runUntil(async () => {
        const started = await environment.client.workflow.signalWithStart('taxIdVerifications', {
          workflowId: workflowIds.taxIdVerifications(organisationId),
          taskQueue: QUEUES.orchestration,
          args: [{ organisationId }],
          signal: 'backlogAdded',
          signalArgs: [{ outboxId: 'obx_1' }],
        });
        await started.result();
        return started;
      }),
    );
    await recordHistory(handle, 'tax-id-verifications');
    expect(atSeconds).toHaveLength(outages + 1);
    const delays = atSeconds.slice(1).map((at, index) => at - (atSeconds[index] ?? NaN));
    VERIFICATION_RETRY_DELAYS_SECONDS.forEach((delay, index) =>
      expect(delays[index]).toBeGreaterThanOrEqual(delay - 0.5),
    );
  });
});
