import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Span, SpanOptions } from '@opentelemetry/api';

// Only the API of OpenTelemetry: without an endpoint (lib/tracing.ts), every call here has no effect.

const getTracer = () => trace.getTracer('vouch');

/** The current position in a trace, in the format of the W3C header `traceparent`; null without one. */
export function getTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Id of the current trace, for log lines; undefined without one. */
export const getTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

const extract = (traceparent: string | null | undefined) =>
  traceparent == null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

/** Runs `work` at a stored position of a trace, or outside of any trace. */
export const withTraceparent = <T>(traceparent: string | null | undefined, work: () => T): T =>
  context.with(extract(traceparent), work);

/** Begins the span of a request; the current position is that of the `traceparent` header, if any. */
export function startRequestSpan(method: string, traceparent: string | undefined, run: () => void): Span {
  const parent = extract(traceparent);
  const span = getTracer().startSpan(method, { kind: SpanKind.SERVER }, parent);
  context.with(trace.setSpan(parent, span), run);
  return span;
}

/** Runs a call to another server as a span; `describe` adds attributes of its result. */
export const withClientSpan = <T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  describe: (result: T) => Attributes,
): Promise<T> => {
  const options: SpanOptions = { kind: SpanKind.CLIENT, attributes };
  return getTracer().startActiveSpan(name, options, async (span) => {
    try {
      const result = await work();
      span.setAttributes(describe(result));
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
};
