import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { getLogContext } from './context';

/** The Temporal header with the id of the request that caused a workflow or activity. */
export const REQUEST_ID_HEADER = 'vouch-request-id';

const withRequestId = (headers: Headers): Headers => {
  const { requestId } = getLogContext();
  return requestId === undefined
    ? headers
    : { ...headers, [REQUEST_ID_HEADER]: defaultPayloadConverter.toPayload(requestId) };
};

/** The request id in a header, if any. */
export function readRequestId(headers: Headers): string | undefined {
  const payload = headers[REQUEST_ID_HEADER];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

/** Adds the current request id to every start and signal. */
export const requestIdClientInterceptor: WorkflowClientInterceptor = {
  start: (input, next) => next({ ...input, headers: withRequestId(input.headers) }),
  signal: (input, next) => next({ ...input, headers: withRequestId(input.headers) }),
};
