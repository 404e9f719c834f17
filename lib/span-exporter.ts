import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Attributes that are sent: names, statuses and ids of the service. Others could contain personal data. */
const SENT_ATTRIBUTES: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'exception.type',
  'temporalWorkflowId',
  'temporalActivityId',
  'run_id',
  'vouch.request_id',
  'vouch.delivery_id',
  'vouch.attempt',
  'vouch.outbox_kind',
  'vouch.outcome',
]);

const keepSent = <T extends object>(attributes: T): Partial<T> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => SENT_ATTRIBUTES.has(name))) as Partial<T>;

/** A span without what could contain personal data: messages and stacks of errors, and unknown attributes. */
const removeContent = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    attributes: { value: keepSent(span.attributes) },
    events: { value: span.events.map((event) => ({ ...event, attributes: keepSent(event.attributes ?? {}) })) },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;

/** Passes spans to another exporter without what could contain personal data. */
export class BareSpanExporter implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  /** Exports the spans without messages and stacks of errors, and with known attributes only. */
  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.exporter.export(spans.map(removeContent), done);
  }

  /** Ends the exporter behind it. */
  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  /** Flushes the exporter behind it, which may have nothing to flush. */
  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }
}
