import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { estimatePercentile } from '../../../domain/platform/statistics/durations';
import type { DurationCount } from '../../../domain/platform/statistics/durations';
import type { Period } from '../../../domain/platform/statistics/period';
import type { StatusCount } from '../../../models/identity/statistics/session-day-count';
import type { Platform, Scope } from '../../platform/platform';
import { computeFigures } from '../../platform/statistics/day-groups';
import { countSessionsByDay } from './session-day-counts';
import type { DayCounts } from './session-day-counts';

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

const isDecided = ({ decidedBy }: StatusCount): boolean => decidedBy !== null;
const isReviewed = ({ status, decidedBy }: StatusCount): boolean => status === 'in_review' || decidedBy === 'reviewer';

const countRows = (rows: readonly StatusCount[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const countStatuses = (rows: readonly StatusCount[]): StatusCounts => {
  const counts = Object.fromEntries(SESSION_STATUSES.map((status) => [status, 0])) as StatusCounts;
  for (const { status, count } of rows) counts[status] += count;
  return counts;
};

const roundTo = (value: number | null, factor: number): number | null =>
  value === null ? null : Math.round(value * factor) / factor;

/** Adds up durations of several days. */
function sumDurations(days: readonly DayCounts[]): DurationCount[] {
  const counts = new Map<number, number>();
  for (const { durations } of days)
    for (const { range, count } of durations) counts.set(range, (counts.get(range) ?? 0) + count);
  return [...counts].map(([range, count]) => ({ range, count }));
}

async function readStatistics(platform: Platform, scope: Scope, period: Period): Promise<SessionStatistics> {
  const byDay = await countSessionsByDay(platform, scope, period);
  const rows = [...byDay.values()].flatMap(({ statuses }) => statuses);
  const durations = sumDurations([...byDay.values()]);
  const reviewed = countRows(rows.filter(isReviewed));
  const reached = countRows(rows.filter((row) => isDecided(row) || isReviewed(row)));
  return {
    days: period.days.map((date) => {
      const own = byDay.get(date)?.statuses ?? [];
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

/** Computes the figures of the sessions that were created within a period, at most once at a time. */
export const computeSessionStatistics = (
  platform: Platform,
  scope: Scope,
  period: Period,
): Promise<SessionStatistics> =>
  computeFigures(platform, 'sessions', scope, period, () => readStatistics(platform, scope, period));
