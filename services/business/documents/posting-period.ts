import { AppError, conflictError } from '../../../domain/errors';
import { Posting } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';

/** The error for a posting dated on or before the day through which the books are locked. */
export const periodLockedError = (field: string, lockedThrough: string) =>
  conflictError('period_locked', `${field}: the books are locked through ${lockedThrough}.`, {
    fields: [{ field, problem: `must be after ${lockedThrough}` }],
    lockedThrough,
  });

/** The error for a posting computed in a currency that is no longer the base currency. */
const baseCurrencyChangedError = (now: string) =>
  conflictError('base_currency_changed', `The company's base currency has changed to ${now}; send the request again.`, {
    retryable: true,
    baseCurrencyCode: now,
  });

/** The caller of a posting; its company record has the base currency in which the posting was computed. */
export type PostingCaller = Pick<BusinessCaller, 'organisationId' | 'company'>;

/** Matches the posting record while the base currency is the one in which a posting was computed. */
export const buildBaseCurrencyFilter = ({ company }: PostingCaller) => ({
  baseCurrencyCode: { $in: [null, company.baseCurrencyCode] },
});

/** @throws AppError 409 `base_currency_changed` */
export function requireBaseCurrency(posting: PostingRecord | null, { company }: PostingCaller): void {
  const now = posting?.baseCurrencyCode ?? company.baseCurrencyCode;
  if (now !== company.baseCurrencyCode) throw baseCurrencyChangedError(now);
}

/**
 * Checks that the base currency is the one that the request has read, for a change that relates to it without posting,
 * such as an exchange rate. Writes the organisation's posting record, so that the change and a concurrent change of the
 * base currency conflict instead of both succeeding.
 * @throws AppError 409 `base_currency_changed`
 */
export async function holdBaseCurrency(unit: UnitOfWork, caller: PostingCaller): Promise<void> {
  const { organisationId } = caller;
  const { mongoSession } = unit;
  const held = await Posting.updateOne(
    { _id: organisationId, ...buildBaseCurrencyFilter(caller) },
    { $inc: { currencyVersion: 1 } },
    { session: mongoSession },
  );
  if (held.matchedCount === 1) return;
  requireBaseCurrency(await Posting.findById(organisationId).session(mongoSession).lean<PostingRecord>(), caller);
}

/**
 * Checks that a posting date is not locked. Writes the organisation's posting record, so that a lock and a concurrent
 * posting, or a change of base currency and the first posting, conflict instead of both succeeding.
 * @param field request field of the date, for the error
 * @throws AppError 409 `period_locked` or `base_currency_changed`
 */
export async function requireOpenPeriod(
  unit: UnitOfWork,
  caller: PostingCaller,
  date: string,
  field: string,
): Promise<void> {
  const { organisationId } = caller;
  const open = { $or: [{ lockedThrough: null }, { lockedThrough: { $lt: date } }] };
  const passed = await Posting.updateOne(
    { _id: organisationId, ...open, ...buildBaseCurrencyFilter(caller) },
    { $inc: { version: 1 } },
    { session: unit.mongoSession },
  );
  if (passed.matchedCount === 1) return;
  const posting = await Posting.findById(organisationId).session(unit.mongoSession).lean<PostingRecord>();
  requireBaseCurrency(posting, caller);
  throw periodLockedError(field, posting?.lockedThrough ?? date);
}

/** A document that is voided: its day, and what corrects it instead where that day is locked. */
export interface VoidedDocument {
  name: string;
  date: string;
  /** Request field of the date, for the error. */
  field: string;
  correction: string;
  /** Route of the correction. */
  route: string;
}

/**
 * Checks that neither the day of a document nor that of its void is locked, since what was reported for a locked period
 * is corrected by another document.
 * @throws AppError 409 `period_locked`, suggesting the correction where the document is locked
 */
export async function requireVoidablePeriods(
  unit: UnitOfWork,
  caller: PostingCaller,
  { name, date, field, correction, route }: VoidedDocument,
  voidDate: string,
): Promise<void> {
  try {
    await requireOpenPeriod(unit, caller, date, field);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'period_locked') throw error;
    throw conflictError('period_locked', `The ${name} is dated ${date}, in a locked period; ${correction} instead.`, {
      route,
    });
  }
  await requireOpenPeriod(unit, caller, voidDate, 'date');
}
