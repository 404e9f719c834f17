import { DAY_MS, HOUR_MS } from '../../durations';

/** An endpoint that has only failed for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * DAY_MS;

/**
 * Failures further apart than this are two incidents, not one: the longest pause between two attempts of one delivery
 * is 24 h and its jitter, so a longer silence says nothing about the endpoint.
 */
export const INCIDENT_GAP_MS = 48 * HOUR_MS;

/** The run of failures an endpoint is in; both null while its last answer was a success. */
export interface FailureRun {
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** The run after one more failure at `now`. */
export const recordFailure = (run: FailureRun, now: Date): FailureRun & { failingSince: Date; lastFailureAt: Date } => {
  const continues = run.lastFailureAt !== null && now.getTime() - run.lastFailureAt.getTime() <= INCIDENT_GAP_MS;
  return { failingSince: continues && run.failingSince !== null ? run.failingSince : now, lastFailureAt: now };
};

/** Whether nothing but failures has been seen for the limit. */
export const hasExceededFailureLimit = (run: FailureRun, now: Date): boolean =>
  run.failingSince !== null && now.getTime() - run.failingSince.getTime() >= FAILING_LIMIT_MS;
