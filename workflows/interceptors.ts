import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';

const REQUEST_ID_HEADER = 'vouch-request-id';

/**
 * Passes the id of the causing request (of the start, or of the latest signal) to every activity, so that one request can
 * be followed through the logs of all processes.
 */
export function interceptors(): WorkflowInterceptors {
  let cause: Headers[string] | undefined;
  const remember = (headers: Headers): void => {
    cause = headers[REQUEST_ID_HEADER] ?? cause;
  };
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
        scheduleActivity(input, next) {
          return next(
            cause === undefined ? input : { ...input, headers: { ...input.headers, [REQUEST_ID_HEADER]: cause } },
          );
        },
      },
    ],
  };
}
