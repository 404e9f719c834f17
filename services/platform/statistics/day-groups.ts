import type { Period } from '../../../domain/platform/statistics/period';
import { toDay } from '../../../domain/platform/statistics/period';
import type { Platform, Scope } from '../platform';
import { FigureCache } from './figure-cache';

/** The day on which a record was created, as an expression of an aggregation. */
export const buildCreationDay = ({ timeZone }: Pick<Period, 'timeZone'>) =>
  ({ $dateTrunc: { date: '$createdAt', unit: 'day', timezone: timeZone } }) as const;

/** The records of a scope that were created within a period. */
export const buildPeriodFilter = ({ organisationId, mode }: Scope, { start, end }: Pick<Period, 'start' | 'end'>) => ({
  organisationId,
  mode,
  createdAt: { $gte: start, $lt: end },
});

/** Rows of an aggregation by the day that they count, `YYYY-MM-DD`. */
export function groupByDay<T extends { day: Date }>(rows: readonly T[], { timeZone }: Period): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const day = toDay(row.day, timeZone);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return groups;
}

/** Computes figures of a scope and period, at most once at a time. See {@link FigureCache}. */
export const computeFigures = <T extends object>(
  { singletons }: Platform,
  name: string,
  { organisationId, mode }: Scope,
  { from, to, timeZone }: Period,
  compute: () => Promise<T>,
): Promise<T> => singletons.get(FigureCache).get([name, organisationId, mode, from, to, timeZone].join(' '), compute);
