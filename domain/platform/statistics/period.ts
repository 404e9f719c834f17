import { DateTime, IANAZone } from 'luxon';
import { invalidFieldError } from '../../errors';

/** The longest period that figures are computed for. */
export const MAX_PERIOD_DAYS = 366;
/** The period without bounds: so many days that end today. */
export const DEFAULT_PERIOD_DAYS = 30;

/** Which days figures are asked for; a missing bound is derived from the other one. */
export interface PeriodRequest {
  /** `YYYY-MM-DD`, inclusive. */
  from?: string | undefined;
  /** `YYYY-MM-DD`, inclusive. */
  to?: string | undefined;
  /** IANA time zone in which days begin. */
  timeZone: string;
}

/** A number of whole days in a time zone. */
export interface Period {
  from: string;
  to: string;
  timeZone: string;
  /** The beginning of the first day. */
  start: Date;
  /** The end of the last day, exclusive. */
  end: Date;
  /** Every day from the first to the last, `YYYY-MM-DD`. */
  days: string[];
}

const parseDay = (day: string, zone: string): DateTime => DateTime.fromISO(day, { zone }).startOf('day');
const formatDay = (day: DateTime): string => day.toFormat('yyyy-MM-dd');

/** The calendar day of a time in a zone, `YYYY-MM-DD`. */
export const toDay = (instant: Date, zone: string): string => formatDay(DateTime.fromJSDate(instant, { zone }));

/** One day of a period, by the instants of its beginning and of the next day's. */
export interface PeriodDay {
  /** `YYYY-MM-DD`. */
  date: string;
  start: Date;
  end: Date;
}

/** The days of a period, from the first to the last. */
export const listPeriodDays = ({ days, timeZone }: Pick<Period, 'days' | 'timeZone'>): PeriodDay[] =>
  days.map((date) => {
    const start = parseDay(date, timeZone);
    return { date, start: start.toJSDate(), end: start.plus({ days: 1 }).toJSDate() };
  });

/**
 * Resolves the days of a request: without bounds the {@link DEFAULT_PERIOD_DAYS} that end today.
 * @throws AppError 400 for an unknown time zone, a first day after the last, or more than {@link MAX_PERIOD_DAYS}
 */
export function resolvePeriod({ from, to, timeZone }: PeriodRequest, now: Date): Period {
  if (!IANAZone.isValidZone(timeZone))
    throw invalidFieldError('timeZone', 'accepts an IANA time zone such as Europe/Berlin');
  const today = DateTime.fromJSDate(now, { zone: timeZone }).startOf('day');
  const span = { days: DEFAULT_PERIOD_DAYS - 1 };
  const last = to === undefined ? today : parseDay(to, timeZone);
  const first = from === undefined ? last.minus(span) : parseDay(from, timeZone);
  const count = Math.round(last.diff(first, 'days').days) + 1;
  if (count < 1) throw invalidFieldError('from', `must not be after the last day, ${formatDay(last)}`);
  if (count > MAX_PERIOD_DAYS)
    throw invalidFieldError('from', `the period has ${count} days; at most ${MAX_PERIOD_DAYS} are accepted`);
  const days = Array.from({ length: count }, (_, index) => formatDay(first.plus({ days: index })));
  return {
    from: formatDay(first),
    to: formatDay(last),
    timeZone,
    start: first.toJSDate(),
    end: last.plus({ days: 1 }).toJSDate(),
    days,
  };
}
