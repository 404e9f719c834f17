import { invalidFieldError } from '../../../domain/errors';
import { Posting } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { requireVersion } from '../../platform/transactions/versions';
import type { BusinessCaller } from '../access/caller';
import { formatFutureDateProblem, getCompanyToday } from './company';

/** The period lock. */
export interface PeriodLock {
  /** Last locked day, `YYYY-MM-DD`; null if nothing is locked. */
  lockedThrough: string | null;
}

async function readPeriodLock({ organisationId }: BusinessCaller, unit?: UnitOfWork): Promise<PeriodLock> {
  const query = Posting.findById(organisationId, { lockedThrough: 1 });
  const posting = await (unit === undefined ? query : query.session(unit.mongoSession)).lean<
    Pick<PostingRecord, 'lockedThrough'>
  >();
  return { lockedThrough: posting?.lockedThrough ?? null };
}

/** The last locked day of the books. */
export const getPeriodLock = (caller: BusinessCaller): Promise<PeriodLock> => readPeriodLock(caller);

/** What the ETag of the lock states: the locked day as a number, such as 20261031; 0 if nothing is locked. */
export const getLockVersion = ({ lockedThrough }: PeriodLock): number =>
  Number((lockedThrough ?? '').replaceAll('-', ''));

export interface PeriodLockChange {
  lockedThrough: string | null;
  /** Required to reopen days; recorded in the audit log. */
  reason: string | undefined;
  /** Version of the lock that the client has read; undefined: any. */
  ifMatch: number | undefined;
}

/** Whether the change reopens locked days. */
const reopensDays = (before: string | null, after: string | null): boolean =>
  before !== null && (after === null || after < before);

/**
 * Locks the books through a day, or reopens days. Like every dated posting, it writes the posting record, so that a
 * posting and a concurrent lock of its day conflict.
 * @throws AppError 400 for a day after today or a missing reason; 412
 */
export async function setPeriodLock(
  platform: Platform,
  caller: BusinessCaller,
  { lockedThrough, reason, ifMatch }: PeriodLockChange,
): Promise<PeriodLock> {
  const { organisationId } = caller;
  const today = getCompanyToday(platform, caller);
  if (lockedThrough !== null && lockedThrough > today)
    throw invalidFieldError('lockedThrough', formatFutureDateProblem(today));
  return runTransaction(platform, async (unit) => {
    const before = await readPeriodLock(caller, unit);
    requireVersion(getLockVersion(before), ifMatch);
    if (before.lockedThrough === lockedThrough) return before;
    const opens = reopensDays(before.lockedThrough, lockedThrough);
    if (opens && reason === undefined)
      throw invalidFieldError(
        'reason',
        `is required to reopen days that are locked through ${before.lockedThrough ?? ''}`,
      );
    await Posting.updateOne({ _id: organisationId }, { $set: { lockedThrough } }, { session: unit.mongoSession });
    await unit.audit(caller, {
      actor: caller.id,
      action: opens ? 'period.reopened' : 'period.locked',
      subject: `period:${lockedThrough ?? 'open'}`,
      fields: ['lockedThrough'],
      ...(reason === undefined ? {} : { reason }),
    });
    return { lockedThrough };
  });
}
