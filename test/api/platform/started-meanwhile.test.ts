import { newId } from '../../../lib/ids';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../../../services/platform/platform';
import { dispatchRow } from '../../../services/platform/transactions/dispatch';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

/** A task queue without workers: the workflows of this file keep what they receive. */
const UNSERVED_QUEUE = 'test-unserved';
const organisationId = newId('org');

let platform: Platform;
beforeAll(async () => {
  platform = await getTestPlatform();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await Outbox.deleteMany({ organisationId });
  await closeTestPlatform();
});

/** A row that only the test dispatches. */
async function insertRow(row: Pick<OutboxRecord, 'kind' | 'name' | 'workflowId'>): Promise<OutboxRecord> {
  const dueAt = new Date('2999-01-01T00:00:00Z');
  const common = { organisationId, taskQueue: UNSERVED_QUEUE, argument: {}, createdAt: new Date(), dueAt };
  return (await Outbox.create({ ...common, ...row, _id: newId('obx') })).toObject();
}

const readOutcome = async ({ _id }: OutboxRecord) => (await Outbox.findById(_id).orFail().lean()).outcome;

/** Runs `start` between the first call to the workflow, which does not find it, and its response. */
function startMeanwhile(start: () => Promise<unknown>): void {
  const { workflow } = platform.temporal;
  const find = workflow.getHandle.bind(workflow);
  jest.spyOn(workflow, 'getHandle').mockImplementationOnce((workflowId) => {
    const handle = find(workflowId);
    return Object.assign(Object.create(handle) as typeof handle, {
      signal: (name: string, argument: unknown) => handle.signal(name, argument).finally(start),
      cancel: () => handle.cancel().finally(start),
    });
  });
}

test.each(['signal', 'cancel'] as const)(
  'a %s reaches a workflow that another process starts between the call and the search for its start',
  async (kind) => {
    const workflowId = newId('ses');
    const start = await insertRow({ kind: 'start', name: 'sealAudit', workflowId });
    const row = await insertRow({ kind, name: kind === 'signal' ? 'sessionChanged' : 'cancel', workflowId });
    startMeanwhile(() => dispatchRow(platform, start));
    expect(await dispatchRow(platform, row)).toBe('dispatched');
    expect([await readOutcome(start), await readOutcome(row)]).toEqual([
      'started',
      kind === 'signal' ? 'signalled' : 'cancelled',
    ]);
    const handle = platform.temporal.workflow.getHandle(workflowId);
    const { events } = await handle.fetchHistory();
    await handle.terminate();
    const received = (events ?? []).filter(
      (event) =>
        event.workflowExecutionSignaledEventAttributes != null ||
        event.workflowExecutionCancelRequestedEventAttributes != null,
    );
    expect(received).toHaveLength(1);
  },
);

test('a signal to a workflow that has ended is not repeated', async () => {
  const workflowId = newId('ses');
  const start = await insertRow({ kind: 'start', name: 'sealAudit', workflowId });
  await dispatchRow(platform, start);
  await platform.temporal.workflow.getHandle(workflowId).terminate();
  const row = await insertRow({ kind: 'signal', name: 'sessionChanged', workflowId });
  expect(await dispatchRow(platform, row)).toBe('dispatched');
  expect(await readOutcome(row)).toBe('workflow_ended');
});
