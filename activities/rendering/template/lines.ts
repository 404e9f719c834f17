import type {
  DocumentLine,
  PrintableDocument,
  PrintedAdjustment,
} from '../../../domain/business/documents/printable-document';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { Formats } from '../../../domain/business/documents/formats';
import { html } from '../../../lib/html';
import type { SafeHtml } from '../../../lib/html';

/** Optional columns, which are omitted if they are empty on every line. */
interface Columns {
  discount: boolean;
  /** Whether prices include tax; stated once in the head if it applies to every line. */
  everyPriceIncludesTax: boolean;
}

/** Formats the date or period of supply of a line with its label. */
function formatSupply(line: DocumentLine, labels: DocumentLabels, formats: Formats): string | null {
  const { deliveryDate, deliveryPeriod } = line;
  if (deliveryPeriod !== undefined) return `${labels.deliveryPeriod}: ${formats.period(deliveryPeriod)}`;
  return deliveryDate === undefined ? null : `${labels.deliveryDate}: ${formats.date(deliveryDate)}`;
}
/** "Volume discount 5 %" */
export const formatAdjustment = ({ reason, percent }: PrintedAdjustment, formats: Formats): string =>
  percent === undefined ? reason : `${reason} ${formats.percent(percent)}`;

function renderLineRow(line: DocumentLine, columns: Columns, labels: DocumentLabels, formats: Formats): SafeHtml {
  const { name, code, description } = line;
  const supply = formatSupply(line, labels, formats);
  return html`<tr>
    <td class="position">${line.position}</td>
    <td class="item">
      <p class="name" dir="auto">${name}${code !== undefined && html` <bdi class="code">${code}</bdi>`}</p>
      ${description !== undefined && description !== '' && html`<p class="detail" dir="auto">${description}</p>`}
      ${supply !== null && html`<p class="detail" dir="auto">${supply}</p>`}
      ${line.adjustments?.map(
        (adjustment) =>
          html`<p class="detail" dir="auto">
            ${formatAdjustment(adjustment, formats)}: ${formats.amount(adjustment.amount)}
          </p>`,
      )}
    </td>
    <td class="number">
      ${formats.quantity(line.quantity)}${line.unit !== undefined && html` <bdi class="unit">${line.unit}</bdi>`}
    </td>
    <td class="number">
      ${formats.unitPrice(line.unitPrice)}${
        line.priceIncludesTax &&
        !columns.everyPriceIncludesTax &&
        html`<p class="detail">${labels.priceIncludesTax}</p>`
      }
    </td>
    ${
      columns.discount &&
      html`<td class="number">${line.discountPercent === undefined ? '' : formats.percent(line.discountPercent)}</td>`
    }
    <td class="number">${formats.percent(line.taxPercent)}</td>
    <td class="number net">${formats.amount(line.net)}</td>
  </tr>`;
}

/** Renders the table of lines; its head is repeated on every page. */
export function renderLineTable(document: PrintableDocument, labels: DocumentLabels, formats: Formats): SafeHtml {
  const columns: Columns = {
    discount: document.lines.some((line) => line.discountPercent !== undefined),
    everyPriceIncludesTax: document.lines.every((line) => line.priceIncludesTax),
  };
  return html`<table class="lines">
    <thead>
      <tr>
        <th class="position" scope="col">${labels.position}</th>
        <th class="item" scope="col">${labels.description}</th>
        <th class="number" scope="col">${labels.quantity}</th>
        <th class="number" scope="col">
          ${labels.unitPrice}${columns.everyPriceIncludesTax && html`<p class="detail">${labels.priceIncludesTax}</p>`}
        </th>
        ${columns.discount && html`<th class="number" scope="col">${labels.discount}</th>`}
        <th class="number" scope="col">${labels.taxRate}</th>
        <th class="number" scope="col">${labels.amount}</th>
      </tr>
    </thead>
    <tbody>
      ${document.lines.map((line) => renderLineRow(line, columns, labels, formats))}
    </tbody>
  </table>`;
}
