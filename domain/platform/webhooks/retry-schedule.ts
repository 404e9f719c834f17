const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds to wait after the first, second, … failed attempt; together a little over three days. */
export const RETRY_DELAYS_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The first attempt and one after each delay. */
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** A receiver may ask for a later attempt, but not park a delivery for longer than this. */
export const RETRY_AFTER_LIMIT_SECONDS = 24 * HOUR;

/** Share of the delay that is added at random, so that the deliveries of an outage do not come back all at once. */
const JITTER_SHARE = 0.1;

/**
 * Seconds until the next attempt, or null when `attempt` (1 for the first) was the last.
 *
 * The jitter only adds: neither the schedule nor the receiver's wish is ever undercut.
 *
 * @param random - uniform in [0, 1)
 * @param retryAfterSeconds - what the receiver asked for, if it did
 */
export const computeRetryDelaySeconds = (
  attempt: number,
  random: number,
  retryAfterSeconds?: number,
): number | null => {
  const scheduled = RETRY_DELAYS_SECONDS[attempt - 1];
  if (scheduled === undefined) return null;
  const requestedDelay = Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_LIMIT_SECONDS);
  const delay = Math.max(scheduled, requestedDelay);
  return Math.round((delay + delay * JITTER_SHARE * random) * 1000) / 1000;
};

/** HTTP dates begin with the day's name in all three forms RFC 9110 (5.6.7) knows; `Date.parse` alone accepts much more. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * Seconds asked for by a `Retry-After` header (RFC 9110, 10.2.3: a number of seconds or an HTTP date), never negative;
 * undefined when the header is absent or is neither.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const value = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
};
