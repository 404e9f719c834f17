import { countRows } from './period-counts';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { CHECK_KINDS } from '../../../domain/identity/checks/checks';
import type { Period } from '../../../domain/platform/statistics/period';
import type { TotalCount } from '../../../models/identity/statistics/day-count';
import type { Platform, Scope } from '../../platform/platform';
import { computeFigures } from '../../platform/statistics/day-groups';
import { CHECK_COUNTS } from './check-counts';
import type { CheckTotalGroup } from './check-counts';
import { countPeriod } from './period-counts';

/** Figures of the checks that were created within a period. Erased checks are not counted. */
export interface CheckStatistics {
  /** Checks by day of creation, every day of the period; `failed` could not be run. */
  days: { date: string; created: number; failed: number }[];
  /** Every kind that occurred. */
  kinds: {
    kind: CheckKind;
    created: number;
    failed: number;
    /** Failed checks by error code, the most frequent first. */
    failures: { code: string; count: number }[];
  }[];
}

type CheckRow = TotalCount<CheckTotalGroup>;

function countFailures(failed: readonly CheckRow[]): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { group, count } of failed) {
    const code = group.failure ?? 'internal_error';
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code, 'en'));
}

async function readStatistics(platform: Platform, scope: Scope, period: Period): Promise<CheckStatistics> {
  const { days, totals } = await countPeriod(platform, scope, CHECK_COUNTS, period);
  return {
    days: days.map(({ date, counts }) => ({
      date,
      created: countRows(counts),
      failed: countRows(counts.filter(({ group }) => group.failed)),
    })),
    kinds: CHECK_KINDS.flatMap((kind) => {
      const own = totals.filter(({ group }) => group.kind === kind);
      const failed = own.filter(({ group }) => group.status === 'failed');
      return own.length === 0
        ? []
        : [{ kind, created: countRows(own), failed: countRows(failed), failures: countFailures(failed) }];
    }),
  };
}

/** Computes the figures of the checks that were created within a period, at most once at a time. */
export const computeCheckStatistics = (platform: Platform, scope: Scope, period: Period): Promise<CheckStatistics> =>
  computeFigures(platform, 'checks', scope, period, () => readStatistics(platform, scope, period));
