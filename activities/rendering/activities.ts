import { toCiiXml } from '../../domain/business/documents/einvoice/cii';
import { toElectronicInvoice } from '../../domain/business/documents/einvoice/from-document';
import { toUblXml } from '../../domain/business/documents/einvoice/ubl';
import { openPrintJob, storeRendition } from '../../services/business/documents/renditions';
import type { PrintJob, StoredRendition } from '../../services/business/documents/renditions';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { toFacturX } from './pdfa/facturx';
import type { Renderer } from './renderer';
import { renderInvoiceHtml } from './template/invoice';

const HEARTBEAT_MS = 5000;

/** Prints a document, or writes it as an electronic invoice, or both in one. The same job makes the same bytes. */
export async function renderFile(renderer: Renderer, { format, issued, page, contentId }: PrintJob): Promise<Buffer> {
  if (format === 'ubl') return Buffer.from(toUblXml(toElectronicInvoice(issued)));
  const identity = { issuedAt: new Date(issued.issuedAt), contentId };
  const printed = await renderer.renderPdf(renderInvoiceHtml(page), identity);
  return format === 'facturx' ? toFacturX(printed, toCiiXml(toElectronicInvoice(issued)), identity) : printed;
}

async function renderAndStore(platform: Platform, renderer: Renderer, renditionId: string): Promise<StoredRendition> {
  const job = await openPrintJob(platform, renditionId);
  if (!('format' in job)) return job;
  return storeRendition(platform, renditionId, await renderFile(renderer, job));
}

export const createRenderingActivities = (platform: Platform, renderer: Renderer) => ({
  /** Makes and stores a rendition. Run again, it makes the same bytes, or finds them stored. */
  renderInvoice: ({ renditionId }: { renditionId: string }): Promise<StoredRendition> =>
    withHeartbeat(HEARTBEAT_MS, () => renderAndStore(platform, renderer, renditionId)),
});

export type RenderingActivities = ReturnType<typeof createRenderingActivities>;
