import { DAY_MS, MINUTE_MS } from '../../durations';
import type { PeriodDay } from './period';

/**
 * Offsets of time zones from UTC have been multiples of a quarter hour since 1980, so that days of every time zone
 * consist of whole quarter hours of UTC.
 */
export const QUARTER_HOUR_MS = 15 * MINUTE_MS;
export const QUARTER_HOURS_PER_DAY = DAY_MS / QUARTER_HOUR_MS;

/** The beginning of the day in UTC, in milliseconds. */
export const getUtcDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** A span of time; the end is exclusive. */
export interface Span {
  start: Date;
  end: Date;
}

export interface SplitSpan {
  /** Beginnings of the days in UTC that lie within the span and end by the limit. */
  days: Date[];
  /** What is left of the span before and after these days. */
  rest: Span[];
}

/** Splits a span of time into whole days in UTC, as far as they end by a limit in milliseconds, and the rest. */
export function splitIntoUtcDays({ start, end }: Span, limit: number): SplitSpan {
  const first = Math.ceil(start.getTime() / DAY_MS) * DAY_MS;
  const last = getUtcDay(Math.min(end.getTime(), limit));
  if (last <= first) return { days: [], rest: [{ start, end }] };
  const days = Array.from({ length: (last - first) / DAY_MS }, (_, index) => new Date(first + index * DAY_MS));
  const rest = [
    { start, end: new Date(first) },
    { start: new Date(last), end },
  ];
  return { days, rest: rest.filter((span) => span.start < span.end) };
}

/** Counts of the quarter hours of a period, from which the counts of its days are added up. */
export class QuarterHourCounts<G> {
  private readonly groups = new Map<string, { group: G; counts: Float64Array }>();
  private readonly start: number;
  private readonly length: number;

  constructor(days: readonly PeriodDay[]) {
    this.start = days[0]?.start.getTime() ?? 0;
    this.length = this.toPosition(days.at(-1)?.end.getTime() ?? 0);
  }

  private toPosition(time: number): number {
    return Math.floor((time - this.start) / QUARTER_HOUR_MS);
  }

  /** Adds records of a group that were created in the quarter hour that begins at a time of the period. */
  add(group: G, time: number, count: number): void {
    const key = JSON.stringify(group);
    let entry = this.groups.get(key);
    if (entry === undefined) {
      entry = { group, counts: new Float64Array(this.length) };
      this.groups.set(key, entry);
    }
    const position = this.toPosition(time);
    entry.counts[position] = (entry.counts[position] ?? 0) + count;
  }

  /** The counts of one day by group, without groups that did not occur. */
  sumDay({ start, end }: PeriodDay): { group: G; count: number }[] {
    const [from, to] = [this.toPosition(start.getTime()), this.toPosition(end.getTime())];
    return [...this.groups.values()].flatMap(({ group, counts }) => {
      let count = 0;
      for (let position = from; position < to; position += 1) count += counts[position] ?? 0;
      return count === 0 ? [] : [{ group, count }];
    });
  }
}
