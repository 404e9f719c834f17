import { EVENT_DOCS } from '../../../../api/platform/webhooks/event-docs';
import { HOUR_MS } from '../../../../domain/durations';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { WebhookDelivery } from '../../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../../models/platform/webhooks/webhook-endpoint';
import { runTransaction } from '../../../../services/platform/transactions/unit-of-work';
import { emitEvent } from '../../../../services/platform/webhooks/events';
import { recoverBatch } from '../../../../services/platform/webhooks/recovery';
import type { WebhookRecovery } from '../../../../workflows/contracts';
import { call } from '../../../support/client';
import { pollUntilFound } from '../../../support/poll';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { emitTestEvent, registerWebhook, waitForDelivery } from '../../../support/webhooks';

let tenant: Tenant;
let receiver: Receiver;

beforeAll(async () => {
  [tenant, receiver] = await Promise.all([createTenant('Late'), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await closeTestPlatform();
});

const buildEvent = (number: number) => ({
  type: 'session.declined' as const,
  key: `session.declined:${number}`,
  data: EVENT_DOCS['session.declined'].example,
});

/** Emits an event in a transaction that commits once `during` has ended. @returns ids of its deliveries */
async function emitWhile(during: () => Promise<unknown>): Promise<string[]> {
  const platform = await getTestPlatform();
  const { organisationId } = tenant;
  const event = { ...buildEvent(1), subjectId: `ses_of_${organisationId}`, at: platform.clock.now() };
  let isDone = false;
  return runTransaction(platform, async (unit) => {
    const deliveries = await emitEvent(unit, { organisationId, mode: 'live' }, event);
    if (!isDone) await during();
    isDone = true;
    return deliveries;
  });
}

/** The argument of the workflow of a recovery that has begun, and recovered the events that were there. */
async function waitForFirstPass(webhookId: string): Promise<WebhookRecovery> {
  const { temporal } = await getTestPlatform();
  const start = await pollUntilFound(async () => {
    const row = await Outbox.findOne({ name: 'webhookRecovery', 'argument.webhookId': webhookId }).lean();
    return row?.doneAt == null ? undefined : row;
  });
  await pollUntilFound(async () => {
    const { events } = await temporal.workflow.getHandle(start.workflowId).fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes != null) === true ? true : undefined;
  });
  return start.argument as WebhookRecovery;
}

test('an event whose transaction saw the webhook as disabled, and ends after its recovery has begun, is sent once', async () => {
  const platform = await getTestPlatform();
  const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['*']);
  receiver.reply({ status: 410 });
  const [failed = ''] = await emitTestEvent(tenant.organisationId, buildEvent(0));
  await waitForDelivery(failed);
  receiver.reply({ status: 204 });
  await WebhookDelivery.updateOne({ _id: failed }, { $set: { status: 'succeeded' } });
  const since = new Date(Date.now() - HOUR_MS).toISOString();
  let recovery: WebhookRecovery | undefined;
  const seen = await emitWhile(async () => {
    expect(
      (await call('POST', `/v1/webhooks/${webhook.id}/recover`, { key: tenant.identityKey, json: { since } })).status,
    ).toBe(202);
    recovery = await waitForFirstPass(webhook.id);
  });
  expect([seen, await WebhookEndpoint.findById(webhook.id).lean()]).toMatchObject([[], { disabledAt: null }]);
  if (recovery === undefined) throw new Error('The recovery has not begun.');
  // Of late events, one that failed since is not attempted again.
  await WebhookDelivery.updateOne({ _id: failed }, { $set: { status: 'failed' } });
  const late = { ...recovery, until: String(recovery.lateUntil), late: true };
  expect(await recoverBatch(platform, late)).toEqual({ sent: 1, next: null });
  expect(await recoverBatch(platform, late)).toEqual({ sent: 0, next: null });
  await receiver.waitForCount(2);
});
