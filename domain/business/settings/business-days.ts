import { getDayBounds, isCalendarDate, readLowerInstant, readUpperInstant, toCalendarDate } from '../calendar';
import type { DateReading } from '../calendar';

/** A time zone of a company, and the day before which no day of it lies; absent for its first time zone. */
interface ZonePeriod {
  timeZone: string;
  /** `YYYY-MM-DD` */
  earliestToday?: string;
}

/** A time zone that a company had until it chose another one. */
export interface EarlierTimeZone extends ZonePeriod {
  until: Date;
}

/**
 * What decides on the day of a posting: the time zone that the company had at its time, so that a change of the time zone
 * moves no posting to another day.
 */
export interface BusinessCalendar extends ZonePeriod {
  /** Oldest first; absent: none is known. */
  earlierTimeZones?: readonly EarlierTimeZone[];
}

/** The time zones of a company, oldest first, with the times from which and until which it had them. */
export function listZonePeriods(calendar: BusinessCalendar) {
  const { earlierTimeZones: earlier = [] } = calendar;
  return [...earlier, { timeZone: calendar.timeZone, earliestToday: calendar.earliestToday, until: null }].map(
    ({ timeZone, earliestToday, until }, index) => {
      const from = earlier[index - 1]?.until ?? null;
      // Without a record of the zone before, it is not known when the floor began.
      return { timeZone, from, until, earliestToday: from === null ? '' : (earliestToday ?? '') };
    },
  );
}

const laterOf = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time);

/** The first time of which the day is at least `date`, or after it. */
function findStart(calendar: BusinessCalendar, date: string, bound: 'from' | 'until'): Date {
  for (const { timeZone, from, until, earliestToday } of listZonePeriods(calendar)) {
    const isReached = from !== null && (bound === 'from' ? earliestToday >= date : earliestToday > date);
    const start = isReached ? from : laterOf(getDayBounds(date, timeZone)[bound], from);
    if (until === null || start < until) return start;
  }
  throw new Error('a company has no time zone');
}

/** The day of a posting, `YYYY-MM-DD`. Days never go back, also when the company moves to the west. */
export function toBusinessDay(calendar: BusinessCalendar, at: Date): string {
  for (const { timeZone, until, earliestToday } of listZonePeriods(calendar)) {
    if (until !== null && at >= until) continue;
    const date = toCalendarDate(at, timeZone);
    return date > earliestToday ? date : earliestToday;
  }
  throw new Error('a company has no time zone');
}

/** The times of which `date` is the day: inclusive start, exclusive end. */
export const getBusinessDayBounds = (calendar: BusinessCalendar, date: string): { from: Date; until: Date } => ({
  from: findStart(calendar, date, 'from'),
  until: findStart(calendar, date, 'until'),
});

/** Reads the inclusive start of a filter of postings: a time, or the start of a day. */
export const readPostedFrom = (text: string, calendar: BusinessCalendar): DateReading<Date> =>
  isCalendarDate(text)
    ? { value: getBusinessDayBounds(calendar, text).from }
    : readLowerInstant(text, calendar.timeZone);

/** Reads the end of a filter of postings as an exclusive time; a day is included. */
export const readPostedUntil = (text: string, calendar: BusinessCalendar): DateReading<Date> =>
  isCalendarDate(text)
    ? { value: getBusinessDayBounds(calendar, text).until }
    : readUpperInstant(text, calendar.timeZone);

/** The company as its next time zone begins: the one that ends is kept. */
export function changeTimeZone(calendar: BusinessCalendar, today: string, now: Date) {
  const { timeZone, earliestToday, earlierTimeZones = [] } = calendar;
  const ended: EarlierTimeZone = { timeZone, ...(earliestToday !== undefined && { earliestToday }), until: now };
  return { earliestToday: today, earlierTimeZones: [...earlierTimeZones, ended] };
}

/** The fields of a record that decide on the days of postings. */
export const pickCalendar = ({ timeZone, earliestToday, earlierTimeZones }: BusinessCalendar): BusinessCalendar => ({
  timeZone,
  ...(earliestToday !== undefined && { earliestToday }),
  ...(earlierTimeZones !== undefined && { earlierTimeZones }),
});
