import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowHandle } from '@temporalio/client';
import type { IdentityRecordsActivities } from '../../../activities/records/identity';
import { ERASED_PROGRESS } from '../../../domain/identity/sessions/progress';
import type { SessionProgress } from '../../../domain/identity/sessions/progress';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { isFinalStatus } from '../../../domain/identity/sessions/session';
import { ACTIVITY_OPTIONS, QUEUES } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';
import { DAY_SECONDS } from '../../../domain/durations';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

const buildProgress = (status: SessionStatus): SessionProgress => ({
  ...ERASED_PROGRESS,
  status,
  final: isFinalStatus(status),
});

/** A session in memory: `status` is the stored one; the lists record the activities that the workflow called. */
function createRecordedSession(status: SessionStatus) {
  const record = { status, advances: 0, ends: 0 };
  const activities: IdentityRecordsActivities = {
    advanceSession: () => {
      record.advances += 1;
      return Promise.resolve(buildProgress(record.status));
    },
    endIdleSession: () => {
      record.ends += 1;
      record.status = record.status === 'not_started' ? 'expired' : 'abandoned';
      return Promise.resolve(buildProgress(record.status));
    },
    expireApprovals: () => Promise.reject(new Error('A session lapses by a Schedule.')),
    failCheck: () => Promise.reject(new Error('A session fails no check.')),
  };
  return { record, activities };
}

async function runWithSession(
  activities: IdentityRecordsActivities,
  run: (handle: WorkflowHandle) => Promise<void>,
): Promise<void> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities,
  });
  await worker.runUntil(async () => {
    const sessionId = `ses_${randomUUID()}`;
    const handle = await environment.client.workflow.start('session', {
      workflowId: sessionId,
      taskQueue: QUEUES.orchestration,
      args: [{ sessionId, opening: 1, linkTtlSeconds: 7 * DAY_SECONDS, abandonAfterSeconds: DAY_SECONDS }],
    });
    await run(handle);
  });
}

const measureElapsedDays = async (handle: WorkflowHandle): Promise<number> => {
  const { startTime, closeTime } = await handle.describe();
  return ((closeTime?.getTime() ?? NaN) - startTime.getTime()) / (DAY_SECONDS * 1000);
};

const sendSignal = (handle: WorkflowHandle, outboxId: string) =>
  handle.signal('sessionChanged', { outboxId, kind: 'check_completed' });

describe('the session workflow', () => {
  test('expires a session that is not started before its link expires', async () => {
    const { record, activities } = createRecordedSession('not_started');
    await runWithSession(activities, async (handle) => {
      await handle.result();
      expect(record).toMatchObject({ status: 'expired', ends: 1 });
      expect(await measureElapsedDays(handle)).toBeCloseTo(7, 2);
    });
  });

  test('abandons a started session after a day without activity', async () => {
    const { record, activities } = createRecordedSession('in_progress');
    await runWithSession(activities, async (handle) => {
      await environment.sleep('23 hours');
      await sendSignal(handle, 'obx_1');
      await environment.sleep('23 hours');
      expect(record.status).toBe('in_progress');
      await handle.result();
      expect(record).toMatchObject({ status: 'abandoned', ends: 1 });
      expect(await measureElapsedDays(handle)).toBeCloseTo(47 / 24, 2);
      await recordHistory(handle, 'session-abandoned');
    });
  });

  test('continues waiting if the session turns out not to be idle', async () => {
    const { record, activities } = createRecordedSession('in_progress');
    const endIdleSession = activities.endIdleSession;
    let rejections = 1;
    activities.endIdleSession = (input) =>
      rejections-- > 0 ? Promise.resolve(buildProgress('in_progress')) : endIdleSession(input);
    await runWithSession(activities, async (handle) => {
      await handle.result();
      expect(record.status).toBe('abandoned');
      expect(await measureElapsedDays(handle)).toBeCloseTo(2, 2);
    });
  });

  test('waits for a reviewer without a limit', async () => {
    const { record, activities } = createRecordedSession('in_review');
    await runWithSession(activities, async (handle) => {
      await environment.sleep('90 days');
      expect(record).toMatchObject({ status: 'in_review', ends: 0 });
      record.status = 'approved';
      await sendSignal(handle, 'obx_decided');
      await handle.result();
      expect(record.ends).toBe(0);
    });
  });

  test('continues after a reviewer requests a resubmission', async () => {
    const { record, activities } = createRecordedSession('in_review');
    await runWithSession(activities, async (handle) => {
      record.status = 'resubmission_requested';
      await sendSignal(handle, 'obx_1');
      await handle.result();
      expect(record).toMatchObject({ status: 'abandoned', ends: 1 });
    });
  });

  test('advances once for a signal that is delivered twice', async () => {
    const { record, activities } = createRecordedSession('in_review');
    await runWithSession(activities, async (handle) => {
      await sendSignal(handle, 'obx_1');
      await environment.sleep('1 minute');
      const advances = record.advances;
      await sendSignal(handle, 'obx_1');
      await environment.sleep('1 minute');
      expect(record.advances).toBe(advances);
      record.status = 'declined';
      await sendSignal(handle, 'obx_2');
      await handle.result();
    });
  });

  test('survives an unavailable database', async () => {
    const { record, activities } = createRecordedSession('approved');
    const advance = activities.advanceSession;
    let failures = 12;
    activities.advanceSession = (input) => (failures-- > 0 ? Promise.reject(new Error('No primary.')) : advance(input));
    await runWithSession(activities, async (handle) => {
      await handle.result();
      expect(record.advances).toBe(1);
    });
    expect(ACTIVITY_OPTIONS.records.retry).not.toHaveProperty('maximumAttempts');
  });

  test('has only ids, statuses and codes in its history', async () => {
    const { activities } = createRecordedSession('declined');
    await runWithSession(activities, async (handle) => {
      await handle.result();
      const { events } = await handle.fetchHistory();
      const payloads = (events ?? []).flatMap((event) => [
        ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
        ...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
        ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
      ]);
      const keys = payloads.flatMap(({ data }) =>
        Object.keys(JSON.parse(Buffer.from(data ?? []).toString()) as object),
      );
      expect(new Set(keys)).toEqual(
        new Set(['abandonAfterSeconds', ...Object.keys(ERASED_PROGRESS), 'linkTtlSeconds', 'sessionId']),
      );
    });
  });
});
