import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { estimatePercentile, RANGES_PER_E } from '../../../domain/platform/statistics/durations';
import type { DurationCount } from '../../../domain/platform/statistics/durations';
import type { Period } from '../../../domain/platform/statistics/period';
import { Session, STATISTICS_INDEX } from '../../../models/identity/sessions/session';
import type { Platform, Scope } from '../../platform/platform';
import {
  buildCreationDay,
  buildPeriodFilter,
  computeFigures,
  groupByDay,
  IS_DELETED,
  listKept,
} from '../../platform/statistics/day-groups';

export type StatusCounts = Record<SessionStatus, number>;

/** Figures of the sessions that were created within a period. Erased sessions are not counted. */
export interface SessionStatistics {
  /** Sessions by day of creation and present status, every day of the period. */
  days: { date: string; created: number; statuses: StatusCounts }[];
  created: number;
  statuses: StatusCounts;
  review: {
    /** Sessions that wait for a reviewer or were decided by one. */
    sessions: number;
    /** Their share of the sessions that were decided or wait for a reviewer; null without any. */
    share: number | null;
  };
  /** Time from the first capture to the decision of approved and declined sessions, in seconds. */
  timeToDecision: { sessions: number; medianSeconds: number | null; p95Seconds: number | null };
}

interface StatusRow {
  deleted: boolean;
  day: Date;
  status: SessionStatus;
  decidedBy: 'rules' | 'reviewer' | null;
  count: number;
}

type DurationRow = DurationCount & { deleted: boolean };

const isDecided = ({ decidedBy }: StatusRow): boolean => decidedBy !== null;
const isReviewed = ({ status, decidedBy }: StatusRow): boolean => status === 'in_review' || decidedBy === 'reviewer';

const countRows = (rows: readonly StatusRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const countStatuses = (rows: readonly StatusRow[]): StatusCounts => {
  const counts = Object.fromEntries(SESSION_STATUSES.map((status) => [status, 0])) as StatusCounts;
  for (const { status, count } of rows) counts[status] += count;
  return counts;
};

/** Counts by day and status. Reads {@link STATISTICS_INDEX} alone, without any session. */
const countByDay = (scope: Scope, period: Period): Promise<StatusRow[]> =>
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

/** Counts decided sessions by the range of their time to decision. Reads {@link STATISTICS_INDEX} alone. */
const countDurations = (scope: Scope, period: Period): Promise<DurationRow[]> => {
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
        _id: { range: { $floor: { $multiply: [RANGES_PER_E, { $ln: { $max: [1, seconds] } }] } }, deleted: IS_DELETED },
        count: { $sum: 1 },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { count: '$count' }] } },
  ]).hint(STATISTICS_INDEX);
};

const roundTo = (value: number | null, factor: number): number | null =>
  value === null ? null : Math.round(value * factor) / factor;

async function readStatistics(scope: Scope, period: Period): Promise<SessionStatistics> {
  const [byStatus, byDuration] = await Promise.all([countByDay(scope, period), countDurations(scope, period)]);
  const rows = listKept(byStatus);
  const durations = listKept(byDuration);
  const byDay = groupByDay(rows, period);
  const reviewed = countRows(rows.filter(isReviewed));
  const reached = countRows(rows.filter((row) => isDecided(row) || isReviewed(row)));
  return {
    days: period.days.map((date) => {
      const own = byDay.get(date) ?? [];
      return { date, created: countRows(own), statuses: countStatuses(own) };
    }),
    created: countRows(rows),
    statuses: countStatuses(rows),
    review: { sessions: reviewed, share: reached === 0 ? null : roundTo(reviewed / reached, 10_000) },
    timeToDecision: {
      sessions: durations.reduce((sum, { count }) => sum + count, 0),
      medianSeconds: roundTo(estimatePercentile(durations, 0.5), 10),
      p95Seconds: roundTo(estimatePercentile(durations, 0.95), 10),
    },
  };
}

/** Computes the figures of the sessions that were created within a period, from one index and at most once at a time. */
export const computeSessionStatistics = (
  platform: Platform,
  scope: Scope,
  period: Period,
): Promise<SessionStatistics> =>
  computeFigures(platform, 'sessions', scope, period, () => readStatistics(scope, period));
