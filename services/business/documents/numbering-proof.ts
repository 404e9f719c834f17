import type { ClientSession } from 'mongoose';
import { getYear } from '../../../domain/business/calendar';
import { notFoundError } from '../../../domain/errors';
import { readOptions, withMongoSnapshot } from '../../../lib/mongo';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { Posting, seriesKey, yearKey } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { Platform } from '../../platform/platform';
import { getCompanyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { computeContentHash } from '../invoices/invoice-snapshot';
import { computeChainHash } from './numbering';

/** Number of documents whose hashes one request recomputes; a longer chain is verified page by page. */
export const PROOF_PAGE_SIZE = 5000;

export interface NumberingProof {
  seriesId: number;
  prefix: string;
  year: number;
  /** The counter: the last sequence allocated. */
  last: number;
  count: number;
  voided: number;
  /** The first 100 sequences up to the last that have no document. */
  missing: number[];
  firstNumber: string | null;
  lastNumber: string | null;
  /** The page whose hashes were recomputed from the documents. */
  checked: { from: number; to: number; valid: boolean; firstWrong: number | null; chainHash: string | null };
  /** First sequence of the next page; null if the chain is checked up to the counter. */
  nextFrom: number | null;
}

export interface ProofInput {
  seriesId?: number | undefined;
  year?: number | undefined;
  /** @default 1 */
  from?: number | undefined;
}

type Chained = Pick<InvoiceRecord, 'sequence' | 'number' | 'document' | 'contentHash' | 'chainHash'>;

/** Recomputes the hashes of a page and finds the first document that differs. */
function checkChain(rows: readonly Chained[], previous: string): { firstWrong: number | null; chainHash: string } {
  let chainHash = previous;
  for (const row of rows) {
    const contentHash = computeContentHash(row.document);
    chainHash = computeChainHash(chainHash, row.number, contentHash);
    const numbered = row.document.number === row.number;
    if (!numbered || contentHash !== row.contentHash || chainHash !== row.chainHash)
      return { firstWrong: row.sequence, chainHash: row.chainHash };
  }
  return { firstWrong: null, chainHash };
}

async function findMissingSequences(
  filter: object,
  { last, count }: Pick<NumberingProof, 'last' | 'count'>,
  mongoSession: ClientSession,
): Promise<number[]> {
  if (count === last) return [];
  const rows = await Invoice.find(filter, { sequence: 1 })
    .sort({ sequence: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<{ sequence: number }[]>();
  const present = new Set(rows.map(({ sequence }) => sequence));
  return Array.from({ length: last }, (_, index) => index + 1)
    .filter((sequence) => !present.has(sequence))
    .slice(0, 100);
}

interface SeriesFilter {
  organisationId: string;
  seriesId: number;
  year: number;
  sequence: { $gte: number };
}

/** Reads the counter, the numbers and a page of documents. */
async function readNumbers(filter: SeriesFilter, from: number, mongoSession: ClientSession) {
  const { organisationId, seriesId, year } = filter;
  const posting = await Posting.findById(organisationId).setOptions(readOptions(mongoSession)).lean<PostingRecord>();
  const counter = posting?.series[seriesKey(seriesId)]?.years[yearKey(year)];
  const last = counter?.last ?? 0;
  const count = await Invoice.countDocuments(filter).setOptions(readOptions(mongoSession));
  const readNumber = (step: 1 | -1): Promise<{ number: string } | null> =>
    Invoice.findOne(filter, { number: 1 })
      .sort({ sequence: step })
      .setOptions(readOptions(mongoSession))
      .lean<{ number: string }>();
  return {
    last,
    counterHash: counter?.chainHash,
    count,
    voided: await Invoice.countDocuments({ ...filter, status: 'void' }).setOptions(readOptions(mongoSession)),
    missing: await findMissingSequences(filter, { last, count }, mongoSession),
    first: await readNumber(1),
    latest: await readNumber(-1),
    before: await Invoice.findOne({ ...filter, sequence: from - 1 }, { chainHash: 1 })
      .setOptions(readOptions(mongoSession))
      .lean<{ chainHash: string }>(),
    rows: await Invoice.find(
      { ...filter, sequence: { $gte: from } },
      { sequence: 1, number: 1, document: 1, contentHash: 1, chainHash: 1 },
    )
      .sort({ sequence: 1 })
      .limit(PROOF_PAGE_SIZE)
      .setOptions(readOptions(mongoSession))
      .lean<Chained[]>(),
  };
}

/**
 * Proves that the numbers of a series and year have no gap and that no document was changed or removed: compares the
 * count with the counter, and hashes recomputed from the documents, {@link PROOF_PAGE_SIZE} at a time.
 * @throws AppError 404 for an unknown series
 */
export async function proveNumbering(
  platform: Platform,
  caller: BusinessCaller,
  input: ProofInput,
): Promise<NumberingProof> {
  const { organisationId, company } = caller;
  const id = input.seriesId ?? company.defaultSeriesId;
  const series = await DocumentSeries.findOne({
    organisationId,
    id,
    documentType: 'invoice',
  }).lean<DocumentSeriesRecord>();
  if (series === null) throw notFoundError('series');
  const year = input.year ?? getYear(getCompanyToday(platform, caller));
  const from = input.from ?? 1;
  const filter = { organisationId, seriesId: id, year, sequence: { $gte: 1 } } as const;
  // Documents that are issued meanwhile are seen completely or not at all.
  const found = await withMongoSnapshot((mongoSession) => readNumbers(filter, from, mongoSession));
  const { last, counterHash, first, latest, before, rows, ...counts } = found;
  const { firstWrong, chainHash } = checkChain(rows, before?.chainHash ?? '');
  const to = rows.at(-1)?.sequence ?? from - 1;
  const atEnd = to >= last;
  const endMatches = !atEnd || last === 0 || counterHash === chainHash;
  return {
    seriesId: id,
    prefix: series.prefix,
    year,
    last,
    ...counts,
    firstNumber: first?.number ?? null,
    lastNumber: latest?.number ?? null,
    checked: {
      from,
      to,
      valid: firstWrong === null && endMatches,
      firstWrong: firstWrong ?? (endMatches ? null : to),
      chainHash: rows.length === 0 ? null : chainHash,
    },
    nextFrom: atEnd ? null : to + 1,
  };
}
