import { defaultPayloadConverter, proxySinks, workflowInfo } from '@temporalio/workflow';
import type { Headers } from '@temporalio/workflow';
import type { OpenTelemetrySinks } from '@temporalio/interceptors-opentelemetry/lib/workflow/definitions';

/** The header in which the OpenTelemetry interceptors of clients and activities pass the position in a trace. */
export const TRACE_HEADER = '_tracer-data';

/** W3C trace context: version, trace, span, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

/** Values of OpenTelemetry: a span within a process, and its results. */
const INTERNAL = 0;
const STATUS = { ok: 1, error: 2 } as const;

type Cause = 'run' | 'signal';

/** The position in a trace at which a workflow runs or receives a signal. */
interface Position {
  traceId: string;
  parentSpanId: string;
  spanId: string;
}

const toHrTime = (ms: number): [seconds: number, nanoseconds: number] => [Math.floor(ms / 1000), (ms % 1000) * 1e6];

/**
 * The id of a span: the same whenever the history is replayed, and without using up random numbers of the workflow, which
 * would change the ids in histories that were recorded without spans.
 */
function computeSpanId(parentSpanId: string, cause: Cause): string {
  const ofRun =
    workflowInfo()
      .runId.replace(/[^0-9a-f]/g, '')
      .slice(-16) || '0';
  const mixed = BigInt(`0x${ofRun}`) ^ BigInt(`0x${parentSpanId}`) ^ (cause === 'run' ? 1n : 2n);
  return mixed.toString(16).padStart(16, '0');
}

/** Where a start or signal came from, if its trace is recorded. */
function readPosition(headers: Headers, cause: Cause): Position | null {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return null;
  const { traceparent = '' } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(payload);
  const [, traceId, parentSpanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || parentSpanId === undefined || flags === undefined) return null;
  if ((Number.parseInt(flags, 16) & SAMPLED) === 0) return null;
  return { traceId, parentSpanId, spanId: computeSpanId(parentSpanId, cause) };
}

function exportSpan(name: string, position: Position, startedAt: number, succeeded: boolean): void {
  const { workflowId, runId } = workflowInfo();
  const { traceId, parentSpanId, spanId } = position;
  const endedAt = Date.now();
  proxySinks<OpenTelemetrySinks>().exporter.export([
    {
      name,
      kind: INTERNAL,
      spanContext: { traceId, spanId, traceFlags: SAMPLED },
      parentSpanId,
      startTime: toHrTime(startedAt),
      endTime: toHrTime(endedAt),
      duration: toHrTime(endedAt - startedAt),
      status: { code: succeeded ? STATUS.ok : STATUS.error },
      attributes: { temporalWorkflowId: workflowId, run_id: runId },
      links: [],
      events: [],
      ended: true,
      droppedAttributesCount: 0,
      droppedLinksCount: 0,
      droppedEventsCount: 0,
      instrumentationLibrary: { name: 'vouch' },
    },
  ]);
}

/** A span that has begun. What follows from it has its headers. */
export interface OpenSpan {
  headers: Headers;
  end(succeeded: boolean): void;
}

/**
 * Begins the span of a run of this workflow, or of a signal to it.
 *
 * The workflow interceptors of the library would load its SDK into every workflow, and wait between the commands of
 * histories that were recorded without them. Here nothing is awaited, so a replay has the same commands with and without
 * traces. The worker receives the spans of both in the same sink, which is not called during a replay.
 *
 * @param headers of the start or the signal
 * @returns null if its trace is not recorded
 */
export function beginSpan(name: string, cause: Cause, headers: Headers): OpenSpan | null {
  const position = readPosition(headers, cause);
  if (position === null) return null;
  const startedAt = Date.now();
  const traceparent = `00-${position.traceId}-${position.spanId}-01`;
  return {
    headers: { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }) },
    end: (succeeded) => exportSpan(name, position, startedAt, succeeded),
  };
}
