import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';

/**
 * The id of the causing request, and the position in its trace, as the OpenTelemetry interceptors of clients and
 * activities write it. A workflow only passes them on: headers are not part of what a replay compares.
 */
const PASSED_HEADERS = ['vouch-request-id', '_tracer-data'];

/**
 * Passes the headers of the causing request (of the start, or of the latest signal) to every activity and child workflow,
 * so that one request can be followed through the logs and traces of all processes.
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
          remember(input.headers);
          return next(input);
        },
        handleSignal(input, next) {
          remember(input.headers);
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
