import { findEInvoiceViolations } from '../../../domain/business/documents/einvoice/check';
import { buildPrintableDocument } from '../../../domain/business/documents/build-printable-document';
import { toDecimalString } from '../../../domain/business/documents/printable-document';
import type { DecimalString, PrintableDocument } from '../../../domain/business/documents/printable-document';
import { notFoundError } from '../../../domain/errors';
import type { DocumentFormat } from '../../../models/business/documents/rendition';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { Platform } from '../../platform/platform';
import { obtainDocumentFile } from '../documents/document-files';
import type { DocumentFile } from '../documents/document-files';
import { readLogoDataUrl } from '../documents/render-jobs';
import { findInvoice } from '../invoices/invoice-lists';
import { findOutstanding } from '../payments/open-items';
import { computeToday, getOrCreateCompany } from '../settings/company';
import { noteOpened, openLink } from './invoice-links';

/** What the page of an invoice shows. */
export interface InvoicePage {
  document: PrintableDocument;
  open: DecimalString;
  isPaid: boolean;
  isOverdue: boolean;
  /** Files that can be downloaded. */
  formats: readonly DocumentFormat[];
}

/** Files that the page offers. */
const PAGE_FORMATS: readonly DocumentFormat[] = ['pdf', 'ubl'];
/** Shorter than the time after which browsers and proxies give up. */
const RENDERING_WAIT_MS = 25_000;

/** The issued invoice that a link opens; notes that it was opened. @throws AppError 404; 410 */
async function openInvoice(platform: Platform, token: string): Promise<InvoiceRecord> {
  const link = await openLink(platform, token);
  const record = await findInvoice(link, link.invoiceId);
  if (record === null || record.status === 'draft') throw notFoundError('page');
  await noteOpened(platform, link);
  return record;
}

/**
 * Reads the page that a link opens, with what is open at the moment.
 * @throws AppError 404; 410 `link_expired` or `link_revoked`
 */
export async function readInvoicePage(platform: Platform, token: string): Promise<InvoicePage> {
  const { organisationId, id, document, voidedOn, dueDate } = await openInvoice(platform, token);
  const [company, outstanding, logo] = await Promise.all([
    getOrCreateCompany(platform, organisationId),
    findOutstanding(organisationId, [id]),
    readLogoDataUrl(platform, organisationId, document.seller.logoKey),
  ]);
  const open = voidedOn === null ? outstanding.get(id)?.open : undefined;
  const isPaid = open === undefined || open.lte(0);
  const isCompliant = findEInvoiceViolations(document).length === 0;
  return {
    document: buildPrintableDocument(document, { logo, voidedOn }),
    open: toDecimalString(open?.toFixed() ?? '0'),
    isPaid,
    isOverdue: !isPaid && dueDate < computeToday(company, platform.clock.now()),
    formats: PAGE_FORMATS.filter((format) => format === 'pdf' || isCompliant),
  };
}

/**
 * Reads a file of the invoice that a link opens.
 * @throws AppError 404, also for a format that the page does not offer; 410; 503 while it is being rendered
 */
export async function readInvoicePageFile(
  platform: Platform,
  token: string,
  name: string,
): Promise<DocumentFile & { format: DocumentFormat }> {
  const format = PAGE_FORMATS.find((each) => each === name);
  if (format === undefined) throw notFoundError('page');
  const { organisationId, id } = await openInvoice(platform, token);
  const scope = { organisationId, mode: 'live' } as const;
  const options = { format, waitMs: RENDERING_WAIT_MS };
  const file = await obtainDocumentFile(platform, scope, { kind: 'invoice', id }, options);
  if (file === null) throw notFoundError('page');
  return { ...file, format };
}
