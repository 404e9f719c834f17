/** Side of the compared patch in pixels. */
export const PATCH = 48;
/** Side of the patch with the margin that adjustments reach into. */
export const WIDE = 76;

/**
 * Change of a patch before it is compared: shifts across and down (1 is half the patch), relative scale, rotation in
 * radians, stretch, shear, and perspective across and down.
 */
export type Warp = readonly number[];

/** Means over a square neighbourhood of a square patch. */
export function blurSquare(values: Float32Array, size: number, radius: number): Float32Array {
  const stride = size + 1;
  const sums = new Float64Array(stride * stride);
  for (let y = 0; y < size; y += 1) {
    let row = 0;
    for (let x = 0; x < size; x += 1) {
      row += values[y * size + x] ?? 0;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row;
    }
  }
  const at = (x: number, y: number): number => sums[y * stride + x] ?? 0;
  const means = new Float32Array(values.length);
  for (let y = 0; y < size; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(size, y + radius + 1)];
    for (let x = 0; x < size; x += 1) {
      const left = Math.max(0, x - radius);
      const right = Math.min(size, x + radius + 1);
      const sum = at(right, bottom) - at(right, top) - at(left, bottom) + at(left, top);
      means[y * size + x] = sum / ((right - left) * (bottom - top));
    }
  }
  return means;
}

/** The inner part of a wide patch, with mean 0 and norm 1. */
export function createReference(wide: Float32Array): Float32Array {
  const margin = (WIDE - PATCH) / 2;
  const inner = Float32Array.from(
    { length: PATCH * PATCH },
    (_, index) => wide[(Math.floor(index / PATCH) + margin) * WIDE + (index % PATCH) + margin] ?? 0,
  );
  const mean = inner.reduce((sum, value) => sum + value, 0) / inner.length;
  const norm = Math.sqrt(inner.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
  return inner.map((value) => (value - mean) / norm);
}

/** The patch as it appears in a mirrored image. */
export const mirrorPatch = (wide: Float32Array): Float32Array =>
  wide.map((_, index) => wide[index - (index % WIDE) + (WIDE - 1 - (index % WIDE))] ?? 0);

/** Normalised correlation, −1 to 1, of a reference and the warped inner part of a wide patch. */
export function correlatePatches(reference: Float32Array, wide: Float32Array, warp: Warp): number {
  const [dx = 0, dy = 0, scale = 0, turn = 0, stretch = 0, shear = 0, across = 0, down = 0] = warp;
  const [cos, sin] = [Math.cos(turn) * (1 + scale), Math.sin(turn) * (1 + scale)];
  const [a, b] = [cos * (1 + stretch), cos * shear - sin * (1 - stretch)];
  const [c, d] = [sin * (1 + stretch), sin * shear + cos * (1 - stretch)];
  const half = PATCH / 2;
  const last = WIDE - 1.001;
  const [originX, originY] = [WIDE / 2 - 0.5 + dx * half, WIDE / 2 - 0.5 + dy * half];
  let [sum, squares, product] = [0, 0, 0];
  for (let row = 0, index = 0; row < PATCH; row += 1) {
    const v = row + 0.5 - half;
    for (let column = 0; column < PATCH; column += 1, index += 1) {
      const u = column + 0.5 - half;
      const near = 1 / (1 + (across * u + down * v) / half);
      const x = Math.min(last, Math.max(0, originX + (a * u + b * v) * near));
      const y = Math.min(last, Math.max(0, originY + (c * u + d * v) * near));
      const left = Math.floor(x);
      const at = Math.floor(y) * WIDE + left;
      const [fx, fy] = [x - left, y - Math.floor(y)];
      const upper = (wide[at] ?? 0) * (1 - fx) + (wide[at + 1] ?? 0) * fx;
      const lower = (wide[at + WIDE] ?? 0) * (1 - fx) + (wide[at + WIDE + 1] ?? 0) * fx;
      const value = upper * (1 - fy) + lower * fy;
      sum += value;
      squares += value * value;
      product += value * (reference[index] ?? 0);
    }
  }
  return product / Math.sqrt(Math.max(1e-9, squares - (sum * sum) / reference.length));
}
