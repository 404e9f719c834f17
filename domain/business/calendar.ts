import { DateTime, IANAZone } from 'luxon';
import { DAY_MS, MINUTE_MS } from '../durations';

/**
 * Calendar dates are `YYYY-MM-DD` strings in the time zone of the company; times are `Date`s. Years are 1900 to 9999,
 * so that strings sort like dates.
 */
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;
const FIRST_YEAR = 1900;

export const DATE_FORMS = 'a date YYYY-MM-DD, or a date-time with offset or Z (without one it is company time)';

export type DateReading<T> = { value: T } | { problem: string };

/** Whether a text is the name of an IANA time zone. */
export const isTimeZone = (zone: string): boolean => IANAZone.isValidZone(zone);

/** Whether the text is a date that exists; 2026-02-29 does not. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match || Number(match[1]) < FIRST_YEAR) return false;
  return DateTime.fromISO(text, { zone: 'utc' }).isValid;
}

const formatDate = (date: DateTime): string => date.toFormat('yyyy-MM-dd');
const parseAtNoon = (date: string): DateTime => DateTime.fromISO(`${date}T12:00:00`, { zone: 'utc' });

/** A date some days later, both `YYYY-MM-DD`; earlier for a negative number. */
export const addDays = (date: string, days: number): string => formatDate(parseAtNoon(date).plus({ days }));
/** Days from one day to another; negative if it is earlier. */
export const countDays = (from: string, to: string): number => parseAtNoon(to).diff(parseAtNoon(from), 'days').days;
/** The last day of the month of a date, both `YYYY-MM-DD`. */
export const endOfMonth = (date: string): string => formatDate(parseAtNoon(date).endOf('month'));
/** The latest of some days. */
export const findLatestDay = (first: string, ...others: string[]): string =>
  others.reduce((latest, day) => (day > latest ? day : latest), first);
/** The year of a date `YYYY-MM-DD`. */
export const getYear = (date: string): number => Number(date.slice(0, 4));

/** The date in `zone` at a time. */
export const toCalendarDate = (instant: Date, zone: string): string =>
  formatDate(DateTime.fromJSDate(instant, { zone }));

/** A time with the UTC offset of `zone` at that time, such as `2026-07-01T09:30:00.000+02:00`. */
export function formatInstant(instant: Date, zone: string): string {
  const text = DateTime.fromJSDate(instant, { zone }).toISO();
  if (text === null) throw new RangeError('a time in a response is not a valid date');
  return text;
}

/**
 * The times that correspond to a local time in a zone, earliest first: none if clocks skip the local time, two if it
 * occurs twice. Luxon alone would take the later of two midnights and miss times next to changes of half an hour.
 * @param localTime the local time as if it were UTC
 */
function findLocalInstants(localTime: number, zone: string): number[] {
  const getOffset = (instant: number): number => IANAZone.create(zone).offset(instant) * MINUTE_MS;
  const offsets = new Set([localTime - DAY_MS, localTime + DAY_MS].map(getOffset));
  return [...offsets]
    .map((offset) => localTime - offset)
    .filter((instant) => getOffset(instant) === localTime - instant)
    .sort((a, b) => a - b);
}

/**
 * Reads a date-time. Without an offset or Z it is local time in the zone: a local time that clocks skip is rejected,
 * and one that occurs twice means the first.
 */
function readDateTime(text: string, zone: string): DateReading<Date> {
  const match = DATE_TIME.exec(text);
  if (!match || Number(text.slice(0, 4)) < FIRST_YEAR) return { problem: `must be ${DATE_FORMS}` };
  if (match[1] !== undefined) {
    const instant = DateTime.fromISO(text, { setZone: true });
    return instant.isValid ? { value: instant.toJSDate() } : { problem: `must be ${DATE_FORMS}` };
  }
  const parsed = DateTime.fromISO(text, { zone: 'utc' });
  if (!parsed.isValid) return { problem: `must be ${DATE_FORMS}` };
  const [first] = findLocalInstants(parsed.toMillis(), zone);
  return first === undefined
    ? { problem: `is a local time that does not exist in ${zone} (clocks skip it)` }
    : { value: new Date(first) };
}

/** Reads a calendar field: a date, or a date-time that is converted to its date in the time zone of the company. */
export function readCalendarDate(input: unknown, zone: string): DateReading<string> {
  if (typeof input !== 'string') return { problem: `must be ${DATE_FORMS}` };
  if (DATE.test(input)) return isCalendarDate(input) ? { value: input } : { problem: 'is not a day of the calendar' };
  const instant = readDateTime(input, zone);
  if ('problem' in instant) return instant;
  const date = toCalendarDate(instant.value, zone);
  return isCalendarDate(date) ? { value: date } : { problem: 'is not a day of the calendar' };
}

/**
 * The first midnight of a day, or the first time after it if clocks skip midnight.
 * @param localMidnight the midnight as if it were UTC
 */
function getStartOfDay(localMidnight: number, zone: string): Date {
  const [midnight] = findLocalInstants(localMidnight, zone);
  if (midnight !== undefined) return new Date(midnight);
  const { year, month, day } = DateTime.fromMillis(localMidnight, { zone: 'utc' });
  return DateTime.fromObject({ year, month, day }, { zone }).startOf('day').toJSDate();
}

/** Start of a day in `zone` and start of the next day, 23 to 25 hours apart. */
export function getDayBounds(date: string, zone: string): { from: Date; until: Date } {
  // The day after the last one, 9999-12-31, has no text that could be parsed.
  const localMidnight = Date.parse(`${date}T00:00:00Z`);
  return { from: getStartOfDay(localMidnight, zone), until: getStartOfDay(localMidnight + DAY_MS, zone) };
}

/** Reads a `dateFrom` filter of times, which is inclusive; a date means the start of that day in the zone. */
export function readLowerInstant(input: string, zone: string): DateReading<Date> {
  if (!DATE.test(input)) return readDateTime(input, zone);
  return isCalendarDate(input)
    ? { value: getDayBounds(input, zone).from }
    : { problem: 'is not a day of the calendar' };
}

/**
 * Reads a `dateTo` filter of times as an exclusive bound: a date includes the whole day in the zone, a date-time
 * includes its own millisecond.
 */
export function readUpperInstant(input: string, zone: string): DateReading<Date> {
  if (DATE.test(input))
    return isCalendarDate(input)
      ? { value: getDayBounds(input, zone).until }
      : { problem: 'is not a day of the calendar' };
  const instant = readDateTime(input, zone);
  return 'problem' in instant ? instant : { value: new Date(instant.value.getTime() + 1) };
}
