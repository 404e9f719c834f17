import { DAY_MS } from '../../../domain/durations';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { SessionDayChange } from '../../../models/identity/statistics/session-day-count';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/**
 * Counts are stored of days that ended so long ago. Sessions of later days change all the time; their days are counted
 * whenever figures are asked for.
 */
export const SETTLING_MS = 2 * DAY_MS;
/** Shorter, for processes whose clocks differ. */
const RECORDED_AFTER_MS = DAY_MS;

/**
 * Records, in the transaction of a change, that stored counts of the day on which a session was created no longer hold.
 * Rows are only added, so that changes of several sessions never conflict.
 */
export async function recordSessionDayChange(
  unit: UnitOfWork,
  { organisationId, mode, createdAt }: Pick<SessionRecord, 'organisationId' | 'mode' | 'createdAt'>,
): Promise<void> {
  const changedAt = unit.platform.clock.now();
  if (changedAt.getTime() - createdAt.getTime() < RECORDED_AFTER_MS) return;
  await SessionDayChange.create([{ organisationId, mode, createdAt, changedAt }], { session: unit.mongoSession });
}
