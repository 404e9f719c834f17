import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery/activities';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

/**
 * One event on its way to one endpoint: an attempt, a wait, the next attempt, until the record says that the delivery
 * is over. Each wait is a durable timer, so that no restart of any process shortens, doubles or loses an attempt.
 */
export async function webhookDelivery({
  deliveryId,
  organisationId,
}: WorkflowArguments['webhookDelivery']): Promise<void> {
  // One organisation's flood of events must not delay another's.
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
