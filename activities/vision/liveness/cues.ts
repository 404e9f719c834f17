import { ramp } from '../imaging/measures';
import type { ImagePyramid } from '../imaging/image-pyramid';
import { toLuminance } from '../imaging/raster';
import type { Plane, Raster, Rect } from '../imaging/raster';
import { measurePeriodicPeak } from '../imaging/spectrum';
import { squareAround } from '../faces/landmarks';

const SPECTRUM_SIZE = 256;

/** Periodic energy over the face at the image's own resolution, 0–1. */
export function measureMoire(image: ImagePyramid, face: Rect): number {
  const centre = { x: face.x + face.width / 2, y: face.y + face.height / 2 };
  // At the original resolution, because any reduction would average the pattern away.
  const side = SPECTRUM_SIZE;
  const chip = image.crop({ x: centre.x - side / 2, y: centre.y - side / 2, width: side, height: side }, side, side);
  // Ordinary photographs stay below 5.5.
  return ramp(measurePeriodicPeak(toLuminance(chip)), 5.5, 9);
}

/** Share of saturated pixels on the face, 0–1: glass and glossy paper reflect light sources, skin rarely does. */
export function measureSpecular(face: Raster): number {
  let saturated = 0;
  const { data } = face;
  for (let at = 0; at < data.length; at += 3) {
    if (Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) >= 245) saturated += 1;
  }
  return ramp((saturated * 3) / face.data.length, 0.01, 0.12);
}

/** Narrowness of the colour gamut on the face, 0–1: prints reduce saturation and its variation. */
export function measureGamut(face: Raster): number {
  const { data } = face;
  const count = data.length / 3;
  let [cbSum, crSum, cbSquares, crSquares] = [0, 0, 0, 0];
  for (let at = 0; at < data.length; at += 3) {
    const r = data[at] ?? 0;
    const g = data[at + 1] ?? 0;
    const b = data[at + 2] ?? 0;
    const cb = -0.169 * r - 0.331 * g + 0.5 * b;
    const cr = 0.5 * r - 0.419 * g - 0.081 * b;
    cbSum += cb;
    crSum += cr;
    cbSquares += cb * cb;
    crSquares += cr * cr;
  }
  const computeSpread = (sum: number, squares: number): number =>
    Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
  const spread = computeSpread(cbSum, cbSquares) + computeSpread(crSum, crSquares);
  return ramp(spread, 9, 3);
}

const EDGE_SIZE = 160;
/** Maximum slant of a line in pixels over the height of the patch: about 13 degrees. */
const MAX_SLANT = 36;

/** Minimum luminance difference over two pixels of an edge. */
const STEEP = 24;

/** Marks pixels with a steep gradient across (left to right) and along (top to bottom). */
function findSteepPixels({ data, width }: Plane): { across: Uint8Array; along: Uint8Array } {
  const across = new Uint8Array(data.length);
  const along = new Uint8Array(data.length);
  for (let at = width; at < data.length - width; at += 1) {
    across[at] = Math.abs((data[at + 1] ?? 0) - (data[at - 1] ?? 0)) > STEEP ? 1 : 0;
    along[at] = Math.abs((data[at + width] ?? 0) - (data[at - width] ?? 0)) > STEEP ? 1 : 0;
  }
  return { across, along };
}

/** For each slant, the offset of the line at each position along it. */
const computeSlantOffsets = (): Int8Array[] =>
  Array.from({ length: MAX_SLANT + 1 }, (_, index) =>
    Int8Array.from({ length: EDGE_SIZE }, (_value, along) =>
      Math.round(((2 * index - MAX_SLANT) * (along - EDGE_SIZE / 2)) / EDGE_SIZE),
    ),
  );

/** Counts steep pixels on a near-vertical and a near-horizontal line with the same position and slant. */
function measureRun(
  { across, along: down }: { across: Uint8Array; along: Uint8Array },
  position: number,
  offset: Int8Array,
): { vertical: number; horizontal: number } {
  let vertical = 0;
  let horizontal = 0;
  for (let along = 2; along < EDGE_SIZE - 2; along += 1) {
    const linePosition = position + (offset[along] ?? 0);
    if (linePosition < 2 || linePosition >= EDGE_SIZE - 2) continue;
    vertical += across[along * EDGE_SIZE + linePosition] ?? 0;
    horizontal += down[linePosition * EDGE_SIZE + along] ?? 0;
  }
  return { vertical, horizontal };
}

/**
 * Straight edges of a screen or a sheet around the face, 0–1: the number of pixels with a steep gradient along
 * near-vertical and near-horizontal lines outside the face, on each of its sides.
 */
export function measureFrameEdges(image: ImagePyramid, face: Rect): number {
  const region = squareAround(face, 3);
  const left = Math.max(0, region.x);
  const top = Math.max(0, region.y);
  const width = Math.min(image.width, region.x + region.width) - left;
  const height = Math.min(image.height, region.y + region.height) - top;
  const plane = toLuminance(image.crop({ x: left, y: top, width, height }, EDGE_SIZE, EDGE_SIZE));
  const steep = findSteepPixels(plane);
  const inner = {
    x0: ((face.x - left) / width) * EDGE_SIZE,
    x1: ((face.x + face.width - left) / width) * EDGE_SIZE,
    y0: ((face.y - top) / height) * EDGE_SIZE,
    y1: ((face.y + face.height - top) / height) * EDGE_SIZE,
  };
  const offsets = computeSlantOffsets();
  const sides = [0, 0, 0, 0];
  for (let position = 3; position < EDGE_SIZE - 3; position += 1) {
    const outside = [position < inner.x0, position > inner.x1, position < inner.y0, position > inner.y1];
    if (!outside.includes(true)) continue;
    for (const offset of offsets) {
      const { vertical, horizontal } = measureRun(steep, position, offset);
      [vertical, vertical, horizontal, horizontal].forEach((run, side) => {
        if (outside[side] === true) sides[side] = Math.max(sides[side] ?? 0, run / EDGE_SIZE);
      });
    }
  }
  // An edge on one side is ordinary, such as a door frame; edges on two or more sides indicate a screen or sheet.
  const [, second = 0] = [...sides].sort((a, b) => b - a);
  return ramp(second, 0.45, 0.85);
}
