import type { DocumentQuality } from '../../../domain/identity/documents/result';
import { computeLaplacianVariance, computeMean, ramp } from '../imaging/measures';
import type { ImagePyramid } from '../imaging/image-pyramid';
import { toLuminance } from '../imaging/raster';
import type { Raster } from '../imaging/raster';
import { extractLineStrip } from '../text/recogniser';
import type { RecognisedPage } from './mrz-page';
import type { TextLine } from '../text/detector';

/** Height of capitals relative to the height of a detected line, which includes margins. */
const CAPITAL_SHARE = 0.5;

// Variance of the Laplacian of line strips of 48 pixels, divided by the variance of luminance: below the first value
// text is unreadable, above the second it is as sharp as print.
const BLURRED = 0.01;
const SHARP = 0.6;

function measureCrispness(strip: Raster): { crisp: number; contrast: number } {
  const plane = toLuminance(strip);
  const mean = computeMean(plane);
  let squares = 0;
  for (const value of plane.data) squares += (value - mean) ** 2;
  const contrast = squares / plane.data.length;
  return { crisp: computeLaplacianVariance(plane) / Math.max(25, contrast), contrast };
}

/** Size of strips that are used to measure sharpness without text. Those of an image like a ribbon are compressed. */
const STRIP_HEIGHT = 48;
const MAX_STRIP_WIDTH = 1024;

/** Minimum contrast of strips that are used to measure sharpness without text. */
const MIN_STRIP_CONTRAST = 100;

/**
 * Median crispness of the text lines; without text, that of the crispest strip, because other parts may be out of
 * focus.
 */
function measurePageCrispness(image: ImagePyramid, lines: readonly TextLine[]): number {
  if (lines.length > 0) {
    const values = lines.map((line) => measureCrispness(extractLineStrip(image, line)).crisp).sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? 0;
  }
  const [width, height] = [image.width / 6, image.height / 12];
  const strips = Array.from({ length: 72 }, (_, index) => ({
    x: (index % 6) * width,
    y: Math.floor(index / 6) * height,
    width,
    height,
  }));
  const stripWidth = Math.min(MAX_STRIP_WIDTH, Math.round((STRIP_HEIGHT * width) / height));
  const found = strips.map((strip) => measureCrispness(image.crop(strip, stripWidth, STRIP_HEIGHT)));
  const values = found.filter(({ contrast }) => contrast > MIN_STRIP_CONTRAST).map(({ crisp }) => crisp);
  // Without any structure blur cannot be measured.
  return values.length === 0 ? SHARP : Math.max(...values);
}

/** Sharpness of the text of a page, 0–100. */
export const scorePageSharpness = (image: ImagePyramid, lines: readonly TextLine[]): number =>
  Math.round(
    100 * ramp(Math.log(Math.max(1e-4, measurePageCrispness(image, lines))), Math.log(BLURRED), Math.log(SHARP)),
  );

/** The part of the page with text, reduced; the whole page without text. */
function cropDocumentRegion(image: ImagePyramid, lines: readonly TextLine[]): Raster {
  const left = Math.min(...lines.map(({ x, length }) => x - length / 2), image.width);
  const right = Math.max(...lines.map(({ x, length }) => x + length / 2), 0);
  const top = Math.min(...lines.map(({ y, height }) => y - height / 2), image.height);
  const bottom = Math.max(...lines.map(({ y, height }) => y + height / 2), 0);
  const whole = lines.length < 3 || right <= left || bottom <= top;
  const region = whole
    ? { x: 0, y: 0, width: image.width, height: image.height }
    : { x: left, y: top, width: right - left, height: bottom - top };
  return image.crop(region, 200, Math.max(1, Math.min(400, Math.round((200 * region.height) / region.width))));
}

interface Lighting {
  brightness: number;
  glare: number;
  chroma: number;
}

/** From this median on the paper itself is saturated, as in scans; such images have no glare. */
const SCANNED_MEDIAN = 245;

/** Size of the largest connected component of marked pixels. */
function measureLargestComponent(marked: Uint8Array, width: number): number {
  const remaining = Uint8Array.from(marked);
  let largest = 0;
  for (let start = 0; start < remaining.length; start += 1) {
    if (remaining[start] === 0) continue;
    const stack = [start];
    remaining[start] = 0;
    let size = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      size += 1;
      const neighbours = [at - width, at + width, at % width > 0 ? at - 1 : -1, at % width < width - 1 ? at + 1 : -1];
      for (const next of neighbours) {
        if ((remaining[next] ?? 0) === 0) continue;
        remaining[next] = 0;
        stack.push(next);
      }
    }
    largest = Math.max(largest, size);
  }
  return largest;
}

/** Colour not explained by brightness, so that a black-and-white copy under coloured light measures as colourless. */
function measureChroma({ data }: Raster): number {
  const count = data.length / 3;
  // Sums of the luminance and its squares, and for each colour difference its sum, squares and products with luminance.
  let [sy, syy] = [0, 0];
  let [su, suu, suy] = [0, 0, 0];
  let [sv, svv, svy] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 3) {
    const r = data[at] ?? 0;
    const g = data[at + 1] ?? 0;
    const b = data[at + 2] ?? 0;
    const level = 0.299 * r + 0.587 * g + 0.114 * b;
    const u = -0.169 * r - 0.331 * g + 0.5 * b;
    const v = 0.5 * r - 0.419 * g - 0.081 * b;
    sy += level;
    syy += level * level;
    su += u;
    suu += u * u;
    suy += u * level;
    sv += v;
    svv += v * v;
    svy += v * level;
  }
  const spread = Math.max(1, syy - (sy * sy) / count);
  const measureUnexplained = (sum: number, squares: number, products: number): number => {
    const product = products - (sum * sy) / count;
    return Math.max(0, squares - (sum * sum) / count - (product * product) / spread) / count;
  };
  // Normalised by brightness, because chroma decreases with it.
  const unexplained = measureUnexplained(su, suu, suy) + measureUnexplained(sv, svv, svy);
  return (Math.sqrt(unexplained) * 128) / Math.max(16, sy / count);
}

function measureLighting(region: Raster): Lighting {
  const { data, width } = region;
  const count = data.length / 3;
  const burnt = new Uint8Array(count);
  const histogram = new Uint32Array(256);
  let sum = 0;
  for (let index = 0, at = 0; index < count; index += 1, at += 3) {
    const r = data[at] ?? 0;
    const g = data[at + 1] ?? 0;
    const b = data[at + 2] ?? 0;
    const level = 0.299 * r + 0.587 * g + 0.114 * b;
    sum += level;
    histogram[Math.round(level)] = (histogram[Math.round(level)] ?? 0) + 1;
    if (Math.min(r, g, b) >= 250) burnt[index] = 1;
  }
  let median = 0;
  for (let seen = 0; median < 255 && seen < count / 2; median += 1) seen += histogram[median] ?? 0;
  return {
    brightness: Math.round(sum / count),
    glare: median > SCANNED_MEDIAN ? 0 : measureLargestComponent(burnt, width) / count,
    chroma: measureChroma(region),
  };
}

const NEAR_BORDER = 0.004;
/** ICAO Doc 9303-3 requires a margin of 4 % of the document width on both sides of a zone. */
const ZONE_NEAR_BORDER = 0.015;

/** Whether several text lines, or a zone, reach the border of the image: documents have margins. */
function isCutOff({ image, lines, zones }: RecognisedPage): boolean {
  const { width, height } = image;
  const touches = ({ x, length }: TextLine, near: number): boolean =>
    x - length / 2 < near * width || x + length / 2 > (1 - near) * width;
  const leavesImage = (row: TextLine): boolean =>
    touches(row, ZONE_NEAR_BORDER) || row.y + row.height / 2 > 1.02 * height;
  if (zones.some(({ rows, parts }) => [...rows, ...parts].some(leavesImage))) return true;
  return zones.length === 0 && lines.filter((line) => touches(line, NEAR_BORDER)).length >= 3;
}

/** Lines with a lower confidence are rarely text. */
const MIN_RELIABLE_CONFIDENCE = 0.6;

export interface PageQuality {
  quality: DocumentQuality;
  /** colour not explained by brightness, 0–128 */
  chroma: number;
}

/** @param scale pixels of the uploaded image per pixel of the page */
export function assessPage(page: RecognisedPage, scale: number): PageQuality {
  const {
    image,
    read,
    zones: [zone],
  } = page;
  const text = read.filter(({ confidence }) => confidence >= MIN_RELIABLE_CONFIDENCE);
  const reliableLines =
    zone?.rows ?? text.sort((a, b) => b.confidence * b.length - a.confidence * a.length).slice(0, 6);
  const { brightness, glare, chroma } = measureLighting(cropDocumentRegion(image, page.lines));
  const capitals = reliableLines.map(({ height }) => height * CAPITAL_SHARE * scale);
  return {
    chroma: Math.round(chroma * 10) / 10,
    quality: {
      sharpness: scorePageSharpness(image, reliableLines),
      glare: Math.round(glare * 1000) / 1000,
      brightness,
      cutOff: isCutOff(page),
      resolution: capitals.length === 0 ? 0 : Math.round(Math.min(...capitals) * 10) / 10,
    },
  };
}
