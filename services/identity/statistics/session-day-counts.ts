import { DAY_MS, MINUTE_MS } from '../../../domain/durations';
import type { DecidedBy } from '../../../domain/identity/sessions/decision';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { RANGES_PER_E } from '../../../domain/platform/statistics/durations';
import type { DurationCount } from '../../../domain/platform/statistics/durations';
import { listPeriodDays, toDay } from '../../../domain/platform/statistics/period';
import type { Period, PeriodDay } from '../../../domain/platform/statistics/period';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Session, STATISTICS_INDEX } from '../../../models/identity/sessions/session';
import {
  DAY_COUNT_DAYS,
  SessionDayChange,
  SessionDayCount,
} from '../../../models/identity/statistics/session-day-count';
import type { SessionDayCountRecord, StatusCount } from '../../../models/identity/statistics/session-day-count';
import type { Platform, Scope } from '../../platform/platform';
import { buildCreationDay, buildPeriodFilter, IS_DELETED, listKept } from '../../platform/statistics/day-groups';
import { SETTLING_MS } from './session-day-changes';

/**
 * A change whose time is less than this before a count may be missing in it: a transaction commits at most a minute after
 * the time that it states, and clocks of processes differ. Such days are counted again.
 */
const COMMIT_MARGIN_MS = 5 * MINUTE_MS;

/** The sessions that were created on one day. */
export interface DayCounts {
  statuses: StatusCount[];
  durations: DurationCount[];
}

interface Grouped {
  deleted: boolean;
  day: Date;
  count: number;
}

type StatusRow = Grouped & { status: SessionStatus; decidedBy: DecidedBy | null };
type DurationRow = Grouped & { range: number };

/** Counts by day and status. Reads {@link STATISTICS_INDEX} alone, without any session. */
const countByStatus = (scope: Scope, period: Period): Promise<StatusRow[]> =>
  Session.aggregate<StatusRow>([
    { $match: buildPeriodFilter(scope, period) },
    {
      $group: {
        _id: {
          day: buildCreationDay(period),
          status: '$status',
          decidedBy: '$decision.decidedBy',
          deleted: IS_DELETED,
        },
        count: { $sum: 1 },
      },
    },
    {
      $project: {
        _id: 0,
        day: '$_id.day',
        status: '$_id.status',
        deleted: '$_id.deleted',
        decidedBy: { $ifNull: ['$_id.decidedBy', null] },
        count: 1,
      },
    },
  ]).hint(STATISTICS_INDEX);

/** Counts decided sessions by day and the range of their time to decision. Reads {@link STATISTICS_INDEX} alone. */
const countByDuration = (scope: Scope, period: Period): Promise<DurationRow[]> => {
  const seconds = { $divide: [{ $subtract: ['$decision.at', '$startedAt'] }, 1000] };
  return Session.aggregate<DurationRow>([
    {
      $match: {
        ...buildPeriodFilter(scope, period),
        status: { $in: ['approved', 'declined'] },
        startedAt: { $type: 'date' },
      },
    },
    {
      $group: {
        _id: {
          day: buildCreationDay(period),
          range: { $floor: { $multiply: [RANGES_PER_E, { $ln: { $max: [1, seconds] } }] } },
          deleted: IS_DELETED,
        },
        count: { $sum: 1 },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { count: '$count' }] } },
  ]).hint(STATISTICS_INDEX);
};

/** Counts the sessions of consecutive days. */
async function countDays(
  scope: Scope,
  { timeZone }: Period,
  days: readonly PeriodDay[],
): Promise<[PeriodDay, DayCounts][]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const period = { from: first.date, to: last.date, timeZone, start: first.start, end: last.end, days: [] };
  const [byStatus, byDuration] = await Promise.all([countByStatus(scope, period), countByDuration(scope, period)]);
  const counts = new Map<string, DayCounts>(days.map(({ date }) => [date, { statuses: [], durations: [] }]));
  for (const { day, status, decidedBy, count } of listKept(byStatus))
    counts.get(toDay(day, timeZone))?.statuses.push({ status, decidedBy, count });
  for (const { day, range, count } of listKept(byDuration))
    counts.get(toDay(day, timeZone))?.durations.push({ range, count });
  return days.map((day) => [day, counts.get(day.date) ?? { statuses: [], durations: [] }]);
}

/** Groups of days without a gap. */
function groupConsecutive(days: readonly PeriodDay[]): PeriodDay[][] {
  const groups: PeriodDay[][] = [];
  for (const day of days) {
    const group = groups.at(-1);
    if (group?.at(-1)?.end.getTime() === day.start.getTime()) group.push(day);
    else groups.push([day]);
  }
  return groups;
}

const keyOf = ({ start, end }: Pick<PeriodDay, 'start' | 'end'>): string => `${start.getTime()} ${end.getTime()}`;

/** Stored counts of days, by their instants. */
async function findStoredDays(
  { organisationId, mode }: Scope,
  { start, end }: Pick<PeriodDay, 'start' | 'end'>,
  usedSince: Date,
): Promise<Map<string, SessionDayCountRecord>> {
  const stored = await SessionDayCount.find({
    organisationId,
    mode,
    start: { $gte: start, $lt: end },
    computedAt: { $gt: usedSince },
  }).lean<SessionDayCountRecord[]>();
  return new Map(stored.map((each) => [keyOf(each), each]));
}

/** When a session of each day changed last, since a time. */
async function findLastChanges(
  { organisationId, mode }: Scope,
  { timeZone }: Period,
  since: Date,
): Promise<Map<string, Date>> {
  const rows = await SessionDayChange.aggregate<{ _id: Date; changedAt: Date }>([
    { $match: { organisationId, mode, changedAt: { $gt: since } } },
    { $group: { _id: buildCreationDay({ timeZone }), changedAt: { $max: '$changedAt' } } },
  ]);
  return new Map(rows.map(({ _id: day, changedAt }) => [toDay(day, timeZone), changedAt]));
}

/** The settled days whose stored counts are current. */
async function readStoredDays(
  platform: Platform,
  scope: Scope,
  period: Period,
  days: readonly PeriodDay[],
): Promise<Map<string, DayCounts>> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const usedSince = new Date(platform.clock.now().getTime() - DAY_COUNT_DAYS * DAY_MS);
  const stored = await findStoredDays(scope, { start: first.start, end: last.end }, usedSince);
  const oldest = Math.min(...[...stored.values()].map(({ computedAt }) => computedAt.getTime()));
  const changes =
    stored.size === 0
      ? new Map<string, Date>()
      : await findLastChanges(scope, period, new Date(oldest - COMMIT_MARGIN_MS));
  const found = days.flatMap((day): [string, DayCounts][] => {
    const counts = stored.get(keyOf(day));
    const changedAt = changes.get(day.date)?.getTime() ?? 0;
    return counts === undefined || changedAt > counts.computedAt.getTime() - COMMIT_MARGIN_MS
      ? []
      : [[day.date, counts]];
  });
  return new Map(found);
}

/** Stores the counts of a day. Of concurrent counts any may win: its time says which changes it may lack. */
async function storeDay(
  { organisationId, mode }: Scope,
  { start, end }: PeriodDay,
  { statuses, durations }: DayCounts,
  computedAt: Date,
): Promise<void> {
  const fields = { statuses, durations, computedAt };
  try {
    await SessionDayCount.updateOne({ organisationId, mode, start, end }, { $set: fields }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/** Counts of settled days: stored ones, and those that are missing or have changed, which are computed and stored. */
async function readSettledDays(
  platform: Platform,
  scope: Scope,
  period: Period,
  days: readonly PeriodDay[],
): Promise<[PeriodDay, DayCounts][]> {
  const computedAt = platform.clock.now();
  const stored = await readStoredDays(platform, scope, period, days);
  const computed: [PeriodDay, DayCounts][] = [];
  for (const group of groupConsecutive(days.filter(({ date }) => !stored.has(date))))
    computed.push(...(await countDays(scope, period, group)));
  await Promise.all(computed.map(([day, counts]) => storeDay(scope, day, counts, computedAt)));
  const known = days.flatMap((day): [PeriodDay, DayCounts][] => {
    const counts = stored.get(day.date);
    return counts === undefined ? [] : [[day, counts]];
  });
  return [...known, ...computed];
}

/**
 * The sessions of each day of a period. Days that ended a while ago are counted once and stored, so that a year of many
 * sessions is read in a moment; a change of one of their sessions has its day counted again. Later days are counted now.
 */
export async function countSessionsByDay(
  platform: Platform,
  scope: Scope,
  period: Period,
): Promise<Map<string, DayCounts>> {
  const settledUntil = platform.clock.now().getTime() - SETTLING_MS;
  const days = listPeriodDays(period);
  const [settled, others] = await Promise.all([
    readSettledDays(
      platform,
      scope,
      period,
      days.filter(({ end }) => end.getTime() <= settledUntil),
    ),
    countDays(
      scope,
      period,
      days.filter(({ end }) => end.getTime() > settledUntil),
    ),
  ]);
  return new Map([...settled, ...others].map(([{ date }, counts]) => [date, counts]));
}
