import { buildPrintableDocument } from '../../../domain/business/documents/build-printable-document';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';
import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import { notFoundError } from '../../../domain/errors';
import { identifyFile } from '../../../lib/files/identify';
import type { RenditionFormat, RenditionRecord } from '../../../models/business/documents/rendition';
import { InvoicePreview } from '../../../models/business/invoices/invoice-preview';
import type { InvoicePreviewRecord } from '../../../models/business/invoices/invoice-preview';
import { Statement } from '../../../models/business/payments/statement';
import type { StatementRecord } from '../../../models/business/payments/statement';
import type { StatementDocument } from '../../../domain/business/payments/statement';
import { getEncrypted } from '../../platform/evidence/encrypted-objects';
import type { Platform } from '../../platform/platform';
import { toStoredRendition } from './document-renditions';
import type { StoredRendition } from './document-renditions';
import { getIssuedContent } from './issued-documents';
import type { IssuedRecord } from './issued-documents';

/** What the rendering pool needs to render a document. */
export interface RenderJob {
  format: RenditionFormat;
  /** The document as issued. */
  issued: IssuedDocument;
  /** The same document in the words and order of the printed page. */
  page: PrintableDocument;
  /** Identifies what is rendered: the content hash, and the day of voiding on a stamped page. */
  contentId: string;
}

/** What the rendering pool needs to print a statement. */
export interface StatementJob {
  statement: StatementDocument;
  /** `data:` URL. */
  logo: string | null;
  issuedAt: Date;
  contentId: string;
}

/** Reads a logo as a `data:` URL. If it is lost, null: the customer needs the document even without the logo. */
export async function readLogoDataUrl(
  platform: Platform,
  organisationId: string,
  logoKey: string | null,
): Promise<string | null> {
  if (logoKey === null) return null;
  const bytes = await getEncrypted(platform, organisationId, logoKey);
  const type = bytes === null ? undefined : identifyFile(bytes)?.type;
  if (bytes === null || type === undefined) {
    platform.logger.warn({ logoKey }, 'The logo is missing or not an image; the document is rendered without it');
    return null;
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/**
 * What a renderer needs to print a document in a format.
 * @param logo data URL; null prints none
 */
export function buildRenderJob(
  record: IssuedRecord,
  issued: IssuedDocument,
  format: RenditionFormat,
  logo: string | null,
): RenderJob {
  const voidedOn = format === 'pdf_void' ? record.voidedOn : null;
  const page = buildPrintableDocument(issued, { logo, voidedOn });
  const contentId = voidedOn === null ? record.contentHash : `${record.contentHash}.${voidedOn}`;
  return { format, issued, page, contentId };
}

async function openStatementJob(
  platform: Platform,
  { organisationId, documentId, contentHash }: RenditionRecord,
): Promise<StatementJob> {
  const record = await Statement.findOne({ organisationId, id: documentId, contentHash }).lean<StatementRecord>();
  if (record === null) throw notFoundError('statement');
  const { document: statement, createdAt: issuedAt } = record;
  const logo = await readLogoDataUrl(platform, organisationId, statement.seller.logoKey);
  return { statement, logo, issuedAt, contentId: contentHash };
}

async function openPreviewJob(
  platform: Platform,
  { organisationId, contentHash }: RenditionRecord,
): Promise<RenderJob> {
  const record = await InvoicePreview.findOne({ organisationId, contentHash }).lean<InvoicePreviewRecord>();
  if (record === null) throw notFoundError('preview');
  const { document: issued } = record;
  const logo = await readLogoDataUrl(platform, organisationId, issued.seller.logoKey);
  const page = buildPrintableDocument(issued, { logo, voidedOn: null, isDraft: true });
  return { format: 'pdf', issued, page, contentId: contentHash };
}

/**
 * Returns what to render, or what is already stored.
 * @throws AppError 404 if the document does not exist.
 */
export async function openRenderJob(
  platform: Platform,
  rendition: RenditionRecord,
): Promise<RenderJob | StatementJob | StoredRendition> {
  const stored = toStoredRendition(rendition);
  if (stored !== null) return stored;
  const { organisationId, documentKind, documentId, contentHash, format } = rendition;
  if (documentKind === 'statement') return openStatementJob(platform, rendition);
  if (documentKind === 'preview') return openPreviewJob(platform, rendition);
  const { issued, content } = await getIssuedContent({ organisationId, kind: documentKind, id: documentId });
  if (issued.contentHash !== contentHash) throw notFoundError('document of this content');
  const logo = await readLogoDataUrl(platform, organisationId, content.seller.logoKey);
  return buildRenderJob(issued, content, format, logo);
}
