import type { Page } from 'puppeteer';
import { z } from 'zod';
import type { MeasuredDocument } from './template/pagination';

const MILLIMETRES_PER_PIXEL = 25.4 / 96;

const heights = z.object({ top: z.number(), head: z.number(), rows: z.array(z.number()), ending: z.number() });

/** Reads the heights in pixels; the service compiles without the types of a browser. */
const buildScript = (contentWidth: number): string => `(() => {
  document.body.style.width = '${contentWidth}mm';
  const box = (element) => element.getBoundingClientRect();
  const table = document.querySelector('table.lines');
  const ending = document.querySelector('.ending');
  return {
    top: box(table).top,
    head: box(table.tHead).height,
    rows: [...table.tBodies[0].rows].map((row) => box(row).height),
    ending: box(ending).bottom - box(table).bottom,
  };
})()`;

/**
 * Measures the document that was written into the page as it would be printed on one endless page.
 * @param contentWidth width between the margins, in millimetres
 * @returns heights in millimetres
 */
export async function measureDocument(page: Page, contentWidth: number): Promise<MeasuredDocument> {
  await page.emulateMediaType('print');
  try {
    const measured = heights.parse(await page.evaluate(buildScript(contentWidth)));
    const toMillimetres = (pixels: number): number => pixels * MILLIMETRES_PER_PIXEL;
    return {
      top: toMillimetres(measured.top),
      head: toMillimetres(measured.head),
      rows: measured.rows.map(toMillimetres),
      ending: toMillimetres(measured.ending),
    };
  } finally {
    await page.emulateMediaType();
  }
}
