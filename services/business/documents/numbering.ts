import { LRUCache } from 'lru-cache';
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

/** Position of a document in its series. */
export interface SeriesPosition {
  year: number;
  sequence: number;
  number: string;
}

export interface AllocatedNumber extends SeriesPosition {
  /** Chain hash of the previous document; empty for the first of its series and year. */
  previousChainHash: string;
}

/** A day of a series on which the caller issues documents; the year of the day selects the counter. */
export interface SeriesDay {
  caller: PostingCaller;
  series: DocumentSeriesRecord;
  /** `YYYY-MM-DD`. */
  issueDate: string;
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
      `issueDate: the series has a document of ${series.lastIssueDate} already; use that day or later, or another series.`,
      { fields: [{ field: 'issueDate', problem: `must not be before ${series.lastIssueDate}` }] },
    );
  return conflictError(
    'series_year_closed',
    `issueDate: ${getYear(issueDate)} is closed in this series; use another series.`,
    {
      fields: [{ field: 'issueDate', problem: 'is in a closed year of the series' }],
    },
  );
}

/** Matches the posting record unless it rejects the issue date or the base currency of the caller. */
function buildOpenSeriesFilter({ caller, series, issueDate }: SeriesDay) {
  const latest = `series.${seriesKey(series.id)}.lastIssueDate`;
  return {
    _id: caller.organisationId,
    ...buildBaseCurrencyFilter(caller),
    $and: [
      { $or: [{ lockedThrough: null }, { lockedThrough: { $lt: issueDate } }] },
      { $or: [{ [latest]: { $exists: false } }, { [latest]: { $lte: issueDate } }] },
      { [`${buildCounterPath(series.id, getYear(issueDate))}.closed`]: { $ne: true } },
    ],
  };
}

/** Increments the counter of a series, unless the issue date is rejected. */
async function advanceCounter(
  unit: UnitOfWork,
  day: SeriesDay,
  count: number,
): Promise<{ year: number; last: number; previousChainHash: string }> {
  const { caller, series, issueDate } = day;
  const year = getYear(issueDate);
  const counter = buildCounterPath(series.id, year);
  const latest = `series.${seriesKey(series.id)}.lastIssueDate`;
  const posting = await Posting.findOneAndUpdate(
    buildOpenSeriesFilter(day),
    { $inc: { [`${counter}.last`]: count, version: 1 }, $set: { [latest]: issueDate } },
    { session: unit.mongoSession, returnDocument: 'after' },
  ).lean<PostingRecord>();
  const allocated = posting?.series[seriesKey(series.id)]?.years[yearKey(year)];
  if (allocated === undefined) {
    const current = await Posting.findById(caller.organisationId).session(unit.mongoSession).lean<PostingRecord>();
    requireBaseCurrency(current, caller);
    throw buildRejection(current, series.id, issueDate);
  }
  return { year, last: allocated.last, previousChainHash: allocated.chainHash ?? '' };
}

/** Builds the position of a sequence number in its series. */
export const buildSeriesPosition = (series: DocumentSeriesRecord, year: number, sequence: number): SeriesPosition => ({
  year,
  sequence,
  number: formatDocumentNumber(series, year, sequence),
});

/**
 * Allocates the next number of a series within the transaction, so that an aborted transaction leaves no gap. This must
 * be the first write of the transaction: the counter is in the one document that all postings of an organisation write.
 * @throws AppError 409 `period_locked`, `issue_date_before_latest` or `series_year_closed`.
 */
export async function allocateNumber(unit: UnitOfWork, day: SeriesDay): Promise<AllocatedNumber> {
  const { year, last, previousChainHash } = await advanceCounter(unit, day, 1);
  return { ...buildSeriesPosition(day.series, year, last), previousChainHash };
}

/** The last document of a series and year: its sequence, and its chain hash. */
export interface SeriesEnd {
  sequence: number;
  chainHash: string;
}

const MAX_SERIES_ENDS = 2000;

/** Where this process has last ended series, by organisation, series and year; another process may have gone on. */
class SeriesEnds extends LRUCache<string, SeriesEnd> {
  constructor() {
    super({ max: MAX_SERIES_ENDS });
  }
}

/** Writes the documents that were chained to `start` with one command. @returns false if the series does not end there any more */
async function advanceFrom(
  unit: UnitOfWork,
  day: SeriesDay,
  { start, end }: { start: SeriesEnd; end: SeriesEnd },
): Promise<boolean> {
  const { series, issueDate } = day;
  const counter = buildCounterPath(series.id, getYear(issueDate));
  const { matchedCount } = await Posting.updateOne(
    {
      ...buildOpenSeriesFilter(day),
      [`${counter}.last`]: start.sequence,
      [`${counter}.chainHash`]: start.chainHash,
    },
    {
      $inc: { version: 1 },
      $set: {
        [`${counter}.last`]: end.sequence,
        [`${counter}.chainHash`]: end.chainHash,
        [`series.${seriesKey(series.id)}.lastIssueDate`]: issueDate,
      },
    },
    { session: unit.mongoSession },
  );
  return matchedCount === 1;
}

/**
 * {@link allocateNumber} for documents of one day that are issued together, and {@link recordChainHash} for the last of
 * them. If the series ends where this process has ended it before, both are one command.
 * @param count number of documents
 * @param chain computes the documents that follow the end of the series; called again if it has moved
 * @returns what `chain` computed for the end of the series
 */
export async function appendToSeries<T>(
  unit: UnitOfWork,
  day: SeriesDay,
  count: number,
  chain: (start: SeriesEnd) => { documents: T[]; chainHash: string },
): Promise<T[]> {
  const { series, issueDate } = day;
  const { organisationId } = day.caller;
  const ends = unit.platform.singletons.get(SeriesEnds);
  const name = [organisationId, series.id, getYear(issueDate)].join('/');
  const remember = (end: SeriesEnd): void => unit.afterCommit(() => ends.set(name, end));
  const known = ends.get(name);
  if (known !== undefined) {
    const { documents, chainHash } = chain(known);
    const end = { sequence: known.sequence + count, chainHash };
    if (await advanceFrom(unit, day, { start: known, end })) {
      remember(end);
      return documents;
    }
  }
  const { year, last, previousChainHash } = await advanceCounter(unit, day, count);
  const { documents, chainHash } = chain({ sequence: last - count, chainHash: previousChainHash });
  await recordChainHash(unit, { organisationId, seriesId: series.id, year, chainHash });
  remember({ sequence: last, chainHash });
  return documents;
}

/**
 * Computes the hash that links a document to the previous one: changing or removing a document changes all later
 * hashes.
 */
export const computeChainHash = (previousChainHash: string, number: string, contentHash: string): string =>
  sha256Hex(`${previousChainHash}\n${number}\n${contentHash}`);

/** Stores the chain hash of the latest document, in the transaction that allocated its number. */
export async function recordChainHash(
  unit: UnitOfWork,
  {
    organisationId,
    seriesId,
    year,
    chainHash,
  }: { organisationId: string; seriesId: number; year: number; chainHash: string },
): Promise<void> {
  await Posting.updateOne(
    { _id: organisationId },
    { $set: { [`${buildCounterPath(seriesId, year)}.chainHash`]: chainHash } },
    { session: unit.mongoSession },
  );
}
