import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { WebhookRecordsActivities } from '../../activities/records/webhooks';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

const { recoverDeliveries } = proxyActivities<WebhookRecordsActivities>(ACTIVITY_OPTIONS.records);

/** Redelivers the events that a webhook missed in a span of time, in batches. */
export async function webhookRecovery(recovery: WorkflowArguments['webhookRecovery']): Promise<void> {
  let { cursor } = recovery;
  let sent = 0;
  for (;;) {
    const batch = await recoverDeliveries({ ...recovery, cursor });
    sent += batch.sent;
    setCurrentDetails(`sent again: ${sent}`);
    if (batch.next === null) return;
    cursor = batch.next;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookRecovery>({ ...recovery, cursor });
  }
}
