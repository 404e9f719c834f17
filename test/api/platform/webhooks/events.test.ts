import { EVENT_DOCS } from '../../../../api/platform/webhooks/event-docs';
import { WebhookDelivery } from '../../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { emitEvent } from '../../../../services/platform/webhooks/events';
import type { Platform } from '../../../../services/platform/platform';
import { runTransaction } from '../../../../services/platform/transactions/unit-of-work';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { emitTestEvent, registerWebhook } from '../../../support/webhooks';

let platform: Platform;
let tenant: Tenant;
let receiver: Receiver;
let webhookId: string;

beforeAll(async () => {
  platform = await getTestPlatform();
});
beforeEach(async () => {
  tenant = await createTenant('Events');
  receiver = await startReceiver();
  webhookId = (await registerWebhook(tenant.identityKey, receiver.url, ['session.created'])).webhook.id;
});
afterEach(() => receiver.close());
afterAll(closeTestPlatform);

describe('emitting an event', () => {
  const event = (key: string) =>
    ({
      type: 'session.created',
      key,
      data: EVENT_DOCS['session.created'].example,
      subjectId: `ses_of_${tenant.organisationId}`,
      at: platform.clock.now(),
    }) as const;
  const scope = () => ({ organisationId: tenant.organisationId, mode: 'live' as const });

  test('is rolled back with its transaction', async () => {
    const undone = runTransaction(platform, async (unit) => {
      await emitEvent(unit, scope(), event('undone'));
      throw new Error('The record was refused.');
    });
    await expect(undone).rejects.toThrow('The record was refused.');
    expect(await WebhookEvent.countDocuments(scope())).toBe(0);
    expect(await WebhookDelivery.countDocuments(scope())).toBe(0);
  });

  test('in concurrent transactions with the same key happens once', async () => {
    const deliveryIds = await Promise.all(
      [1, 2, 3, 4].map(() => emitTestEvent(tenant.organisationId, event('at-once'))),
    );
    expect(deliveryIds.flat()).toHaveLength(1);
    expect(await WebhookEvent.countDocuments({ ...scope(), key: 'at-once' })).toBe(1);
    await receiver.waitFor(() => true);
  });

  test('does not reach endpoints of another mode or organisation, or deleted ones', async () => {
    const other = await createTenant('Other');
    await registerWebhook(other.identityKey, `${receiver.url}/other`, ['*']);
    const testKey = await tenant.createIdentityKey(['webhooks:write'], { mode: 'test' });
    await registerWebhook(testKey, `${receiver.url}/test`, ['*']);
    await WebhookEndpoint.updateOne({ _id: webhookId }, { $set: { deletedAt: platform.clock.now() } });
    expect(await emitTestEvent(tenant.organisationId, event('without-endpoint'))).toEqual([]);
    expect(await WebhookEvent.countDocuments({ ...scope(), key: 'without-endpoint' })).toBe(1);
  });
});
