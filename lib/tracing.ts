import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type { OpenTelemetrySinks } from '@temporalio/interceptors-opentelemetry/lib/workflow/definitions';
import type { InjectedSinks } from '@temporalio/worker';
import type { BackgroundLoop } from './background-loop';
import type { Config } from './config';
import { summariseError } from './logger';
import type { Logger } from './logger';
import { BareSpanExporter } from './span-exporter';
import { VERSION } from './version';

/** Spans are sent after this time, or when many wait. */
const EXPORT_DELAY_MS = 1000;

/** Tracing of a process. */
export interface Tracing extends BackgroundLoop {
  /** Receives the spans of workflows (workflows/trace-spans.ts). */
  sinks: InjectedSinks<OpenTelemetrySinks>;
}

/** Without tracing, spans of workflows whose requests were traced by another process are dropped. */
const DROPPED: InjectedSinks<OpenTelemetrySinks> = { exporter: { export: { fn: () => undefined } } };

/** What the workflows of a process send their spans to. */
export class WorkflowSpans {
  sinks = DROPPED;
}

/**
 * Starts to record traces and to send them to OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP). Without the setting, nothing
 * is loaded and every call of the OpenTelemetry API has no effect.
 * @param name of the process
 * @returns null without the setting; its end sends what is left
 */
export async function startTracing(config: Config, name: string, logger: Logger): Promise<Tracing | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACES_SAMPLE_RATIO: ratio } = config;
  if (endpoint === undefined) return null;
  const sdk = await import('@opentelemetry/sdk-trace-base');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { Resource } = await import('@opentelemetry/resources');
  const { makeWorkflowExporter } = await import('@temporalio/interceptors-opentelemetry/lib/worker/index.js');
  const warn = (message: string): void => logger.warn({ reason: message }, 'Traces were not sent');
  const ignore = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const exporter = new BareSpanExporter(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }));
  const resource = new Resource({ 'service.name': `vouch-${name}`, 'service.version': VERSION });
  const processor = new sdk.BatchSpanProcessor(exporter, { scheduledDelayMillis: EXPORT_DELAY_MS });
  const provider = new sdk.BasicTracerProvider({
    resource,
    // A request that comes with a sampled trace is recorded whatever the ratio.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  provider.register({
    contextManager: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
  });
  return {
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    async stop() {
      await provider
        .shutdown()
        .catch((error: unknown) => logger.warn({ reason: summariseError(error) }, 'Traces were not sent'));
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}
