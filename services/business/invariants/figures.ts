import { INVARIANT_NAMES } from '../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { Company } from '../../../models/business/settings/company';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';

/** One invariant over all companies, as of each one's latest look. */
export interface InvariantFigures {
  invariant: InvariantName;
  checked: number;
  violations: number;
  /** Companies in which it does not hold. */
  companies: number;
}

export interface AllFigures {
  invariants: InvariantFigures[];
  /** Companies that were never looked at. */
  unchecked: number;
  /** The company whose look lies furthest back; null when none was looked at. */
  oldestCheckAt: Date | null;
}

/** What monitoring is shown: sums alone, no ids. */
export async function invariantFigures(): Promise<AllFigures> {
  const [rows, companies, looked] = await Promise.all([
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
      const { checked = 0, violations = 0, companies: broken = 0 } = found.get(invariant) ?? {};
      return { invariant, checked, violations, companies: broken };
    }),
    unchecked: Math.max(companies - (looked[0]?.count ?? 0), 0),
    oldestCheckAt: looked[0]?.oldest ?? null,
  };
}
