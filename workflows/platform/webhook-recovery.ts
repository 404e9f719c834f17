import { continueAsNew, patched, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { WebhookRecordsActivities } from '../../activities/records/webhooks';
import { MINUTE_MS } from '../../domain/durations';
import { ACTIVITY_OPTIONS, MAX_OPEN_TRANSACTION_MS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

/** Time before the end of the span in which late events may have occurred: an event is older than its transaction. */
const LATE_SPAN_MS = 10 * MINUTE_MS;

const { recoverDeliveries } = proxyActivities<WebhookRecordsActivities>(ACTIVITY_OPTIONS.records);

type Recovery = WorkflowArguments['webhookRecovery'];

/** Redelivers the missed events of a span in batches. @returns how many */
async function recoverSpan(recovery: Recovery): Promise<number> {
  let { cursor } = recovery;
  let sent = 0;
  for (;;) {
    const batch = await recoverDeliveries({ ...recovery, cursor });
    sent += batch.sent;
    setCurrentDetails(`sent again: ${sent}`);
    if (batch.next === null) return sent;
    cursor = batch.next;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookRecovery>({ ...recovery, cursor });
  }
}

/** The span of the events whose transactions were running when the webhook was enabled. */
function buildLateSpan(recovery: Recovery): Recovery {
  const from = Math.max(Date.parse(recovery.since), Date.parse(recovery.until) - LATE_SPAN_MS);
  const until = recovery.lateUntil ?? recovery.until;
  return { ...recovery, since: new Date(from).toISOString(), until, cursor: null, late: true };
}

/**
 * Redelivers the events that a webhook missed in a span of time, and afterwards those of transactions that read it as
 * disabled and were committed after it was enabled.
 */
export async function webhookRecovery(recovery: Recovery): Promise<void> {
  const sent = await recoverSpan(recovery);
  if (recovery.late === true || !patched('late-events')) return;
  await sleep(MAX_OPEN_TRANSACTION_MS, { summary: 'Waiting for transactions that began before' });
  const late = await recoverSpan(buildLateSpan(recovery));
  setCurrentDetails(`sent again: ${sent + late}`);
}
