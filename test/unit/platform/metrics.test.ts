import type { Model } from 'mongoose';
import { Metrics } from '../../../lib/metrics/metrics';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../../../services/platform/platform';
import { RenderOnDemand } from '../../../services/platform/renditions/render-on-demand';
import type { RenditionState } from '../../../services/platform/renditions/render-on-demand';
import { Singletons } from '../../../services/platform/singletons';
import { OutboxDispatcher } from '../../../services/platform/transactions/dispatcher';
import type { UnitOfWork } from '../../../services/platform/transactions/unit-of-work';
import { parseMetrics } from '../../support/metrics';

const createPlatform = (): Platform =>
  ({
    singletons: new Singletons(),
    clock: { now: () => new Date() },
    logger: { warn: () => undefined },
  }) as unknown as Platform;

async function read(platform: Platform, name: string, labels: Record<string, string>): Promise<number | undefined> {
  const { samples } = parseMetrics(await platform.singletons.get(Metrics).registry.metrics());
  const isMeant = (sample: (typeof samples)[number]): boolean =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
  return samples.find(isMeant)?.value;
}

test('a rendition stored in a transaction is counted once that is committed, however often it is repeated', async () => {
  const platform = createPlatform();
  const model = { collection: { name: 'evidence_renditions' }, updateOne: () => Promise.resolve({ matchedCount: 1 }) };
  const renditions = new RenderOnDemand<RenditionState, object, object>({
    model: model as unknown as Model<RenditionState>,
    where: () => ({}),
    whereUnclaimed: () => ({}),
    buildRequest: () => ({}),
    buildCompletion: () => ({}),
    buildFailure: () => ({}),
    start: () => undefined,
    notReadyCode: 'not_ready',
  });
  const rendition = {
    _id: 'ren',
    status: 'pending',
    failure: null,
    requestedAt: new Date(),
    completedAt: null,
  } as const;
  const attempt = async (): Promise<(() => void)[]> => {
    const actions: (() => void)[] = [];
    const unit = { afterCommit: (action: () => void) => actions.push(action) } as unknown as UnitOfWork;
    await renditions.complete(platform, rendition, {}, unit);
    return actions;
  };
  await attempt();
  const committed = await attempt();
  const labels = { collection: 'evidence_renditions', outcome: 'stored' };
  expect(await read(platform, 'vouch_renditions_total', labels)).toBe(0);
  for (const action of committed) action();
  expect(await read(platform, 'vouch_renditions_total', labels)).toBe(1);
});

test('rows left behind one that was not dispatched are counted as left', async () => {
  const platform = createPlatform();
  const dispatcher = platform.singletons.get(OutboxDispatcher);
  const row = { kind: 'signal', workflowId: 'session-1' } as OutboxRecord;
  const rejected = (): Promise<boolean> => Promise.reject(new Error('MongoDB does not respond'));
  const outcomes = await Promise.all([
    dispatcher.dispatch(platform, row, rejected),
    dispatcher.dispatch(platform, row, () => Promise.resolve(true)),
  ]);
  expect(outcomes).toEqual(['failed', 'left']);
  for (const outcome of outcomes)
    expect([outcome, await read(platform, 'vouch_outbox_dispatches_total', { outcome })]).toEqual([outcome, 1]);
});

test('counters with few series begin at 0, so that the first failure of a process is an increase', async () => {
  const platform = createPlatform();
  for (const [name, labels] of [
    ['vouch_exports_total', { format: 'zip-pdf', outcome: 'failed' }],
    ['vouch_messages_total', { kind: 'reminder', outcome: 'bounced' }],
    ['vouch_renditions_total', { collection: 'renditions', outcome: 'failed' }],
    ['vouch_checks_total', { kind: 'age', outcome: 'failed' }],
    ['vouch_webhook_attempts_total', { outcome: 'failed' }],
  ] as const)
    expect([name, await read(platform, name, labels)]).toEqual([name, 0]);
});
