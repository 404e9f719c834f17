import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CounterConfiguration } from 'prom-client';
import { MEGABYTE } from '../../domain/file-size';
import { readMachine } from '../machine';
import { VERSION } from '../version';
import { BUILD_INFO, PROCESS_METRICS } from './definitions';
import type { MetricDefinition } from './definitions';

type Instrument<D extends MetricDefinition> = D['type'] extends 'counter'
  ? Counter<D['labels'][number]>
  : D['type'] extends 'histogram'
    ? Histogram<D['labels'][number]>
    : Gauge<D['labels'][number]>;

/** Every combination of label values. */
const combineLabels = (values: NonNullable<MetricDefinition['values']>): Record<string, string>[] =>
  Object.entries(values).reduce<Record<string, string>[]>(
    (rows, [label, options]) => rows.flatMap((row) => options.map((value) => ({ ...row, [label]: value }))),
    [{}],
  );

function createCounter(options: CounterConfiguration<string>, values: MetricDefinition['values']): Counter {
  const counter = new Counter(options);
  if (values !== undefined) for (const labels of combineLabels(values)) counter.inc(labels, 0);
  return counter;
}

/** Creates the metrics of a table in a registry, by their keys in the table. */
export function createInstruments<T extends Record<string, MetricDefinition>>(
  registry: Registry,
  definitions: T,
): { [K in keyof T]: Instrument<T[K]> } {
  const create = ({ type, name, help, labels, values, buckets }: MetricDefinition) => {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') return createCounter(options, values);
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

  /** Adds the metrics of Node.js: processor time, memory and its limit, garbage collection, lag of the event loop. */
  measureRuntime(): void {
    collectDefaultMetrics({ register: this.registry });
    this.instruments.memoryLimit.set(readMachine().memoryMegabytes * MEGABYTE);
  }
}
