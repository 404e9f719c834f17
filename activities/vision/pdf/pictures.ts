import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { MAX_SAMPLED_PIXELS } from '../decoding/square-samples';
import { readPixels } from './pixels';
import type { PdfRaster } from './pixels';
import { PdfRejectedError } from './rejection';

/** A picture on a page, at the resolution in which the file stores it. */
export interface PdfPicture {
  raster: PdfRaster;
  /** False if it is stored as a JPEG, as cameras and scanners do. */
  lossless: boolean;
}

/** A picture that is not decoded yet. */
interface FoundPicture {
  object: number;
  width: number;
  height: number;
}

/** Object types of fpdf_edit.h. */
const IMAGE_OBJECT = 3;
const FORM_OBJECT = 5;
/** Objects of a page, with those of the forms on it; a scan has a few, a letter some thousands. */
const MAX_OBJECTS = 20_000;
/** Forms within forms. */
const MAX_DEPTH = 8;
/** Pictures of a page that are examined: the sides of a document. */
const MAX_PICTURES = 2;
/** Smaller pictures are logos and stamps. */
const MIN_SIDE = 384;
const LOSSY_FILTERS = /^(DCTDecode|DCT|JPXDecode)$/;

/**
 * The pictures of a page, also within its forms, with their size in pixels.
 * @throws PdfRejectedError if it has too many objects
 */
export function listPictures(pdfium: WrappedPdfiumModule, page: number): FoundPicture[] {
  const found: FoundPicture[] = [];
  const size = pdfium.pdfium.wasmExports.malloc(8);
  let objects = 0;
  const visit = (object: number, depth: number): void => {
    objects += 1;
    if (objects > MAX_OBJECTS || depth > MAX_DEPTH) throw new PdfRejectedError('too_complex');
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === IMAGE_OBJECT && pdfium.FPDFImageObj_GetImagePixelSize(object, size, size + 4)) {
      const [width, height] = [pdfium.pdfium.getValue(size, 'i32'), pdfium.pdfium.getValue(size + 4, 'i32')];
      found.push({ object, width, height });
    }
    if (type !== FORM_OBJECT) return;
    const count = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count; index += 1) visit(pdfium.FPDFFormObj_GetObject(object, index), depth + 1);
  };
  try {
    const count = pdfium.FPDFPage_CountObjects(page);
    for (let index = 0; index < count; index += 1) visit(pdfium.FPDFPage_GetObject(page, index), 0);
    return found;
  } finally {
    pdfium.pdfium.wasmExports.free(size);
  }
}

const FILTER_BYTES = 32;

function isLossless(pdfium: WrappedPdfiumModule, object: number): boolean {
  const text = pdfium.pdfium.wasmExports.malloc(FILTER_BYTES);
  try {
    const count = pdfium.FPDFImageObj_GetImageFilterCount(object);
    for (let index = 0; index < count; index += 1) {
      pdfium.FPDFImageObj_GetImageFilter(object, index, text, FILTER_BYTES);
      if (LOSSY_FILTERS.test(pdfium.pdfium.UTF8ToString(text))) return false;
    }
    return true;
  } finally {
    pdfium.pdfium.wasmExports.free(text);
  }
}

/** Decodes the largest pictures; those that cannot be decoded are not on the rendered page either. */
export const readLargestPictures = (pdfium: WrappedPdfiumModule, pictures: readonly FoundPicture[]): PdfPicture[] =>
  pictures
    .filter(({ width, height }) => Math.min(width, height) >= MIN_SIDE && width * height <= MAX_SAMPLED_PIXELS)
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, MAX_PICTURES)
    .flatMap(({ object }) => {
      const bitmap = pdfium.FPDFImageObj_GetBitmap(object);
      if (bitmap === 0) return [];
      try {
        return [{ raster: readPixels(pdfium, bitmap, 'bgra'), lossless: isLossless(pdfium, object) }];
      } finally {
        pdfium.FPDFBitmap_Destroy(bitmap);
      }
    });
