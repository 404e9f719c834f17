import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { workflowIds } from '../../../workflows/contracts';
import type { WebhookReference } from '../../../workflows/contracts';
import type { Platform } from '../platform';
import { forgetReader } from '../transactions/backlog-readers';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { endDeliveries } from './due-deliveries';

/** Has pending deliveries of a webhook attempted, in the transaction that made them due. */
export function wakeDeliveries(unit: UnitOfWork, { webhookId, organisationId, mode }: WebhookReference): void {
  unit.wake(organisationId, {
    workflow: 'webhookDeliveries',
    workflowId: workflowIds.webhookDeliveries(webhookId),
    argument: { webhookId, organisationId, mode },
    summary: `deliveries to ${webhookId}`,
  });
}

/** Ends all pending deliveries of a webhook, whose workflow was cancelled. Later ones wake the workflow again. */
export async function cancelDeliveries(platform: Platform, webhook: WebhookReference): Promise<void> {
  await forgetReader(workflowIds.webhookDeliveries(webhook.webhookId));
  await endDeliveries(platform, webhook, {}, { status: 'cancelled', reason: 'cancelled' });
}

/** Identifies a delivery that an earlier version started a workflow for. */
export interface DeliveryReference {
  deliveryId: string;
  organisationId: string;
}

const findEarlierDelivery = ({ deliveryId, organisationId }: DeliveryReference) =>
  WebhookDelivery.findOne({ _id: deliveryId, organisationId }).lean<WebhookDeliveryRecord>();

const toWebhook = ({ endpointId: webhookId, organisationId, mode }: WebhookDeliveryRecord): WebhookReference => ({
  webhookId,
  organisationId,
  mode,
});

/** Hands a delivery with a workflow of its own, of an earlier version, over to the workflow of its webhook. */
export async function handOverDelivery(platform: Platform, reference: DeliveryReference): Promise<void> {
  const delivery = await findEarlierDelivery(reference);
  if (delivery?.status !== 'pending') return;
  await runTransaction(platform, (unit) => Promise.resolve(wakeDeliveries(unit, toWebhook(delivery))));
}

/** Ends a delivery whose workflow, of an earlier version, was cancelled. */
export async function cancelDelivery(platform: Platform, reference: DeliveryReference): Promise<void> {
  const delivery = await findEarlierDelivery(reference);
  if (delivery === null) return;
  const which = { _id: { $in: [delivery._id] } };
  await endDeliveries(platform, toWebhook(delivery), which, { status: 'cancelled', reason: 'cancelled' });
}
