import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';
import { AppError } from '../../../domain/errors';
import { interpolate, getLabels } from '../../../domain/business/documents/labels';
import { getFormats } from '../../../domain/business/documents/formats';
import { html, SafeHtml } from '../../../lib/html';
import { renderLineTable } from './lines';
import { renderLetterhead, renderParties } from './parties';
import type { Pagination } from '../print-page';
import { getPageGeometry } from './page-geometry';
import { paginate } from './pagination';
import { buildStyleSheet } from './styles';
import { renderSwissQrBill, SWISS_QR_BILL_STYLES } from './swiss-qr-bill';
import { renderPayment, renderTotals } from './totals';
import { getDocumentTitle } from './title';

/** Renders free text under its heading. */
const renderNotes = (heading: string, text: string | undefined): SafeHtml | undefined =>
  text === undefined || text.trim() === ''
    ? undefined
    : html`<section class="notes">
        <h2>${heading}</h2>
        <p dir="auto">${text}</p>
      </section>`;

/** A second safeguard: the renderer blocks every request as well. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * Renders an invoice or a credit note as HTML for print.
 * @param pageStarts index of the first line of each page after the first; empty leaves page breaks to the browser
 * @throws AppError `template_version_unknown` if this build does not have the layout version of the document.
 */
export function renderDocumentHtml(document: PrintableDocument, pageStarts: readonly number[] = []): string {
  if (document.templateVersion < 1 || document.templateVersion > DOCUMENT_TEMPLATE_VERSION) {
    throw new AppError(
      'template_version_unknown',
      500,
      `No document template has version ${document.templateVersion}.`,
    );
  }
  const labels = getLabels(document.language);
  const formats = getFormats(document);
  const title = `${getDocumentTitle(document, labels)} ${document.number}`;
  const { reason, notes, voided, isDraft } = document;
  return html`<!doctype html>
    <html lang="${document.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <title>${title}</title>
        <style>
          ${new SafeHtml(buildStyleSheet(document, labels))}
          ${document.payment.swissQrBill !== undefined && new SafeHtml(SWISS_QR_BILL_STYLES)}
        </style>
      </head>
      <body>
        ${renderLetterhead(document, labels)} ${renderParties(document, labels, formats)}
        ${renderLineTable(document, labels, formats, pageStarts)}
        <div class="ending">
          ${renderTotals(document, labels, formats)} ${renderPayment(document, labels, formats)}
          ${renderNotes(labels.reason, reason)} ${renderNotes(labels.notes, notes)}
        </div>
        ${renderSwissQrBill(document)}
        ${isDraft === true && html`<div class="stamp"><strong>${labels.draft}</strong></div>`}
        ${
          voided !== undefined &&
          html`<div class="stamp">
            <strong>${labels.voided}</strong
            ><span>${interpolate(labels.voidedOn, { date: formats.date(voided.date) })}</span>
          </div>`
        }
      </body>
    </html>`.markup;
}

/** Documents with fewer lines have no page breaks between them, unless their descriptions are very long. */
const MIN_PAGINATED_LINES = 6;
/** A page has room for about 20 short lines, letterhead and totals; a document with more than these rarely fits on one. */
const MAX_LINES_OF_ONE_PAGE = 16;

/**
 * How a document is split into pages with carried-forward subtotals. Since layout version 4.
 * @returns undefined if the document is printed without
 */
export function buildPagination(document: PrintableDocument): Pagination | undefined {
  if (document.templateVersion < 4 || document.lines.length < MIN_PAGINATED_LINES) return undefined;
  const geometry = getPageGeometry(document, getLabels(document.language));
  return {
    contentWidth: geometry.contentWidth,
    mayFitOnePage: document.lines.length <= MAX_LINES_OF_ONE_PAGE,
    split: (measured) => {
      const pageStarts = paginate(measured, geometry);
      return pageStarts.length === 0 ? null : renderDocumentHtml(document, pageStarts);
    },
  };
}
