import { INVARIANT_NAMES } from '../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { Company } from '../../../models/business/settings/company';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';

/** One invariant over all companies, as of each one's latest look. */
export interface InvariantTotals {
  invariant: InvariantName;
  checked: number;
  violations: number;
  /** Companies in which it does not hold. */
  companies: number;
}

export interface InvariantTotalsReport {
  invariants: InvariantTotals[];
  /** Companies that were never looked at. */
  unchecked: number;
  /** The company whose look lies furthest back; null when none was looked at. */
  oldestCheckAt: Date | null;
}

/** What monitoring is shown: sums alone, no ids. */
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
