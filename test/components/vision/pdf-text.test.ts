import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { PdfReader } from '../../../activities/vision/pdf/reader';
import type { PdfPage } from '../../../activities/vision/pdf/reader';

const [WIDTH, HEIGHT] = [595, 842];
const SIZE = 11;

/** Lines of a letter with their left edges and baselines, in points from the top left of the upright page. */
const LINES: readonly [text: string, left: number, baseline: number][] = [
  ['Northern Rivers Water plc', 60, 80],
  ['Mrs Klara Martinsdotter', 60, 160],
  ['14 Larkfield Road', 60, 175],
  ['Bill date', 60, 300],
  ['1 June 2026', 300, 300],
];

/**
 * The text layer of a letter whose text is turned anticlockwise and whose page a viewer turns clockwise, by quarter
 * turns.
 */
async function readLetter(textTurn: number, pageTurn: number): Promise<PdfPage> {
  const document = await PDFDocument.create();
  const isSideways = textTurn % 2 === 1;
  const page = document.addPage(isSideways ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT]);
  page.setRotation(degrees(pageTurn * 90));
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const [text, left, baseline] of LINES) {
    const places = [
      [left, HEIGHT - baseline],
      [baseline, left],
      [WIDTH - left, baseline],
      [HEIGHT - baseline, WIDTH - left],
    ];
    const [x = 0, y = 0] = places[textTurn] ?? [];
    page.drawText(text, { x, y, size: SIZE, font, rotate: degrees(textTurn * 90) });
  }
  const reader = await PdfReader.open(await document.save());
  try {
    const { runs, ...size } = reader.readPage(0);
    // PDFium returns lines in the order of the page as displayed.
    return { ...size, runs: runs.sort((a, b) => Math.round(a.top - b.top) || a.left - b.left) };
  } finally {
    reader.close();
  }
}

const round = (value: number): number => Math.round(value);

describe('the text layer of a PDF', () => {
  test.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    // Displayed on its side or upside down: the text is the same.
    [0, 1],
    [0, 2],
    [3, 0],
    [1, 2],
  ])('turned by %d quarters on a page turned by %d is read upright', async (textTurn, pageTurn) => {
    const [upright, { width, height, runs }] = [await readLetter(0, 0), await readLetter(textTurn, pageTurn)];
    expect([width, height].map(round)).toEqual([WIDTH, HEIGHT]);
    expect(runs.map(({ text }) => text)).toEqual(LINES.map(([text]) => text));
    for (const [index, run] of runs.entries()) {
      const [, left = 0, baseline = 0] = LINES[index] ?? [];
      expect(run.left).toBeCloseTo(left, -1);
      expect(run.top).toBeLessThan(baseline);
      expect(run.bottom).toBeGreaterThan(baseline - 1);
      const expected = upright.runs[index];
      expect(Math.abs(run.right - (expected?.right ?? 0))).toBeLessThan(3);
      expect(Math.abs(run.top - (expected?.top ?? 0))).toBeLessThan(3);
    }
  });
});
