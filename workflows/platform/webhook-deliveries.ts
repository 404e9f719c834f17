import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery/activities';
import type { DeliveryProgress } from '../../activities/delivery/summary';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { BacklogAdded, WorkflowArguments } from '../contracts';

const backlogAdded = defineSignal<[BacklogAdded]>('backlogAdded');

/** Shows what the last activity has attempted, and when the next attempt is due. */
function showProgress({ answers, nextAttemptInSeconds }: DeliveryProgress): void {
  const counts = Object.entries(answers).map(([answer, count]) => `${answer}: ${count}`);
  const attempted = counts.length === 0 ? 'nothing was due' : `attempts by answer: ${counts.join(', ')}`;
  const next =
    nextAttemptInSeconds === null ? 'no delivery is pending' : `next attempt in ${Math.ceil(nextAttemptInSeconds)} s`;
  setCurrentDetails(`${attempted}; ${next}`);
}

/**
 * Delivers the pending events of one webhook: one activity makes all attempts that are due, and a durable timer waits for
 * the next one. The records of the deliveries say when that is, so that restarts of processes neither lose nor repeat
 * attempts. Ends when no delivery is pending; the next event starts it again.
 */
export async function webhookDeliveries(webhook: WorkflowArguments['webhookDeliveries']): Promise<void> {
  // Many events of one organisation must not delay the deliveries of others.
  const priority = { fairnessKey: webhook.organisationId };
  const { attemptDeliveries } = proxyActivities<DeliveryActivities>({ ...ACTIVITY_OPTIONS.sharedDelivery, priority });
  const { cancelDeliveries } = proxyActivities<DeliveryActivities>({ ...ACTIVITY_OPTIONS.delivery, priority });
  let isWoken = false;
  // A repeated signal has no further effect.
  setHandler(backlogAdded, () => {
    isWoken = true;
  });

  try {
    for (;;) {
      isWoken = false;
      const progress = await attemptDeliveries(webhook);
      showProgress(progress);
      const { nextAttemptInSeconds } = progress;
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookDeliveries>(webhook);
      if (nextAttemptInSeconds === null) {
        if (!isWoken) return;
      } else if (nextAttemptInSeconds > 0) {
        await condition(() => isWoken, Math.max(1, nextAttemptInSeconds * 1000));
      }
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    isWoken = false;
    await CancellationScope.nonCancellable(() => cancelDeliveries(webhook));
    // Events since then are not cancelled.
    if (isWoken) await continueAsNew<typeof webhookDeliveries>(webhook);
    setCurrentDetails('cancelled');
    throw error;
  }
}
