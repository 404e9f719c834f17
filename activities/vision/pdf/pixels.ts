import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/** Pixels of a rendered page or of a picture: RGB, 8 bits. */
export interface PdfRaster {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Values of FPDFBitmap_GetFormat: grey, BGR, BGRx and BGRA. */
const BYTES_PER_PIXEL: Readonly<Record<number, number>> = { 1: 1, 2: 3, 3: 4, 4: 4 };

/**
 * Copies a bitmap of PDFium.
 * @param order of its channels: pages are rendered as RGBA, pictures are stored as BGR
 */
export function readPixels(pdfium: WrappedPdfiumModule, bitmap: number, order: 'rgba' | 'bgra'): PdfRaster {
  const [width, height] = [pdfium.FPDFBitmap_GetWidth(bitmap), pdfium.FPDFBitmap_GetHeight(bitmap)];
  const step = BYTES_PER_PIXEL[pdfium.FPDFBitmap_GetFormat(bitmap)] ?? 0;
  const [start, stride] = [pdfium.FPDFBitmap_GetBuffer(bitmap), pdfium.FPDFBitmap_GetStride(bitmap)];
  const heap = pdfium.pdfium.HEAPU8;
  const last = Math.min(step - 1, 2);
  const [red, blue] = order === 'rgba' ? [0, last] : [last, 0];
  const green = Math.min(step - 1, 1);
  const data = new Uint8Array(width * height * 3);
  if (step === 0) return { width, height, data };
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let from = start + y * stride, end = from + width * step; from < end; from += step, to += 3) {
      data[to] = heap[from + red] ?? 0;
      data[to + 1] = heap[from + green] ?? 0;
      data[to + 2] = heap[from + blue] ?? 0;
    }
  }
  return { width, height, data };
}
