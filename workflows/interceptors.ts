import { ContinueAsNew, workflowInfo } from '@temporalio/workflow';
import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { beginSpan, TRACE_HEADER } from './trace-spans';

/**
 * The id of the causing request, and the position in its trace, as the OpenTelemetry interceptors of clients and
 * activities write it. Headers are not part of what a replay compares.
 */
const PASSED_HEADERS = ['vouch-request-id', TRACE_HEADER];

/**
 * Passes the headers of the causing request (of the start, or of the latest signal) to every activity and child workflow,
 * so that one request can be followed through the logs and traces of all processes. In a trace, a run and each signal are
 * spans, to which the activities that follow belong.
 */
export function interceptors(): WorkflowInterceptors {
  let cause: Headers = {};
  const remember = (headers: Headers): void => {
    const passed = Object.entries(headers).filter(([name]) => PASSED_HEADERS.includes(name));
    if (passed.length > 0) cause = Object.fromEntries(passed);
  };
  const addCause = <T extends { headers: Headers }>(input: T): T => ({
    ...input,
    headers: { ...input.headers, ...cause },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          const span = beginSpan(`RunWorkflow:${workflowInfo().workflowType}`, 'run', input.headers);
          remember(span?.headers ?? input.headers);
          const result = next(input);
          if (span !== null)
            result.then(
              () => span.end(true),
              (error: unknown) => span.end(error instanceof ContinueAsNew),
            );
          return result;
        },
        handleSignal(input, next) {
          const span = beginSpan(`HandleSignal:${input.signalName}`, 'signal', input.headers);
          remember(span?.headers ?? input.headers);
          span?.end(true);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(addCause(input)),
        startChildWorkflowExecution: (input, next) => next(addCause(input)),
      },
    ],
  };
}
