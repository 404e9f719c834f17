/** Heights of the parts of a document that is laid out on one endless page, in millimetres. */
export interface MeasuredDocument {
  /** From the top of the page to the top of the table of lines. */
  top: number;
  /** Head of the table, which is repeated on every page. */
  head: number;
  rows: readonly number[];
  /** From the bottom of the table to the end: totals, payment and notes, which stay together. */
  ending: number;
}

export interface PageHeights {
  firstHeight: number;
  nextHeight: number;
}

/** Height of a row with a carried-forward subtotal; the style sheet sets it. */
export const CARRY_HEIGHT = 7;

/** Left free on every page, so that rounded heights never move a row to a page of its own. */
const SLACK = 1.5;

/** Lines that stay with the totals if these do not fit on the page of the last line. */
const MIN_LAST_LINES = 2;

/** The number of rows, from `start`, whose heights add up to at most `space`. */
function countFittingRows(rows: readonly number[], start: number, space: number): number {
  let used = 0;
  let count = 0;
  while (start + count < rows.length) {
    used += rows[start + count] ?? 0;
    if (used > space) break;
    count += 1;
  }
  return count;
}

const sumHeights = (rows: readonly number[]): number => rows.reduce((total, height) => total + height, 0);

/** Whether the last lines fit on one page with the totals. If they do not, the browser breaks the page. */
const fitsWithEnding = ({ rows, head, ending }: MeasuredDocument, { nextHeight }: PageHeights): boolean =>
  CARRY_HEIGHT + head + sumHeights(rows.slice(-MIN_LAST_LINES)) + ending + SLACK <= nextHeight;

/**
 * Distributes the lines of a document over pages, so that every page but the last ends with a subtotal, and the totals
 * stand on a page with at least one line. A row that is higher than a page is left to the browser.
 * @returns the index of the first line of each page after the first
 */
export function paginate(measured: MeasuredDocument, pages: PageHeights): number[] {
  const { rows } = measured;
  const starts: number[] = [];
  let start = 0;
  for (;;) {
    const isFirst = starts.length === 0;
    const page = isFirst ? pages.firstHeight - measured.top : pages.nextHeight - CARRY_HEIGHT;
    const space = page - measured.head - SLACK;
    const remaining = rows.length - start;
    if (sumHeights(rows.slice(start)) + measured.ending <= space) return starts;
    const fitting = countFittingRows(rows, start, space - CARRY_HEIGHT);
    if (fitting >= remaining && !fitsWithEnding(measured, pages)) return starts;
    // If every line fits and the ending does not, some lines move to the next page with it.
    const kept = fitting >= remaining ? remaining - Math.min(MIN_LAST_LINES, remaining - 1) : Math.max(fitting, 1);
    if (kept >= remaining) return starts;
    start += kept;
    starts.push(start);
  }
}
