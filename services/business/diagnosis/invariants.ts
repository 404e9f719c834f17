import { DAY_MS } from '../../../domain/durations';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import type { InvariantCheckRecord } from '../../../models/business/invariants/invariant-check';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';

/** The Schedule checks every company four times a day. */
const MAX_AGE_MS = DAY_MS;

const describeViolations = ({ _id, results }: InvariantCheckRecord): string => {
  const broken = results.filter(({ violations }) => violations > 0);
  return `${_id}: ${broken.map(({ invariant, violations }) => `${invariant} (${violations})`).join(', ')}`;
};

/** Companies whose records do not agree, and those that have not been compared for a day. */
export async function diagnoseInvariants({ clock }: Platform): Promise<Problem[]> {
  const violated = { 'results.violations': { $gt: 0 } };
  const late = { checkedAt: { $ne: null, $lt: new Date(clock.now().getTime() - MAX_AGE_MS) } };
  const [violatedCount, broken, lateCount, oldest] = await Promise.all([
    InvariantCheck.countDocuments(violated),
    InvariantCheck.find(violated).sort({ checkedAt: 1 }).limit(MAX_EXAMPLES).lean<InvariantCheckRecord[]>(),
    InvariantCheck.countDocuments(late),
    InvariantCheck.find(late).sort({ checkedAt: 1 }).limit(MAX_EXAMPLES).lean<InvariantCheckRecord[]>(),
  ]);
  return [
    ...reportIf({
      area: 'invariants',
      summary: 'Records of companies do not agree with each other',
      count: violatedCount,
      since: broken[0]?.checkedAt ?? null,
      examples: broken.map(describeViolations),
      remedy:
        'GET /api/admin/invariants of the company lists the records. Lock the period, keep a backup, and report it: records are never corrected automatically.',
    }),
    ...reportIf({
      area: 'invariants',
      summary: 'Records of companies have not been compared for a day',
      count: lateCount,
      since: oldest[0]?.checkedAt ?? null,
      examples: oldest.map(({ _id }) => _id),
      remedy: 'Is a worker of the orchestration pool running, and is the Schedule check-invariants not paused?',
    }),
  ];
}
