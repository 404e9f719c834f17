import { toCiiXml } from '../../domain/business/documents/einvoice/cii';
import { toElectronicInvoice } from '../../domain/business/documents/einvoice/from-document';
import { toUblXml } from '../../domain/business/documents/einvoice/ubl';
import { documentRenditions, storeRendition } from '../../services/business/documents/document-renditions';
import type { StoredRendition } from '../../services/business/documents/document-renditions';
import type { RenditionRecord } from '../../models/business/documents/rendition';
import { openRenderJob } from '../../services/business/documents/render-jobs';
import type { RenderJob, StatementJob } from '../../services/business/documents/render-jobs';
import type { Platform } from '../../services/platform/platform';
import { RENDER_DOCUMENT_ACTIVITY } from '../../workflows/contracts';
import { withHeartbeat } from '../heartbeat';
import { toFacturX } from './pdfa/facturx';
import type { Renderer } from './renderer';
import { buildPagination, renderDocumentHtml } from './template/document';
import { renderStatementHtml } from './template/statement';

/** What prints single documents. */
export type PdfRenderer = Pick<Renderer, 'renderPdf'>;

/** Renders a document as PDF, as an electronic invoice, or as a PDF that contains one. Equal jobs give equal bytes. */
export async function renderDocument(
  renderer: PdfRenderer,
  { format, issued, page, contentId }: RenderJob,
): Promise<Buffer> {
  if (format === 'ubl') return Buffer.from(toUblXml(toElectronicInvoice(issued)));
  if (format === 'cii') return Buffer.from(toCiiXml(toElectronicInvoice(issued)));
  const identity = { issuedAt: new Date(issued.issuedAt), contentId };
  const printed = await renderer.renderPdf(renderDocumentHtml(page), identity, buildPagination(page));
  return format === 'facturx' ? toFacturX(printed, toElectronicInvoice(issued), identity) : printed;
}

/** Prints a statement. Equal jobs give equal bytes. */
const renderStatement = (
  renderer: PdfRenderer,
  { statement, logo, issuedAt, contentId }: StatementJob,
): Promise<Buffer> => renderer.renderPdf(renderStatementHtml(statement, logo), { issuedAt, contentId });

/** Renders and stores a rendition, unless it is stored. @param rendition as it was read just before */
export async function renderAndStore(
  platform: Platform,
  renderer: PdfRenderer,
  rendition: RenditionRecord,
): Promise<StoredRendition> {
  const job = await openRenderJob(platform, rendition);
  if (!('contentId' in job)) return job;
  const bytes = 'statement' in job ? await renderStatement(renderer, job) : await renderDocument(renderer, job);
  return storeRendition(platform, rendition, bytes);
}

/** The activities that render single documents. */
export const createRenderingActivities = (platform: Platform, renderer: Renderer) => ({
  /** Renders and stores a rendition. Run again, it produces the same bytes, or finds them stored. */
  [RENDER_DOCUMENT_ACTIVITY]: ({ renditionId }: { renditionId: string }): Promise<StoredRendition> =>
    withHeartbeat(async () => renderAndStore(platform, renderer, await documentRenditions.get(renditionId))),
});

export type RenderingActivities = ReturnType<typeof createRenderingActivities>;
