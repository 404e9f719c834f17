import type { DocumentParty, PrintableDocument } from '../../../domain/business/documents/printable-document';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { Formats } from '../../../domain/business/documents/formats';
import { getDocumentTitle } from './title';
import { html } from '../../../lib/html';
import type { SafeHtml } from '../../../lib/html';

/** Any other URL would make the page send a request. */
const LOGO = /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Renders the logo or name of the seller, and the kind of document. */
export function renderLetterhead(document: PrintableDocument, labels: DocumentLabels): SafeHtml {
  const { seller, number } = document;
  const logo = seller.logo !== undefined && LOGO.test(seller.logo) ? seller.logo : null;
  return html`<header class="letterhead">
    <div class="brand" dir="auto">${logo === null ? seller.name : html`<img src="${logo}" alt="" />`}</div>
    <div class="title">
      <h1>${getDocumentTitle(document, labels)}</h1>
      <p dir="auto">${number}</p>
    </div>
  </header>`;
}

function renderParty(party: DocumentParty, heading: string, labels: DocumentLabels): SafeHtml {
  const identifiers: readonly (readonly [string | null, string | undefined])[] = [
    ...(party.identifiers ?? []).map(({ label, value }) => [label, value] as const),
    [labels.taxId, party.taxId],
    [labels.registrationId, party.registrationId],
    [null, party.email],
    [null, party.phone],
    [null, party.website],
  ];
  const printed = identifiers.flatMap(([label, value]) =>
    value === undefined || value === ''
      ? []
      : [html`<p dir="auto">${label === null ? '' : `${label} `}<bdi>${value}</bdi></p>`],
  );
  return html`<section class="party">
    <h2 dir="auto">${heading}</h2>
    <p class="name" dir="auto">${party.name}</p>
    ${party.addressLines.map((line) => html`<p dir="auto">${line}</p>`)}
    ${printed.length > 0 && html`<div class="identifiers">${printed}</div>`}
  </section>`;
}

/** Renders rows of label and value; rows without value are omitted. */
export const renderDefinitionRows = (rows: readonly (readonly [string, string | undefined])[]): readonly SafeHtml[] =>
  rows.flatMap(([label, value]) =>
    value === undefined || value === ''
      ? []
      : [
          html`<tr>
            <th scope="row">${label}</th>
            <td dir="auto">${value}</td>
          </tr>`,
        ],
  );

/** Renders seller, buyer, and the dates and references of the document. */
export function renderParties(document: PrintableDocument, labels: DocumentLabels, formats: Formats): SafeHtml {
  const { seller, buyer, shipTo } = document;
  const formatOptionalDate = (date: string | undefined) => (date === undefined ? undefined : formats.date(date));
  const isCorrection = document.kind === 'credit_note' && document.templateVersion >= 4;
  const correctedInvoice = document.correctedInvoice;
  const meta = renderDefinitionRows([
    [
      labels.correctedInvoice,
      correctedInvoice && `${correctedInvoice.number}\n${formats.date(correctedInvoice.issueDate)}`,
    ],
    [isCorrection ? labels.correctionDate : labels.issueDate, formatOptionalDate(document.issueDate)],
    [labels.deliveryDate, formatOptionalDate(document.deliveryDate)],
    [labels.deliveryPeriod, document.deliveryPeriod && formats.period(document.deliveryPeriod)],
    [labels.dueDate, formatOptionalDate(document.dueDate)],
    [labels.customerNumber, document.customerNumber],
    [labels.purchaseReference, document.purchaseReference],
  ]);
  return html`<div class="parties">
    ${renderParty(seller, labels.from, labels)}
    ${renderParty(buyer, isCorrection ? labels.correctionTo : labels.billTo, labels)}
    ${shipTo !== undefined && renderParty(shipTo, labels.shipTo, labels)}
    <div class="meta">
      <table>
        ${meta}
      </table>
    </div>
  </div>`;
}
