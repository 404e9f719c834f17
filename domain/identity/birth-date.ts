import { getCalendarDays } from './calendar-days';

/** What is wrong with a date of birth in the future. */
export const FUTURE_PROBLEM = 'must not be in the future';

/**
 * Whether a date is not today or earlier anywhere on Earth.
 * @param date YYYY-MM-DD, or the part of it that is known
 */
export const isFutureDate = (date: string, now: Date): boolean =>
  date > getCalendarDays(now).latest.slice(0, date.length);
