import { DAY_MS } from '../../../domain/durations';
import { getUtcDay } from '../../../domain/platform/statistics/quarter-hours';
import { DayChange } from '../../../models/identity/statistics/day-count';
import type { CountedRecords } from '../../../models/identity/statistics/day-count';
import type { Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/**
 * Counts are stored of days that ended so long ago. Records of later days change all the time; their days are counted
 * whenever figures are asked for.
 */
export const SETTLING_MS = 2 * DAY_MS;
/** Shorter, for processes whose clocks differ. */
const RECORDED_AFTER_MS = DAY_MS;

/**
 * Records, in the transaction of a change, that stored counts of the days on which the changed records were created no
 * longer hold. Rows are only added, so that changes of several records never conflict.
 */
export async function recordDayChanges(
  unit: UnitOfWork,
  records: CountedRecords,
  { organisationId, mode }: Scope,
  changed: readonly { createdAt: Date }[],
): Promise<void> {
  const changedAt = unit.platform.clock.now();
  const earlier = changed.map(({ createdAt }) => createdAt.getTime());
  const days = new Set(earlier.filter((time) => changedAt.getTime() - time >= RECORDED_AFTER_MS).map(getUtcDay));
  const rows = [...days].map((day) => ({ organisationId, mode, records, day: new Date(day), changedAt }));
  if (rows.length > 0) await DayChange.insertMany(rows, { session: unit.mongoSession });
}
