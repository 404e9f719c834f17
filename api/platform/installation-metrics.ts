import { Registry } from 'prom-client';
import { createInstruments } from '../../lib/metrics/metrics';
import { INSTALLATION_METRICS } from '../../lib/metrics/definitions';
import { computeInvariantTotals } from '../../services/business/invariants/figures';
import { readListFigures } from '../../services/identity/aml/list-figures';
import { countFailingWebhooks, countProcesses, readOutboxFigures } from '../../services/platform/monitoring';
import type { Platform } from '../../services/platform/platform';
import { readTaskQueues } from '../../services/platform/task-queues';

const createGauges = (registry: Registry) => createInstruments(registry, INSTALLATION_METRICS);
type Gauges = ReturnType<typeof createGauges>;

/** Reads one source and sets its metrics. */
type Source = (platform: Platform, gauges: Gauges) => Promise<void>;

const SOURCES: Readonly<Record<string, Source>> = {
  async temporal({ temporal, config }, gauges) {
    for (const { pool, taskType, ...queue } of await readTaskQueues(temporal, config.TEMPORAL_NAMESPACE)) {
      const labels = { pool, task: taskType };
      gauges.taskQueuePollers.set(labels, queue.pollers);
      gauges.taskQueueBacklog.set(labels, queue.backlog);
      gauges.taskQueueAge.set(labels, queue.backlogAgeSeconds);
      gauges.taskQueueAdded.set(labels, queue.addedPerSecond);
      gauges.taskQueueDispatched.set(labels, queue.dispatchedPerSecond);
    }
  },
  async outbox(platform, gauges) {
    const { pending, lagSeconds } = await readOutboxFigures(platform);
    gauges.outboxPending.set(pending);
    gauges.outboxLag.set(lagSeconds);
  },
  async processes(_platform, gauges) {
    for (const { name, count } of await countProcesses()) gauges.processes.set({ name }, count);
  },
  async webhooks(_platform, gauges) {
    gauges.webhooksFailing.set(await countFailingWebhooks());
  },
  async lists(platform, gauges) {
    const { ages, held, failing, published, neverImported } = await readListFigures(platform);
    for (const { list, seconds } of ages) gauges.listAge.set({ list }, seconds);
    gauges.listsHeld.set(held);
    gauges.listFailures.set(failing);
    gauges.listsPublished.set(published);
    gauges.listsNeverImported.set(neverImported);
  },
  async invariants(_platform, gauges) {
    const { invariants, oldestCheckAt, unchecked } = await computeInvariantTotals();
    for (const { invariant, ...counts } of invariants) {
      gauges.invariantViolations.set({ invariant }, counts.violations);
      gauges.invariantCompanies.set({ invariant }, counts.companies);
      gauges.invariantComparisons.set({ invariant }, counts.checked);
    }
    gauges.invariantOldest.set((oldestCheckAt?.getTime() ?? 0) / 1000);
    gauges.invariantUnchecked.set(unchecked);
  },
};

/**
 * The metrics of the whole installation in the text format of Prometheus. A source that does not respond is left out and
 * named by `vouch_scrape_source_failed`, so that the other metrics stay visible during an outage.
 */
export async function readInstallationMetrics(platform: Platform): Promise<string> {
  const registry = new Registry();
  const gauges = createGauges(registry);
  const names = Object.keys(SOURCES);
  const results = await Promise.allSettled(Object.values(SOURCES).map((read) => read(platform, gauges)));
  results.forEach(({ status }, index) => {
    gauges.scrapeFailures.set({ source: names[index] ?? '' }, status === 'fulfilled' ? 0 : 1);
  });
  return registry.metrics();
}
