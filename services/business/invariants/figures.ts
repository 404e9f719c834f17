import { INVARIANT_NAMES } from '../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { Company } from '../../../models/business/settings/company';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';

/** The results of one invariant over all companies, from the latest check of each company. */
export interface InvariantTotals {
  invariant: InvariantName;
  checked: number;
  violations: number;
  /** Number of companies with violations. */
  companies: number;
}

export interface InvariantTotalsReport {
  invariants: InvariantTotals[];
  /** Number of companies that have never been checked. */
  unchecked: number;
  /** Time of the oldest of the latest checks; null if no company has been checked. */
  oldestCheckAt: Date | null;
}

/** Totals for monitoring, without ids. */
export async function computeInvariantTotals(): Promise<InvariantTotalsReport> {
  const [rows, companies, checkedCompanies] = await Promise.all([
    InvariantCheck.aggregate<{ _id: InvariantName; checked: number; violations: number; companies: number }>([
      { $unwind: '$results' },
      {
        $group: {
          _id: '$results.invariant',
          checked: { $sum: '$results.checked' },
          violations: { $sum: '$results.violations' },
          companies: { $sum: { $cond: [{ $gt: ['$results.violations', 0] }, 1, 0] } },
        },
      },
    ]),
    Company.countDocuments({}),
    InvariantCheck.aggregate<{ count: number; oldest: Date }>([
      { $match: { checkedAt: { $ne: null } } },
      { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: '$checkedAt' } } },
    ]),
  ]);
  const found = new Map(rows.map((row) => [row._id, row]));
  return {
    invariants: INVARIANT_NAMES.map((invariant) => {
      const { checked = 0, violations = 0, companies: violatedCompanies = 0 } = found.get(invariant) ?? {};
      return { invariant, checked, violations, companies: violatedCompanies };
    }),
    unchecked: Math.max(companies - (checkedCompanies[0]?.count ?? 0), 0),
    oldestCheckAt: checkedCompanies[0]?.oldest ?? null,
  };
}
