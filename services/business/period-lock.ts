import { conflict } from '../../domain/errors';
import { Posting } from '../../models/business/posting';
import type { PostingRecord } from '../../models/business/posting';
import type { UnitOfWork } from '../platform/unit-of-work';

/** @returns the refusal of a posting dated on or before the day the books are locked through. */
export const periodLocked = (field: string, lockedThrough: string) =>
  conflict('period_locked', `${field}: the books are locked through ${lockedThrough}.`, {
    fields: [{ field, problem: `must be after ${lockedThrough}` }],
    lockedThrough,
  });

/**
 * Lets a dated posting through, unless its day is locked. Writes the organisation's posting record, so that a lock and
 * a posting at the same time conflict instead of both passing.
 * @param field what named the date, for the refusal
 * @throws AppError 409 `period_locked`
 */
export async function passPeriodLock(
  unit: UnitOfWork,
  organisationId: string,
  date: string,
  field: string,
): Promise<void> {
  const { session } = unit;
  const passed = await Posting.updateOne(
    { _id: organisationId, $or: [{ lockedThrough: null }, { lockedThrough: { $lt: date } }] },
    { $inc: { version: 1 } },
    { session },
  );
  if (passed.matchedCount === 1) return;
  const posting = await Posting.findById(organisationId).session(session).lean<PostingRecord>();
  throw periodLocked(field, posting?.lockedThrough ?? date);
}
