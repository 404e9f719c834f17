import { ApplicationFailure } from '@temporalio/workflow';
import type { ActivityFailure } from '@temporalio/workflow';

/** The error code of a failed activity; `timed_out` for timeouts and lost workers, which have no code. */
export function getFailureReason(failure: ActivityFailure): string {
  return failure.cause instanceof ApplicationFailure ? (failure.cause.type ?? 'unknown') : 'timed_out';
}
