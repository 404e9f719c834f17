import { SwissQRBill } from 'swissqrbill/svg';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';
import { html, SafeHtml } from '../../../lib/html';

/** Pixels of CSS per millimetre, in which the library draws. */
const SIZE = 'width: 210mm; height: 105mm;';

/** The page of the payment part: 210 × 105 mm at its lower edge, as the guidelines of SIX require. */
export const SWISS_QR_BILL_STYLES = `
@page qr-bill { size: A4; margin: 0; @top-left { content: none; } @bottom-left { content: none; }
  @bottom-right { content: none; } }
.qr-bill { page: qr-bill; break-before: page; break-inside: avoid; height: 296mm; display: flex; align-items: flex-end; }
.qr-bill svg { display: block; ${SIZE} }
`;

/**
 * Renders receipt and payment part of a Swiss QR bill on a page of its own. Void documents and credit notes have none.
 * The texts of the parties are escaped by the library.
 */
export function renderSwissQrBill({ kind, voided, payment }: PrintableDocument): SafeHtml | null {
  const bill = payment.swissQrBill;
  if (kind !== 'invoice' || voided !== undefined || bill === undefined) return null;
  const { language, debtor, reference, ...data } = bill;
  const drawing = new SwissQRBill(
    { ...data, ...(debtor === undefined ? {} : { debtor }), ...(reference === undefined ? {} : { reference }) },
    { language },
  );
  return html`<section class="qr-bill">${new SafeHtml(drawing.toString())}</section>`;
}
