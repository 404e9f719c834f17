import { ApplicationFailure } from '@temporalio/workflow';
import type { ActivityFailure } from '@temporalio/workflow';

/** The code of what went wrong in an activity; a timeout and a lost worker carry none of their own. */
export function getFailureReason(failure: ActivityFailure): string {
  return failure.cause instanceof ApplicationFailure ? (failure.cause.type ?? 'unknown') : 'timed_out';
}
