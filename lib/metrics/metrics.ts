import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../version';
import { BUILD_INFO, PROCESS_METRICS } from './definitions';
import type { MetricDefinition } from './definitions';

type Instrument<D extends MetricDefinition> = D['type'] extends 'counter'
  ? Counter<D['labels'][number]>
  : D['type'] extends 'histogram'
    ? Histogram<D['labels'][number]>
    : Gauge<D['labels'][number]>;

/** Creates the metrics of a table in a registry, by their keys in the table. */
export function createInstruments<T extends Record<string, MetricDefinition>>(
  registry: Registry,
  definitions: T,
): { [K in keyof T]: Instrument<T[K]> } {
  const create = ({ type, name, help, labels, buckets }: MetricDefinition) => {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') return new Counter(options);
    return type === 'gauge' ? new Gauge(options) : new Histogram({ ...options, buckets: [...(buckets ?? [])] });
  };
  const created = Object.entries(definitions).map(([key, definition]) => [key, create(definition)]);
  return Object.fromEntries(created) as { [K in keyof T]: Instrument<T[K]> };
}

/** The metrics of a process about its own work; `platform.singletons.get(Metrics)`. */
export class Metrics {
  readonly registry = new Registry();
  readonly instruments = createInstruments(this.registry, PROCESS_METRICS);

  constructor() {
    createInstruments(this.registry, { info: BUILD_INFO }).info.set({ version: VERSION }, 1);
  }

  /** Adds the metrics of Node.js: processor time, memory, garbage collection, lag of the event loop. */
  measureRuntime(): void {
    collectDefaultMetrics({ register: this.registry });
  }
}
