import type { AnyBulkWriteOperation } from 'mongoose';
import { AppError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { listDuplicatePositions } from '../../../lib/mongo';
import { Rendition } from '../../../models/business/documents/rendition';
import type { RenditionRecord } from '../../../models/business/documents/rendition';
import type { Platform } from '../../platform/platform';
import { buildRenditionKey, buildUnclaimedFilter, readStored, selectRenditionFormat } from './document-renditions';
import type { RenditionKey, StoredFile } from './document-renditions';
import type { IssuedContent, IssuedRecord } from './issued-documents';
import { buildRenderJob, readLogoDataUrl } from './render-jobs';
import type { RenderJob } from './render-jobs';

/**
 * Renditions of many documents of one organisation and kind, with one query and one bulk write for all of them. They
 * have no workflow of their own: nothing is recorded before a file is stored, and a request for one of the documents
 * meanwhile has it rendered at once.
 */

/** A PDF that is not stored yet. */
export interface BatchJob {
  key: RenditionKey;
  job: RenderJob;
}

/** A PDF that is in the object store but not recorded in its rendition yet. */
export interface RenderedPdf {
  key: RenditionKey;
  file: StoredFile;
}

const buildPdfKey = (issued: IssuedRecord): RenditionKey =>
  buildRenditionKey(issued, selectRenditionFormat(issued, 'pdf'));

const toMapKey = ({ documentId, format, contentHash }: RenditionKey): string =>
  `${documentId}.${format}.${contentHash}`;

/** Reads the existing renditions and returns a lookup by key. */
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
  const byKey = new Map(found.map((rendition) => [toMapKey(rendition), rendition]));
  return (key) => byKey.get(toMapKey(key)) ?? null;
}

/** Returns a job for each of the documents whose PDF is not stored. A logo that they share is read once. */
export async function openRenderJobs(platform: Platform, documents: readonly IssuedContent[]): Promise<BatchJob[]> {
  const findByKey = await findRenditions(documents.map(({ issued }) => buildPdfKey(issued)));
  const missing = documents.filter(({ issued }) => findByKey(buildPdfKey(issued))?.status !== 'stored');
  const logoOwners = new Map(missing.map(({ issued, content }) => [content.seller.logoKey, issued.organisationId]));
  const logos = new Map(
    await Promise.all(
      [...logoOwners].map(async ([key, owner]) => [key, await readLogoDataUrl(platform, owner, key)] as const),
    ),
  );
  return missing.map(({ issued, content }) => {
    const key = buildPdfKey(issued);
    return { key, job: buildRenderJob(issued, content, key.format, logos.get(content.seller.logoKey) ?? null) };
  });
}

/** How often other writers may store, or lose, some of the same files between the read and the write. */
const MAX_RECORD_ATTEMPTS = 5;

/** Builds the write that records a file in its rendition, unless one is recorded by then. */
function buildRecordWrite(
  { key, file }: RenderedPdf,
  rendition: RenditionRecord | null,
  now: Date,
): AnyBulkWriteOperation<RenditionRecord> {
  const stored = { ...file, status: 'stored', failure: null, completedAt: now } as const;
  if (rendition === null)
    return { insertOne: { document: { ...key, _id: newId('ren'), generation: 1, requestedAt: now, ...stored } } };
  return { updateOne: { filter: buildUnclaimedFilter(rendition), update: { $set: stored } } };
}

/**
 * Records rendered files in their renditions, all at once. Where another attempt was first, its bytes stay the document,
 * and these are removed.
 */
export async function recordRendered(platform: Platform, rendered: readonly RenderedPdf[]): Promise<void> {
  let remaining = rendered;
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
    const writes = remaining.map((pdf) => buildRecordWrite(pdf, findByKey(pdf.key), now));
    // A duplicate key means that another attempt was first; the next read finds its file.
    await Rendition.bulkWrite(writes, { ordered: false }).catch(listDuplicatePositions);
  }
  throw new AppError('rendering_failed', 503, 'Other attempts keep writing these renditions; try again.');
}

/** A stored PDF of a document. */
export interface StoredPdf {
  bytes: Buffer;
  /** SHA-256 of the bytes, hex. */
  sha256: string;
}

/** Reads the stored PDFs of documents, in the same order; null for each that is not stored or lost. */
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
