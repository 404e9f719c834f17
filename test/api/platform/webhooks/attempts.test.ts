import { MAX_ATTEMPTS } from '../../../../domain/platform/webhooks/retry-schedule';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress } from '../../../../lib/egress/egress';
import { egressError } from '../../../../lib/egress/failure';
import { BacklogReaders } from '../../../../models/platform/transactions/backlog-reader';
import { WebhookDelivery } from '../../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { AttemptRecorder, recordAttempts } from '../../../../services/platform/webhooks/attempts';
import { cancelDeliveries, cancelDelivery } from '../../../../services/platform/webhooks/deliveries';
import { readDueDeliveries } from '../../../../services/platform/webhooks/due-deliveries';
import type { Platform } from '../../../../services/platform/platform';
import { attemptDeliveries, createActivityWorker, createPendingDelivery } from '../../../support/delivery-activities';
import type { PendingDelivery } from '../../../support/delivery-activities';
import { pollUntilFound } from '../../../support/poll';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { QUEUES, workflowIds } from '../../../../workflows/contracts';
import { registerWebhook, fetchWebhooks, waitForDelivery } from '../../../support/webhooks';
import { HOUR_MS } from '../../../../domain/durations';

let platform: Platform;
let tenant: Tenant;
let receiver: Receiver;
let egress: Egress;
let webhookId: string;

beforeAll(async () => {
  platform = await getTestPlatform();
});
beforeEach(async () => {
  tenant = await createTenant('Attempts');
  receiver = await startReceiver();
  egress = createEgress({ allow: [receiver.hostPort] });
  webhookId = (await registerWebhook(tenant.identityKey, receiver.url, ['session.created'])).webhook.id;
});
afterEach(async () => {
  await egress.close();
  await receiver.close();
});
afterAll(closeTestPlatform);

const findDelivery = async ({ deliveryId }: PendingDelivery): Promise<WebhookDeliveryRecord> => {
  const record = await WebhookDelivery.findById(deliveryId).lean<WebhookDeliveryRecord>();
  if (record === null) throw new Error('The delivery is gone.');
  return record;
};

const webhook = () => ({ webhookId, organisationId: tenant.organisationId, mode: 'live' as const });

const attemptDue = (through: Egress = egress, worker = createActivityWorker()) =>
  attemptDeliveries(webhook(), through, { worker });

/** Makes the next attempt of a delivery due. */
const makeDue = ({ deliveryId }: PendingDelivery) =>
  WebhookDelivery.updateOne({ _id: deliveryId }, { $set: { nextAttemptAt: platform.clock.now() } });

/** Records a response at a given time without sending a request. @returns the status of the delivery afterwards */
const recordStatus = async (
  { deliveryId }: PendingDelivery,
  number: number,
  status: number | null,
  at: Date = platform.clock.now(),
) => {
  const result = { durationMs: 5, status, error: status === null ? 'timeout' : null, response: null };
  const attempt = { deliveryId, number, at, url: receiver.url, ...result, retryAfter: undefined };
  const [after] = await recordAttempts({ ...platform, clock: { now: () => at } }, webhook(), [attempt]);
  return after;
};

/** An outage of MongoDB as the driver reports it. */
const outage = (): Error => Object.assign(new Error('The process ended here.'), { name: 'MongoNetworkError' });

describe('the attempts of a webhook', () => {
  test('an activity that Temporal repeats while the first attempt of it still runs sends nothing twice', async () => {
    const pending = await createPendingDelivery(webhook());
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Egress = { ...egress, request: (request) => released.then(() => egress.request(request)) };
    const first = attemptDue(slow);
    await pollUntilFound(async () =>
      (await BacklogReaders.exists({ _id: workflowIds.webhookDeliveries(webhookId), reading: true }))
        ? true
        : undefined,
    );
    const repeated = createActivityWorker({ attempt: 2 });
    const isWaiting = new Promise((resolve) => repeated.once('heartbeat', resolve));
    const second = attemptDue(egress, repeated);
    await isWaiting;
    expect(receiver.requests).toEqual([]);
    release();
    expect([(await first).attempts.length, (await second).attempts.length]).toEqual([1, 0]);
    expect(receiver.requests).toHaveLength(1);
    expect((await findDelivery(pending)).attempts.map(({ number }) => number)).toEqual([1]);
  });

  test('a crash between the response and the record posts again with the same webhook-id', async () => {
    const pending = await createPendingDelivery(webhook());
    const crashing: Egress = {
      ...egress,
      request: async (request) => {
        await egress.request(request);
        throw outage();
      },
    };
    await expect(attemptDue(crashing)).rejects.toThrow('The process ended here.');
    expect((await findDelivery(pending)).attempts).toEqual([]);

    const { deliveryId } = pending;
    expect(await attemptDue()).toEqual({
      answers: { 204: 1 },
      attempts: [{ deliveryId, attempt: 1, answer: '204', status: 'succeeded' }],
      nextAttemptInSeconds: null,
    });
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([pending.eventId, pending.eventId]);
    expect(await findDelivery(pending)).toMatchObject({ status: 'succeeded', attempts: [{ number: 1, status: 204 }] });
  });

  test('a crash after the record does not post again before the delay has passed', async () => {
    receiver.reply({ status: 503, headers: { 'retry-after': '900' } });
    const pending = await createPendingDelivery(webhook());
    const first = await attemptDue();
    expect(first).toMatchObject({ attempts: [{ status: 'pending', answer: '503' }] });
    expect(first.nextAttemptInSeconds).toBeGreaterThanOrEqual(890);
    const again = await attemptDue();
    expect(again.attempts).toEqual([]);
    expect((first.nextAttemptInSeconds ?? 0) - (again.nextAttemptInSeconds ?? 0)).toBeLessThan(30);
    expect(receiver.requests).toHaveLength(1);
    expect((await findDelivery(pending)).attempts).toHaveLength(1);

    receiver.reply({ status: 204 });
    await makeDue(pending);
    expect((await attemptDue()).attempts).toMatchObject([{ attempt: 2, status: 'succeeded' }]);
  });

  test('an attempt that was not sent because of other lookups of the organisation is repeated and not recorded', async () => {
    const pending = await createPendingDelivery(webhook());
    const tenants: (string | undefined)[] = [];
    const busy: Egress = {
      ...egress,
      request: ({ tenant: caller }) => {
        tenants.push(caller);
        return Promise.reject(egressError('dns_busy'));
      },
    };
    const { attempts, nextAttemptInSeconds } = await attemptDue(busy);
    expect(attempts).toEqual([]);
    expect(nextAttemptInSeconds).toBeLessThanOrEqual(1);
    expect(new Set(tenants)).toEqual(new Set([tenant.organisationId]));
    expect((await findDelivery(pending)).attempts).toEqual([]);
    await makeDue(pending);
    expect((await attemptDue()).attempts).toMatchObject([{ attempt: 1, status: 'succeeded', answer: '204' }]);
  });

  test('a delivery that waits for its receiver, or that cannot be made, holds up no other', async () => {
    const [slow, faulty] = [await createPendingDelivery(webhook()), await createPendingDelivery(webhook())];
    const others = await Promise.all(Array.from({ length: 40 }, () => createPendingDelivery(webhook())));
    const isOther = { _id: { $in: others.map(({ deliveryId }) => deliveryId) } };
    const uneven: Egress = {
      ...egress,
      request: async (request) => {
        const id = request.headers?.['webhook-id'];
        if (id === faulty.eventId) throw new Error('An unexpected fault.');
        // Responds once all others are recorded.
        if (id === slow.eventId)
          await pollUntilFound(async () =>
            (await WebhookDelivery.exists({ ...isOther, status: 'pending' })) === null ? true : undefined,
          );
        return egress.request(request);
      },
    };
    const { answers, nextAttemptInSeconds } = await attemptDue(uneven);
    expect(answers).toEqual({ 204: 41 });
    expect(nextAttemptInSeconds).toBeGreaterThan(1);
    expect(await findDelivery(slow)).toMatchObject({ status: 'succeeded' });
    expect(await findDelivery(faulty)).toMatchObject({ status: 'pending', attempts: [] });
  });

  describe('attempts in progress at the same time', () => {
    const answer = { at: new Date(), durationMs: 5, status: 204, error: null, response: null, retryAfter: undefined };
    /** Begins an attempt that ends when `until` does. */
    const begin = async (recorder: AttemptRecorder, { deliveryId }: { deliveryId: string }, until?: Promise<void>) =>
      (
        await recorder.record(async () => {
          await until;
          return { deliveryId, number: 1, url: receiver.url, ...answer };
        })
      ).status;

    test('are recorded together once all have ended', async () => {
      const pending = [await createPendingDelivery(webhook()), await createPendingDelivery(webhook())];
      const recorder = new AttemptRecorder(platform, webhook());
      expect(await Promise.all(pending.map((each) => begin(recorder, each)))).toEqual(['succeeded', 'succeeded']);
      const ends = (await Promise.all(pending.map(findDelivery))).map(({ completedAt }) => completedAt?.getTime());
      expect(new Set(ends).size).toBe(1);
    });

    test('are recorded while one of them waits for its receiver, but for those that were not made', async () => {
      const [made, waiting] = [await createPendingDelivery(webhook()), await createPendingDelivery(webhook())];
      const recorder = new AttemptRecorder(platform, webhook());
      const last = begin(
        recorder,
        waiting,
        begin(recorder, made).then(() => undefined),
      );
      await expect(recorder.record(() => Promise.reject(new Error('not made')))).rejects.toThrow('not made');
      expect(await last).toBe('succeeded');
    });
  });

  test('a webhook that is disabled while attempts are in progress keeps their results', async () => {
    const [inProgress, waiting] = [await createPendingDelivery(webhook()), await createPendingDelivery(webhook())];
    await WebhookEndpoint.updateOne({ _id: webhookId }, { $set: { disabledAt: platform.clock.now() } });
    expect(await readDueDeliveries(platform, webhook(), 10, [inProgress.deliveryId])).toEqual([]);
    expect(await findDelivery(waiting)).toMatchObject({ status: 'failed', reason: 'endpoint_disabled' });
    expect(await recordStatus(inProgress, 1, 204)).toBe('succeeded');
    expect(await findDelivery(inProgress)).toMatchObject({ status: 'succeeded', attempts: [{ status: 204 }] });
  });

  test('concurrent records of one attempt count once', async () => {
    const pending = await createPendingDelivery(webhook());
    const statuses = await Promise.all([1, 2, 3].map(() => recordStatus(pending, 1, 204)));
    expect(statuses).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect((await findDelivery(pending)).attempts).toHaveLength(1);
  });

  test('the tenth failure ends the delivery', async () => {
    const pending = await createPendingDelivery(webhook());
    for (let number = 1; number < MAX_ATTEMPTS; number += 1)
      expect(await recordStatus(pending, number, 500)).toBe('pending');
    expect(await recordStatus(pending, MAX_ATTEMPTS, 500)).toBe('failed');
    expect(await findDelivery(pending)).toMatchObject({
      status: 'failed',
      reason: 'attempts_exhausted',
      nextAttemptAt: null,
    });
  });

  test('a cancelled delivery is not attempted, and an ended one is not cancelled', async () => {
    const cancelled = await createPendingDelivery(webhook());
    await cancelDelivery(platform, cancelled);
    expect(await attemptDue()).toEqual({ answers: {}, attempts: [], nextAttemptInSeconds: null });
    const done = await createPendingDelivery(webhook());
    await attemptDue();
    await cancelDelivery(platform, done);
    expect((await findDelivery(done)).status).toBe('succeeded');
    await createPendingDelivery(webhook());
    await cancelDeliveries(platform, webhook());
    expect((await attemptDue()).attempts).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('an event that was erased or does not exist is not sent, nor one of another organisation', async () => {
    const [erased, removed] = [await createPendingDelivery(webhook()), await createPendingDelivery(webhook())];
    await WebhookEvent.updateOne({ _id: erased.eventId }, { $set: { body: null } });
    await WebhookEvent.deleteOne({ _id: removed.eventId });
    await attemptDue();
    for (const delivery of [erased, removed])
      expect(await findDelivery(delivery)).toMatchObject({ status: 'cancelled', reason: 'event_erased' });
    await createPendingDelivery(webhook());
    const foreign = { ...webhook(), organisationId: (await createTenant('Other')).organisationId };
    expect(await readDueDeliveries(platform, foreign, 10, [])).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  test('a delivery that an earlier version started a workflow for is handed over and made once', async () => {
    const { deliveryId, organisationId } = await createPendingDelivery(webhook());
    await platform.temporal.workflow.execute('webhookDelivery', {
      taskQueue: QUEUES.orchestration,
      workflowId: deliveryId,
      args: [{ deliveryId, organisationId }],
    });
    const request = await receiver.waitFor(() => true);
    expect(request.headers['webhook-id']).toMatch(/^evt_/);
    await waitForDelivery(deliveryId);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('the health of an endpoint', () => {
  const start = new Date('2026-01-01T00:00:00Z');
  const later = (hours: number): Date => new Date(start.getTime() + hours * HOUR_MS);
  const failAt = async (hours: number): Promise<void> => {
    await recordStatus(await createPendingDelivery(webhook()), 1, 500, later(hours));
  };
  const status = async () => (await fetchWebhooks(tenant.identityKey))[0];

  test('is disabled after five days without a success', async () => {
    for (const hours of [0, 24, 48, 72, 96, 119]) await failAt(hours);
    expect(await status()).toMatchObject({ status: 'enabled' });
    await failAt(120);
    expect(await status()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const pending = await createPendingDelivery(webhook());
    await attemptDue();
    expect(await findDelivery(pending)).toMatchObject({ status: 'failed', reason: 'endpoint_disabled' });
  });

  test('counts anew after a success', async () => {
    for (const hours of [0, 24, 48, 72, 96]) await failAt(hours);
    await recordStatus(await createPendingDelivery(webhook()), 1, 200, later(100));
    for (const hours of [110, 130, 150, 170, 190, 210]) await failAt(hours);
    expect(await status()).toMatchObject({ status: 'enabled' });
  });

  test('records all concurrent responses', async () => {
    const pending = await Promise.all(Array.from({ length: 24 }, () => createPendingDelivery(webhook())));
    await Promise.all(pending.map((delivery, index) => recordStatus(delivery, 1, index % 6 === 0 ? 200 : null)));
    const records = await Promise.all(pending.map(findDelivery));
    expect(records.filter((delivery) => delivery.status === 'succeeded')).toHaveLength(4);
    expect(records.every((delivery) => delivery.attempts.length === 1)).toBe(true);
  });
});
