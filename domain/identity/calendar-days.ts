import { HOUR_MS } from '../durations';

/** A day begins so long before it begins in UTC, in the zones furthest ahead. */
const EARLIEST_BEGINNING_MS = 14 * HOUR_MS;
/** It ends so long after it ends in UTC, in the zones furthest behind. */
const LATEST_END_MS = 12 * HOUR_MS;

/**
 * The days that a point in time is, YYYY-MM-DD: where a document was issued and where its holder is are unknown, so that
 * it has expired once its last day is over everywhere, and is of the future before its day has begun anywhere.
 */
export interface CalendarDays {
  /** The day in the zones furthest behind. */
  earliest: string;
  /** The day in UTC. */
  today: string;
  /** The day in the zones furthest ahead. */
  latest: string;
}

export function getCalendarDays(at: Date): CalendarDays {
  const getDay = (offsetMs: number): string => new Date(at.getTime() + offsetMs).toISOString().slice(0, 10);
  return { earliest: getDay(-LATEST_END_MS), today: getDay(0), latest: getDay(EARLIEST_BEGINNING_MS) };
}
