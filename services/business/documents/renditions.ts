import { buildPrintableInvoice } from '../../../domain/business/documents/printable-invoice';
import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import type { InvoiceDocument } from '../../../domain/business/documents/invoice-document';
import { notFoundError } from '../../../domain/errors';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { Rendition } from '../../../models/business/documents/rendition';
import type { DocumentFormat, RenditionFormat, RenditionRecord } from '../../../models/business/documents/rendition';
import type { Platform } from '../../platform/platform';
import { getIssuedRecord, readIssuedDocument } from './issued-documents';
import type { IssuedRecord } from './issued-documents';

const RENDITION_FOLDER = 'invoice-pdf';

/** How each format is stored. */
const STORAGE_FORMATS: Readonly<Record<RenditionFormat, { extension: string; contentType: string }>> = {
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  pdf_void: { extension: 'pdf', contentType: 'application/pdf' },
  facturx: { extension: 'pdf', contentType: 'application/pdf' },
  ubl: { extension: 'xml', contentType: 'application/xml' },
};

/** What a rendition is of: one for each form of each content of a document. */
export type RenditionKey = Pick<
  RenditionRecord,
  'organisationId' | 'documentKind' | 'documentId' | 'format' | 'contentHash'
>;

export const buildRenditionKey = (issued: IssuedRecord, format: RenditionFormat): RenditionKey => ({
  organisationId: issued.organisationId,
  documentKind: issued.kind,
  documentId: issued.id,
  format,
  contentHash: issued.contentHash,
});

/** A void document has a PDF of its own, stamped; what was sent electronically stays what it was. */
export const selectRenditionFormat = (issued: IssuedRecord, format: DocumentFormat): RenditionFormat =>
  format === 'pdf' && issued.voidedOn !== null ? 'pdf_void' : format;

/** Content and bytes both stand in the key: two attempts that printed differently never overwrite each other. */
const buildObjectKey = (rendition: RenditionKey, sha256: string): string =>
  `${rendition.organisationId}/${RENDITION_FOLDER}/${rendition.contentHash}/${sha256}.${STORAGE_FORMATS[rendition.format].extension}`;

/** What the rendering pool needs to make a rendition. */
export interface PrintJob {
  format: RenditionFormat;
  /** The document as it was issued. */
  issued: IssuedDocument;
  /** The same in the words and order of the printed page. */
  page: InvoiceDocument;
  /** Names what is printed: the content, and the day of the stamp where there is one. */
  contentId: string;
}

export interface StoredRendition {
  sha256: string;
  sizeBytes: number;
}

const toStoredRendition = (rendition: RenditionRecord): StoredRendition | null =>
  rendition.status === 'stored' && rendition.sha256 !== null && rendition.sizeBytes !== null
    ? { sha256: rendition.sha256, sizeBytes: rendition.sizeBytes }
    : null;

async function getRendition(renditionId: string): Promise<RenditionRecord> {
  const rendition = await Rendition.findById(renditionId).lean<RenditionRecord>();
  if (rendition === null) throw notFoundError('rendition');
  return rendition;
}

const detectLogoType = (bytes: Buffer): string | null => {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  return /^\s*(<\?xml|<svg)/.test(bytes.subarray(0, 256).toString('utf8')) ? 'image/svg+xml' : null;
};

/** The logo as a `data:` URL. An invoice whose logo is gone is still owed to its customer, so it prints without. */
export async function readLogoDataUrl(platform: Platform, logoKey: string | null): Promise<string | null> {
  if (logoKey === null) return null;
  const bytes = await platform.objects.get(logoKey);
  const type = bytes === null ? null : detectLogoType(bytes);
  if (bytes === null || type === null) {
    platform.logger.warn({ logoKey }, 'The logo is missing or no picture; the invoice is printed without it');
    return null;
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** What there is to print of a document, as a form of it needs it. */
export function buildPrintJob(
  record: IssuedRecord,
  issued: IssuedDocument,
  format: RenditionFormat,
  logo: string | null,
) {
  const voidedOn = format === 'pdf_void' ? record.voidedOn : null;
  const page = buildPrintableInvoice(issued, { logo, voidedOn });
  const contentId = voidedOn === null ? record.contentHash : `${record.contentHash}.${voidedOn}`;
  return { format, issued, page, contentId } satisfies PrintJob;
}

/**
 * What is to be printed, or what is stored already.
 * @throws AppError 404 when the rendition or its document does not exist.
 */
export async function openPrintJob(platform: Platform, renditionId: string): Promise<PrintJob | StoredRendition> {
  const rendition = await getRendition(renditionId);
  const stored = toStoredRendition(rendition);
  if (stored !== null) return stored;
  const { organisationId, documentKind, documentId, contentHash, format } = rendition;
  const key = { organisationId, kind: documentKind, id: documentId };
  const [record, issued] = await Promise.all([getIssuedRecord(key), readIssuedDocument(key)]);
  if (record.contentHash !== contentHash) throw notFoundError('document of this content');
  return buildPrintJob(record, issued, format, await readLogoDataUrl(platform, issued.seller.logoKey));
}

/** A file in the object store, and what it is known by. */
export interface StoredFile extends StoredRendition {
  objectKey: string;
}

/** Puts a file where its rendition will name it. Until then it is nobody's; what is stored twice is stored once. */
export async function storeFile(platform: Platform, key: RenditionKey, bytes: Buffer): Promise<StoredFile> {
  const sha256 = sha256Hex(bytes);
  const objectKey = buildObjectKey(key, sha256);
  await platform.objects.put(objectKey, bytes, STORAGE_FORMATS[key.format].contentType);
  return { objectKey, sha256, sizeBytes: bytes.length };
}

/** What a rendition says once its file is there. */
export const buildStoredFields = (file: StoredFile, completedAt: Date) =>
  ({ ...file, status: 'stored', failure: null, completedAt }) as const;

/**
 * Stores what was printed, unless another attempt was first: then its bytes stay the document, and these go.
 * @returns what is stored now.
 */
export async function storeRendition(platform: Platform, renditionId: string, bytes: Buffer): Promise<StoredRendition> {
  const rendition = await getRendition(renditionId);
  const file = await storeFile(platform, rendition, bytes);
  const { sha256, sizeBytes, objectKey } = file;
  const won = await Rendition.findOneAndUpdate(
    { _id: renditionId, generation: rendition.generation, sha256: null },
    { $set: buildStoredFields(file, platform.clock.now()) },
    { returnDocument: 'after' },
  ).lean<RenditionRecord>();
  if (won !== null) return { sha256, sizeBytes };
  const first = await getRendition(renditionId);
  if (first.objectKey !== objectKey) await platform.objects.remove(objectKey);
  return toStoredRendition(first) ?? { sha256, sizeBytes };
}

/** The stored bytes; an object that is gone or not the one recorded is forgotten, so that it is printed again. */
export async function readStored(platform: Platform, rendition: RenditionRecord): Promise<Buffer | null> {
  const { _id, objectKey, sha256, generation } = rendition;
  const bytes = objectKey === null ? null : await platform.objects.get(objectKey);
  if (bytes !== null && sha256Hex(bytes) === sha256) return bytes;
  platform.logger.error({ renditionId: _id, objectKey }, 'A stored file is missing or altered; it is made again');
  await Rendition.updateOne(
    { _id, generation, status: 'stored' },
    {
      $set: { status: 'failed', failure: 'object_lost', objectKey: null, sha256: null, sizeBytes: null },
      $inc: { generation: 1 },
    },
  );
  return null;
}

/** Records that a rendition was given up; a later request starts it again. One stored meanwhile stays stored. */
export async function failRendition(platform: Platform, renditionId: string, reason: string): Promise<void> {
  await Rendition.updateOne(
    { _id: renditionId, status: 'pending' },
    { $set: { status: 'failed', failure: reason, completedAt: platform.clock.now() } },
  );
}

/** For the sweeper: of these keys, those that are named, or that are not of printed documents and so not ours to judge. */
export async function findReferencedRenditionObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const [ours, others] = [true, false].map((inFolder) =>
    keys.filter((key) => key.includes(`/${RENDITION_FOLDER}/`) === inFolder),
  );
  const referenced = await Rendition.find({ objectKey: { $in: ours ?? [] } }, { objectKey: 1 }).lean();
  return new Set([...(others ?? []), ...referenced.flatMap(({ objectKey }) => objectKey ?? [])]);
}
