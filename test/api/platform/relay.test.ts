import { HOUR_MS } from '../../../domain/durations';
import { newId } from '../../../lib/ids';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../../../services/platform/platform';
import { Singletons } from '../../../services/platform/singletons';
import { OutboxDispatcher } from '../../../services/platform/transactions/dispatcher';
import { startRelay } from '../../../services/platform/transactions/relay';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

const BACKLOG = 200;
const organisationId = newId('org');

/** A platform with a later clock: only its relay finds rows that are due in half an hour. */
let platform: Platform;
const dueAt = new Date(Date.now() + HOUR_MS / 2);

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + HOUR_MS) };
  platform = { ...(await getTestPlatform()), clock, singletons: new Singletons() };
  const row = { organisationId, kind: 'cancel', name: 'cancel', createdAt: new Date(0), dueAt } as const;
  await Outbox.insertMany(
    Array.from({ length: BACKLOG }, () => ({ ...row, _id: newId('obx'), workflowId: newId('ses') })),
  );
});
afterAll(async () => {
  await Outbox.deleteMany({ organisationId });
  await closeTestPlatform();
});

test('a relay that is stopped waits for the rows in progress, and leaves the rest of a backlog to others', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const claims: (() => Promise<boolean>)[] = [];
  const dispatch = jest.spyOn(platform.singletons.get(OutboxDispatcher), 'dispatch');
  dispatch.mockImplementation(async (_platform, row, isAllowed) => {
    if (row.organisationId === organisationId) claims.push(isAllowed);
    begin();
    await held;
    return dispatch.mock.calls.length > BACKLOG ? 'left' : 'dispatched';
  });
  const relay = startRelay(platform);
  await begun;
  let isStopped = false;
  const stopping = relay.stop().then(() => (isStopped = true));
  const page = dispatch.mock.calls.length;
  expect(await claims.at(-1)?.()).toBe(false);
  expect(isStopped).toBe(false);
  release();
  await stopping;
  expect(dispatch.mock.calls.length).toBe(page);
  expect(await Outbox.countDocuments({ organisationId, doneAt: null, dueAt })).toBe(BACKLOG);
});
