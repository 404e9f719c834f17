import { INVOICE_TEMPLATE_VERSION } from '../../../domain/business/documents/invoice-document';
import type { InvoiceDocument } from '../../../domain/business/documents/invoice-document';
import { AppError } from '../../../domain/errors';
import { fill, labelsFor } from '../../../domain/business/documents/labels';
import { formatsOf } from './formats';
import { html, SafeHtml } from './html';
import { lineTable } from './lines';
import { letterhead, parties } from './parties';
import { styleSheet } from './styles';
import { payment, totals } from './totals';

/** What somebody wrote, under its heading. */
const words = (heading: string, text: string | undefined): SafeHtml | undefined =>
  text === undefined || text.trim() === ''
    ? undefined
    : html`<section class="notes">
        <h2>${heading}</h2>
        <p dir="auto">${text}</p>
      </section>`;

/** Belt and braces: the renderer refuses every request as well. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * The whole page of an invoice or a credit note as HTML for print.
 * @throws AppError `template_version_unknown` when the document asks for a layout this build does not hold.
 */
export function invoiceHtml(document: InvoiceDocument): string {
  if (document.templateVersion < 1 || document.templateVersion > INVOICE_TEMPLATE_VERSION) {
    throw new AppError('template_version_unknown', 500, `No invoice template has version ${document.templateVersion}.`);
  }
  const labels = labelsFor(document.language);
  const formats = formatsOf(document);
  const title = `${document.kind === 'invoice' ? labels.invoice : labels.creditNote} ${document.number}`;
  const { reason, notes, voided } = document;
  return html`<!doctype html>
    <html lang="${document.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <title>${title}</title>
        <style>
          ${new SafeHtml(styleSheet(document, labels))}
        </style>
      </head>
      <body>
        ${letterhead(document, labels)} ${parties(document, labels, formats)} ${lineTable(document, labels, formats)}
        ${totals(document, labels, formats)} ${payment(document, labels)} ${words(labels.reason, reason)}
        ${words(labels.notes, notes)}
        ${
          voided !== undefined &&
          html`<div class="stamp">
            <strong>${labels.voided}</strong><span>${fill(labels.voidedOn, { date: formats.date(voided.date) })}</span>
          </div>`
        }
      </body>
    </html>`.markup;
}
