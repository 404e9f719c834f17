import { HOUR_MS } from '../durations';

/** A day begins so long before it begins in UTC, in the zones furthest ahead. */
const EARLIEST_BEGINNING_MS = 14 * HOUR_MS;

/** What is wrong with a date of birth in the future. */
export const FUTURE_PROBLEM = 'must not be in the future';

/**
 * Whether a date is not today or earlier anywhere on Earth.
 * @param date YYYY-MM-DD, or the part of it that is known
 */
export function isFutureDate(date: string, now: Date): boolean {
  const latest = new Date(now.getTime() + EARLIEST_BEGINNING_MS).toISOString();
  return date > latest.slice(0, date.length);
}
