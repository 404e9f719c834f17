import { countRows } from './period-counts';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { estimatePercentile } from '../../../domain/platform/statistics/durations';
import type { DurationCount } from '../../../domain/platform/statistics/durations';
import type { Period } from '../../../domain/platform/statistics/period';
import type { TotalCount } from '../../../models/identity/statistics/day-count';
import type { Platform, Scope } from '../../platform/platform';
import { computeFigures } from '../../platform/statistics/day-groups';
import { countPeriod } from './period-counts';
import { SESSION_COUNTS } from './session-counts';
import type { SessionDayGroup, SessionTotalGroup } from './session-counts';

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

const isDecided = ({ decidedBy }: SessionTotalGroup): boolean => decidedBy !== null;
const isReviewed = ({ status, decidedBy }: SessionTotalGroup): boolean =>
  status === 'in_review' || decidedBy === 'reviewer';

const countStatuses = (rows: readonly TotalCount<SessionDayGroup>[]): StatusCounts => {
  const counts = Object.fromEntries(SESSION_STATUSES.map((status) => [status, 0])) as StatusCounts;
  for (const { group, count } of rows) counts[group.status] += count;
  return counts;
};

const roundTo = (value: number | null, factor: number): number | null =>
  value === null ? null : Math.round(value * factor) / factor;

/** Adds up durations of several days. */
function sumDurations(rows: readonly TotalCount<SessionTotalGroup>[]): DurationCount[] {
  const counts = new Map<number, number>();
  for (const { group, count } of rows)
    if (group.range !== null) counts.set(group.range, (counts.get(group.range) ?? 0) + count);
  return [...counts].map(([range, count]) => ({ range, count }));
}

async function readStatistics(platform: Platform, scope: Scope, period: Period): Promise<SessionStatistics> {
  const { days, totals } = await countPeriod(platform, scope, SESSION_COUNTS, period);
  const durations = sumDurations(totals);
  const reviewed = countRows(totals.filter(({ group }) => isReviewed(group)));
  const reached = countRows(totals.filter(({ group }) => isDecided(group) || isReviewed(group)));
  return {
    days: days.map(({ date, counts }) => ({ date, created: countRows(counts), statuses: countStatuses(counts) })),
    created: countRows(totals),
    statuses: countStatuses(totals),
    review: { sessions: reviewed, share: reached === 0 ? null : roundTo(reviewed / reached, 10_000) },
    timeToDecision: {
      sessions: countRows(durations),
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
