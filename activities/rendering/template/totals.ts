import { groupIban } from '../../../domain/business/payments/bank-details';
import type { DocumentTax, PrintableDocument } from '../../../domain/business/documents/printable-document';
import { formatEarlyPayment } from '../../../domain/business/documents/labels/payment-terms';
import { interpolate } from '../../../domain/business/documents/labels';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { Formats } from '../../../domain/business/documents/formats';
import { html } from '../../../lib/html';
import type { SafeHtml } from '../../../lib/html';
import { formatAdjustment } from './lines';
import { formatRemaining, listPrepaidRows } from './prepaid';
import { renderDefinitionRows } from './parties';
import { renderPaymentQr } from '../../../services/business/documents/payment-qr';

/** Formats "VAT 21 %" without repeating a percentage that the name already contains. */
const formatTaxName = ({ name, percent }: DocumentTax, formats: Formats): string =>
  name === undefined ? formats.percent(percent) : name.includes(percent) ? name : `${name} ${formats.percent(percent)}`;

/** A row for each of several taxes of one rate. */
const listTaxRows = (tax: DocumentTax): readonly DocumentTax[] =>
  tax.components?.map((component) => ({ ...component, taxable: tax.taxable })) ?? [tax];

function renderTaxSummary(document: PrintableDocument, labels: DocumentLabels, formats: Formats): SafeHtml {
  const { taxes, baseCurrencyTax } = document;
  const reasons = [
    ...new Set(taxes.flatMap((tax) => (tax.exemptionReason === undefined ? [] : [tax.exemptionReason]))),
  ];
  return html`<section class="taxes">
    <h2>${labels.taxSummary}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${labels.taxRate}</th>
          <th class="number" scope="col">${labels.taxableAmount}</th>
          <th class="number" scope="col">${labels.taxAmount}</th>
        </tr>
      </thead>
      <tbody>
        ${taxes.flatMap(listTaxRows).map(
          (tax) =>
            html`<tr>
              <td dir="auto">${formatTaxName(tax, formats)}</td>
              <td class="number">${formats.amount(tax.taxable)}</td>
              <td class="number">${formats.amount(tax.tax)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${reasons.map((reason) => html`<p dir="auto">${reason}</p>`)}
    ${
      baseCurrencyTax !== undefined &&
      html`<p>
        ${interpolate(labels.baseCurrencyTax, {
          currency: baseCurrencyTax.currencyCode,
          rate: formats.rate(baseCurrencyTax.rate),
        })}:
        ${formats.money(baseCurrencyTax.tax, baseCurrencyTax.currencyCode)}
      </p>`
    }
  </section>`;
}

/** Credit notes before layout version 4 had words of their own, which stay as they were. */
function getTotalLabel({ kind, templateVersion }: PrintableDocument, labels: DocumentLabels): string {
  if (kind === 'invoice') return labels.amountDue;
  return templateVersion < 4 ? labels.amountCredited : labels.correctionTotal;
}

/** Renders tax per rate on the left and the totals on the right, without a page break between them. */
export function renderTotals(document: PrintableDocument, labels: DocumentLabels, formats: Formats): SafeHtml {
  const { total, taxTotal, grandTotal, currencyCode, taxes, adjustments, prepaid } = document;
  const remaining = formatRemaining(document, formats);
  const renderRow = (label: string | SafeHtml, value: string, className = '') =>
    html`<tr class="${className}">
      <th scope="row">${label}</th>
      <td class="number">${value}</td>
    </tr>`;
  return html`<div class="closing">
    ${taxes.length > 0 ? renderTaxSummary(document, labels, formats) : html`<div></div>`}
    <section class="totals">
      <table>
        ${
          adjustments !== undefined &&
          html`${renderRow(labels.linesTotal, formats.money(adjustments.linesTotal))}
          ${adjustments.rows.map((row) => renderRow(formatAdjustment(row, formats), formats.money(row.amount)))}`
        }
        ${renderRow(labels.subtotal, formats.money(total))} ${renderRow(labels.taxTotal, formats.money(taxTotal))}
        <tr class="gap">
          <td colspan="2"></td>
        </tr>
        ${listPrepaidRows(document, formats).map(([label, value]) => renderRow(label, value))}
        ${renderRow(getTotalLabel(document, labels), formats.money(prepaid?.due ?? grandTotal), 'grand')}
      </table>
      ${remaining !== null && html`<p>${remaining}</p>`}
      <p>${interpolate(labels.amountsIn, { currency: currencyCode })}</p>
    </section>
  </div>`;
}

/** Renders the payment instructions. Credit notes and void documents have none. */
export function renderPayment(document: PrintableDocument, labels: DocumentLabels, formats: Formats): SafeHtml | null {
  if (document.kind !== 'invoice' || document.voided !== undefined) return null;
  const { termsText, accountHolder, iban, bic, bankName, accountNumber, routingNumber, note, earlyPayment } =
    document.payment;
  const hasAccount = iban !== undefined || accountNumber !== undefined;
  const account = renderDefinitionRows([
    [labels.accountHolder, !hasAccount ? undefined : (accountHolder ?? document.seller.name)],
    [labels.accountNumber, accountNumber],
    [labels.routingNumber, routingNumber],
    [labels.iban, iban === undefined ? undefined : groupIban(iban)],
    [labels.bic, bic],
    [labels.bank, bankName],
    [labels.paymentReference, !hasAccount ? undefined : document.number],
  ]);
  if (termsText === undefined && note === undefined && account.length === 0) return null;
  const discount =
    earlyPayment &&
    formatEarlyPayment(document.language, {
      percent: formats.percent(earlyPayment.percent),
      until: formats.date(earlyPayment.until),
      amount: formats.money(earlyPayment.amount),
      payable: formats.money(earlyPayment.payable),
    });
  // The payment part of a QR bill has the code for this account, and a draft must not be paid.
  const hasCode = document.payment.swissQrBill === undefined && document.isDraft !== true;
  const qr = hasCode ? renderPaymentQr(document) : null;
  return html`<section class="payment">
    <div>
      <h2>${labels.payment}</h2>
      ${termsText !== undefined && html`<p class="terms" dir="auto">${termsText}</p>`}
      ${discount !== undefined && html`<p class="terms" dir="auto">${discount}</p>`}
      ${note !== undefined && html`<p class="note" dir="auto">${note}</p>`}
      <table>
        ${account}
      </table>
    </div>
    ${
      qr !== null &&
      html`<figure>
        ${qr}
        <figcaption>${labels.scanToPay}</figcaption>
      </figure>`
    }
  </section>`;
}
