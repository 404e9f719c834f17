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
import type { BacklogAdded, WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const backlogAdded = defineSignal<[BacklogAdded]>('backlogAdded');

const { planReminders, finishReminders } = proxyActivities<ReminderActivities>(ACTIVITY_OPTIONS.records);
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
 * reminder is due. Paid, void and paused invoices get none, since each batch reads the records. It is woken by changes of
 * the schedule and requests, which are in the records, too. Ends when the schedule is switched off.
 */
export async function reminderSchedule({ organisationId }: WorkflowArguments['reminderSchedule']): Promise<void> {
  let isWoken = false;
  setHandler(backlogAdded, () => {
    isWoken = true;
  });
  for (;;) {
    isWoken = false;
    const { seconds, requestedAt } = await planReminders({ organisationId });
    if (seconds === null) {
      if (!isWoken) return;
      continue;
    }
    if (seconds > 0 && (await condition(() => isWoken, Math.max(1000, seconds * 1000)))) continue;
    await queueDue(organisationId);
    if (requestedAt !== null) await finishReminders({ organisationId, requestedAt });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reminderSchedule>({ organisationId });
  }
}
