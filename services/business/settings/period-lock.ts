import { invalidFieldError } from '../../../domain/errors';
import { Posting } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { formatFutureDateProblem, getCompanyToday } from './company';

/** Up to which day the books are locked. */
export interface PeriodLock {
  /** `YYYY-MM-DD`, included; null: nothing is locked. */
  lockedThrough: string | null;
}

async function readPeriodLock({ organisationId }: BusinessCaller, unit?: UnitOfWork): Promise<PeriodLock> {
  const query = Posting.findById(organisationId, { lockedThrough: 1 });
  const posting = await (unit === undefined ? query : query.session(unit.mongoSession)).lean<
    Pick<PostingRecord, 'lockedThrough'>
  >();
  return { lockedThrough: posting?.lockedThrough ?? null };
}

export const getPeriodLock = (caller: BusinessCaller): Promise<PeriodLock> => readPeriodLock(caller);

/** Whether days that were locked come open again. */
const reopensDays = (before: string | null, after: string | null): boolean =>
  before !== null && (after === null || after < before);

/**
 * Locks the books through a day, or opens days again. The posting record is written, which every dated posting writes
 * too, so a posting and a lock of its day never both pass.
 * @param reason needed to open days again; kept in the audit log.
 * @throws AppError 400 for a day after today or a missing reason.
 */
export async function setPeriodLock(
  platform: Platform,
  caller: BusinessCaller,
  lockedThrough: string | null,
  reason: string | undefined,
): Promise<PeriodLock> {
  const { organisationId } = caller;
  const today = getCompanyToday(platform, caller);
  if (lockedThrough !== null && lockedThrough > today)
    throw invalidFieldError('lockedThrough', formatFutureDateProblem(today));
  return runTransaction(platform, async (unit) => {
    const before = await readPeriodLock(caller, unit);
    if (before.lockedThrough === lockedThrough) return before;
    const opens = reopensDays(before.lockedThrough, lockedThrough);
    if (opens && reason === undefined)
      throw invalidFieldError(
        'reason',
        `is required to open days that are locked through ${before.lockedThrough ?? ''}`,
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
