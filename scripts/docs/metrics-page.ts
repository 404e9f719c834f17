import { BUILD_INFO, INSTALLATION_METRICS, PROCESS_METRICS } from '../../lib/metrics/definitions';
import type { MetricDefinition } from '../../lib/metrics/definitions';
import { code, listCodes, renderPage, renderTable } from './markdown';

const renderMetrics = (definitions: readonly MetricDefinition[]): string =>
  renderTable(
    ['metric', 'type', 'labels', 'meaning'],
    definitions.map(({ name, type, labels, help, buckets }) => [
      code(name),
      buckets === undefined ? type : `${type} up to ${buckets.at(-1) ?? 0} s`,
      listCodes(labels),
      help,
    ]),
  );

/** The page of every metric that the service defines itself. */
export const renderMetricsPage = (): string =>
  renderPage(
    'Metrics',
    'What `/metrics` returns with `METRICS_TOKEN` ([monitor](../how-to/monitor.md)). Labels never contain ids or personal data. A histogram has the series `_bucket`, `_sum` and `_count`.',
    `## Of each process\n\nAPI and workers count their own work. A process that has done none of a kind has no series of it.\n\n${renderMetrics([BUILD_INFO, ...Object.values(PROCESS_METRICS)])}`,
    `## Of the installation\n\nThe API reads these at each scrape; every replica returns the same values, so use \`max\` over replicas, never \`sum\`.\n\n${renderMetrics(Object.values(INSTALLATION_METRICS))}`,
    '## Of Node.js and the Temporal SDK\n\nEvery process returns the metrics of prom-client (`process_*`: processor time, memory, file descriptors; `nodejs_*`: lag of the event loop, heap, garbage collection). Workers also return those of the [Temporal SDK](https://docs.temporal.io/references/sdk-metrics) (`temporal_*`, durations in seconds), by `task_queue`, `activity_type` and `workflow_type`.',
  );
