import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReminderActivities } from '../../activities/records/reminders';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { ScheduleNews, WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const reminderScheduleChanged = defineSignal<[ScheduleNews]>('reminderScheduleChanged');
const remindersRequested = defineSignal<[ScheduleNews]>('remindersRequested');

const { planReminders } = proxyActivities<ReminderActivities>(ACTIVITY_OPTIONS.records);
const { queueReminders } = proxyActivities<ReminderActivities>(ACTIVITY_OPTIONS.upkeep);

/** Queues every reminder whose day has come; each batch decides by the records at that moment. */
async function queueDue(organisationId: string): Promise<void> {
  let [queued, skipped] = [0, 0];
  let after: { dueDate: string; invoiceId: number } | null = null;
  do {
    const batch: Awaited<ReturnType<typeof queueReminders>> = await queueReminders({ organisationId, after });
    queued += batch.queued;
    skipped += batch.skipped;
    after = batch.next;
  } while (after !== null);
  showStatus('waiting', [`last run: ${queued} queued, ${skipped} skipped`]);
}

/**
 * The reminder schedule of one company: once a day, and on request, it queues a message for each open invoice whose next
 * reminder is due. Paid, void and paused invoices get none, since each batch reads the records. Ends when the schedule is
 * switched off.
 */
export async function reminderSchedule({ organisationId }: WorkflowArguments['reminderSchedule']): Promise<void> {
  let isChanged = false;
  let isRequested = false;
  setHandler(reminderScheduleChanged, () => {
    isChanged = true;
  });
  setHandler(remindersRequested, () => {
    isRequested = true;
  });
  for (;;) {
    if (isRequested) {
      isRequested = false;
      await queueDue(organisationId);
    }
    isChanged = false;
    const seconds = await planReminders({ organisationId });
    if (seconds === null) {
      if (!isChanged && !isRequested) return;
    } else if (!(await condition(() => isChanged || isRequested, Math.max(1000, seconds * 1000)))) {
      await queueDue(organisationId);
    }
    if (workflowInfo().continueAsNewSuggested && !isRequested)
      await continueAsNew<typeof reminderSchedule>({ organisationId });
  }
}
