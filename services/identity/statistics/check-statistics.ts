import type { CheckKind } from '../../../domain/identity/checks/checks';
import { CHECK_KINDS } from '../../../domain/identity/checks/checks';
import type { Period } from '../../../domain/platform/statistics/period';
import { Check, STATISTICS_INDEX } from '../../../models/identity/checks/check';
import type { Platform, Scope } from '../../platform/platform';
import {
  buildCreationDay,
  buildPeriodFilter,
  computeFigures,
  groupByDay,
  IS_DELETED,
  listKept,
} from '../../platform/statistics/day-groups';

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

interface CheckRow {
  deleted: boolean;
  day: Date;
  kind: CheckKind;
  status: string;
  failure: string | null;
  count: number;
}

const countRows = (rows: readonly CheckRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);
const listFailed = (rows: readonly CheckRow[]): CheckRow[] => rows.filter(({ status }) => status === 'failed');

function countFailures(failed: readonly CheckRow[]): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { failure, count } of failed) {
    const code = failure ?? 'internal_error';
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code, 'en'));
}

/** Counts by day, kind and failure. Reads {@link STATISTICS_INDEX} alone, without any check. */
async function readStatistics(scope: Scope, period: Period): Promise<CheckStatistics> {
  const groups = await Check.aggregate<CheckRow>([
    { $match: buildPeriodFilter(scope, period) },
    {
      $group: {
        _id: {
          day: buildCreationDay(period),
          kind: '$kind',
          status: '$status',
          failure: '$failure',
          deleted: IS_DELETED,
        },
        count: { $sum: 1 },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { count: '$count' }] } },
  ]).hint(STATISTICS_INDEX);
  const rows = listKept(groups);
  const byDay = groupByDay(rows, period);
  return {
    days: period.days.map((date) => {
      const own = byDay.get(date) ?? [];
      return { date, created: countRows(own), failed: countRows(listFailed(own)) };
    }),
    kinds: CHECK_KINDS.flatMap((kind) => {
      const own = rows.filter((row) => row.kind === kind);
      const failed = listFailed(own);
      return own.length === 0
        ? []
        : [{ kind, created: countRows(own), failed: countRows(failed), failures: countFailures(failed) }];
    }),
  };
}

/** Computes the figures of the checks that were created within a period, from one index and at most once at a time. */
export const computeCheckStatistics = (platform: Platform, scope: Scope, period: Period): Promise<CheckStatistics> =>
  computeFigures(platform, 'checks', scope, period, () => readStatistics(scope, period));
