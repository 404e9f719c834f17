import { listPeriodDays } from '../../../domain/platform/statistics/period';
import type { Period } from '../../../domain/platform/statistics/period';
import {
  QUARTER_HOUR_MS,
  QuarterHourCounts,
  splitIntoUtcDays,
} from '../../../domain/platform/statistics/quarter-hours';
import type { TotalCount } from '../../../models/identity/statistics/day-count';
import type { Platform, Scope } from '../../platform/platform';
import { countSpan } from './counted-records';
import type { CountDefinition } from './counted-records';
import { SETTLING_MS } from './day-changes';
import { readSettledDays } from './stored-day-counts';

/** The records that were created within a period. */
export interface PeriodCounts<Q, T> {
  /** Every day of the period, with the groups that occurred. */
  days: { date: string; counts: TotalCount<Q>[] }[];
  /** Counts of the whole period; a group can occur several times. */
  totals: TotalCount<T>[];
}

/**
 * Counts the records that were created within a period. Days in UTC that ended a while ago are counted once and stored
 * by quarter hour, for every time zone, so that a year of many records is read in a moment; a change of one of their
 * records has its day counted again. What the period has before and after these days is counted now.
 */
export async function countPeriod<Q extends object, T extends object>(
  platform: Platform,
  scope: Scope,
  definition: CountDefinition<Q, T>,
  period: Period,
): Promise<PeriodCounts<Q, T>> {
  const { days, rest } = splitIntoUtcDays(period, platform.clock.now().getTime() - SETTLING_MS);
  const [settled, ...counted] = await Promise.all([
    readSettledDays(platform, scope, definition, days),
    ...rest.map((span) => countSpan(definition, scope, span)),
  ]);
  const periodDays = listPeriodDays(period);
  const byQuarterHour = new QuarterHourCounts<Q>(periodDays);
  for (const { day, quarters } of settled)
    for (const { group, counts } of quarters)
      for (const [index, count] of counts.entries())
        if (count > 0) byQuarterHour.add(group, day.getTime() + index * QUARTER_HOUR_MS, count);
  for (const { quarters } of counted)
    for (const { at, group, count } of quarters) byQuarterHour.add(group, at.getTime(), count);
  return {
    days: periodDays.map((day) => ({ date: day.date, counts: byQuarterHour.sumDay(day) })),
    totals: [...settled, ...counted].flatMap(({ totals }) => totals),
  };
}

/** How many records the rows count. */
export const countRows = (rows: readonly { count: number }[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);
