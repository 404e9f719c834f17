import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { MessageActivities } from '../../../activities/delivery/messages';
import type { ReminderActivities } from '../../../activities/records/reminders';
import { addDays, countDays, toCalendarDate } from '../../../domain/business/calendar';
import { computeMailRetryDelaySeconds } from '../../../domain/business/messages/retry-schedule';
import { findNextReminder } from '../../../domain/business/messages/reminder-rules';
import type { SentReminder } from '../../../domain/business/messages/reminder-rules';
import { computeNextRun } from '../../../services/business/messages/reminder-settings';
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

const ZONE = 'Europe/Berlin';
const HOUR = 8;
const LEVELS = [7, 21, 35].map((daysAfterDue) => ({ daysAfterDue, fee: null, interestText: {} }));

const now = async (): Promise<Date> => new Date(await environment.currentTimeMs());

/** The records of a company with one overdue invoice, as the activities read them. */
class Books {
  readonly sent: SentReminder[] = [];
  readonly sentAtHours: number[] = [];
  automatic = true;
  isOpen = true;
  requestedAt: string | null = null;
  pausedUntil = '';

  constructor(readonly dueDate: string) {}

  readonly activities: ReminderActivities = {
    planReminders: async () => {
      const at = await now();
      if (this.requestedAt !== null) return { seconds: 0, requestedAt: this.requestedAt };
      const seconds = (computeNextRun(HOUR, ZONE, at).getTime() - at.getTime()) / 1000;
      return { seconds: this.automatic ? seconds : null, requestedAt: null };
    },
    finishReminders: () => {
      this.requestedAt = null;
      return Promise.resolve();
    },
    queueReminders: async () => {
      const today = toCalendarDate(await now(), ZONE);
      const next = findNextReminder(LEVELS, this.dueDate, this.sent);
      if (!this.isOpen || next === null || next.day > today) return { queued: 0, skipped: 0, next: null };
      if (today <= this.pausedUntil) return { queued: 0, skipped: 1, next: null };
      this.sent.push({ level: next.level, day: today });
      this.sentAtHours.push((await now()).getUTCHours());
      return { queued: 1, skipped: 0, next: null };
    },
  };

  /** Level and days after the due date of every reminder that was sent. */
  get reminders(): [number, number][] {
    return this.sent.map(({ level, day }) => [level, countDays(this.dueDate, day)]);
  }
}

/** Runs the schedule of a company with one invoice that was due yesterday. */
async function runSchedule(during: (books: Books, handle: WorkflowHandle) => Promise<void>): Promise<{
  books: Books;
  handle: WorkflowHandle;
}> {
  const books = new Books(addDays(toCalendarDate(await now(), ZONE), -1));
  const organisationId = `org_${randomUUID()}`;
  const taskQueue = QUEUES.orchestration;
  const connection = environment.nativeConnection;
  const worker = await Worker.create({ connection, taskQueue, workflowBundle, activities: books.activities });
  const handle = await worker.runUntil(async () => {
    const started = await environment.client.workflow.start('reminderSchedule', {
      workflowId: workflowIds.reminderSchedule(organisationId),
      taskQueue,
      args: [{ organisationId }],
    });
    await during(books, started);
    books.automatic = false;
    await started.signal('backlogAdded', { outboxId: 'obx_9' });
    await started.result();
    return started;
  });
  return { books, handle };
}

describe('the reminder schedule of a company', () => {
  test('reminds at each level on its day, at its hour, and then no more', async () => {
    const { books, handle } = await runSchedule(async () => environment.sleep('60 days'));
    expect(books.reminders).toEqual([
      [1, 7],
      [2, 21],
      [3, 35],
    ]);
    expect(new Set(books.sentAtHours).size).toBeLessThanOrEqual(2);
    await recordHistory(handle, 'reminder-schedule');
  });

  test('stops when money arrives', async () => {
    const { books } = await runSchedule(async (running) => {
      await environment.sleep('25 days');
      running.isOpen = false;
      await environment.sleep('60 days');
    });
    expect(books.reminders).toEqual([
      [1, 7],
      [2, 21],
    ]);
  });

  test('waits for the end of a pause, and then keeps the days between two levels', async () => {
    const { books } = await runSchedule(async (running) => {
      running.pausedUntil = addDays(running.dueDate, 15);
      await environment.sleep('60 days');
    });
    expect(books.reminders).toEqual([
      [1, 16],
      [2, 30],
      [3, 44],
    ]);
  });

  test('runs at once on request', async () => {
    const { books, handle } = await runSchedule(async (running, started) => {
      await environment.sleep('8 days');
      expect(running.reminders).toEqual([[1, 7]]);
      running.sent.length = 0;
      running.requestedAt = '2026-01-01T00:00:00.000Z';
      await started.signal('backlogAdded', { outboxId: 'obx_1' });
      await environment.sleep('1 minute');
    });
    expect(books.reminders).toHaveLength(1);
    await recordHistory(handle, 'reminder-schedule-requested');
  });

  test('has only ids, dates and counts in its history', async () => {
    const { handle } = await runSchedule(async () => environment.sleep('2 days'));
    const { events } = await handle.fetchHistory();
    const payloads = (events ?? []).flatMap((event) => [
      ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ]);
    const keys = payloads.flatMap(({ data }) => {
      const value: unknown = JSON.parse(Buffer.from(data ?? []).toString());
      return typeof value === 'object' && value !== null ? Object.keys(value) : [];
    });
    expect([...new Set(keys)].sort()).toEqual([
      'after',
      'next',
      'organisationId',
      'queued',
      'requestedAt',
      'seconds',
      'skipped',
    ]);
  });
});

describe('the workflow that sends messages', () => {
  test('waits for each retry of a server that greylists, goes on after killed workers, and ends', async () => {
    const organisationId = `org_${randomUUID()}`;
    const atSeconds: number[] = [];
    let crashes = 2;
    const activities: MessageActivities = {
      sendMessages: async () => {
        if (crashes-- > 0) throw new Error('The worker was killed.');
        atSeconds.push((await environment.currentTimeMs()) / 1000);
        const count = atSeconds.length;
        const isLast = count === 4;
        return {
          answers: { [isLast ? '250' : '450']: 1 },
          attempts: [],
          nextAttemptInSeconds: isLast ? null : computeMailRetryDelaySeconds(count, 0),
        };
      },
    };
    const connection = environment.nativeConnection;
    const workflows = await Worker.create({ connection, taskQueue: QUEUES.orchestration, workflowBundle });
    const delivery = await Worker.create({ connection, taskQueue: QUEUES.delivery, activities });
    const handle = await workflows.runUntil(
      delivery.runUntil(async () => {
        const started = await environment.client.workflow.signalWithStart('messageDeliveries', {
          workflowId: workflowIds.messageDeliveries(organisationId),
          taskQueue: QUEUES.orchestration,
          args: [{ organisationId }],
          signal: 'backlogAdded',
          signalArgs: [{ outboxId: 'obx_1' }],
        });
        await started.result();
        return started;
      }),
    );
    await recordHistory(handle, 'message-deliveries');
    const delays = atSeconds.slice(1).map((at, index) => at - (atSeconds[index] ?? NaN));
    [60, 300, 600].forEach((delay, index) => expect(delays[index]).toBeGreaterThanOrEqual(delay - 0.5));
  });
});
