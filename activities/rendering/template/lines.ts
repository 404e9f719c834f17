import type {
  DocumentLine,
  PrintableDocument,
  PrintedAdjustment,
} from '../../../domain/business/documents/printable-document';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { Formats } from '../../../domain/business/documents/formats';
import { ZERO } from '../../../domain/business/decimal';
import { toDecimalString } from '../../../domain/business/documents/printable-document';
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

/** Codes are not broken at their hyphens, unless they are too long for the column. */
const MAX_UNBROKEN_CODE = 32;
const getCodeClass = (code: string): string => (code.length <= MAX_UNBROKEN_CODE ? 'code unbroken' : 'code');

/** Renders name and code. Since layout version 4 a name from right to left begins where the other names do. */
function renderName({ name, code }: DocumentLine, templateVersion: number): SafeHtml {
  const renderedCode = code !== undefined && html` <bdi class="${getCodeClass(code)}">${code}</bdi>`;
  return templateVersion < 4
    ? html`<p class="name" dir="auto">${name}${renderedCode}</p>`
    : html`<p class="name"><bdi>${name}</bdi>${renderedCode}</p>`;
}

/** Renders an adjustment without white space around its text: details keep their line ends. */
function renderLineAdjustment(adjustment: PrintedAdjustment, formats: Formats): SafeHtml {
  const text = `${formatAdjustment(adjustment, formats)}: ${formats.amount(adjustment.amount)}`;
  return html`<p class="detail" dir="auto">${text}</p>`;
}

function renderLineRow(
  line: DocumentLine,
  columns: Columns,
  templateVersion: number,
  labels: DocumentLabels,
  formats: Formats,
): SafeHtml {
  const { description } = line;
  const supply = formatSupply(line, labels, formats);
  return html`<tr>
    <td class="position">${line.position}</td>
    <td class="item">
      ${renderName(line, templateVersion)}
      ${description !== undefined && description !== '' && html`<p class="detail" dir="auto">${description}</p>`}
      ${supply !== null && html`<p class="detail" dir="auto">${supply}</p>`}
      ${line.adjustments?.map((adjustment) => renderLineAdjustment(adjustment, formats))}
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

/** Renders a row with the sum of the lines before it; the one that ends a page, and the one that begins the next. */
function renderCarriedSubtotals(subtotal: string, span: number, labels: DocumentLabels): SafeHtml {
  const renderRow = (side: 'out' | 'in', label: string) =>
    html`<tr class="carry ${side}">
      <td></td>
      <td colspan="${span}">${label}</td>
      <td class="number net">${subtotal}</td>
    </tr>`;
  return html`${renderRow('out', labels.carriedForward)} ${renderRow('in', labels.broughtForward)}`;
}

/**
 * Renders the table of lines; its head is repeated on every page.
 * @param pageStarts index of the first line of each page after the first
 */
export function renderLineTable(
  document: PrintableDocument,
  labels: DocumentLabels,
  formats: Formats,
  pageStarts: readonly number[],
): SafeHtml {
  const columns: Columns = {
    discount: document.lines.some((line) => line.discountPercent !== undefined),
    everyPriceIncludesTax: document.lines.every((line) => line.priceIncludesTax),
  };
  const span = columns.discount ? 5 : 4;
  const starts = new Set(pageStarts);
  let subtotal = ZERO;
  const rows = document.lines.map((line, index) => {
    const carried = toDecimalString(subtotal.toFixed(document.currencyDecimals));
    subtotal = subtotal.plus(line.net);
    const row = renderLineRow(line, columns, document.templateVersion, labels, formats);
    return starts.has(index) ? html`${renderCarriedSubtotals(formats.amount(carried), span, labels)}${row}` : row;
  });
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
      ${rows}
    </tbody>
  </table>`;
}
