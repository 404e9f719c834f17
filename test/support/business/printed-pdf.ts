import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { PdfReader } from '../../../activities/vision/pdf/reader';
import type { PdfRun } from '../../../activities/vision/pdf/reader';
import { readWasm } from '../../../activities/vision/wasm-file';

/** The page operators of a rendered file, by page. */
async function readPageContents(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  return pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []))
    .filter((stream) => !stream.dict.has(PDFName.of('Length1')) && stream.dict.get(PDFName.of('Subtype')) === undefined)
    .map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1'))
    .filter((operators) => operators.includes(' Tf'));
}

/** Number of characters rendered as glyph 0, the placeholder for missing glyphs. */
export async function countMissingGlyphs(bytes: Uint8Array): Promise<number> {
  const strings = (await readPageContents(bytes)).flatMap((operators) => operators.match(/<[0-9A-F]+>/g) ?? []);
  return strings.flatMap((string) => string.slice(1, -1).match(/.{4}/g) ?? []).filter((glyph) => glyph === '0000')
    .length;
}

/** Family names of the fonts, and whether each is embedded. */
export async function listFonts(bytes: Uint8Array): Promise<Map<string, boolean>> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const dictionaries = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict ? [object] : []));
  return new Map(
    dictionaries
      .filter((dictionary) => dictionary.get(PDFName.of('Type')) === PDFName.of('FontDescriptor'))
      .map((descriptor) => {
        const name = descriptor.lookup(PDFName.of('FontName'), PDFName).decodeText();
        const file = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor.has(PDFName.of(key)));
        return [name.replace(/^[A-Z]{6}\+|-.*$/g, ''), file];
      }),
  );
}

/** Text runs of each page with their bounding boxes, in file order. */
export async function readPageRuns(bytes: Uint8Array): Promise<PdfRun[][]> {
  const pdf = await PdfReader.open(bytes);
  try {
    return Array.from({ length: pdf.pageCount }, (_, index) => pdf.readPage(index).runs);
  } finally {
    pdf.close();
  }
}

/** Text of each page in file order. */
export const readPageTexts = async (bytes: Uint8Array): Promise<string[]> =>
  (await readPageRuns(bytes)).map((runs) => runs.map((run) => run.text).join(' '));

/** Pairs of text runs of one page that overlap. */
export function findOverlappingRuns(runs: readonly PdfRun[]): [string, string][] {
  const touch = 1;
  return runs.flatMap((a, index) =>
    runs
      .slice(index + 1)
      .filter(
        (b) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > touch &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) >
            (touch + Math.min(a.bottom - a.top, b.bottom - b.top)) / 2,
      )
      .map((b): [string, string] => [a.text, b.text]),
  );
}

const PAGE_SIDE = 2400;

/** Content of a QR code in RGBA pixels, as a banking app reads it; null without a code. */
export async function readQrPixels(data: Uint8ClampedArray, width: number, height: number): Promise<string | null> {
  const wasmBinary = await readWasm(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const found = await readBarcodes({ data, width, height, colorSpace: 'srgb' }, { formats: ['QRCode'] });
  return found.find(({ isValid }) => isValid)?.text ?? null;
}

/** Content of the payment code on the rendered page; null without a code. */
export async function readQrCode(bytes: Uint8Array, page = 0): Promise<string | null> {
  const pdf = await PdfReader.open(bytes);
  try {
    const { width, height, data } = pdf.render(page, PAGE_SIDE);
    const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
    for (let from = 0, to = 0; from < data.length; from += 3, to += 4) pixels.set(data.subarray(from, from + 3), to);
    return await readQrPixels(pixels, width, height);
  } finally {
    pdf.close();
  }
}
