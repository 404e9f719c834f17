import { getYear } from '../../../domain/business/calendar';
import { formatDocumentNumber } from '../../../domain/business/documents/numbering';
import { conflictError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import { Posting, seriesKey, yearKey } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { buildBaseCurrencyFilter, periodLockedError, requireBaseCurrency } from './posting-period';
import type { PostingCaller } from './posting-period';

/** The place of a document in its series. */
export interface SeriesPosition {
  year: number;
  sequence: number;
  number: string;
}

export interface AllocatedNumber extends SeriesPosition {
  /** Chain hash of the document before; empty for the first of its series and year. */
  previousChainHash: string;
}

const buildCounterPath = (seriesId: number, year: number): string =>
  `series.${seriesKey(seriesId)}.years.${yearKey(year)}`;

function buildRejection(posting: PostingRecord | null, seriesId: number, issueDate: string): AppError {
  if (posting?.lockedThrough != null && posting.lockedThrough >= issueDate)
    return periodLockedError('issueDate', posting.lockedThrough);
  const series = posting?.series[seriesKey(seriesId)];
  if (series?.lastIssueDate !== undefined && series.lastIssueDate > issueDate)
    return conflictError(
      'issue_date_before_latest',
      `issueDate: the series has a document of ${series.lastIssueDate} already; use that day or later, or name another series.`,
      { fields: [{ field: 'issueDate', problem: `must not be before ${series.lastIssueDate}` }] },
    );
  return conflictError(
    'series_year_closed',
    `issueDate: ${getYear(issueDate)} is closed in this series; name another series.`,
    {
      fields: [{ field: 'issueDate', problem: 'lies in a closed year of the series' }],
    },
  );
}

/** Moves the counter of a series on, unless the issue date is refused. */
async function advanceCounter(
  unit: UnitOfWork,
  caller: PostingCaller,
  series: DocumentSeriesRecord,
  issueDate: string,
  count: number,
): Promise<{ year: number; last: number; previousChainHash: string }> {
  const { organisationId } = caller;
  const year = getYear(issueDate);
  const counter = buildCounterPath(series.id, year);
  const latest = `series.${seriesKey(series.id)}.lastIssueDate`;
  const posting = await Posting.findOneAndUpdate(
    {
      _id: organisationId,
      ...buildBaseCurrencyFilter(caller),
      $and: [
        { $or: [{ lockedThrough: null }, { lockedThrough: { $lt: issueDate } }] },
        { $or: [{ [latest]: { $exists: false } }, { [latest]: { $lte: issueDate } }] },
        { [`${counter}.closed`]: { $ne: true } },
      ],
    },
    { $inc: { [`${counter}.last`]: count, version: 1 }, $set: { [latest]: issueDate } },
    { session: unit.mongoSession, returnDocument: 'after' },
  ).lean<PostingRecord>();
  const allocated = posting?.series[seriesKey(series.id)]?.years[yearKey(year)];
  if (allocated === undefined) {
    const current = await Posting.findById(organisationId).session(unit.mongoSession).lean<PostingRecord>();
    requireBaseCurrency(current, caller);
    throw buildRejection(current, series.id, issueDate);
  }
  return { year, last: allocated.last, previousChainHash: allocated.chainHash ?? '' };
}

/** The place of a number in its series. */
export const buildSeriesPosition = (series: DocumentSeriesRecord, year: number, sequence: number): SeriesPosition => ({
  year,
  sequence,
  number: formatDocumentNumber(series, year, sequence),
});

/**
 * Gives out the next number of a series, as the transaction's first write on the one shared document it touches: an
 * aborted transaction takes its number back, so there is no gap.
 * @param issueDate `YYYY-MM-DD`; its year is the counter's.
 * @throws AppError 409 `period_locked`, `issue_date_before_latest` or `series_year_closed`.
 */
export async function allocateNumber(
  unit: UnitOfWork,
  caller: PostingCaller,
  series: DocumentSeriesRecord,
  issueDate: string,
): Promise<AllocatedNumber> {
  const { year, last, previousChainHash } = await advanceCounter(unit, caller, series, issueDate, 1);
  return { ...buildSeriesPosition(series, year, last), previousChainHash };
}

/**
 * {@link allocateNumber} for documents of one day that are issued together, with sequences from `first` on.
 * @returns also the chain hash of the document before the first
 */
export async function allocateNumbers(
  unit: UnitOfWork,
  caller: PostingCaller,
  series: DocumentSeriesRecord,
  issueDate: string,
  count: number,
): Promise<{ year: number; first: number; previousChainHash: string }> {
  const { year, last, previousChainHash } = await advanceCounter(unit, caller, series, issueDate, count);
  return { year, first: last - count + 1, previousChainHash };
}

/** Links a document to the one before: changing or leaving out any of them changes every hash after it. */
export const computeChainHash = (previousChainHash: string, number: string, contentHash: string): string =>
  sha256Hex(`${previousChainHash}\n${number}\n${contentHash}`);

/** Keeps the chain hash of the document just numbered, in the same transaction. */
export async function recordChainHash(
  unit: UnitOfWork,
  organisationId: string,
  seriesId: number,
  year: number,
  chainHash: string,
): Promise<void> {
  await Posting.updateOne(
    { _id: organisationId },
    { $set: { [`${buildCounterPath(seriesId, year)}.chainHash`]: chainHash } },
    { session: unit.mongoSession },
  );
}
