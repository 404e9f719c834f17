import {
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery/activities';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { AttemptNow, WorkflowArguments } from '../contracts';

const attemptNow = defineSignal<[AttemptNow]>('attemptNow');

/**
 * The delivery of one event to one endpoint, as earlier versions started it. The next attempt hands the delivery over to
 * the workflow of its webhook (`webhookDeliveries`), and this one ends. No workflow of this type is started any more: it
 * can be removed when none has been running for a day, the longest delay between two attempts.
 */
export async function webhookDelivery({
  deliveryId,
  organisationId,
}: WorkflowArguments['webhookDelivery']): Promise<void> {
  // Many events of one organisation must not delay the deliveries of others.
  const { attemptDelivery, cancelDelivery } = proxyActivities<DeliveryActivities>({
    ...ACTIVITY_OPTIONS.delivery,
    priority: { fairnessKey: organisationId },
  });
  const delivery = { deliveryId, organisationId };
  let isAdvanced = false;
  // A repeated signal has no further effect.
  setHandler(attemptNow, () => {
    isAdvanced = true;
  });

  try {
    for (let attempt = 1; ; attempt += 1) {
      setCurrentDetails(`attempt ${attempt}: under way`);
      const { status, answer, retryInSeconds } = await attemptDelivery({ ...delivery, attempt });
      setCurrentDetails(`attempt ${attempt}: ${answer}; delivery ${status}`);
      if (status !== 'pending') return;
      // Creates the same timer as sleep(), which earlier versions used: their histories replay.
      await condition(() => isAdvanced, Math.max(1, retryInSeconds * 1000));
      isAdvanced = false;
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => cancelDelivery(delivery));
    setCurrentDetails('cancelled');
    throw error;
  }
}
