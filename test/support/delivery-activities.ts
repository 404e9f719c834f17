import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createDeliveryActivities } from '../../activities/delivery/activities';
import type { DeliveryActivities } from '../../activities/delivery/activities';
import { OrganisationSlots } from '../../activities/delivery/organisation-slots';
import type { Egress } from '../../lib/egress/egress';
import { newId } from '../../lib/ids';
import { WebhookDelivery } from '../../models/platform/webhooks/webhook-delivery';
import { WebhookEvent } from '../../models/platform/webhooks/webhook-event';
import type { WebhookReference } from '../../workflows/contracts';
import { getTestPlatform } from './tenant';

/** A delivery whose workflow is not woken, so that only the test attempts it. */
export async function createPendingDelivery({ webhookId, organisationId, mode }: WebhookReference) {
  const { clock } = await getTestPlatform();
  const [eventId, deliveryId, at] = [newId('evt'), newId('dlv'), clock.now()];
  const about = { organisationId, mode, subjectId: 'ses_1', createdAt: at };
  const body = JSON.stringify({ type: 'session.created', timestamp: at.toISOString(), data: { id: 'ses_1' } });
  await WebhookEvent.create({ ...about, _id: eventId, type: 'session.created', key: eventId, occurredAt: at, body });
  await WebhookDelivery.create({
    ...about,
    _id: deliveryId,
    endpointId: webhookId,
    eventId,
    eventType: 'session.created',
    status: 'pending',
    nextAttemptAt: at,
  });
  return { deliveryId, organisationId, eventId };
}

export type PendingDelivery = Awaited<ReturnType<typeof createPendingDelivery>>;

/** A process that runs delivery activities. */
export const createActivityWorker = (info: { attempt?: number } = {}) =>
  new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });

type AttemptDeliveries = DeliveryActivities['attemptDeliveries'];

/** Runs the activity like a worker: attempts what is due. */
export async function attemptDeliveries(
  webhook: WebhookReference,
  egress: Egress,
  { worker = createActivityWorker(), slots = new OrganisationSlots(100) } = {},
) {
  const activities = createDeliveryActivities(await getTestPlatform(), egress, new AbortController().signal, slots);
  return worker.run<Parameters<AttemptDeliveries>, Awaited<ReturnType<AttemptDeliveries>>, AttemptDeliveries>(
    activities.attemptDeliveries,
    webhook,
  );
}
