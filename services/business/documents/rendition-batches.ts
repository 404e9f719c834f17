import type { AnyBulkWriteOperation } from 'mongoose';
import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import { AppError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { listDuplicatePositions } from '../../../lib/mongo';
import { Rendition } from '../../../models/business/documents/rendition';
import type { RenditionRecord } from '../../../models/business/documents/rendition';
import type { Platform } from '../../platform/platform';
import type { IssuedRecord } from './issued-documents';
import {
  buildPrintJob,
  readLogoDataUrl,
  readStored,
  selectRenditionFormat,
  buildRenditionKey,
  buildStoredFields,
} from './renditions';
import type { PrintJob, RenditionKey, StoredFile } from './renditions';

/**
 * Renditions of many documents of one organisation and kind, with one look and one write for all of them. What is
 * printed here has no workflow of its own: nothing is recorded before a file is stored, and whoever asks for one of the
 * documents meanwhile has it made at once.
 */

/** A document, and what it says. */
export interface IssuedContent {
  issued: IssuedRecord;
  content: IssuedDocument;
}

/** A PDF that is not stored yet, and what is to be printed for it. */
export interface BatchJob {
  key: RenditionKey;
  job: PrintJob;
}

/** A PDF that is in the object store, before its rendition names it. */
export interface PrintedPdf {
  key: RenditionKey;
  file: StoredFile;
}

const buildPdfKey = (issued: IssuedRecord): RenditionKey =>
  buildRenditionKey(issued, selectRenditionFormat(issued, 'pdf'));

const buildKeyName = ({ documentId, format, contentHash }: RenditionKey): string =>
  `${documentId}.${format}.${contentHash}`;

/** The renditions that there are, and a way to find that of a key. */
async function findRenditions(keys: readonly RenditionKey[]): Promise<(key: RenditionKey) => RenditionRecord | null> {
  const [first] = keys;
  if (first === undefined) return () => null;
  const { organisationId, documentKind } = first;
  const [ids, formats] = [keys.map(({ documentId }) => documentId), [...new Set(keys.map(({ format }) => format))]];
  const found = await Rendition.find({
    organisationId,
    documentKind,
    documentId: { $in: ids },
    format: { $in: formats },
  }).lean<RenditionRecord[]>();
  const byName = new Map(found.map((rendition) => [buildKeyName(rendition), rendition]));
  return (key) => byName.get(buildKeyName(key)) ?? null;
}

/** Of these documents, what is to be printed: the PDF of each that is not stored. A logo that they share is read once. */
export async function openPrintJobs(platform: Platform, documents: readonly IssuedContent[]): Promise<BatchJob[]> {
  const findByKey = await findRenditions(documents.map(({ issued }) => buildPdfKey(issued)));
  const missing = documents.filter(({ issued }) => findByKey(buildPdfKey(issued))?.status !== 'stored');
  const logoKeys = new Set(missing.map(({ content }) => content.seller.logoKey));
  const logos = new Map(
    await Promise.all([...logoKeys].map(async (key) => [key, await readLogoDataUrl(platform, key)] as const)),
  );
  return missing.map(({ issued, content }) => {
    const key = buildPdfKey(issued);
    return { key, job: buildPrintJob(issued, content, key.format, logos.get(content.seller.logoKey) ?? null) };
  });
}

/** How often others may store, or lose, some of the same files between our look and our write. */
const MAX_RECORD_ATTEMPTS = 5;

/** The write that makes a rendition name its file, if none is named when it comes. */
function buildRecordWrite(
  { key, file }: PrintedPdf,
  rendition: RenditionRecord | null,
  now: Date,
): AnyBulkWriteOperation<RenditionRecord> {
  if (rendition === null)
    return {
      insertOne: {
        document: { ...key, _id: newId('ren'), generation: 1, requestedAt: now, ...buildStoredFields(file, now) },
      },
    };
  const { _id, generation } = rendition;
  return { updateOne: { filter: { _id, generation, sha256: null }, update: { $set: buildStoredFields(file, now) } } };
}

/**
 * Names the files that were printed in their renditions, all at once. Where another attempt was first, its bytes stay
 * the document, and ours go.
 */
export async function recordPrinted(platform: Platform, printed: readonly PrintedPdf[]): Promise<void> {
  let remaining = printed;
  for (let attempt = 1; attempt <= MAX_RECORD_ATTEMPTS; attempt += 1) {
    const findByKey = await findRenditions(remaining.map(({ key }) => key));
    const superseded = remaining.filter(({ key, file }) => {
      const recordedKey = findByKey(key)?.objectKey ?? null;
      return recordedKey !== null && recordedKey !== file.objectKey;
    });
    await Promise.all(superseded.map(({ file }) => platform.objects.remove(file.objectKey)));
    remaining = remaining.filter(({ key }) => (findByKey(key)?.objectKey ?? null) === null);
    if (remaining.length === 0) return;
    const now = platform.clock.now();
    const writes = remaining.map((one) => buildRecordWrite(one, findByKey(one.key), now));
    // Whom a unique index refused, another was faster than: the next look tells whose file it is now.
    await Rendition.bulkWrite(writes, { ordered: false }).catch(listDuplicatePositions);
  }
  throw new AppError('rendering_failed', 503, 'Others keep writing these renditions; it is worth another attempt.');
}

/** A stored file of a document. */
export interface StoredPdf {
  bytes: Buffer;
  /** Hex. */
  sha256: string;
}

/** The stored PDFs of documents, in their order; null for each that is not there (any more). */
export async function readStoredPdfs(
  platform: Platform,
  documents: readonly IssuedRecord[],
): Promise<(StoredPdf | null)[]> {
  const findByKey = await findRenditions(documents.map(buildPdfKey));
  const read = async (issued: IssuedRecord): Promise<StoredPdf | null> => {
    const rendition = findByKey(buildPdfKey(issued));
    if (rendition?.status !== 'stored' || rendition.sha256 === null) return null;
    const bytes = await readStored(platform, rendition);
    return bytes === null ? null : { bytes, sha256: rendition.sha256 };
  };
  return Promise.all(documents.map(read));
}
