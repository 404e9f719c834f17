import type { Affine, ImagePyramid } from '../imaging/image-pyramid';
import { toLuminance } from '../imaging/raster';
import { computeAlignment } from './landmarks';
import type { FaceSearch } from './search';

/** Side of the compared patch in pixels. */
const SIZE = 48;
/** The part of the aligned 112×112 face that is compared, from the eyes to the mouth: hair and background may differ. */
const REGION = { x: 22, y: 34, side: 68 } as const;
/** Radius of the neighbourhood that brightness and contrast are normalised over. */
const RADIUS = 6;
/** Keeps the noise of an even area from being amplified. */
const MIN_VARIANCE = 16;

/** Shift in pixels of the aligned face, relative scale, and rotation in radians. */
type Adjustment = readonly [dx: number, dy: number, scale: number, turn: number];

const LIMITS: Adjustment = [8, 8, 0.15, 0.2];
const FIRST_STEP: Adjustment = [2, 2, 0.03, 0.04];
const REFINEMENTS = 6;
/** A copy correlates more than this at one of the first adjustments; others need no refinement. */
const MIN_START = 0.5;

/** Means over a square neighbourhood. */
function blur(values: Float32Array, radius: number): Float32Array {
  const stride = SIZE + 1;
  const sums = new Float64Array(stride * stride);
  for (let y = 0; y < SIZE; y += 1) {
    let row = 0;
    for (let x = 0; x < SIZE; x += 1) {
      row += values[y * SIZE + x] ?? 0;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row;
    }
  }
  const at = (x: number, y: number): number => sums[y * stride + x] ?? 0;
  return values.map((_, index) => {
    const [x, y] = [index % SIZE, Math.floor(index / SIZE)];
    const [left, right] = [Math.max(0, x - radius), Math.min(SIZE, x + radius + 1)];
    const [top, bottom] = [Math.max(0, y - radius), Math.min(SIZE, y + radius + 1)];
    const sum = at(right, bottom) - at(right, top) - at(left, bottom) + at(left, top);
    return sum / ((right - left) * (bottom - top));
  });
}

/** Removes brightness and contrast of the neighbourhood of each pixel, then the finest noise of compression. */
function normalise(luminance: Float32Array): Float32Array {
  const means = blur(luminance, RADIUS);
  const details = luminance.map((value, index) => value - (means[index] ?? 0));
  const variances = blur(
    details.map((value) => value * value),
    RADIUS,
  );
  return blur(
    details.map((value, index) => value / Math.sqrt((variances[index] ?? 0) + MIN_VARIANCE)),
    1,
  );
}

/** A face in its image. */
interface CapturedFace {
  image: ImagePyramid;
  alignment: Affine;
}

const selectFace = ({ image, faces: [largest] }: FaceSearch): CapturedFace | null =>
  largest === undefined ? null : { image, alignment: computeAlignment(largest.landmarks) };

/** The normalised patch of a face, with the alignment by its landmarks adjusted. */
function samplePatch({ image, alignment }: CapturedFace, [dx, dy, scale, turn]: Adjustment): Float32Array {
  const { x, y, side } = REGION;
  const step = side / SIZE;
  const [cos, sin] = [Math.cos(turn) * (1 + scale), Math.sin(turn) * (1 + scale)];
  const [centreX, centreY, half] = [x + side / 2 + dx, y + side / 2 + dy, side / 2];
  const inner: Affine = [
    cos * step,
    -sin * step,
    centreX - (cos - sin) * half,
    sin * step,
    cos * step,
    centreY - (sin + cos) * half,
  ];
  const [a, b, c, d, e, f] = alignment;
  const [p, q, r, s, t, u] = inner;
  const affine: Affine = [
    a * p + b * s,
    a * q + b * t,
    a * r + b * u + c,
    d * p + e * s,
    d * q + e * t,
    d * r + e * u + f,
  ];
  return normalise(Float32Array.from(toLuminance(image.samplePatch(SIZE, SIZE, affine)).data));
}

/** Normalised correlation of two patches, −1 to 1. */
function correlate(a: Float32Array, b: Float32Array): number {
  const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, squareA, squareB] = [0, 0, 0];
  for (let index = 0; index < a.length; index += 1) {
    const [x, y] = [(a[index] ?? 0) - meanA, (b[index] ?? 0) - meanB];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return product / Math.sqrt(squareA * squareB + 1e-9);
}

const move = (from: Adjustment, axis: number, by: number): Adjustment => [
  from[0] + (axis === 0 ? by : 0),
  from[1] + (axis === 1 ? by : 0),
  from[2] + (axis === 2 ? by : 0),
  from[3] + (axis === 3 ? by : 0),
];

const isWithinLimits = (adjustment: Adjustment): boolean =>
  adjustment.every((value, axis) => Math.abs(value) <= (LIMITS[axis] ?? 0));

/** The best correlation over small adjustments: landmarks of the same face differ by pixels between two files. */
function correlateAligned(reference: Float32Array, face: CapturedFace): number {
  const score = (adjustment: Adjustment): number => correlate(reference, samplePatch(face, adjustment));
  const starts = [-4, 0, 4].flatMap((dx) =>
    [-4, 0, 4].flatMap((dy) => [-0.06, 0, 0.06].map((scale): Adjustment => [dx, dy, scale, 0])),
  );
  let best = { adjustment: starts[0] ?? FIRST_STEP, score: -1 };
  const consider = (adjustment: Adjustment): boolean => {
    const candidate = { adjustment, score: score(adjustment) };
    if (candidate.score <= best.score) return false;
    best = candidate;
    return true;
  };
  for (const start of starts) consider(start);
  if (best.score < MIN_START) return best.score;
  for (let refinement = 0; refinement < REFINEMENTS; refinement += 1) {
    for (let improved = true; improved;) {
      improved = false;
      for (const [axis, step] of FIRST_STEP.entries()) {
        for (const sign of [-1, 1]) {
          const next = move(best.adjustment, axis, (sign * step) / 2 ** refinement);
          if (isWithinLimits(next) && consider(next)) improved = true;
        }
      }
    }
  }
  return best.score;
}

/** The face as it appears in a mirrored copy of the image. */
function mirror(patch: Float32Array): Float32Array {
  return patch.map((_, index) => patch[index - (index % SIZE) + (SIZE - 1 - (index % SIZE))] ?? 0);
}

/**
 * How far the largest faces of two images are the same picture, −1 to 1, whatever its size, crop, rotation, brightness,
 * compression or mirroring. Null if an image has no face.
 */
export function compareCaptures(a: FaceSearch, b: FaceSearch): number | null {
  const [first, second] = [selectFace(a), selectFace(b)];
  if (first === null || second === null) return null;
  const reference = samplePatch(first, [0, 0, 0, 0]);
  return Math.max(correlateAligned(reference, second), correlateAligned(mirror(reference), second));
}
