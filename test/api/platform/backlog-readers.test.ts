import { HOUR_MS } from '../../../domain/durations';
import { newId } from '../../../lib/ids';
import { EVENT_DOCS } from '../../../api/platform/webhooks/event-docs';
import { BacklogReaders } from '../../../models/platform/transactions/backlog-reader';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { Outbox } from '../../../models/platform/transactions/outbox';
import { BacklogReader, claimWake } from '../../../services/platform/transactions/backlog-readers';
import { dispatchRow } from '../../../services/platform/transactions/dispatch';
import { OutboxDispatcher } from '../../../services/platform/transactions/dispatcher';
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
  expect(await reader.tryStart()).toBe(true);
  await emit();
  expect(await findOutcome()).toBe('already_reading');
  expect(receiver.requests).toEqual([]);
  await reader.end();
});

test('the backlog of a reader whose process was killed is read by a workflow that is woken', async () => {
  const platform = await getTestPlatform();
  expect(await createReader().tryStart()).toBe(true);
  await emit();
  expect(await findOutcome()).toBe('already_reading');
  await expire();
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

test('rows that wake a workflow right after another one are dispatched together', async () => {
  const platform = await getTestPlatform();
  const dispatcher = new OutboxDispatcher();
  const dispatch = (row: OutboxRecord) => dispatcher.dispatch(platform, row, () => Promise.resolve(true));
  const [first, ...later] = [await insertWake(), await insertWake(), await insertWake()];
  const reader = createReader();
  expect(await reader.tryStart()).toBe(true);
  expect(await dispatch(first)).toBe('dispatched');
  expect(await Promise.all(later.map(dispatch))).toEqual(['dispatched', 'dispatched']);
  const rows = await Outbox.find({ _id: { $in: later.map(({ _id }) => _id) } }).lean();
  expect(rows.map(({ outcome }) => outcome)).toEqual(['already_reading', 'already_reading']);
  expect(new Set(rows.map(({ doneAt }) => doneAt?.getTime())).size).toBe(1);
  await reader.end();
});

test('a relay of version 0.1 leaves rows that wake a workflow to one of this version', async () => {
  const platform = await getTestPlatform();
  const asKnownBefore = { ...(await insertWake()), wakes: false };
  expect(await dispatchRow(platform, asKnownBefore)).toBe('failed');
  expect(await Outbox.findById(asKnownBefore._id).lean()).toMatchObject({ doneAt: null, attempts: 1 });
});

/** What a process finds after it stood still for longer than a record is valid. */
const expire = () =>
  BacklogReaders.updateOne({ _id: workflowIds.webhookDeliveries(webhookId) }, { $set: { until: new Date(0) } });

test('two activities never read one backlog: a repetition waits until the first has ended or has not renewed its record', async () => {
  await getTestPlatform();
  const [first, second, third] = [createReader(), createReader(), createReader()];
  expect([await first.tryStart(), await second.tryStart()]).toEqual([true, false]);
  await first.end();
  expect([await second.tryStart(), await third.tryStart()]).toEqual([true, false]);
  await expire();
  expect(await third.tryStart()).toBe(true);
  await third.end();
});

test('a reader that another one has replaced finds out before its next step, and does not end the record of that one', async () => {
  await getTestPlatform();
  const [first, second] = [createReader(), createReader()];
  await first.tryStart();
  await expire();
  expect(await second.tryStart()).toBe(true);
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 6000);
  try {
    expect(await Promise.all([first.renew(), first.renew(), second.renew()])).toEqual([false, false, true]);
  } finally {
    clock.mockRestore();
  }
  await first.end();
  expect(await BacklogReaders.exists({ _id: workflowIds.webhookDeliveries(webhookId) })).not.toBeNull();
  await second.end();
});
