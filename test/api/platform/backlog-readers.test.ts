import { HOUR_MS } from '../../../domain/durations';
import { newId } from '../../../lib/ids';
import { EVENT_DOCS } from '../../../api/platform/webhooks/event-docs';
import { BacklogReaders } from '../../../models/platform/transactions/backlog-reader';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { Outbox } from '../../../models/platform/transactions/outbox';
import { BacklogReader, claimWake } from '../../../services/platform/transactions/backlog-readers';
import { dispatchRow } from '../../../services/platform/transactions/dispatch';
import { wakeLostReaders } from '../../../services/platform/transactions/lost-readers';
import { workflowIds } from '../../../workflows/contracts';
import { pollUntilFound } from '../../support/poll';
import { startReceiver } from '../../support/receiver';
import type { Receiver } from '../../support/receiver';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { emitTestEvent, registerWebhook } from '../../support/webhooks';

let tenant: Tenant;
let receiver: Receiver;
let webhookId: string;

beforeEach(async () => {
  tenant = await createTenant('Backlogs');
  receiver = await startReceiver();
  webhookId = (await registerWebhook(tenant.identityKey, receiver.url, ['*'])).webhook.id;
});
afterEach(() => receiver.close());
afterAll(closeTestPlatform);

const emit = () =>
  emitTestEvent(tenant.organisationId, {
    type: 'session.declined',
    key: 'session.declined:1',
    data: EVENT_DOCS['session.declined'].example,
  });

/** The outcome of the row that wakes the deliveries of the webhook, once it is dispatched. */
const findOutcome = () =>
  pollUntilFound(async () => {
    const workflowId = workflowIds.webhookDeliveries(webhookId);
    const row = await Outbox.findOne({ workflowId, wakes: true, doneAt: { $ne: null } }).lean();
    return row?.outcome ?? undefined;
  });

const createReader = () =>
  new BacklogReader({
    workflow: 'webhookDeliveries',
    workflowId: workflowIds.webhookDeliveries(webhookId),
    organisationId: tenant.organisationId,
    argument: { webhookId, organisationId: tenant.organisationId, mode: 'live' },
  });

test('rows that are committed while a workflow reads its backlog cost no call to Temporal', async () => {
  const reader = createReader();
  await getTestPlatform();
  await reader.start();
  await emit();
  expect(await findOutcome()).toBe('already_reading');
  expect(receiver.requests).toEqual([]);
  await reader.end();
});

test('the backlog of a reader whose process was killed is read by a workflow that is woken', async () => {
  const platform = await getTestPlatform();
  await createReader().start();
  await emit();
  expect(await findOutcome()).toBe('already_reading');
  const workflowId = workflowIds.webhookDeliveries(webhookId);
  await BacklogReaders.updateOne({ _id: workflowId }, { $set: { until: new Date(0) } });
  await wakeLostReaders(platform);
  expect((await receiver.waitFor(() => true)).body).toContain('session.declined');
});

/** An outbox row that wakes the deliveries of the webhook and that no process is about to dispatch. */
async function insertWake(): Promise<OutboxRecord> {
  const { organisationId } = tenant;
  const far = new Date(Date.now() + HOUR_MS);
  const row = await Outbox.create({
    _id: newId('obx'),
    organisationId,
    kind: 'start',
    wakes: true,
    workflowId: workflowIds.webhookDeliveries(webhookId),
    name: 'webhookDeliveries',
    argument: { webhookId, organisationId, mode: 'live' },
    createdAt: new Date(),
    dueAt: far,
  });
  return row.toObject<OutboxRecord>();
}

test('a process that is killed before Temporal accepted its call delays the wake, and does not lose it', async () => {
  const platform = await getTestPlatform();
  const [killed, later, other] = [await insertWake(), await insertWake(), await insertWake()];
  expect(await claimWake(killed)).toBe(true);
  await dispatchRow(platform, other);
  expect(await Outbox.findById(other._id).lean()).toMatchObject({ outcome: 'already_reading' });
  await dispatchRow(platform, later, [killed]);
  for (const { _id } of [killed, later]) expect(await Outbox.findById(_id).lean()).toMatchObject({ outcome: 'woken' });
});

test('a relay of version 0.1 leaves rows that wake a workflow to one of this version', async () => {
  const platform = await getTestPlatform();
  const asKnownBefore = { ...(await insertWake()), wakes: false };
  expect(await dispatchRow(platform, asKnownBefore)).toBe('failed');
  expect(await Outbox.findById(asKnownBefore._id).lean()).toMatchObject({ doneAt: null, attempts: 1 });
});

test('a reader that another one has replaced neither renews nor ends the record of that one', async () => {
  await getTestPlatform();
  const [first, second] = [createReader(), createReader()];
  await first.start();
  await second.start();
  await first.end();
  expect(await BacklogReaders.exists({ _id: workflowIds.webhookDeliveries(webhookId) })).not.toBeNull();
  await second.end();
});
