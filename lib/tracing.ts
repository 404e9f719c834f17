import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type { BackgroundLoop } from './background-loop';
import type { Config } from './config';
import { summariseError } from './logger';
import type { Logger } from './logger';
import { BareSpanExporter } from './span-exporter';
import { VERSION } from './version';

/** Spans are sent after this time, or when many wait. */
const EXPORT_DELAY_MS = 1000;

/**
 * Starts to record traces and to send them to OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP). Without the setting, nothing
 * is loaded and every call of the OpenTelemetry API has no effect.
 * @param name of the process
 * @returns stops it and sends what is left; null without the setting
 */
export async function startTracing(config: Config, name: string, logger: Logger): Promise<BackgroundLoop | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACES_SAMPLE_RATIO: ratio } = config;
  if (endpoint === undefined) return null;
  const sdk = await import('@opentelemetry/sdk-trace-base');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { Resource } = await import('@opentelemetry/resources');
  const warn = (message: string): void => logger.warn({ reason: message }, 'Traces were not sent');
  const ignore = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const exporter = new BareSpanExporter(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }));
  const provider = new sdk.BasicTracerProvider({
    resource: new Resource({ 'service.name': `vouch-${name}`, 'service.version': VERSION }),
    // A request that comes with a sampled trace is recorded whatever the ratio.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { scheduledDelayMillis: EXPORT_DELAY_MS })],
  });
  provider.register({
    contextManager: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
  });
  return {
    async stop() {
      await provider
        .shutdown()
        .catch((error: unknown) => logger.warn({ reason: summariseError(error) }, 'Traces were not sent'));
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}
