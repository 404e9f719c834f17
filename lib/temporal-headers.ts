import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { getLogContext } from './context';

/** The Temporal header that carries the id of the request a workflow or activity works for. */
export const REQUEST_ID_HEADER = 'vouch-request-id';

const withRequestId = (headers: Headers): Headers => {
  const { requestId } = getLogContext();
  return requestId === undefined
    ? headers
    : { ...headers, [REQUEST_ID_HEADER]: defaultPayloadConverter.toPayload(requestId) };
};

/** The request id a header carries, if any. */
export function readRequestId(headers: Headers): string | undefined {
  const payload = headers[REQUEST_ID_HEADER];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

/** Sends the current request id along with every start and signal. */
export const requestIdClientInterceptor: WorkflowClientInterceptor = {
  start: (input, next) => next({ ...input, headers: withRequestId(input.headers) }),
  signal: (input, next) => next({ ...input, headers: withRequestId(input.headers) }),
};
