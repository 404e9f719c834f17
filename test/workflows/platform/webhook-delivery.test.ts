import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { DeliveryActivities } from '../../../activities/delivery/activities';
import {
  MAX_ATTEMPTS,
  RETRY_DELAYS_SECONDS,
  computeRetryDelaySeconds,
} from '../../../domain/platform/webhooks/retry-schedule';
import { ACTIVITY_OPTIONS, QUEUES } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../domain/durations';

type AttemptInput = Parameters<DeliveryActivities['attemptDelivery']>[0];
type Progress = Awaited<ReturnType<DeliveryActivities['attemptDelivery']>>;

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

const succeeded: Progress = { status: 'succeeded', answer: '204', retryInSeconds: 0 };

/** The recorded results of a receiver that always responds with 500. */
const failing = ({ attempt }: AttemptInput): Promise<Progress> => {
  const delay = computeRetryDelaySeconds(attempt, 0);
  return Promise.resolve(
    delay === null
      ? { status: 'failed', answer: '500', retryInSeconds: 0 }
      : { status: 'pending', answer: '500', retryInSeconds: delay },
  );
};

interface RecordedAttempt {
  input: AttemptInput;
  atSeconds: number;
}

/** Runs one delivery with attempts recorded in memory; `during` is called while it runs. */
async function runDelivery(
  attemptDelivery: DeliveryActivities['attemptDelivery'],
  during: (handle: WorkflowHandle) => Promise<void> = async (handle) => {
    await handle.result();
  },
): Promise<{ recorded: RecordedAttempt[]; cancelled: number; handle: WorkflowHandle }> {
  const recorded: RecordedAttempt[] = [];
  let cancelled = 0;
  const activities: DeliveryActivities = {
    attemptDelivery: async (input) => {
      recorded.push({ input, atSeconds: (await environment.currentTimeMs()) / 1000 });
      return attemptDelivery(input);
    },
    cancelDelivery: () => {
      cancelled += 1;
      return Promise.resolve();
    },
  };
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: QUEUES.orchestration, workflowBundle });
  const attempts = await Worker.create({ connection, taskQueue: QUEUES.delivery, activities });
  const deliveryId = `dlv_${randomUUID()}`;
  const handle = await workflows.runUntil(
    attempts.runUntil(async () => {
      const started = await environment.client.workflow.start('webhookDelivery', {
        workflowId: deliveryId,
        taskQueue: QUEUES.orchestration,
        args: [{ deliveryId, organisationId: 'org_1' }],
      });
      await during(started);
      return started;
    }),
  );
  return { recorded, cancelled, handle };
}

describe('the webhook delivery workflow', () => {
  test('a receiver that accepts gets one immediate attempt', async () => {
    const { recorded, handle } = await runDelivery(() => Promise.resolve(succeeded));
    expect(recorded.map(({ input }) => input.attempt)).toEqual([1]);
    const { startTime } = await handle.describe();
    expect((recorded[0]?.atSeconds ?? NaN) - startTime.getTime() / 1000).toBeLessThan(2);
  });

  test('a receiver that never accepts gets ten scheduled attempts over more than three days', async () => {
    const { recorded, handle } = await runDelivery(failing);
    await recordHistory(handle, 'webhook-delivery');
    expect(recorded.map(({ input }) => input.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(recorded).toHaveLength(MAX_ATTEMPTS);
    recorded.slice(1).forEach(({ atSeconds }, index) => {
      const waited = atSeconds - (recorded[index]?.atSeconds ?? NaN);
      expect(waited).toBeGreaterThanOrEqual((RETRY_DELAYS_SECONDS[index] ?? NaN) - 0.5);
      expect(waited).toBeLessThan((RETRY_DELAYS_SECONDS[index] ?? NaN) + 5);
    });
  });

  test('waits for the recorded delay, also if the receiver requested it', async () => {
    const { recorded } = await runDelivery(({ attempt }) =>
      Promise.resolve(attempt === 1 ? { status: 'pending', answer: '429', retryInSeconds: 7777 } : succeeded),
    );
    const [first, second] = recorded.map(({ atSeconds }) => atSeconds);
    expect((second ?? NaN) - (first ?? NaN)).toBeGreaterThanOrEqual(7776.5);
    expect(recorded).toHaveLength(2);
  });

  test('a recovery of the webhook ends the delay: the next attempt follows at once', async () => {
    const { recorded, handle } = await runDelivery(
      ({ attempt }) =>
        Promise.resolve(attempt === 1 ? { status: 'pending', answer: '503', retryInSeconds: DAY_SECONDS } : succeeded),
      async (running) => {
        await environment.sleep('1 hour');
        await running.signal('attemptNow', { outboxId: 'obx_1' });
        await running.result();
      },
    );
    await recordHistory(handle, 'webhook-delivery-advanced');
    const [first, second] = recorded.map(({ atSeconds }) => atSeconds);
    expect((second ?? NaN) - (first ?? NaN)).toBeLessThan(2 * HOUR_SECONDS);
    expect(recorded.map(({ input }) => input.attempt)).toEqual([1, 2]);
  });

  test('an attempt whose worker died is repeated with the same number', async () => {
    let crashes = 3;
    const { recorded } = await runDelivery(() =>
      crashes-- > 0 ? Promise.reject(new Error('The worker was killed.')) : Promise.resolve(succeeded),
    );
    expect(recorded.map(({ input }) => input.attempt)).toEqual([1, 1, 1, 1]);
    expect(ACTIVITY_OPTIONS.delivery.retry).not.toHaveProperty('maximumAttempts');
  });

  test('a cancelled delivery stops waiting and is recorded as cancelled', async () => {
    const { recorded, cancelled, handle } = await runDelivery(
      () => Promise.resolve({ status: 'pending', answer: '500', retryInSeconds: DAY_SECONDS }),
      async (running) => {
        await environment.sleep('1 hour');
        await running.cancel();
        const error: unknown = await running.result().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(WorkflowFailedError);
        expect(error instanceof WorkflowFailedError && error.cause).toBeInstanceOf(CancelledFailure);
      },
    );
    await recordHistory(handle, 'webhook-delivery-cancelled');
    expect(recorded).toHaveLength(1);
    expect(cancelled).toBe(1);
  });

  test('has only ids, statuses, codes and times in its history', async () => {
    const { handle } = await runDelivery(failing);
    const { events } = await handle.fetchHistory();
    const payloads = (events ?? []).flatMap((event) => [
      ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ]);
    const keys = payloads.flatMap(({ data }) => Object.keys(JSON.parse(Buffer.from(data ?? []).toString()) as object));
    expect([...new Set(keys)].sort()).toEqual([
      'answer',
      'attempt',
      'deliveryId',
      'organisationId',
      'retryInSeconds',
      'status',
    ]);
  });
});
