import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { DeliveryActivities } from '../../../activities/delivery/activities';
import type { DeliveryProgress } from '../../../activities/delivery/summary';
import { computeRetryDelaySeconds, RETRY_DELAYS_SECONDS } from '../../../domain/platform/webhooks/retry-schedule';
import { ACTIVITY_OPTIONS, QUEUES, workflowIds } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../domain/durations';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

const deliveryId = 'dlv_1';

/** The result of an activity that made one attempt, or found none due. */
const progress = (attempt: number, answer: string, next: number | null): DeliveryProgress => ({
  answers: { [answer]: 1 },
  attempts: [{ deliveryId, attempt, answer, status: next === null ? 'succeeded' : 'pending' }],
  nextAttemptInSeconds: next,
});

/** Runs the workflow of one webhook; `attempt` makes the n-th activity, and `during` is called while it runs. */
async function runDeliveries(
  attempt: (count: number, handle: WorkflowHandle) => DeliveryProgress | Promise<DeliveryProgress>,
  during: (handle: WorkflowHandle) => Promise<void> = async (handle) => {
    await handle.result();
  },
): Promise<{ atSeconds: number[]; cancelled: number; handle: WorkflowHandle }> {
  const atSeconds: number[] = [];
  let cancelled = 0;
  const webhook = { webhookId: `whk_${randomUUID()}`, organisationId: 'org_1', mode: 'live' } as const;
  const workflowId = workflowIds.webhookDeliveries(webhook.webhookId);
  const activities: Pick<DeliveryActivities, 'attemptDeliveries' | 'cancelDeliveries'> = {
    attemptDeliveries: async () => {
      atSeconds.push((await environment.currentTimeMs()) / 1000);
      return attempt(atSeconds.length, environment.client.workflow.getHandle(workflowId));
    },
    cancelDeliveries: () => {
      cancelled += 1;
      return Promise.resolve();
    },
  };
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: QUEUES.orchestration, workflowBundle });
  const attempts = await Worker.create({ connection, taskQueue: QUEUES.delivery, activities });
  const handle = await workflows.runUntil(
    attempts.runUntil(async () => {
      const started = await environment.client.workflow.signalWithStart('webhookDeliveries', {
        workflowId,
        taskQueue: QUEUES.orchestration,
        args: [webhook],
        signal: 'backlogAdded',
        signalArgs: [{ outboxId: 'obx_1' }],
      });
      await during(started);
      return started;
    }),
  );
  return { atSeconds, cancelled, handle };
}

const listDelays = (atSeconds: readonly number[]): number[] =>
  atSeconds.slice(1).map((at, index) => at - (atSeconds[index] ?? NaN));

describe('the workflow of the deliveries to a webhook', () => {
  test('has what is pending attempted at once by one activity, and ends', async () => {
    const { atSeconds, handle } = await runDeliveries(() => progress(1, '204', null));
    expect(atSeconds).toHaveLength(1);
    const { startTime } = await handle.describe();
    expect((atSeconds[0] ?? NaN) - startTime.getTime() / 1000).toBeLessThan(2);
  });

  test('waits for each delay of a delivery whose receiver never accepts, more than three days in all', async () => {
    const { atSeconds, handle } = await runDeliveries((count) =>
      progress(count, '500', computeRetryDelaySeconds(count, 0)),
    );
    await recordHistory(handle, 'webhook-deliveries');
    expect(atSeconds).toHaveLength(RETRY_DELAYS_SECONDS.length + 1);
    listDelays(atSeconds).forEach((waited, index) => {
      expect(waited).toBeGreaterThanOrEqual((RETRY_DELAYS_SECONDS[index] ?? NaN) - 0.5);
      expect(waited).toBeLessThan((RETRY_DELAYS_SECONDS[index] ?? NaN) + 5);
    });
  });

  test('attempts new deliveries at once while it waits for the retry of another', async () => {
    const { atSeconds, handle } = await runDeliveries(
      (count) =>
        [progress(1, '503', DAY_SECONDS), progress(1, '204', 23 * HOUR_SECONDS)][count - 1] ?? progress(2, '204', null),
      async (running) => {
        await environment.sleep('1 hour');
        await running.signal('backlogAdded', { outboxId: 'obx_2' });
        await running.result();
      },
    );
    await recordHistory(handle, 'webhook-deliveries-woken');
    const [first = NaN, second = NaN] = listDelays(atSeconds);
    expect(atSeconds).toHaveLength(3);
    expect(first).toBeLessThan(2 * HOUR_SECONDS);
    expect(first + second).toBeGreaterThanOrEqual(DAY_SECONDS - 1);
  });

  test('looks again after an activity during which it was woken', async () => {
    const { atSeconds } = await runDeliveries(async (count, running) => {
      if (count === 1) await running.signal('backlogAdded', { outboxId: 'obx_2' });
      return progress(count, '204', null);
    });
    expect(atSeconds).toHaveLength(2);
  });

  test('an activity whose worker died is repeated', async () => {
    let crashes = 3;
    const { atSeconds } = await runDeliveries(() =>
      crashes-- > 0 ? Promise.reject(new Error('The worker was killed.')) : progress(1, '204', null),
    );
    expect(atSeconds).toHaveLength(4);
    expect(ACTIVITY_OPTIONS.delivery.retry).not.toHaveProperty('maximumAttempts');
  });

  test('cancelled, it stops waiting and records the pending deliveries as cancelled', async () => {
    const { atSeconds, cancelled, handle } = await runDeliveries(
      () => progress(1, '500', DAY_SECONDS),
      async (running) => {
        await environment.sleep('1 hour');
        await running.cancel();
        const error: unknown = await running.result().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(WorkflowFailedError);
        expect(error instanceof WorkflowFailedError && error.cause).toBeInstanceOf(CancelledFailure);
      },
    );
    await recordHistory(handle, 'webhook-deliveries-cancelled');
    expect([atSeconds.length, cancelled]).toEqual([1, 1]);
  });

  test('has only ids, statuses, codes and times in its history', async () => {
    const { handle } = await runDeliveries(() => progress(1, '204', null));
    const { events } = await handle.fetchHistory();
    const payloads = (events ?? []).flatMap((event) => [
      ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ]);
    const keys = payloads.flatMap(({ data }) => Object.keys(JSON.parse(Buffer.from(data ?? []).toString()) as object));
    expect([...new Set(keys)].sort()).toEqual([
      'answers',
      'attempts',
      'mode',
      'nextAttemptInSeconds',
      'organisationId',
      'webhookId',
    ]);
  });
});
