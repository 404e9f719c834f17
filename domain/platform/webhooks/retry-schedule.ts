const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Delays in seconds after the first, second, … failed attempt; the sum is a little over three days. */
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

/** The first attempt, and one after each delay. */
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** Maximum delay that a receiver can request. */
export const RETRY_AFTER_LIMIT_SECONDS = 24 * HOUR;

/** Maximum share of the delay that is added at random, so that deliveries are not all retried at once after an outage. */
const JITTER_SHARE = 0.1;

/**
 * Seconds until the next attempt; null if `attempt` (1 for the first) was the last one.
 *
 * Jitter only extends the delay, which is never shorter than the schedule or the delay requested by the receiver.
 *
 * @param random - uniform in [0, 1)
 * @param retryAfterSeconds - delay requested by the receiver, if any
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

/** HTTP dates begin with a day name in all three formats of RFC 9110 (5.6.7); `Date.parse` accepts many other formats. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

function parseDelay(header: string, nowMs: number): number | null {
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

/** The value of a header as an HTTP client returns it: a list if the response has it several times. */
export type HeaderValue = string | string[] | undefined;

/**
 * Seconds requested by `Retry-After` (RFC 9110, 10.2.3: a number of seconds or an HTTP date), never negative; undefined
 * without a valid one. Of several headers, such as those of a server and a proxy, the longest delay suits each.
 */
export function parseRetryAfter(headers: HeaderValue, nowMs: number): number | undefined {
  const delays = [headers ?? []].flat().flatMap((header) => parseDelay(header, nowMs) ?? []);
  return delays.length === 0 ? undefined : Math.max(...delays);
}
