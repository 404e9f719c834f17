import type { ReportDocument } from '../../../domain/identity/reports/report';
import { FONT_FAMILY } from '../font-family';
import { PRINT_ONLY } from '../print-only';
import { quoteCssString } from '../../../lib/html';

const LAYOUT = `
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 400 8.5pt/1.45 ${FONT_FAMILY}; color: #1d2527; font-kerning: normal;
  font-variant-numeric: lining-nums tabular-nums; -webkit-print-color-adjust: exact; }
h1 { font-size: 21pt; font-weight: 300; line-height: 1.1; letter-spacing: -.01em; color: #155e63; }
h2 { font-size: 11pt; font-weight: 500; color: #155e63; margin: 8mm 0 2.4mm; padding-bottom: 1.2mm;
  border-bottom: .3mm solid #155e63; break-after: avoid; }
h3 { font-size: 8.5pt; font-weight: 600; break-after: avoid; }
table { border-collapse: collapse; width: 100%; }
th { font-weight: 400; color: #66757a; text-align: start; vertical-align: top; }
td { vertical-align: top; }
[dir=auto] { overflow-wrap: anywhere; text-align: -webkit-match-parent; }
.muted { color: #66757a; }
.mono { font-size: 7pt; overflow-wrap: anywhere; color: #44525a; }

.whole { white-space: nowrap; }

.head { display: flex; justify-content: space-between; align-items: flex-start; gap: 10mm; margin-bottom: 6mm; }
.head .name { font-size: 13pt; font-weight: 600; line-height: 1.25; }
.head .title { text-align: end; flex: 0 0 auto; }
.head .title p { margin-top: 1mm; color: #44525a; }

.verdict { display: flex; gap: 8mm; justify-content: space-between; border-inline-start: 1.6mm solid var(--tone);
  background: var(--tint); padding: 4mm 5mm; break-inside: avoid; }
.verdict strong { display: block; font-size: 16pt; font-weight: 600; color: var(--tone); line-height: 1.2; }
.verdict p { margin-top: 1mm; }
.verdict table { width: auto; flex: 0 0 auto; }
.verdict th { padding: .3mm 5mm .3mm 0; white-space: nowrap; }
.verdict td { padding: .3mm 0; }

.facts { display: grid; grid-template-columns: 1fr 1fr; column-gap: 8mm; margin-bottom: 3mm; }
.facts div { display: flex; gap: 4mm; padding: .9mm 0; border-bottom: .2mm solid #e1e6e7; break-inside: avoid; }
.facts dt { flex: 0 0 34mm; color: #66757a; }
.facts dd { flex: 1 1 0; min-width: 0; font-weight: 500; white-space: pre-line; }
.result { margin-bottom: 4mm; }
.result h3 { display: flex; justify-content: space-between; padding: 1mm 0; }

.rows thead { display: table-header-group; }
.rows thead th { font-size: 7pt; font-weight: 600; letter-spacing: .02em; color: #44525a;
  padding: 1.2mm 4mm 1.2mm 0; border-bottom: .3mm solid #9fb4b6; }
.rows td { padding: 1.2mm 4mm 1.2mm 0; border-bottom: .2mm solid #e1e6e7; }
.rows tr { break-inside: avoid; }
.rows td:last-child, .rows thead th:last-child { padding-inline-end: 0; }
.rows .text { white-space: pre-line; }

.pill { display: inline-block; padding: 0 2mm; border-radius: 2mm; font-size: 7.5pt; font-weight: 600; line-height: 1.6;
  color: var(--tone); background: var(--tint); white-space: nowrap; }
.good { --tone: #1b6e3c; --tint: #e6f3ea; }
.bad { --tone: #a3261d; --tint: #fae9e7; }
.doubt { --tone: #8a5a00; --tint: #fbf1dc; }
.open { --tone: #44525a; --tint: #edf1f2; }
.close { margin-top: 8mm; font-size: 7.5pt; color: #66757a; break-inside: avoid; }
`;

/** Page geometry, running head and foot; only `@page` margin boxes can contain page numbers. */
export function buildReportStyles({ organisation, session }: ReportDocument): string {
  const margin = `font: 400 7pt/1.3 ${FONT_FAMILY}; color: #66757a; font-variant-numeric: tabular-nums;`;
  const foot = `${organisation}  ·  ${session.id}`;
  return `${PRINT_ONLY}
@page { size: A4; margin: 19mm 17mm 19mm 19mm;
  @bottom-left { content: ${quoteCssString(foot)}; ${margin} width: 75%; text-align: left; white-space: nowrap; overflow: hidden; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); ${margin} width: 25%; text-align: right; white-space: nowrap; } }
@page :first { margin-top: 15mm; }${LAYOUT}`;
}
