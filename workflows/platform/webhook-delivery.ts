import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery/activities';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

/**
 * Delivers one event to one endpoint: attempts separated by delays until the delivery has ended. Each delay is a durable
 * timer, so that restarts of processes neither lose nor repeat attempts.
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

  try {
    for (let attempt = 1; ; attempt += 1) {
      setCurrentDetails(`attempt ${attempt}: under way`);
      const { status, answer, retryInSeconds } = await attemptDelivery({ ...delivery, attempt });
      setCurrentDetails(`attempt ${attempt}: ${answer}; delivery ${status}`);
      if (status !== 'pending') return;
      await sleep(retryInSeconds * 1000);
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => cancelDelivery(delivery));
    setCurrentDetails('cancelled');
    throw error;
  }
}
