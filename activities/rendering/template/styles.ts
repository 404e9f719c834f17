import type { PrintableDocument } from '../../../domain/business/documents/printable-document';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import { FONT_FAMILY } from '../font-family';
import { getFormats } from '../../../domain/business/documents/formats';
import { buildFootLines } from './foot';
import { getPageGeometry } from './page-geometry';
import { CARRY_HEIGHT } from './pagination';
import { PRINT_ONLY } from '../print-only';
import { quoteCssString } from '../../../lib/html';
import { getDocumentTitle } from './title';

const DEFAULT_ACCENT = '#155e63';

const LAYOUT = `
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 400 8.5pt/1.45 ${FONT_FAMILY}; color: #1d2527; font-kerning: normal;
  font-variant-numeric: lining-nums tabular-nums; -webkit-print-color-adjust: exact; }
h1 { font-size: 23pt; font-weight: 300; line-height: 1.1; letter-spacing: -.01em; color: var(--accent); }
h2 { font-size: 7pt; font-weight: 600; letter-spacing: .045em; text-transform: uppercase; color: #66757a;
  margin-bottom: 1.4mm; break-after: avoid; }
table { border-collapse: collapse; }
th { font-weight: 600; text-align: start; }
.muted { color: #66757a; }
.number { text-align: end; white-space: nowrap; }
[dir=auto] { overflow-wrap: anywhere; text-align: -webkit-match-parent; }

.letterhead { display: flex; justify-content: space-between; align-items: flex-start; gap: 10mm; min-height: 15mm; }
.letterhead .brand { font-size: 14pt; font-weight: 600; line-height: 1.25; max-width: 95mm; }
.letterhead img { display: block; width: 70mm; height: 18mm; object-fit: contain; object-position: left top; }
.letterhead .title { text-align: end; }
.letterhead .title p { font-size: 10.5pt; margin-top: 1mm; color: #44525a; }

.parties { display: flex; gap: 8mm; margin: 7mm 0 8mm; }
.party { flex: 1 1 0; min-width: 0; }
.party .name { font-weight: 600; font-size: 9.5pt; }
.party .identifiers { margin-top: 1.4mm; font-size: 7.5pt; color: #44525a; }
.meta { flex: 0 0 auto; max-width: 76mm; align-self: flex-start; border-inline-start: .5mm solid var(--accent);
  padding-inline-start: 4mm; }
.meta th { font-weight: 400; color: #66757a; padding: .35mm 5mm .35mm 0; vertical-align: top; white-space: nowrap; }
.meta td { font-weight: 500; white-space: pre-line; padding: .35mm 0; vertical-align: top; }

.lines { width: 100%; }
.lines thead { display: table-header-group; }
.lines thead th { font-size: 7pt; letter-spacing: .02em; color: #44525a; vertical-align: bottom; line-height: 1.2;
  padding: 1.6mm 0 1.6mm 6mm; border-top: .3mm solid var(--accent); border-bottom: .3mm solid var(--accent); }
.lines td { padding: 1.35mm 0 1.35mm 6mm; vertical-align: top; border-bottom: .2mm solid #e1e6e7; }
.lines th:first-child, .lines td:first-child { padding-inline-start: 0; }
.lines tr { break-inside: avoid; }
.lines .position { width: 8mm; color: #66757a; text-align: start; }
.lines thead .position { color: #44525a; }
.lines .item, .lines thead .item { padding-inline-start: 3mm; }
.lines .item { width: 99%; }
.lines .name { font-weight: 500; }
.lines .detail { font-size: 7.5pt; line-height: 1.4; color: #56656b; white-space: pre-line; }
.lines .number .detail { white-space: nowrap; font-weight: 400; }
.lines .unit, .lines .code { color: #66757a; font-weight: 400; }
.lines .code { font-size: 7.5pt; margin-inline-start: 1.5mm; }
.lines .net { font-weight: 500; }

.closing { display: flex; justify-content: space-between; align-items: flex-start; gap: 12mm; margin-top: 6mm;
  break-inside: avoid; }
.taxes { flex: 0 1 88mm; font-size: 7.5pt; }
.taxes table { width: 100%; }
.taxes th { color: #66757a; font-weight: 500; padding: 0 0 1mm 4mm; border-bottom: .2mm solid #cfd7d9; }
.taxes td { padding: .9mm 0 .9mm 4mm; }
.taxes tr > :first-child { padding-inline-start: 0; }
.taxes p { margin-top: 1.4mm; color: #56656b; }
.totals { flex: 0 0 76mm; }
.totals table { width: 100%; }
.totals th { font-weight: 400; padding: .9mm 4mm .9mm 0; }
.totals td { padding: .9mm 0; }
.totals .grand th, .totals .grand td { font-size: 12pt; font-weight: 600; line-height: 1.3; padding-top: 2.2mm;
  padding-bottom: 2.2mm; color: var(--accent); border-top: .3mm solid var(--accent);
  border-bottom: .3mm solid var(--accent); }
.totals .gap td { padding: .6mm 0; }
.totals p { margin-top: 1.6mm; font-size: 7.5pt; color: #66757a; text-align: end; }

.payment { display: flex; justify-content: space-between; gap: 10mm; margin-top: 6mm; break-inside: avoid; }
.payment .terms { font-weight: 500; margin-bottom: 1.4mm; white-space: pre-line; }
.payment .note { margin-bottom: 1.4mm; white-space: pre-line; max-width: 120mm; }
.payment th { font-weight: 400; color: #66757a; padding: .35mm 5mm .35mm 0; vertical-align: top; white-space: nowrap; }
.payment td { padding: .35mm 0; vertical-align: top; }
.payment figure { flex: 0 0 40mm; text-align: center; font-size: 6.5pt; line-height: 1.3; color: #56656b; }
.qr { display: block; width: 28mm; height: 28mm; margin: 0 auto 1.4mm; }

.notes { margin-top: 5mm; max-width: 140mm; }
.notes p { white-space: pre-line; orphans: 3; widows: 3; }

.stamp { position: fixed; top: 36%; left: 0; right: 0; text-align: center; transform: rotate(-18deg);
  color: #b3261e; opacity: .3; line-height: 1; }
.stamp strong { display: inline-block; border: 1.2mm solid; border-radius: 3mm; padding: 4mm 9mm; font-size: 54pt;
  font-weight: 700; letter-spacing: .06em; text-transform: uppercase; }
.stamp span { display: block; margin-top: 3mm; font-size: 12pt; font-weight: 600; }
`;

/** Since layout version 2: the totals keep the last line with them on a new page. */
const SECOND_LAYOUT = `
.closing { break-before: avoid; }
.lines .name:dir(rtl) .code { margin: 0 1.5mm 0 0; }
`;

/** Since layout version 4: totals, payment and notes stay together; subtotals are carried forward; codes stay whole. */
const FOURTH_LAYOUT = `
.ending { break-inside: avoid; break-before: avoid; }
.lines .carry td { height: ${CARRY_HEIGHT}mm; padding-top: 0; padding-bottom: 0; vertical-align: middle; white-space: nowrap; color: #44525a;
  font-weight: 500; }
.lines .carry.out { break-after: page; }
.lines .carry.out td { border-bottom: none; }
.lines .name { overflow-wrap: anywhere; }
.lines .code { margin-inline-start: .6mm; }
.meta { max-width: 86mm; }
.lines .code.unbroken, .totals .unbroken, .title p { white-space: nowrap; }
`;

/** Margin boxes break only between words; a longer sequence of letters would overlap the page number. */
const LONG_RUN = /\S{60}(?=\S)/gu;
const ZERO_WIDTH_SPACE = '\u200b';

const quoteFootLine = (line: string): string => quoteCssString(line.replace(LONG_RUN, (run) => run + ZERO_WIDTH_SPACE));

/** `Page {page} of {pages}` as a CSS content list. */
const buildPageCounter = (label: string): string =>
  label
    .split(/(\{pages?\})/)
    .filter((part) => part !== '')
    .map((part) => (part === '{page}' ? 'counter(page)' : part === '{pages}' ? 'counter(pages)' : quoteCssString(part)))
    .join(' ');

/** Page geometry, running head and foot; only `@page` margin boxes can contain page numbers. */
function buildPageRules(document: PrintableDocument, labels: DocumentLabels): string {
  const { number, paper, templateVersion } = document;
  const { margins } = getPageGeometry(document, labels);
  const margin = `font: 400 7pt/1.3 ${FONT_FAMILY}; color: #66757a; font-variant-numeric: tabular-nums;`;
  const lines = buildFootLines(document, labels, getFormats(document));
  const [footText, footWrap] =
    templateVersion === 1
      ? [lines.map(quoteCssString).join(''), 'white-space: nowrap; overflow: hidden;']
      : [lines.map(quoteFootLine).join(' "\\a " '), templateVersion < 4 ? '' : 'white-space: pre-line;'];
  const head = `${getDocumentTitle(document, labels)} ${number}`;
  return `
@page { size: ${paper === 'A4' ? 'A4' : 'letter'}; margin: ${margins.nextTop}mm ${margins.right}mm ${margins.bottom}mm ${margins.left}mm;
  @top-left { content: ${quoteCssString(head)}; ${margin} padding-top: 2mm; }
  @bottom-left { content: ${footText}; ${margin} width: 75%; text-align: left; ${footWrap} }
  @bottom-right { content: ${buildPageCounter(labels.pageOf)}; ${margin} width: 25%; text-align: right; white-space: nowrap; } }
@page :first { margin-top: ${margins.firstTop}mm; @top-left { content: none; } }`;
}

/** Builds the style sheet of one document. */
export function buildStyleSheet(document: PrintableDocument, labels: DocumentLabels): string {
  const accent = document.seller.accentColor ?? '';
  const color = /^#[0-9a-f]{6}$/i.test(accent) ? accent : DEFAULT_ACCENT;
  return `${PRINT_ONLY}
:root { --accent: ${color}; }${buildPageRules(document, labels)}${LAYOUT}${document.templateVersion === 1 ? '' : SECOND_LAYOUT}${document.templateVersion < 4 ? '' : FOURTH_LAYOUT}`;
}
