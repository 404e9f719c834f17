import { groupIban } from '../../../domain/business/payments/bank-details';
import { getFormats } from '../../../domain/business/documents/formats';
import { getLabels } from '../../../domain/business/documents/labels';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import { PAGE_LABELS } from '../../../domain/business/messages/page-labels';
import { html, SafeHtml } from '../../../lib/html';
import { renderPaymentQr } from '../../../services/business/documents/payment-qr';
import type { InvoicePage } from '../../../services/business/messages/invoice-page';

const STYLES = `
:root { color-scheme: light dark; --line: #8884; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
header { display: flex; justify-content: space-between; gap: 1rem; align-items: start; flex-wrap: wrap; }
header img { max-height: 4rem; max-width: 12rem; background: #fff; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 1rem 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; } dd.open { font-weight: 700; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: start; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: end; white-space: nowrap; }
.pay { display: flex; gap: 2rem; flex-wrap: wrap; align-items: start; }
figure { margin: 0; width: 11rem; } figure svg { width: 100%; background: #fff; padding: .75rem; } figcaption { font-size: .85rem; }
.files { list-style: none; padding: 0; display: flex; gap: 1rem; flex-wrap: wrap; }
.files a { display: inline-block; padding: .6rem 1rem; border: 1px solid currentColor; border-radius: .4rem; color: inherit; text-decoration: none; }
.notice { padding: .6rem 1rem; border-inline-start: .25rem solid currentColor; }
`;

/** A page without scripts; the style sheet has the nonce of the response. */
function renderPage(language: DocumentLanguage, title: string, nonce: string, body: SafeHtml): string {
  return `<!doctype html>${
    html`<html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${new SafeHtml(STYLES)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup
  }`;
}

type Row = readonly [label: string, value: string | undefined, className?: string];

const renderRows = (rows: readonly Row[]): SafeHtml[] =>
  rows.flatMap(([label, value, className]) =>
    value === undefined
      ? []
      : [
          html`<dt>${label}</dt>
            <dd class="${className ?? ''}" dir="auto">${value}</dd>`,
        ],
  );

/** How to pay what is open: the account, and a code for banking apps over the open amount. */
function renderPayment({ document, open, isPaid }: InvoicePage): SafeHtml | false {
  const { iban, accountHolder, bic, bankName, termsText } = document.payment;
  if (isPaid || (iban === undefined && termsText === undefined)) return false;
  const labels = getLabels(document.language);
  const words = PAGE_LABELS[document.language];
  const qr = renderPaymentQr({ ...document, grandTotal: open });
  const rows: readonly Row[] =
    iban === undefined
      ? []
      : [
          [labels.accountHolder, accountHolder ?? document.seller.name],
          [labels.iban, groupIban(iban)],
          [labels.bic, bic],
          [labels.bank, bankName],
          [labels.paymentReference, document.number],
        ];
  return html`<section>
    <h2>${words.howToPay}</h2>
    ${termsText !== undefined && html`<p dir="auto">${termsText}</p>`}
    <div class="pay">
      <dl>${renderRows(rows)}</dl>
      ${
        qr !== null &&
        html`<figure>
          ${qr}
          <figcaption>${labels.scanToPay}</figcaption>
        </figure>`
      }
    </div>
  </section>`;
}

function renderLines({ document }: InvoicePage): SafeHtml {
  const labels = getLabels(document.language);
  const formats = getFormats(document);
  const rows = document.lines.map(
    (line) =>
      html`<tr>
        <td dir="auto">${line.name}</td>
        <td class="number">${formats.quantity(line.quantity)} ${line.unit}</td>
        <td class="number">${formats.money(line.net)}</td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th>${labels.description}</th>
        <th class="number">${labels.quantity}</th>
        <th class="number">${labels.amount}</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

const renderStatus = ({ document, isPaid, isOverdue }: InvoicePage): SafeHtml | false => {
  const words = PAGE_LABELS[document.language];
  if (document.voided !== undefined) return html`<p class="notice">${getLabels(document.language).voided}</p>`;
  if (isPaid) return html`<p class="notice">${words.paid}</p>`;
  return isOverdue && html`<p class="notice">${words.overdue}</p>`;
};

/** The page of an invoice. @param base path of the page, for links to its files */
export function renderInvoicePage(page: InvoicePage, base: string, nonce: string): string {
  const { document, open } = page;
  const labels = getLabels(document.language);
  const words = PAGE_LABELS[document.language];
  const formats = getFormats(document);
  const title = `${labels.invoice} ${document.number}`;
  const facts: readonly Row[] = [
    [labels.from, document.seller.name],
    [labels.billTo, document.buyer.name],
    [labels.issueDate, formats.date(document.issueDate)],
    [labels.dueDate, document.dueDate === undefined ? undefined : formats.date(document.dueDate)],
    [words.total, formats.money(document.grandTotal)],
    [words.openAmount, formats.money(open), 'open'],
  ];
  const fileNames = {
    pdf: words.downloadPdf,
    ubl: words.downloadXml,
    cii: words.downloadXml,
    facturx: words.downloadPdf,
  };
  const links = page.formats.map(
    (format) => html`<li><a href="${base}/${format}" download>${fileNames[format]}</a></li>`,
  );
  const body = html`<header>
      <h1>${title}</h1>
      ${document.seller.logo !== undefined && html`<img src="${document.seller.logo}" alt="" />`}
    </header>
    <main>
      ${renderStatus(page)}
      <dl>${renderRows(facts)}</dl>
      <h2>${words.files}</h2>
      <ul class="files">
        ${links}
      </ul>
      ${renderPayment(page)} ${renderLines(page)}
    </main>`;
  return renderPage(document.language, title, nonce, body);
}

/** The page for a link that does not open an invoice. */
export function renderProblemPage(
  language: DocumentLanguage,
  problem: 'expired' | 'revoked' | 'notFound' | 'unavailable',
  nonce: string,
): string {
  const text = PAGE_LABELS[language][problem];
  return renderPage(language, text, nonce, html`<main><p class="notice">${text}</p></main>`);
}
