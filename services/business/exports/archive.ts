import { isPrintedResource } from '../../../domain/business/exports/exports';
import type { PrintedResource } from '../../../domain/business/exports/exports';
import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import { AppError } from '../../../domain/errors';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { ArchivedFile, ExportRecord } from '../../../models/business/exports/export';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { PrintedKind } from '../../../models/business/documents/rendition';
import type { Platform } from '../../platform/platform';
import type { IssuedContent, IssuedRecord } from '../documents/issued-documents';
import { readStoredPdfs } from '../documents/rendition-batches';
import { buildRecordCondition } from './rows';

const PRINTED_SOURCES = {
  invoices: { kind: 'invoice', model: Invoice },
  'credit-notes': { kind: 'credit_note', model: CreditNote },
} as const satisfies Record<PrintedResource, { kind: PrintedKind; model: unknown }>;

/** Number of files read from the object store concurrently. */
const READ_CONCURRENCY = 24;

function getPrintedSource({ resource }: Pick<ExportRecord, 'resource'>) {
  if (!isPrintedResource(resource)) throw new AppError('invalid_request', 400, `${resource} has no printed documents.`);
  const { kind, model } = PRINTED_SOURCES[resource];
  return { kind, collection: model.collection };
}

/** A range of document ids: the first exclusive, the last inclusive. */
interface DocumentRange {
  after: number;
  until: number;
}

const getFullRange = ({ highestKey, archive }: ExportRecord): DocumentRange => ({
  after: archive?.after ?? 0,
  until: archive?.until ?? (typeof highestKey === 'number' ? highestKey : 0),
});

/** The documents of a range, without those of other files of the archive. */
const buildRangeCondition = (record: ExportRecord, range: DocumentRange) => ({
  $and: [
    buildRecordCondition(record),
    { status: { $ne: 'draft' } },
    { id: { $gt: Math.max(range.after, getFullRange(record).after), $lte: range.until } },
  ],
});

/** Counts the documents of an archive; drafts are excluded, because they have no PDF. */
export const countArchivedDocuments = (record: ExportRecord): Promise<number> =>
  getPrintedSource(record).collection.countDocuments(buildRangeCondition(record, getFullRange(record)));

/** Counts the excluded drafts. */
export const countSkippedDrafts = (record: ExportRecord): Promise<number> => {
  const { after, until } = getFullRange(record);
  return getPrintedSource(record).collection.countDocuments({
    $and: [buildRecordCondition(record), { status: 'draft' }, { id: { $gt: after, $lte: until } }],
  });
};

/** The ids at which batches of `size` documents end. */
export async function findBatchEnds(record: ExportRecord, size: number): Promise<number[]> {
  const ends: number[] = [];
  let [count, last] = [0, 0];
  const ids = getPrintedSource(record)
    .collection.find(buildRangeCondition(record, getFullRange(record)), { projection: { _id: 0, id: 1 } })
    .sort({ id: 1 });
  for await (const row of ids) {
    last = Number(row['id']);
    count += 1;
    if (count % size === 0) ends.push(last);
  }
  if (count % size !== 0) ends.push(last);
  return ends;
}

/** A document of an archive: the reference to its file and its entry in the table of contents. */
export interface ArchivedDocument {
  issued: IssuedRecord;
  facts: Pick<
    ArchivedFile,
    'documentId' | 'number' | 'issueDate' | 'status' | 'currencyCode' | 'total' | 'taxTotal' | 'grandTotal'
  >;
}

type Row = ArchivedDocument['facts'] & { contentHash: string; voidedOn: string | null };

/** The documents of a range, sorted by id. */
export async function* readArchivedDocuments(
  record: ExportRecord,
  range: DocumentRange,
): AsyncGenerator<ArchivedDocument> {
  const { kind, collection } = getPrintedSource(record);
  const { organisationId } = record;
  const rows = collection.aggregate<Row>(
    [
      { $match: buildRangeCondition(record, range) },
      { $sort: { id: 1 } },
      {
        $project: {
          _id: 0,
          documentId: '$id',
          number: 1,
          issueDate: 1,
          status: { $ifNull: ['$status', 'issued'] },
          currencyCode: 1,
          total: { $toString: '$total' },
          taxTotal: { $toString: '$taxTotal' },
          grandTotal: { $toString: '$grandTotal' },
          contentHash: 1,
          voidedOn: { $ifNull: ['$voidedOn', null] },
        },
      },
    ],
    { hint: { organisationId: 1, id: 1 }, batchSize: 500 },
  );
  for await (const { contentHash, voidedOn, ...facts } of rows) {
    const { documentId: id, number } = facts;
    yield { issued: { organisationId, kind, id, number, contentHash, voidedOn }, facts };
  }
}

/** The documents of a range with their contents, for printing. The range is small enough to be held in memory. */
export async function readIssuedRange(record: ExportRecord, range: DocumentRange): Promise<IssuedContent[]> {
  const { kind, collection } = getPrintedSource(record);
  const { organisationId } = record;
  const rows = await collection
    .find<{ id: number; number: string; contentHash: string; voidedOn?: string | null; document: IssuedDocument }>(
      buildRangeCondition(record, range),
      { projection: { _id: 0, id: 1, number: 1, contentHash: 1, voidedOn: 1, document: 1 } },
    )
    .hint({ organisationId: 1, id: 1 })
    .toArray();
  return rows.map(({ id, number, contentHash, voidedOn = null, document }) => ({
    issued: { organisationId, kind, id, number, contentHash, voidedOn },
    content: document,
  }));
}

/** A printed document with its bytes. */
export interface PrintedFile extends ArchivedDocument {
  bytes: Buffer;
  sha256: string;
}

const objectLostError = () => new AppError('object_lost', 503, 'A printed document is no longer in the object store.');

async function readFiles(platform: Platform, documents: readonly ArchivedDocument[]): Promise<PrintedFile[]> {
  const files = await readStoredPdfs(
    platform,
    documents.map(({ issued }) => issued),
  );
  return documents.map((document, index) => {
    const file = files[index];
    if (file == null) throw objectLostError();
    return { ...document, ...file };
  });
}

/** Reads the printed documents after an id, several concurrently, in the order of their ids. */
export async function* readPrintedFiles(
  platform: Platform,
  record: ExportRecord,
  after: number,
): AsyncGenerator<{ items: PrintedFile[]; lastKey: number }> {
  let batch: ArchivedDocument[] = [];
  const flush = async () => ({
    items: await readFiles(platform, batch),
    lastKey: batch.at(-1)?.issued.id ?? after,
  });
  for await (const document of readArchivedDocuments(record, { ...getFullRange(record), after })) {
    batch.push(document);
    if (batch.length < READ_CONCURRENCY) continue;
    yield await flush();
    batch = [];
  }
  if (batch.length > 0) yield await flush();
}
