import { isGrpcServiceError } from '@temporalio/client';

/** RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED, UNAVAILABLE and CANCELLED (connection closed) of gRPC. */
const UNAVAILABLE_STATUSES: readonly number[] = [8, 4, 14, 1];

/** Whether Temporal did not respond, as opposed to rejecting the call. */
export function isTemporalUnavailable(error: unknown): boolean {
  if (isGrpcServiceError(error)) return UNAVAILABLE_STATUSES.includes(error.code);
  return error instanceof Error && error.cause !== undefined && isTemporalUnavailable(error.cause);
}
