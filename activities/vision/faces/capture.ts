import type { ImagePyramid } from '../imaging/image-pyramid';
import { toLuminance } from '../imaging/raster';
import { blurSquare, correlatePatches, createReference, mirrorPatch, PATCH, WIDE } from './capture-patch';
import type { Warp } from './capture-patch';
import { computeAlignment } from './landmarks';
import type { FaceSearch } from './search';

/** The part of the aligned 112×112 face that is compared, from the eyes to the mouth: hair and background may differ. */
const REGION = { x: 22, y: 34, side: 68 } as const;
/** Radius of the neighbourhood that brightness and contrast are normalised over. */
const RADIUS = 6;
/** Keeps the noise of an even area from being amplified. */
const MIN_VARIANCE = 16;

/** Largest adjustments: the landmarks of a face differ by pixels between two files, and a camera looks from the side. */
const LIMITS: Warp = [0.24, 0.24, 0.15, 0.2, 0.12, 0.12, 0.08, 0.08];
const FIRST_STEP: Warp = [0.06, 0.06, 0.03, 0.04, 0.03, 0.03, 0.02, 0.02];
const REFINEMENTS = 5;
/** A copy correlates more than this at one of the first adjustments; others need no refinement. */
const MIN_START = 0.35;

/**
 * The aligned face with its margin, without brightness and contrast of the neighbourhood of each pixel and without the
 * finest noise of compression. Null if the image has no face.
 */
function samplePatch({ image, faces: [largest] }: FaceSearch): Float32Array | null {
  if (largest === undefined) return null;
  const luminance = sampleLuminance(image, computeAlignment(largest.landmarks));
  const means = blurSquare(luminance, WIDE, RADIUS);
  const details = luminance.map((value, index) => value - (means[index] ?? 0));
  const squares = details.map((value) => value * value);
  const variances = blurSquare(squares, WIDE, RADIUS);
  const normalised = details.map((value, index) => value / Math.sqrt((variances[index] ?? 0) + MIN_VARIANCE));
  return blurSquare(normalised, WIDE, 1);
}

function sampleLuminance(image: ImagePyramid, alignment: ReturnType<typeof computeAlignment>): Float32Array {
  const step = REGION.side / PATCH;
  const margin = (step * (WIDE - PATCH)) / 2;
  const [left, top] = [REGION.x - margin, REGION.y - margin];
  const [a, b, c, d, e, f] = alignment;
  const patch = image.samplePatch(WIDE, WIDE, [
    a * step,
    b * step,
    a * left + b * top + c,
    d * step,
    e * step,
    d * left + e * top + f,
  ]);
  return blurSquare(Float32Array.from(toLuminance(patch).data), WIDE, 1);
}

const STARTS: readonly Warp[] = [-0.12, 0, 0.12].flatMap((dx) =>
  [-0.12, 0, 0.12].flatMap((dy) => [-0.06, 0, 0.06].map((scale): Warp => [dx, dy, scale, 0, 0, 0, 0, 0])),
);

/** An adjustment of the second patch, and its correlation with the reference. */
interface Candidate {
  reference: Float32Array;
  warp: Warp;
  correlation: number;
}

/** The best of the first adjustments. */
function findStart(reference: Float32Array, patch: Float32Array): Candidate {
  const candidates = STARTS.map((warp): Candidate => {
    return { reference, warp, correlation: correlatePatches(reference, patch, warp) };
  });
  return candidates.reduce((best, candidate) => (candidate.correlation > best.correlation ? candidate : best));
}

/** Improves the correlation by smaller and smaller steps of each part of the adjustment. */
function refine({ reference, ...start }: Candidate, patch: Float32Array): number {
  let { warp, correlation } = start;
  const tryStep = (axis: number, step: number): boolean => {
    const next = warp.map((value, index) => (index === axis ? value + step : value));
    if (Math.abs(next[axis] ?? 0) > (LIMITS[axis] ?? 0)) return false;
    const candidate = correlatePatches(reference, patch, next);
    if (candidate <= correlation) return false;
    [warp, correlation] = [next, candidate];
    return true;
  };
  for (let refinement = 0; refinement < REFINEMENTS; refinement += 1) {
    for (let improved = true; improved;) {
      improved = false;
      for (const [axis, first] of FIRST_STEP.entries()) {
        const step = first / 2 ** refinement;
        if (tryStep(axis, step) || tryStep(axis, -step)) improved = true;
      }
    }
  }
  return correlation;
}

/**
 * How far the largest faces of two images are the same picture, −1 to 1, whatever its size, crop, rotation, brightness,
 * compression or mirroring, also if it was photographed again from the side. Null if an image has no face.
 */
export function compareCaptures(a: FaceSearch, b: FaceSearch): number | null {
  const [first, second] = [samplePatch(a), samplePatch(b)];
  if (first === null || second === null) return null;
  const plain = findStart(createReference(first), second);
  const mirrored = findStart(createReference(mirrorPatch(first)), second);
  const start = plain.correlation >= mirrored.correlation ? plain : mirrored;
  return start.correlation < MIN_START ? start.correlation : refine(start, second);
}
