import { invalidField } from '../../../domain/errors';
import { Posting } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { afterToday, companyToday } from './company';

/** Up to which day the books are locked. */
export interface PeriodLock {
  /** `YYYY-MM-DD`, included; null: nothing is locked. */
  lockedThrough: string | null;
}

async function readLock({ organisationId }: BusinessCaller, unit?: UnitOfWork): Promise<PeriodLock> {
  const query = Posting.findById(organisationId, { lockedThrough: 1 });
  const posting = await (unit === undefined ? query : query.session(unit.session)).lean<
    Pick<PostingRecord, 'lockedThrough'>
  >();
  return { lockedThrough: posting?.lockedThrough ?? null };
}

export const periodLock = (caller: BusinessCaller): Promise<PeriodLock> => readLock(caller);

/** Whether days that were locked come open again. */
const reopens = (before: string | null, after: string | null): boolean =>
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
  const today = companyToday(platform, caller);
  if (lockedThrough !== null && lockedThrough > today) throw invalidField('lockedThrough', afterToday(today));
  return transact(platform, async (unit) => {
    const before = await readLock(caller, unit);
    if (before.lockedThrough === lockedThrough) return before;
    const opens = reopens(before.lockedThrough, lockedThrough);
    if (opens && reason === undefined)
      throw invalidField('reason', `is required to open days that are locked through ${before.lockedThrough ?? ''}`);
    await Posting.updateOne({ _id: organisationId }, { $set: { lockedThrough } }, { session: unit.session });
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
