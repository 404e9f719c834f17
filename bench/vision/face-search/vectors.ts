import { randomBytes } from 'node:crypto';
import { DIMENSIONS } from '../../../activities/vision/gallery/scan';

/** A random vector of unit length, uniformly distributed over the sphere. */
export function createUnitVector(): Float32Array {
  const bytes = randomBytes(DIMENSIONS * 8);
  const values = Float32Array.from({ length: DIMENSIONS }, (_, at) => {
    const uniform = (bytes.readUInt32LE(8 * at) + 1) / 2 ** 32;
    return Math.sqrt(-2 * Math.log(uniform)) * Math.cos((2 * Math.PI * bytes.readUInt32LE(8 * at + 4)) / 2 ** 32);
  });
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** The cosine of the angle of two vectors of unit length, which is their dot product. */
export const computeCosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

const BASES = 500;

/**
 * Many random vectors of unit length at low cost: a few whose values are shifted, which makes others that are as
 * different from each other as independent ones.
 */
export function createUnitVectors(count: number): (index: number) => Float32Array {
  const bases = Array.from({ length: Math.min(count, BASES) }, createUnitVector);
  return (index) => {
    const base = bases[index % bases.length] ?? createUnitVector();
    const shift = Math.floor(index / bases.length) % DIMENSIONS;
    const shifted = new Float32Array(DIMENSIONS);
    shifted.set(base.subarray(shift));
    shifted.set(base.subarray(0, shift), DIMENSIONS - shift);
    return shifted;
  };
}
