import { isShapedScript } from '../../../domain/identity/documents/poa/scripts';
import type { PdfPicture } from '../pdf/pictures';
import { PdfReader } from '../pdf/reader';
import type { PdfRaster } from '../pdf/pixels';
import type { LetterPage } from './protocol';
import type { DecodeRequest } from './requests';

/** Rendered pages of a scanned document: the data page, or front and back. */
const DOCUMENT_PAGES = 2;
/** Longer side of a rendered page in pixels, at which a card on an A4 page is as large as in a good photograph. */
const PAGE_SIDE = 3400;
/** Minimum value in every channel of the paper around a scanned card. */
const PAPER_WHITE = 244;
const MARGIN = 24;

/** Crops a page to its printed part with a margin; a blank page is returned unchanged. */
function trimMargins({ width, height, data }: PdfRaster): PdfRaster {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) {
      if (
        (data[at] ?? 255) >= PAPER_WHITE &&
        (data[at + 1] ?? 255) >= PAPER_WHITE &&
        (data[at + 2] ?? 255) >= PAPER_WHITE
      )
        continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (right < left) return { width, height, data };
  [left, top] = [Math.max(0, left - MARGIN), Math.max(0, top - MARGIN)];
  [right, bottom] = [Math.min(width - 1, right + MARGIN), Math.min(height - 1, bottom + MARGIN)];
  const cropped: PdfRaster = { width: right - left + 1, height: bottom - top + 1, data: new Uint8Array(0) };
  cropped.data = new Uint8Array(cropped.width * cropped.height * 3);
  for (let y = 0; y < cropped.height; y += 1) {
    const from = ((top + y) * width + left) * 3;
    cropped.data.set(data.subarray(from, from + cropped.width * 3), y * cropped.width * 3);
  }
  return cropped;
}

/** Stacks pages vertically on a white background. */
function stackPages(pages: readonly PdfRaster[]): PdfRaster {
  const width = Math.max(...pages.map((page) => page.width));
  const height = pages.reduce((sum, page) => sum + page.height, 0);
  const data = new Uint8Array(width * height * 3).fill(255);
  let top = 0;
  for (const page of pages) {
    for (let y = 0; y < page.height; y += 1) {
      data.set(page.data.subarray(y * page.width * 3, (y + 1) * page.width * 3), (top + y) * width * 3);
    }
    top += page.height;
  }
  return { width, height, data };
}

/** Renders the first pages of a PDF as one image, without blank margins, and reads the pictures on them. */
export async function renderFirstPages(
  bytes: Uint8Array,
  { maxPixels, examined }: { maxPixels: number; examined: boolean },
): Promise<{ page: PdfRaster; pictures: PdfPicture[] }> {
  const pdf = await PdfReader.open(bytes);
  try {
    const indices = Array.from({ length: Math.min(pdf.pageCount, DOCUMENT_PAGES) }, (_, index) => index);
    for (const index of indices) pdf.checkObjects(index, maxPixels);
    const pages = indices.map((index) => trimMargins(pdf.render(index, PAGE_SIDE)));
    const pictures = examined ? indices.flatMap((index) => pdf.readPictures(index)) : [];
    return { page: stackPages(pages), pictures };
  } finally {
    pdf.close();
  }
}

/**
 * Reads the text layer of the first pages of a PDF, and renders the pages if there is hardly any text, or text of a
 * script whose characters PDFium returns one by one or twice.
 */
export async function readLetterPages({
  bytes,
  maxPages,
  maxPixels,
  minCharacters,
  longSide,
}: Extract<DecodeRequest, { kind: 'letter' }>): Promise<LetterPage[]> {
  const pdf = await PdfReader.open(bytes);
  try {
    const pages = Array.from({ length: Math.min(pdf.pageCount, maxPages) }, (_, index) => {
      pdf.checkObjects(index, maxPixels);
      return pdf.readPage(index);
    });
    const texts = pages.flatMap(({ runs }) => runs).map(({ text }) => text.trim());
    const isReadable = texts.join('').length >= minCharacters && !isShapedScript(texts.join(''));
    return pages.map((page, index) => ({
      ...page,
      raster: isReadable ? null : pdf.render(index, longSide),
    }));
  } finally {
    pdf.close();
  }
}
