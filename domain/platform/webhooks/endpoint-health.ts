import { DAY_MS, HOUR_MS } from '../../durations';

/** An endpoint without a successful delivery for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * DAY_MS;

/**
 * Failures further apart than this are separate incidents. The longest pause between two attempts of one delivery is
 * 24 h plus jitter, so a longer pause without attempts does not show that the endpoint was failing.
 */
export const INCIDENT_GAP_MS = 48 * HOUR_MS;

/** The current run of failures of an endpoint; both fields are null after a success. */
export interface FailureRun {
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** No run of failures: the state after a success, and of another URL. */
export const NO_FAILURES: FailureRun = { failingSince: null, lastFailureAt: null };

/** The run after another failure at `now`. */
export const recordFailure = (run: FailureRun, now: Date): FailureRun & { failingSince: Date; lastFailureAt: Date } => {
  const continues = run.lastFailureAt !== null && now.getTime() - run.lastFailureAt.getTime() <= INCIDENT_GAP_MS;
  return { failingSince: continues && run.failingSince !== null ? run.failingSince : now, lastFailureAt: now };
};

/** Whether the run of failures has reached the limit. */
export const hasExceededFailureLimit = (run: FailureRun, now: Date): boolean =>
  run.failingSince !== null && now.getTime() - run.failingSince.getTime() >= FAILING_LIMIT_MS;
