import { proxyActivities } from '@temporalio/workflow';
import type { MessageActivities } from '../../activities/delivery/messages';
import { attemptUntilNoneIsLeft } from '../backlog';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

/** Sends the queued messages of one organisation. */
export async function messageDeliveries(input: WorkflowArguments['messageDeliveries']): Promise<void> {
  // Many messages of one organisation must not delay those of others.
  const { sendMessages } = proxyActivities<MessageActivities>({
    ...ACTIVITY_OPTIONS.messages,
    priority: { fairnessKey: input.organisationId },
  });
  await attemptUntilNoneIsLeft(input, () => sendMessages(input));
}
