import { init } from '@embedpdf/pdfium';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { readWasm } from '../wasm-file';
import { PdfRejectedError } from './rejection';
import { readPixels } from './pixels';
import type { PdfRaster } from './pixels';
import { listPictures, readLargestPictures } from './pictures';
import type { PdfPicture } from './pictures';
import { findTextTurn, uprightBounds } from './text-direction';
import type { Bounds, TextTurn } from './text-direction';

// PDFium runs as WebAssembly in the decoder process: a crafted file can only affect the memory of the module, and the
// process is killed if it takes too long.

/** A run of text and its bounding box, in points from the top left of the page. */
export interface PdfRun extends Bounds {
  text: string;
}

/** A page turned so that most of its text is upright. */
export interface PdfPage {
  width: number;
  height: number;
  runs: PdfRun[];
}

let modulePromise: Promise<WrappedPdfiumModule> | undefined;
const loadModule = (): Promise<WrappedPdfiumModule> =>
  (modulePromise ??= readWasm(require.resolve('@embedpdf/pdfium/pdfium.wasm')).then(async (wasmBinary) => {
    const pdfium = await init({ wasmBinary });
    pdfium.PDFiumExt_Init();
    return pdfium;
  }));

/** FPDF_ERR_PASSWORD of fpdfview.h. */
const PASSWORD_REQUIRED = 4;
/** FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER: renders annotations, too, as RGBA. */
const RENDER_FLAGS = 0x01 | 0x10;
/** Characters read per page; letters have fewer. */
const MAX_CHARACTERS = 20_000;
/** A gap within a line wider than this many line heights separates columns. */
const COLUMN_GAP = 1.4;

/** An open document; its memory is released by `close`. */
export class PdfReader {
  private constructor(
    private readonly pdfium: WrappedPdfiumModule,
    private readonly file: number,
    private readonly document: number,
    readonly pageCount: number,
  ) {}

  /** @throws PdfRejectedError if a password is required or the file cannot be read */
  static async open(bytes: Uint8Array): Promise<PdfReader> {
    const pdfium = await loadModule();
    const file = pdfium.pdfium.wasmExports.malloc(bytes.length);
    pdfium.pdfium.HEAPU8.set(bytes, file);
    const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '');
    const pageCount = document === 0 ? 0 : pdfium.FPDF_GetPageCount(document);
    if (pageCount === 0) {
      const encrypted = document === 0 && pdfium.FPDF_GetLastError() === PASSWORD_REQUIRED;
      pdfium.pdfium.wasmExports.free(file);
      throw new PdfRejectedError(encrypted ? 'pdf_encrypted' : 'pdf_unreadable');
    }
    return new PdfReader(pdfium, file, document, pageCount);
  }

  /** The text layer of a page. */
  readPage(index: number): PdfPage {
    return this.withPage(index, (page) => {
      const { pdfium } = this;
      const displayed = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)] as const;
      // The size is that of the page as displayed; text has the coordinates of the page as stored.
      const isSideways = pdfium.FPDFPage_GetRotation(page) % 2 === 1;
      const [width, height] = isSideways ? [displayed[1], displayed[0]] : displayed;
      const text = pdfium.FPDFText_LoadPage(page);
      try {
        const turn = findTextTurn(this.readAngles(text));
        const runs = this.readRuns(text, turn, { width, height });
        return turn % 2 === 1 ? { width: height, height: width, runs } : { width, height, runs };
      } finally {
        pdfium.FPDFText_ClosePage(text);
      }
    });
  }

  /** @param longSide longer side of the image, pixels */
  render(index: number, longSide: number): PdfRaster {
    return this.withPage(index, (page) => {
      const { pdfium } = this;
      const [pageWidth, pageHeight] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
      const scale = longSide / Math.max(pageWidth, pageHeight, 1);
      const width = Math.max(1, Math.round(pageWidth * scale));
      const height = Math.max(1, Math.round(pageHeight * scale));
      const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
      if (bitmap === 0) throw new PdfRejectedError('pdf_unreadable');
      try {
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
        return readPixels(pdfium, bitmap, 'rgba');
      } finally {
        pdfium.FPDFBitmap_Destroy(bitmap);
      }
    });
  }

  /** @throws PdfRejectedError for a page with too many objects, or with a picture of too many pixels */
  checkObjects(index: number, maxPixels: number): void {
    this.withPage(index, (page) => {
      for (const picture of listPictures(this.pdfium, page)) {
        if (picture.width * picture.height > maxPixels) throw new PdfRejectedError('too_large');
      }
    });
  }

  /** The largest pictures of a page, at the resolution in which they are stored. */
  readPictures(index: number): PdfPicture[] {
    return this.withPage(index, (page) => readLargestPictures(this.pdfium, listPictures(this.pdfium, page)));
  }

  /** Frees the document and the copy of the file in the memory of PDFium; must be called exactly once. */
  close(): void {
    this.pdfium.FPDF_CloseDocument(this.document);
    this.pdfium.pdfium.wasmExports.free(this.file);
  }

  private withPage<T>(index: number, work: (page: number) => T): T {
    const page = this.pdfium.FPDF_LoadPage(this.document, index);
    if (page === 0) throw new PdfRejectedError('pdf_unreadable');
    try {
      return work(page);
    } finally {
      this.pdfium.FPDF_ClosePage(page);
    }
  }

  /** The angles of the characters of a page, without those that PDFium inserts. */
  private readAngles(text: number): number[] {
    const { pdfium } = this;
    const count = Math.min(pdfium.FPDFText_CountChars(text), MAX_CHARACTERS);
    const angles = Array.from({ length: count }, (_, index) =>
      pdfium.FPDFText_IsGenerated(text, index) === 1 ? -1 : pdfium.FPDFText_GetCharAngle(text, index),
    );
    return angles.filter((angle) => angle >= 0);
  }

  /**
   * Lines of a page, in the character order of PDFium, which inserts the spaces and line breaks implied by the layout.
   * A wide gap within a line separates columns.
   */
  private readRuns(text: number, turn: TextTurn, page: { width: number; height: number }): PdfRun[] {
    const { pdfium } = this;
    const box = pdfium.pdfium.wasmExports.malloc(16);
    const count = Math.min(pdfium.FPDFText_CountChars(text), MAX_CHARACTERS);
    const runs: PdfRun[] = [];
    let run: PdfRun | null = null;
    for (let index = 0; index < count; index += 1) {
      const character = String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, index));
      if (/[\r\n\0]/.test(character)) {
        run = null;
        continue;
      }
      if (/\s/.test(character)) {
        if (run !== null) run.text += ' ';
        continue;
      }
      pdfium.FPDFText_GetLooseCharBox(text, index, box);
      const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((offset) =>
        pdfium.pdfium.getValue(box + offset, 'float'),
      );
      // Beyond the range of numbers, nothing is on the page.
      if (![left, top, right, bottom].every(Number.isFinite)) continue;
      const bounds = uprightBounds({ left, top, right, bottom }, turn, page);
      const gap = bounds.left - (run?.right ?? 0);
      if (run === null || gap > COLUMN_GAP * (run.bottom - run.top) || bounds.left < run.left - 1) {
        run = { text: character, ...bounds };
        runs.push(run);
      } else {
        run.text += character;
        run.right = Math.max(run.right, bounds.right);
        run.top = Math.min(run.top, bounds.top);
        run.bottom = Math.max(run.bottom, bounds.bottom);
      }
    }
    pdfium.pdfium.wasmExports.free(box);
    return runs.map((found) => ({ ...found, text: found.text.trim() }));
  }
}
