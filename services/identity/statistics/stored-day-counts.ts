import { DAY_MS, MINUTE_MS } from '../../../domain/durations';
import { QUARTER_HOUR_MS, QUARTER_HOURS_PER_DAY, getUtcDay } from '../../../domain/platform/statistics/quarter-hours';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { DAY_CHANGE_INDEX, DAY_COUNT_DAYS, DayChange, DayCount } from '../../../models/identity/statistics/day-count';
import type { DayCountRecord, QuarterCounts } from '../../../models/identity/statistics/day-count';
import type { Platform, Scope } from '../../platform/platform';
import { countSpan } from './counted-records';
import type { CountDefinition, CountRow, SpanCounts } from './counted-records';

/**
 * A change whose time is less than this before a count may be missing in it: a transaction commits at most a minute after
 * the time that it states, and clocks of processes differ. Such days are counted again.
 */
const COMMIT_MARGIN_MS = 5 * MINUTE_MS;

/** Days that are counted at once, so that a count takes seconds at most. */
const MAX_DAYS_AT_ONCE = 31;

/** The counts of one day. */
type DayCounts<Q, T> = Pick<DayCountRecord<Q, T>, 'day' | 'quarters' | 'totals'>;

/** When a record of each day changed last, in milliseconds by day. */
async function findLastChanges(
  { organisationId, mode }: Scope,
  { records }: Pick<DayCountRecord, 'records'>,
  [first, last]: readonly [Date, Date],
): Promise<Map<number, number>> {
  const rows = await DayChange.aggregate<{ _id: Date; changedAt: Date }>([
    { $match: { organisationId, mode, records, day: { $gte: first, $lte: last } } },
    // In the order of the index, which alone is read.
    { $sort: DAY_CHANGE_INDEX },
    { $group: { _id: '$day', changedAt: { $last: '$changedAt' } } },
  ]).hint(DAY_CHANGE_INDEX);
  return new Map(rows.map(({ _id: day, changedAt }) => [day.getTime(), changedAt.getTime()]));
}

/**
 * Stored counts that contain every change of their day.
 * @param days consecutive
 * @param maxAgeMs older counts are left out
 */
export async function findCurrentDays<Q extends object, T extends object>(
  platform: Platform,
  { organisationId, mode }: Scope,
  definition: CountDefinition<Q, T>,
  days: readonly Date[],
  { maxAgeMs = DAY_COUNT_DAYS * DAY_MS, fields = {} }: { maxAgeMs?: number; fields?: Record<string, 1> } = {},
): Promise<DayCountRecord<Q, T>[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { records } = definition;
  const usedSince = new Date(platform.clock.now().getTime() - maxAgeMs);
  const [stored, changes] = await Promise.all([
    DayCount.find(
      { organisationId, mode, records, day: { $gte: first, $lte: last }, computedAt: { $gt: usedSince } },
      { _id: 0, ...fields },
    ).lean<DayCountRecord<Q, T>[]>(),
    findLastChanges({ organisationId, mode }, definition, [first, last]),
  ]);
  return stored.filter(({ day, computedAt }) => {
    const changedAt = changes.get(day.getTime());
    return changedAt === undefined || changedAt <= computedAt.getTime() - COMMIT_MARGIN_MS;
  });
}

/** Groups of at most {@link MAX_DAYS_AT_ONCE} days without a gap. */
function groupConsecutive(days: readonly Date[]): Date[][] {
  const groups: Date[][] = [];
  for (const day of days) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (previous?.getTime() === day.getTime() - DAY_MS && (group?.length ?? 0) < MAX_DAYS_AT_ONCE) group?.push(day);
    else groups.push([day]);
  }
  return groups;
}

/** The rows of a day as counts of its quarter hours. */
function toQuarterCounts<Q>(day: number, rows: readonly CountRow<Q>[]): QuarterCounts<Q>[] {
  const groups = new Map<string, QuarterCounts<Q>>();
  for (const { at, group, count } of rows) {
    const key = JSON.stringify(group);
    const known = groups.get(key) ?? { group, counts: Array<number>(QUARTER_HOURS_PER_DAY).fill(0) };
    known.counts[(at.getTime() - day) / QUARTER_HOUR_MS] = count;
    groups.set(key, known);
  }
  return [...groups.values()];
}

/** Rows by the beginning of the day in UTC that they belong to. */
function groupByUtcDay<G>(rows: readonly CountRow<G>[]): Map<number, CountRow<G>[]> {
  const groups = new Map<number, CountRow<G>[]>();
  for (const row of rows) {
    const day = getUtcDay(row.at.getTime());
    const known = groups.get(day);
    if (known === undefined) groups.set(day, [row]);
    else known.push(row);
  }
  return groups;
}

/** Divides the counts of a span of time into days. */
function toDayCounts<Q, T>(days: readonly Date[], { quarters, totals }: SpanCounts<Q, T>): DayCounts<Q, T>[] {
  const [quartersByDay, totalsByDay] = [groupByUtcDay(quarters), groupByUtcDay(totals)];
  return days.map((day) => ({
    day,
    quarters: toQuarterCounts(day.getTime(), quartersByDay.get(day.getTime()) ?? []),
    totals: (totalsByDay.get(day.getTime()) ?? []).map(({ group, count }) => ({ group, count })),
  }));
}

/** Stores counts of days. Of concurrent counts any may win: its time says which changes it may lack. */
async function storeDays<Q, T>(
  { organisationId, mode }: Scope,
  { records }: Pick<DayCountRecord, 'records'>,
  counts: readonly DayCounts<Q, T>[],
  computedAt: Date,
): Promise<void> {
  try {
    await DayCount.bulkWrite(
      counts.map(({ day, quarters, totals }) => ({
        updateOne: {
          filter: { organisationId, mode, records, day },
          update: { $set: { quarters, totals, computedAt } },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/** Counts days, whatever is stored of them, and stores the counts. */
export async function countAndStoreDays<Q extends object, T extends object>(
  platform: Platform,
  scope: Scope,
  definition: CountDefinition<Q, T>,
  days: readonly Date[],
): Promise<DayCounts<Q, T>[]> {
  const counted: DayCounts<Q, T>[] = [];
  for (const group of groupConsecutive(days)) {
    const [start, last] = [group[0], group.at(-1)];
    if (start === undefined || last === undefined) continue;
    const computedAt = platform.clock.now();
    const end = new Date(last.getTime() + DAY_MS);
    const counts = toDayCounts(group, await countSpan(definition, scope, { start, end }));
    await storeDays(scope, definition, counts, computedAt);
    counted.push(...counts);
  }
  return counted;
}

/** Counts of settled days: stored ones, and those that are missing or have changed, which are counted and stored. */
export async function readSettledDays<Q extends object, T extends object>(
  platform: Platform,
  scope: Scope,
  definition: CountDefinition<Q, T>,
  days: readonly Date[],
): Promise<DayCounts<Q, T>[]> {
  const stored = await findCurrentDays(platform, scope, definition, days);
  const known = new Set(stored.map(({ day }) => day.getTime()));
  const missing = days.filter((day) => !known.has(day.getTime()));
  return [...stored, ...(await countAndStoreDays(platform, scope, definition, missing))];
}
