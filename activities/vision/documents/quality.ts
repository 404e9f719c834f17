import type { DocumentQuality } from '../../../domain/identity/documents/result';
import { laplacianVariance, ramp } from '../imaging/measures';
import type { Picture } from '../imaging/picture';
import { luminance } from '../imaging/raster';
import type { Raster } from '../imaging/raster';
import { lineStrip } from '../text/recogniser';
import type { ReadPage } from './mrz-page';
import type { TextLine } from '../text/detector';

/** Capitals against the height of a detected line, margins included. */
const CAPITAL_SHARE = 0.5;

// Variance of the Laplacian of line strips at 48 pixels, divided by their contrast squared: below the first text is a
// smear, above the second it is as sharp as print.
const BLURRED = 0.01;
const SHARP = 0.6;

function textSharpness(picture: Picture, lines: readonly TextLine[]): number {
  const values = lines.map((line) => {
    const plane = luminance(lineStrip(picture, line));
    const mean = plane.data.reduce((sum, value) => sum + value, 0) / plane.data.length;
    const contrast = plane.data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.data.length;
    return laplacianVariance(plane) / Math.max(25, contrast);
  });
  values.sort((a, b) => a - b);
  const median = values[Math.floor(values.length / 2)] ?? 0;
  return Math.round(100 * ramp(Math.log(Math.max(1e-4, median)), Math.log(BLURRED), Math.log(SHARP)));
}

/** The part of the page that holds text, on a small copy; the whole page where there is none. */
function documentRegion(picture: Picture, lines: readonly TextLine[]): Raster {
  const left = Math.min(...lines.map(({ x, length }) => x - length / 2), picture.width);
  const right = Math.max(...lines.map(({ x, length }) => x + length / 2), 0);
  const top = Math.min(...lines.map(({ y, height }) => y - height / 2), picture.height);
  const bottom = Math.max(...lines.map(({ y, height }) => y + height / 2), 0);
  const whole = lines.length < 3 || right <= left || bottom <= top;
  const region = whole
    ? { x: 0, y: 0, width: picture.width, height: picture.height }
    : { x: left, y: top, width: right - left, height: bottom - top };
  return picture.crop(region, 200, Math.max(1, Math.min(400, Math.round((200 * region.height) / region.width))));
}

interface Light {
  brightness: number;
  glare: number;
  chroma: number;
}

function light({ data }: Raster): Light {
  let [sum, burnt, chroma] = [0, 0, 0];
  const histogram = new Uint32Array(256);
  const count = data.length / 3;
  for (let at = 0; at < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
    const level = 0.299 * r + 0.587 * g + 0.114 * b;
    sum += level;
    histogram[Math.round(level)] = (histogram[Math.round(level)] ?? 0) + 1;
    if (Math.min(r, g, b) >= 250) burnt += 1;
    chroma += Math.hypot(-0.169 * r - 0.331 * g + 0.5 * b, 0.5 * r - 0.419 * g - 0.081 * b);
  }
  let median = 0;
  for (let seen = 0; median < 255 && seen < count / 2; median += 1) seen += histogram[median] ?? 0;
  // On a scan the paper itself is white: that is no glare.
  return { brightness: Math.round(sum / count), glare: median > 225 ? 0 : burnt / count, chroma: chroma / count };
}

const NEAR_BORDER = 0.004;

/** Lines of text that run into the border of the image, or a zone that leaves it. */
function isCutOff({ picture, lines, zones }: ReadPage): boolean {
  const { width, height } = picture;
  const outside = (row: TextLine, margin: number): boolean =>
    row.x - row.length / 2 < -margin * width ||
    row.x + row.length / 2 > (1 + margin) * width ||
    row.y + row.height / 2 > (1 + margin) * height;
  if (zones.some(({ rows }) => rows.some((row) => outside(row, 0.02)))) return true;
  const touching = lines.filter(
    ({ x, length }) => x - length / 2 < NEAR_BORDER * width || x + length / 2 > (1 - NEAR_BORDER) * width,
  );
  return zones.length === 0 && touching.length >= 3;
}

export interface PageQuality {
  quality: DocumentQuality;
  /** mean chroma, 0–128 */
  chroma: number;
}

/** @param scale pixels of the image as sent for one pixel of the page */
export function assessPage(page: ReadPage, scale: number): PageQuality {
  const {
    picture,
    read,
    zones: [zone],
  } = page;
  const relied = zone?.rows ?? [...read].sort((a, b) => b.confidence * b.length - a.confidence * a.length).slice(0, 6);
  const { brightness, glare, chroma } = light(documentRegion(picture, page.lines));
  const capitals = relied.map(({ height }) => height * CAPITAL_SHARE * scale);
  return {
    chroma: Math.round(chroma * 10) / 10,
    quality: {
      sharpness: textSharpness(picture, relied),
      glare: Math.round(glare * 1000) / 1000,
      brightness,
      cutOff: isCutOff(page),
      resolution: capitals.length === 0 ? 0 : Math.round(Math.min(...capitals) * 10) / 10,
    },
  };
}
