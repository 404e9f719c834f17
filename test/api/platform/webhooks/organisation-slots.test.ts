import { OrganisationSlots } from '../../../../activities/delivery/organisation-slots';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress } from '../../../../lib/egress/egress';
import { attemptDeliveries, createPendingDelivery } from '../../../support/delivery-activities';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import { registerWebhook } from '../../../support/webhooks';

let receiver: Receiver;
let egress: Egress;

beforeAll(async () => {
  receiver = await startReceiver();
  egress = createEgress({ allow: [receiver.hostPort] });
});
afterAll(async () => {
  await egress.close();
  await receiver.close();
  await closeTestPlatform();
});

/** A webhook with a delivery that is due. */
async function createDueWebhook({ identityKey, organisationId }: { identityKey: string; organisationId: string }) {
  const { id } = (await registerWebhook(identityKey, receiver.url, ['session.created'])).webhook;
  const webhook = { webhookId: id, organisationId, mode: 'live' as const };
  const { deliveryId } = await createPendingDelivery(webhook);
  return { webhook, deliveryId };
}

/** An egress whose requests wait until they are released, and a promise that resolves when the first one waits. */
function createWaitingEgress(): { waiting: Egress; isWaiting: Promise<void>; release: () => void } {
  let release: () => void = () => undefined;
  let reportWaiting: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isWaiting = new Promise<void>((resolve) => {
    reportWaiting = resolve;
  });
  const waiting: Egress = {
    ...egress,
    request: async (request) => {
      reportWaiting();
      await released;
      return egress.request(request);
    },
  };
  return { waiting, isWaiting, release };
}

test('receivers of one organisation that do not answer leave slots of a process to other organisations', async () => {
  const [slow, other] = [await createTenant('Slow receivers'), await createTenant('Other')];
  const [first, second, ofOther] = [
    await createDueWebhook(slow),
    await createDueWebhook(slow),
    await createDueWebhook(other),
  ];
  const slots = new OrganisationSlots(1);
  const { waiting, isWaiting, release } = createWaitingEgress();
  const unanswered = attemptDeliveries(first.webhook, waiting, { slots });
  await isWaiting;

  const postponed = await attemptDeliveries(second.webhook, egress, { slots });
  expect(postponed).toEqual({ answers: {}, attempts: [], nextAttemptInSeconds: 5 });
  const { deliveryId } = ofOther;
  expect(await attemptDeliveries(ofOther.webhook, egress, { slots })).toMatchObject({
    attempts: [{ deliveryId, attempt: 1, status: 'succeeded' }],
  });

  release();
  expect((await unanswered).attempts).toMatchObject([{ deliveryId: first.deliveryId, status: 'succeeded' }]);
  expect((await attemptDeliveries(second.webhook, egress, { slots })).attempts).toMatchObject([
    { deliveryId: second.deliveryId, attempt: 1, status: 'succeeded' },
  ]);
});
