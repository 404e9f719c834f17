import { printableInvoice } from '../../domain/business/printable-invoice';
import type { IssuedDocument } from '../../domain/business/invoice';
import type { InvoiceDocument } from '../../domain/business/invoice-document';
import { notFound } from '../../domain/errors';
import { sha256Hex } from '../../lib/crypto/secrets';
import { Rendition } from '../../models/business/rendition';
import type { RenditionFormat, RenditionRecord } from '../../models/business/rendition';
import type { Platform } from '../platform/platform';
import { findIssued, readIssued } from './issued-documents';

const FOLDER = 'invoice-pdf';

/** How each format is stored. */
const STORED_AS: Readonly<Record<RenditionFormat, { extension: string; contentType: string }>> = {
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  pdf_void: { extension: 'pdf', contentType: 'application/pdf' },
  facturx: { extension: 'pdf', contentType: 'application/pdf' },
  ubl: { extension: 'xml', contentType: 'application/xml' },
};

/** Content and bytes both stand in the key: two attempts that printed differently never overwrite each other. */
const objectKeyOf = (rendition: RenditionRecord, sha256: string): string =>
  `${rendition.organisationId}/${FOLDER}/${rendition.contentHash}/${sha256}.${STORED_AS[rendition.format].extension}`;

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

const storedOf = (rendition: RenditionRecord): StoredRendition | null =>
  rendition.status === 'stored' && rendition.sha256 !== null && rendition.sizeBytes !== null
    ? { sha256: rendition.sha256, sizeBytes: rendition.sizeBytes }
    : null;

async function findRendition(renditionId: string): Promise<RenditionRecord> {
  const rendition = await Rendition.findById(renditionId).lean<RenditionRecord>();
  if (rendition === null) throw notFound('rendition');
  return rendition;
}

const imageType = (bytes: Buffer): string | null => {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  return /^\s*(<\?xml|<svg)/.test(bytes.subarray(0, 256).toString('utf8')) ? 'image/svg+xml' : null;
};

/** The logo as a `data:` URL. An invoice whose logo is gone is still owed to its customer, so it prints without. */
async function readLogo(platform: Platform, logoKey: string | null): Promise<string | null> {
  if (logoKey === null) return null;
  const bytes = await platform.objects.get(logoKey);
  const type = bytes === null ? null : imageType(bytes);
  if (bytes === null || type === null) {
    platform.logger.warn({ logoKey }, 'The logo is missing or no picture; the invoice is printed without it');
    return null;
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/**
 * What is to be printed, or what is stored already.
 * @throws AppError 404 when the rendition or its document does not exist.
 */
export async function openPrintJob(platform: Platform, renditionId: string): Promise<PrintJob | StoredRendition> {
  const rendition = await findRendition(renditionId);
  const stored = storedOf(rendition);
  if (stored !== null) return stored;
  const { organisationId, documentKind, documentId, contentHash, format } = rendition;
  const key = { organisationId, kind: documentKind, id: documentId };
  const [record, issued] = await Promise.all([findIssued(key), readIssued(key)]);
  if (record.contentHash !== contentHash) throw notFound('document of this content');
  const voidedOn = format === 'pdf_void' ? record.voidedOn : null;
  const page = printableInvoice(issued, { logo: await readLogo(platform, issued.seller.logoKey), voidedOn });
  return { format, issued, page, contentId: voidedOn === null ? contentHash : `${contentHash}.${voidedOn}` };
}

/**
 * Stores what was printed, unless another attempt was first: then its bytes stay the document, and these go.
 * @returns what is stored now.
 */
export async function storeRendition(platform: Platform, renditionId: string, bytes: Buffer): Promise<StoredRendition> {
  const rendition = await findRendition(renditionId);
  const sha256 = sha256Hex(bytes);
  const objectKey = objectKeyOf(rendition, sha256);
  await platform.objects.put(objectKey, bytes, STORED_AS[rendition.format].contentType);
  const won = await Rendition.findOneAndUpdate(
    { _id: renditionId, generation: rendition.generation, sha256: null },
    {
      $set: {
        status: 'stored',
        objectKey,
        sha256,
        sizeBytes: bytes.length,
        failure: null,
        completedAt: platform.clock.now(),
      },
    },
    { returnDocument: 'after' },
  ).lean<RenditionRecord>();
  if (won !== null) return { sha256, sizeBytes: bytes.length };
  const first = await findRendition(renditionId);
  if (first.objectKey !== objectKey) await platform.objects.remove(objectKey);
  return storedOf(first) ?? { sha256, sizeBytes: bytes.length };
}

/** Records that a rendition was given up; a later request starts it again. One stored meanwhile stays stored. */
export async function failRendition(platform: Platform, renditionId: string, reason: string): Promise<void> {
  await Rendition.updateOne(
    { _id: renditionId, status: 'pending' },
    { $set: { status: 'failed', failure: reason, completedAt: platform.clock.now() } },
  );
}

/** For the sweeper: of these keys, those that are named, or that are not of printed documents and so not ours to judge. */
export async function namedRenditionObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const [ours, others] = [true, false].map((wanted) => keys.filter((key) => key.includes(`/${FOLDER}/`) === wanted));
  const named = await Rendition.find({ objectKey: { $in: ours ?? [] } }, { objectKey: 1 }).lean();
  return new Set([...(others ?? []), ...named.flatMap(({ objectKey }) => objectKey ?? [])]);
}
