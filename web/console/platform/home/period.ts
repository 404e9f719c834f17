import { z } from 'zod';

/** The periods that the home page offers, in days that end today. */
export const PERIODS = ['7', '30', '90'] as const;

export const homeSearch = z.object({ days: z.coerce.string().pipe(z.enum(PERIODS)).catch('30') });

/** The period in the time zone of the browser. */
export interface PeriodQuery {
  from: string;
  timeZone: string;
}

const DAY_MS = 86_400_000;

/** The calendar day of a time in a zone, `YYYY-MM-DD`. */
const toDay = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(time);

/** @param days length of the period, which ends today @param now milliseconds since 1970 */
export function buildPeriod(days: number, now = Date.now()): PeriodQuery {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { from: toDay(now - (days - 1) * DAY_MS, timeZone), timeZone };
}
