import { toLuminance } from './raster';
import type { Plane, Raster } from './raster';

/** Variance of the 4-neighbour Laplacian: decreases with blur, and depends on the size of the image. */
export function computeLaplacianVariance({ width, height, data }: Plane): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const value =
        4 * (data[at] ?? 0) -
        (data[at - 1] ?? 0) -
        (data[at + 1] ?? 0) -
        (data[at - width] ?? 0) -
        (data[at + width] ?? 0);
      sum += value;
      squares += value * value;
      count += 1;
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/** Mean of all samples, in the unit of the plane; 0 for an empty one. */
export function computeMean({ data }: Plane): number {
  let sum = 0;
  for (const value of data) sum += value;
  return data.length === 0 ? 0 : sum / data.length;
}

/** Linear ramp from 0 at `low` to 1 at `high`, clamped; falling if `high` < `low`. */
export const ramp = (value: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)));

/** Sharpness from 0 to 100, logarithmic in the variance of the Laplacian. */
export function scoreSharpness(source: Raster, low: number, high: number): number {
  const variance = computeLaplacianVariance(toLuminance(source));
  return Math.round(100 * ramp(Math.log2(Math.max(1, variance)), Math.log2(low), Math.log2(high)));
}
