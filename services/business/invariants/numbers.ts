import type { ClientSession } from 'mongoose';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { inTransaction } from '../../../lib/mongo';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord, DocumentType } from '../../../models/business/settings/document-series';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { Posting, seriesKey, yearKey } from '../../../models/business/documents/posting';
import type { PostingRecord, SeriesYear } from '../../../models/business/documents/posting';
import { contentHashOf } from '../invoices/invoice-snapshot';
import { chainHashOf } from '../documents/numbering';

/** Documents read at once; their hashes are made again. */
const PAGE = 500;

type Numbered = InvoiceRecord | CreditNoteRecord;
type Chained = Pick<Numbered, 'sequence' | 'number' | 'issueDate' | 'document' | 'contentHash' | 'chainHash'>;

/** A series in one year. */
interface Place {
  organisationId: string;
  seriesId: number;
  year: number;
}

async function readChain(
  type: DocumentType,
  place: Place,
  sequence: { $gte: number } | { $gt: number; $lte: number },
  order: { limit: number; direction: 1 | -1 },
  session: ClientSession | null = null,
): Promise<Chained[]> {
  const filter = { ...place, sequence };
  const fields = { sequence: 1, number: 1, issueDate: 1, document: 1, contentHash: 1, chainHash: 1 } as const;
  const options = { sort: { sequence: order.direction }, limit: order.limit, session };
  return type === 'invoice'
    ? Invoice.find(filter, fields, options).lean<Chained[]>()
    : CreditNote.find(filter, fields, options).lean<Chained[]>();
}

/** The counter and the last document of one snapshot: they must agree. */
async function lookAtEnd(type: DocumentType, place: Place, subject: string) {
  return inTransaction(async (session) => {
    const report = new InvariantReport();
    const posting = await Posting.findById(place.organisationId).session(session).lean<PostingRecord>();
    const series = posting?.series[seriesKey(place.seriesId)];
    const counter: SeriesYear = series?.years[yearKey(place.year)] ?? { last: 0 };
    const [latest] = await readChain(type, place, { $gte: 1 }, { limit: 1, direction: -1 }, session);
    const findings = report.of('numbering');
    findings.same(subject, 'last number', counter.last, latest?.sequence ?? 0);
    findings.same(subject, 'end of the chain', counter.chainHash ?? '', latest?.chainHash ?? '');
    const before = latest === undefined || (series?.lastIssueDate ?? '') >= latest.issueDate;
    findings.holds(before, subject, 'latest day', series?.lastIssueDate ?? null, latest?.issueDate ?? null);
    return { report, last: Math.max(counter.last, latest?.sequence ?? 0) };
  });
}

/** Where a look along the chain has come to. */
interface Reached {
  sequence: number;
  issueDate: string;
  chainHash: string;
}

function follow(row: Chained, reached: Reached, subject: string, report: InvariantReport): Reached {
  const findings = report.of('numbering');
  const at = `${subject}/number:${row.sequence}`;
  findings.same(at, 'number after the one before', reached.sequence + 1, row.sequence);
  findings.same(at, 'number printed', row.number, row.document.number);
  findings.holds(row.issueDate >= reached.issueDate, at, 'day', `${reached.issueDate} or later`, row.issueDate);
  const contentHash = contentHashOf(row.document);
  findings.same(at, 'hash of the document', row.contentHash, contentHash);
  findings.same(at, 'hash of the chain', row.chainHash, chainHashOf(reached.chainHash, row.number, contentHash));
  return { sequence: row.sequence, issueDate: row.issueDate, chainHash: row.chainHash };
}

/** Every document of a series and year. They never change, so that no snapshot is needed along the way. */
async function lookAtChain(type: DocumentType, place: Place, report: InvariantReport) {
  const subject = `series:${place.seriesId}/year:${place.year}`;
  const end = await lookAtEnd(type, place, subject);
  report.add(end.report);
  let reached: Reached = { sequence: 0, issueDate: '', chainHash: '' };
  while (reached.sequence < end.last) {
    const rows = await readChain(type, place, { $gt: reached.sequence, $lte: end.last }, { limit: PAGE, direction: 1 });
    for (const row of rows) reached = follow(row, reached, subject, report);
    if (rows.length === 0) return;
  }
}

/** Years of a series that its counter or its documents know. */
async function yearsOf(type: DocumentType, organisationId: string, seriesId: number) {
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

/** Numbers of every series and year: without gap, in the order of their days, in one chain. */
export async function lookAtNumbers(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  const series = await DocumentSeries.find({ organisationId }).sort({ id: 1 }).lean<DocumentSeriesRecord[]>();
  for (const { id: seriesId, documentType } of series)
    for (const year of await yearsOf(documentType, organisationId, seriesId))
      await lookAtChain(documentType, { organisationId, seriesId, year }, report);
  return report;
}
