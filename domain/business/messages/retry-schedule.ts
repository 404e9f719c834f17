import { DAY_SECONDS, HOUR_SECONDS } from '../../durations';

const MINUTE_SECONDS = 60;

/**
 * Delays in seconds after the first, second, … attempt that was not accepted; the sum is a little over three days. The
 * first ones are short: servers that greylist accept the second attempt after some minutes.
 */
export const MAIL_RETRY_DELAYS_SECONDS: readonly number[] = [
  MINUTE_SECONDS,
  5 * MINUTE_SECONDS,
  10 * MINUTE_SECONDS,
  20 * MINUTE_SECONDS,
  HOUR_SECONDS,
  2 * HOUR_SECONDS,
  4 * HOUR_SECONDS,
  8 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  DAY_SECONDS,
  DAY_SECONDS,
];

const JITTER_SHARE = 0.1;

/**
 * Seconds until the next attempt; null if `attempt` (1 for the first) was the last one.
 * @param random uniform in [0, 1): extends the delay by up to a tenth, so that messages are not all sent at once after an
 * outage
 */
export function computeMailRetryDelaySeconds(attempt: number, random: number): number | null {
  const scheduled = MAIL_RETRY_DELAYS_SECONDS[attempt - 1];
  return scheduled === undefined ? null : Math.round(scheduled * (1 + JITTER_SHARE * random));
}
