/** Brightness of the pixels of a picture, row by row, 0 (black) to 255 (white). */
export interface Brightness {
  width: number;
  height: number;
  values: Uint8ClampedArray;
}

/** Where something is in a picture, in pixels; the right and bottom edges are exclusive. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What is wrong with what the camera sees, in the order in which the hints are shown. */
export const DOCUMENT_HINTS = ['dark', 'no_document', 'cut_off', 'too_far', 'glare', 'blurred'] as const;

export type Hint = (typeof DOCUMENT_HINTS)[number];

/**
 * Limits of the statistics, measured on photographs of documents of 320 pixels width. They decide only about hints and
 * the automatic shutter: the service examines the picture itself.
 */
export const QUALITY_LIMITS = {
  /** Mean brightness below which a picture is dark. */
  dark: 55,
  /** Brightness from which a pixel is overexposed, and the share of the document that may be. */
  overexposed: 252,
  glareShare: 0.03,
  /** Median brightness from which paper is so bright itself that overexposed pixels are no reflection. */
  brightPaper: 222,
  /** Variance of the Laplacian below which edges are blurred. */
  sharpness: 60,
  /** Difference from the background from which a pixel belongs to the document. */
  contrast: 26,
  /** Share of a row or column that must differ from the background to belong to the document. */
  filledShare: 0.25,
  /** Width of the document relative to the picture below which it is too far away. */
  leastWidth: 0.55,
  /** Share of the picture below which nothing is a document. */
  leastArea: 0.06,
  /** Distance from the border of the picture, relative to its width, at which a document counts as cut off. */
  margin: 0.012,
} as const;

/** Rec. 601 weights of red, green and blue. */
export function toBrightness(width: number, height: number, rgba: Uint8ClampedArray): Brightness {
  const values = new Uint8ClampedArray(width * height);
  for (let index = 0; index < values.length; index += 1) {
    const at = index * 4;
    values[index] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  }
  return { width, height, values };
}

const wholePicture = ({ width, height }: Brightness): Box => ({ left: 0, top: 0, right: width, bottom: height });

/** Calls `visit` with every pixel of a box. */
function forEachPixel(picture: Brightness, box: Box, visit: (value: number) => void): void {
  for (let y = box.top; y < box.bottom; y += 1) {
    for (let x = box.left; x < box.right; x += 1) visit(picture.values[y * picture.width + x] ?? 0);
  }
}

/** Mean brightness, 0–255. */
export function measureBrightness(picture: Brightness, box: Box = wholePicture(picture)): number {
  let sum = 0;
  let count = 0;
  forEachPixel(picture, box, (value) => {
    sum += value;
    count += 1;
  });
  return count === 0 ? 0 : sum / count;
}

/** The middle value of brightness values; 0 of none. */
function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Share of pixels that a reflection overexposes, 0–1; 0 for a document of bright paper, where they cannot be distinguished. */
export function measureGlare(picture: Brightness, box: Box = wholePicture(picture)): number {
  const values: number[] = [];
  forEachPixel(picture, box, (value) => values.push(value));
  if (findMedian(values) >= QUALITY_LIMITS.brightPaper) return 0;
  return values.filter((value) => value >= QUALITY_LIMITS.overexposed).length / Math.max(1, values.length);
}

/**
 * Variance of the Laplacian, a measure of focus: sharp edges have large second derivatives (Pech-Pacheco et al., ICPR
 * 2000).
 */
export function measureSharpness(picture: Brightness, box: Box = wholePicture(picture)): number {
  const { width, values } = picture;
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = box.top + 1; y < box.bottom - 1; y += 1) {
    for (let x = box.left + 1; x < box.right - 1; x += 1) {
      const at = y * width + x;
      const neighbours =
        (values[at - 1] ?? 0) + (values[at + 1] ?? 0) + (values[at - width] ?? 0) + (values[at + width] ?? 0);
      const laplacian = neighbours - 4 * (values[at] ?? 0);
      sum += laplacian;
      squares += laplacian * laplacian;
      count += 1;
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/** Median brightness of the outermost pixels: what lies around a document that is held into the picture. */
export function measureBackground({ width, height, values }: Brightness): number {
  const border: number[] = [];
  for (let x = 0; x < width; x += 1) border.push(values[x] ?? 0, values[(height - 1) * width + x] ?? 0);
  for (let y = 0; y < height; y += 1) border.push(values[y * width] ?? 0, values[y * width + width - 1] ?? 0);
  return findMedian(border);
}

/** First and last index whose share is filled; null if none is. */
function findFilledRange(shares: readonly number[]): { first: number; last: number } | null {
  const isFilled = (share: number): boolean => share >= QUALITY_LIMITS.filledShare;
  const first = shares.findIndex(isFilled);
  return first < 0 ? null : { first, last: shares.findLastIndex(isFilled) };
}

/** The largest upright box that differs from the background; null if nothing does. */
export function findDocument(picture: Brightness): Box | null {
  const { width, height, values } = picture;
  const background = measureBackground(picture);
  const rows = new Array<number>(height).fill(0);
  const columns = new Array<number>(width).fill(0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Math.abs((values[y * width + x] ?? 0) - background) < QUALITY_LIMITS.contrast) continue;
      rows[y] = (rows[y] ?? 0) + 1 / width;
      columns[x] = (columns[x] ?? 0) + 1 / height;
    }
  }
  const vertical = findFilledRange(rows);
  const horizontal = findFilledRange(columns);
  if (vertical === null || horizontal === null) return null;
  const box = { left: horizontal.first, top: vertical.first, right: horizontal.last + 1, bottom: vertical.last + 1 };
  const area = (box.right - box.left) * (box.bottom - box.top);
  return area < QUALITY_LIMITS.leastArea * width * height ? null : box;
}

/** Whether a document reaches the border of the picture. */
export function isCutOff({ width, height }: Brightness, box: Box): boolean {
  const margin = Math.max(1, Math.round(QUALITY_LIMITS.margin * width));
  return box.left < margin || box.top < margin || box.right > width - margin || box.bottom > height - margin;
}

/** Whether a document is too small in the picture to be read. */
export const isTooFar = ({ width }: Brightness, { left, right }: Box): boolean =>
  right - left < QUALITY_LIMITS.leastWidth * width;

/** The first thing that is wrong with the picture of a document; null if nothing is. */
export function findDocumentHint(picture: Brightness): Hint | null {
  if (measureBrightness(picture) < QUALITY_LIMITS.dark) return 'dark';
  const box = findDocument(picture);
  if (box === null) return 'no_document';
  if (isCutOff(picture, box)) return 'cut_off';
  if (isTooFar(picture, box)) return 'too_far';
  if (measureGlare(picture, box) > QUALITY_LIMITS.glareShare) return 'glare';
  return measureSharpness(picture, box) < QUALITY_LIMITS.sharpness ? 'blurred' : null;
}

/** The first thing that is wrong with the picture of a face; null if nothing is. */
export function findFaceHint(picture: Brightness): Extract<Hint, 'dark' | 'glare' | 'blurred'> | null {
  // The face is in the middle; what is behind it may be dark or bright.
  const box = {
    left: Math.round(picture.width * 0.3),
    right: Math.round(picture.width * 0.7),
    top: Math.round(picture.height * 0.2),
    bottom: Math.round(picture.height * 0.8),
  };
  if (measureBrightness(picture, box) < QUALITY_LIMITS.dark) return 'dark';
  if (measureGlare(picture, box) > 2 * QUALITY_LIMITS.glareShare) return 'glare';
  // Skin has fewer edges than print.
  return measureSharpness(picture, box) < QUALITY_LIMITS.sharpness / 6 ? 'blurred' : null;
}
