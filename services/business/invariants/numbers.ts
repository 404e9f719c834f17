import type { ClientSession } from 'mongoose';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { withMongoTransaction } from '../../../lib/mongo';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord, DocumentType } from '../../../models/business/settings/document-series';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { Posting, seriesKey, yearKey } from '../../../models/business/documents/posting';
import type { PostingRecord, SeriesYear } from '../../../models/business/documents/posting';
import { computeContentHash } from '../invoices/invoice-snapshot';
import { computeChainHash } from '../documents/numbering';

/** Number of documents read at once; their hashes are recomputed. */
const PAGE_SIZE = 500;

type Numbered = InvoiceRecord | CreditNoteRecord;
type Chained = Pick<Numbered, 'sequence' | 'number' | 'issueDate' | 'document' | 'contentHash' | 'chainHash'>;

/** A series in one year. */
interface SeriesYearKey {
  organisationId: string;
  seriesId: number;
  year: number;
}

async function readChain(
  type: DocumentType,
  key: SeriesYearKey,
  sequence: { $gte: number } | { $gt: number; $lte: number },
  order: { limit: number; direction: 1 | -1 },
  mongoSession: ClientSession | null = null,
): Promise<Chained[]> {
  const filter = { ...key, sequence };
  const fields = { sequence: 1, number: 1, issueDate: 1, document: 1, contentHash: 1, chainHash: 1 } as const;
  const options = { sort: { sequence: order.direction }, limit: order.limit, session: mongoSession };
  return type === 'invoice'
    ? Invoice.find(filter, fields, options).lean<Chained[]>()
    : CreditNote.find(filter, fields, options).lean<Chained[]>();
}

/** Compares the counter with the last document, both read in one snapshot. */
async function checkSeriesEnd(type: DocumentType, key: SeriesYearKey, subject: string) {
  return withMongoTransaction(async (mongoSession) => {
    const report = new InvariantReport();
    const posting = await Posting.findById(key.organisationId).session(mongoSession).lean<PostingRecord>();
    const series = posting?.series[seriesKey(key.seriesId)];
    const counter: SeriesYear = series?.years[yearKey(key.year)] ?? { last: 0 };
    const [latest] = await readChain(type, key, { $gte: 1 }, { limit: 1, direction: -1 }, mongoSession);
    const findings = report.getFindings('numbering');
    findings.expectEqual(subject, 'last number', counter.last, latest?.sequence ?? 0);
    findings.expectEqual(subject, 'end of the chain', counter.chainHash ?? '', latest?.chainHash ?? '');
    const inOrder = latest === undefined || (series?.lastIssueDate ?? '') >= latest.issueDate;
    findings.expectTrue(inOrder, subject, 'latest date', series?.lastIssueDate ?? null, latest?.issueDate ?? null);
    return { report, last: Math.max(counter.last, latest?.sequence ?? 0) };
  });
}

/** The last document of the chain that has been checked. */
interface ChainPosition {
  sequence: number;
  issueDate: string;
  chainHash: string;
}

function checkNextDocument(
  row: Chained,
  previous: ChainPosition,
  subject: string,
  report: InvariantReport,
): ChainPosition {
  const findings = report.getFindings('numbering');
  const at = `${subject}/number:${row.sequence}`;
  findings.expectEqual(at, 'next number', previous.sequence + 1, row.sequence);
  findings.expectEqual(at, 'number in the document', row.number, row.document.number);
  findings.expectTrue(row.issueDate >= previous.issueDate, at, 'date', `${previous.issueDate} or later`, row.issueDate);
  const contentHash = computeContentHash(row.document);
  findings.expectEqual(at, 'hash of the document', row.contentHash, contentHash);
  findings.expectEqual(
    at,
    'hash of the chain',
    row.chainHash,
    computeChainHash(previous.chainHash, row.number, contentHash),
  );
  return { sequence: row.sequence, issueDate: row.issueDate, chainHash: row.chainHash };
}

/** Checks every document of a series and year. Issued documents never change, so no snapshot is needed. */
async function checkSeriesChain(type: DocumentType, key: SeriesYearKey, report: InvariantReport) {
  const subject = `series:${key.seriesId}/year:${key.year}`;
  const end = await checkSeriesEnd(type, key, subject);
  report.merge(end.report);
  let position: ChainPosition = { sequence: 0, issueDate: '', chainHash: '' };
  while (position.sequence < end.last) {
    const rows = await readChain(
      type,
      key,
      { $gt: position.sequence, $lte: end.last },
      { limit: PAGE_SIZE, direction: 1 },
    );
    for (const row of rows) position = checkNextDocument(row, position, subject, report);
    if (rows.length === 0) return;
  }
}

/** Years of a series for which there is a counter or a document. */
async function listYears(type: DocumentType, organisationId: string, seriesId: number) {
  const posting = await Posting.findById(organisationId).lean<PostingRecord>();
  const counted = Object.keys(posting?.series[seriesKey(seriesId)]?.years ?? {}).map((key) => Number(key.slice(1)));
  const stages = [
    { $match: { organisationId, seriesId, sequence: { $gte: 1 } } },
    { $group: { _id: '$year' as const } },
  ];
  const found =
    type === 'invoice'
      ? await Invoice.aggregate<{ _id: number }>(stages)
      : await CreditNote.aggregate<{ _id: number }>(stages);
  return [...new Set([...counted, ...found.map(({ _id }) => _id)])].sort((a, b) => a - b);
}

/** Checks that the numbers of every series and year have no gap, follow the dates, and form one chain of hashes. */
export async function checkNumbers(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  const series = await DocumentSeries.find({ organisationId }).sort({ id: 1 }).lean<DocumentSeriesRecord[]>();
  for (const { id: seriesId, documentType } of series)
    for (const year of await listYears(documentType, organisationId, seriesId))
      await checkSeriesChain(documentType, { organisationId, seriesId, year }, report);
  return report;
}
