import { getFormats } from '../../../domain/business/documents/formats';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';
import { buildFootLines } from './foot';

/** Lengths of a page in millimetres. */
export interface PageGeometry {
  contentWidth: number;
  /** Height of the content of the first page, and of the others, which have a running head. */
  firstHeight: number;
  nextHeight: number;
  margins: { firstTop: number; nextTop: number; right: number; bottom: number; left: number };
}

const PAPERS = { A4: { width: 210, height: 297 }, Letter: { width: 215.9, height: 279.4 } } as const;
const MARGINS = { firstTop: 15, nextTop: 19, right: 17, bottom: 19, left: 19 } as const;

/** The foot takes three quarters of the width; this many letters of its size fit on one of its lines. */
const LETTERS_PER_FOOT_LINE = 95;
const FOOT_LINE_HEIGHT = 3.3;
const FOOT_PADDING = 8;

/** A foot of more than three lines, such as one with many directors, takes more space; since layout version 4. */
function computeBottomMargin(document: PrintableDocument, labels: DocumentLabels): number {
  if (document.templateVersion < 4) return MARGINS.bottom;
  const lines = buildFootLines(document, labels, getFormats(document))
    .map((line) => Math.ceil(line.length / LETTERS_PER_FOOT_LINE))
    .reduce((total, count) => total + count, 0);
  return Math.max(MARGINS.bottom, FOOT_PADDING + lines * FOOT_LINE_HEIGHT);
}

/** The areas of the page that a document is printed on. */
export function getPageGeometry(document: PrintableDocument, labels: DocumentLabels): PageGeometry {
  const { width, height } = PAPERS[document.paper];
  const margins = { ...MARGINS, bottom: computeBottomMargin(document, labels) };
  return {
    contentWidth: width - margins.left - margins.right,
    firstHeight: height - margins.firstTop - margins.bottom,
    nextHeight: height - margins.nextTop - margins.bottom,
    margins,
  };
}
