import { formatAddressLines } from '../../../domain/business/documents/build-printable-document';
import { getFormats } from '../../../domain/business/documents/formats';
import type { Formats } from '../../../domain/business/documents/formats';
import { toDecimalString } from '../../../domain/business/documents/printable-document';
import { STATEMENT_LABELS } from '../../../domain/business/payments/statement';
import type { StatementAccount, StatementDocument, StatementLabels } from '../../../domain/business/payments/statement';
import { html, quoteCssString, SafeHtml } from '../../../lib/html';
import { FONT_FAMILY } from '../font-family';
import { PRINT_ONLY } from '../print-only';

const LAYOUT = `
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 400 8.5pt/1.45 ${FONT_FAMILY}; color: #1d2527; font-variant-numeric: lining-nums tabular-nums; }
h1 { font-size: 20pt; font-weight: 300; color: #155e63; }
h2 { font-size: 11pt; font-weight: 500; color: #155e63; margin: 8mm 0 2mm; break-after: avoid; }
[dir=auto] { overflow-wrap: anywhere; text-align: -webkit-match-parent; }
.head { display: flex; justify-content: space-between; gap: 10mm; align-items: flex-start; }
.head img { display: block; max-width: 70mm; max-height: 18mm; }
.seller { font-size: 7.5pt; color: #44525a; text-align: end; }
.customer { margin: 8mm 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .6mm 5mm; margin: 3mm 0; }
dt { color: #66757a; }
table { border-collapse: collapse; width: 100%; }
thead { display: table-header-group; }
th { font-weight: 600; font-size: 7pt; color: #44525a; text-align: start; border-bottom: .3mm solid #9fb4b6; }
th, td { padding: 1.2mm 4mm 1.2mm 0; vertical-align: top; }
td { border-bottom: .2mm solid #e1e6e7; }
tr { break-inside: avoid; }
.number { text-align: end; white-space: nowrap; padding-inline-end: 0; padding-inline-start: 4mm; }
.sum td { font-weight: 600; break-before: avoid; }
`;

function buildStyles({ seller }: StatementDocument, labels: StatementLabels): string {
  const margin = `font: 400 7pt/1.3 ${FONT_FAMILY}; color: #66757a;`;
  return `${PRINT_ONLY}
@page { size: A4; margin: 17mm 17mm 19mm 19mm;
  @bottom-left { content: ${quoteCssString(seller.legalName)}; ${margin} }
  @bottom-right { content: ${quoteCssString(`${labels.page} `)} counter(page) ${quoteCssString(` ${labels.of} `)} counter(pages); ${margin} } }
${LAYOUT}`;
}

function renderAccount(account: StatementAccount, formats: Formats, labels: StatementLabels): SafeHtml {
  const money = (value: string): string => formats.money(toDecimalString(value));
  const rows = account.rows.map(
    (row) =>
      html`<tr>
        <td>${formats.date(row.date)}</td>
        <td dir="auto">${labels.kinds[row.kind]} ${row.number}</td>
        <td>${row.dueDate === null ? '' : formats.date(row.dueDate)}</td>
        <td class="number">${money(row.amount)}</td>
        <td class="number">${money(row.balance)}</td>
      </tr>`,
  );
  const renderSum = (label: string, value: string): SafeHtml =>
    html`<tr class="sum">
      <td colspan="4">${label}</td>
      <td class="number">${money(value)}</td>
    </tr>`;
  return html`<h2>${account.currencyCode}</h2>
    <table>
      <thead>
        <tr>
          <th>${labels.date}</th>
          <th>${labels.document}</th>
          <th>${labels.dueDate}</th>
          <th class="number">${labels.amount}</th>
          <th class="number">${labels.balance}</th>
        </tr>
      </thead>
      <tbody>
        ${renderSum(labels.opening, account.opening)} ${rows} ${renderSum(labels.closing, account.closing)}
      </tbody>
    </table>`;
}

/** Renders a statement as HTML for print. @param logo `data:` URL */
export function renderStatementHtml(statement: StatementDocument, logo: string | null): string {
  const { language, seller, customer, accounts, from, to } = statement;
  const labels = STATEMENT_LABELS[language];
  const { country } = seller.address;
  const locale = country === null ? language : `${language}-${country}`;
  const formatsOf = ({ currencyCode, currencyDecimals }: StatementAccount): Formats =>
    getFormats({ locale, currencyCode, currencyDecimals });
  const days = getFormats({ locale, currencyCode: 'EUR', currencyDecimals: 2 });
  const abroad = country !== customer.address.country;
  const sellerLines = [seller.legalName, ...formatAddressLines(seller.address, language, abroad)];
  const customerLines = [customer.name, ...formatAddressLines(customer.address, language, abroad)];
  const tables = accounts.map((account) => renderAccount(account, formatsOf(account), labels));
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <title>${labels.title}</title>
        <style>
          ${new SafeHtml(buildStyles(statement, labels))}
        </style>
      </head>
      <body>
        <div class="head">
          ${logo === null ? html`<div></div>` : html`<img src="${logo}" alt="" />`}
          <div class="seller">${sellerLines.map((line) => html`<p dir="auto">${line}</p>`)}</div>
        </div>
        <div class="customer">${customerLines.map((line) => html`<p dir="auto">${line}</p>`)}</div>
        <h1>${labels.title}</h1>
        <dl>
          <dt>${labels.customerNumber}</dt>
          <dd>${customer.code}</dd>
          <dt>${labels.period}</dt>
          <dd>${days.date(from)} – ${days.date(to)}</dd>
          <dt>${labels.date}</dt>
          <dd>${days.date(statement.issueDate)}</dd>
        </dl>
        ${tables.length === 0 ? html`<p>${labels.nothing}</p>` : tables}
      </body>
    </html>`.markup;
}
