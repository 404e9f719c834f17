import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { MessageActivities } from '../../activities/delivery/messages';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { BacklogAdded, WorkflowArguments } from '../contracts';

const backlogAdded = defineSignal<[BacklogAdded]>('backlogAdded');

/**
 * Sends the queued messages of one organisation: one activity sends all that are due, and a durable timer waits for the
 * next attempt. The records say when that is. Ends when no message is queued; the next one starts it again.
 */
export async function messageDeliveries(input: WorkflowArguments['messageDeliveries']): Promise<void> {
  // Many messages of one organisation must not delay those of others.
  const { sendMessages } = proxyActivities<MessageActivities>({
    ...ACTIVITY_OPTIONS.messages,
    priority: { fairnessKey: input.organisationId },
  });
  let isWoken = false;
  // A repeated signal has no further effect.
  setHandler(backlogAdded, () => {
    isWoken = true;
  });
  for (;;) {
    isWoken = false;
    const { answers, nextAttemptInSeconds } = await sendMessages(input);
    const lines = Object.entries(answers).map(([answer, count]) => `- ${answer}: ${count}`);
    setCurrentDetails(['**last attempts**', ...lines].join('\n'));
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof messageDeliveries>(input);
    if (nextAttemptInSeconds === null) {
      if (!isWoken) return;
    } else if (nextAttemptInSeconds > 0) {
      await condition(() => isWoken, Math.max(1, nextAttemptInSeconds * 1000));
    }
  }
}
