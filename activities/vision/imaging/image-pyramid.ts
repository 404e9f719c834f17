import { halve } from './raster';
import type { Raster, Rect } from './raster';

/** Affine map from a pixel of the result to the source: x' = a·x + b·y + c, y' = d·x + e·y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The nearest index of `count` values. */
const clamp = (index: number, count: number): number => (index < 0 ? 0 : index >= count ? count - 1 : index);

/** Where the columns or the rows of an upright patch are in the image. */
interface Samples {
  count: number;
  /** the nearest index before each, and the one after it */
  before: Int32Array;
  after: Int32Array;
  /** distance from the index before, 0–1 */
  fractions: Float64Array;
  /** 1 where the patch is outside the image and has its own value there */
  isOutside: Uint8Array;
}

/**
 * @param count columns or rows of the patch
 * @param size columns or rows of the image
 * @param locate maps the centre of a pixel of the patch to the image
 */
function listSamples(
  count: number,
  size: number,
  locate: (at: number) => number,
  outside: number | undefined,
): Samples {
  const samples: Samples = {
    count,
    before: new Int32Array(count),
    after: new Int32Array(count),
    fractions: new Float64Array(count),
    isOutside: new Uint8Array(count),
  };
  for (let index = 0; index < count; index += 1) {
    const at = locate(index + 0.5);
    const before = Math.floor(at);
    samples.before[index] = clamp(before, size);
    samples.after[index] = clamp(before + 1, size);
    samples.fractions[index] = at - before;
    if (outside !== undefined && (at < -1 || at > size)) samples.isOutside[index] = 1;
  }
  return samples;
}

/** Interpolates one row of an image at the columns of a patch. */
function interpolateRow({ width, data }: Raster, row: number, columns: Samples, result: Float64Array): void {
  const start = row * width * 3;
  const { count, before, after, fractions } = columns;
  for (let column = 0, out = 0; column < count; column += 1, out += 3) {
    const left = start + (before[column] ?? 0) * 3;
    const right = start + (after[column] ?? 0) * 3;
    const far = fractions[column] ?? 0;
    const near = 1 - far;
    result[out] = (data[left] ?? 0) * near + (data[right] ?? 0) * far;
    result[out + 1] = (data[left + 1] ?? 0) * near + (data[right + 1] ?? 0) * far;
    result[out + 2] = (data[left + 2] ?? 0) * near + (data[right + 2] ?? 0) * far;
  }
}

/** Fills the pixels of a patch that are outside the image. */
function fillOutside(data: Uint8Array, columns: Samples, rows: Samples, value: number): void {
  for (let row = 0, at = 0; row < rows.count; row += 1) {
    for (let column = 0; column < columns.count; column += 1, at += 3) {
      if (rows.isOutside[row] === 1 || columns.isOutside[column] === 1) data.fill(value, at, at + 3);
    }
  }
}

/**
 * Samples a patch without rotation and shear: each row of the image is interpolated once for all rows of the patch that
 * are between it and the next one.
 */
function sampleUpright(image: Raster, columns: Samples, rows: Samples, outside: number | undefined): Raster {
  const values = columns.count * 3;
  const data = new Uint8Array(values * rows.count);
  let [upper, lower] = [new Float64Array(values), new Float64Array(values)];
  let [upperRow, lowerRow] = [-1, -1];
  for (let row = 0, out = 0; row < rows.count; row += 1) {
    const [before, after] = [rows.before[row] ?? 0, rows.after[row] ?? 0];
    if (before !== upperRow) {
      [upper, lower, upperRow, lowerRow] = [lower, upper, lowerRow, upperRow];
      if (before !== upperRow) interpolateRow(image, (upperRow = before), columns, upper);
    }
    if (after !== lowerRow) interpolateRow(image, (lowerRow = after), columns, lower);
    const far = rows.fractions[row] ?? 0;
    const near = 1 - far;
    for (let index = 0; index < values; index += 1, out += 1) {
      data[out] = (upper[index] ?? 0) * near + (lower[index] ?? 0) * far + 0.5;
    }
  }
  if (outside !== undefined) fillOutside(data, columns, rows, outside);
  return { width: columns.count, height: rows.count, data };
}

/**
 * An image that patches are sampled from at any scale, rotation and shear. Levels are created on demand, each half the
 * size of the previous one, so that a strongly reduced patch averages its pixels instead of skipping most of them.
 */
export class ImagePyramid {
  private readonly levels: Raster[];

  constructor(readonly raster: Raster) {
    this.levels = [raster];
  }

  /** Pixels of the original, in which positions are given whatever level is sampled. */
  get width(): number {
    return this.raster.width;
  }

  /** Pixels of the original, as its width. */
  get height(): number {
    return this.raster.height;
  }

  private buildLevel(index: number): { raster: Raster; index: number } {
    let last = this.levels.length - 1;
    while (last < index) {
      const source = this.levels[last] ?? this.raster;
      if (source.width < 4 || source.height < 4) break;
      this.levels.push(halve(source));
      last += 1;
    }
    const reached = Math.min(index, last);
    return { raster: this.levels[reached] ?? this.raster, index: reached };
  }

  /**
   * Samples a patch of `width` × `height` pixels bilinearly.
   *
   * @param outside value (0–255) of pixels outside the image @default the nearest pixel of the border
   */
  samplePatch(width: number, height: number, affine: Affine, outside?: number): Raster {
    const [a, b, c, d, e, f] = affine;
    const shrink = Math.min(Math.hypot(a, d), Math.hypot(b, e));
    const { raster, index } = this.buildLevel(shrink >= 2 ? Math.floor(Math.log2(shrink)) : 0);
    const scale = 1 / 2 ** index;
    if (b === 0 && d === 0) {
      const columns = listSamples(width, raster.width, (at) => (a * at + c) * scale - 0.5, outside);
      const rows = listSamples(height, raster.height, (at) => (e * at + f) * scale - 0.5, outside);
      return sampleUpright(raster, columns, rows, outside);
    }
    const { width: w, height: h, data: from } = raster;
    const data = new Uint8Array(width * height * 3);
    let out = 0;
    for (let row = 0; row < height; row += 1) {
      const bRow = b * (row + 0.5);
      const eRow = e * (row + 0.5);
      for (let column = 0; column < width; column += 1, out += 3) {
        // Samples at pixel centres; without the half-pixel offset each reduction would shift the patch.
        const sx = (a * (column + 0.5) + bRow + c) * scale - 0.5;
        const sy = (d * (column + 0.5) + eRow + f) * scale - 0.5;
        if (outside !== undefined && (sx < -1 || sy < -1 || sx > w || sy > h)) {
          data[out] = data[out + 1] = data[out + 2] = outside;
          continue;
        }
        const left = Math.floor(sx);
        const top = Math.floor(sy);
        const fx = sx - left;
        const fy = sy - top;
        let p00 = (top * w + left) * 3;
        let p01 = p00 + 3;
        let p10 = p00 + w * 3;
        let p11 = p10 + 3;
        if (left < 0 || top < 0 || left + 1 >= w || top + 1 >= h) {
          const x0 = clamp(left, w);
          const x1 = clamp(left + 1, w);
          const y0 = clamp(top, h) * w;
          const y1 = clamp(top + 1, h) * w;
          p00 = (y0 + x0) * 3;
          p01 = (y0 + x1) * 3;
          p10 = (y1 + x0) * 3;
          p11 = (y1 + x1) * 3;
        }
        for (let channel = 0; channel < 3; channel += 1) {
          const upper = (from[p00 + channel] ?? 0) * (1 - fx) + (from[p01 + channel] ?? 0) * fx;
          const lower = (from[p10 + channel] ?? 0) * (1 - fx) + (from[p11 + channel] ?? 0) * fx;
          data[out + channel] = upper * (1 - fy) + lower * fy + 0.5;
        }
      }
    }
    return { width, height, data };
  }

  /** A crop of the image, scaled to `width` × `height`. */
  crop(rect: Rect, width: number, height: number, outside?: number): Raster {
    return this.samplePatch(width, height, [rect.width / width, 0, rect.x, 0, rect.height / height, rect.y], outside);
  }

  /** The whole image, reduced so that its longer side is at most `longSide`; never enlarged. */
  resizeToFit(longSide: number): Raster {
    const scale = Math.min(1, longSide / Math.max(this.width, this.height));
    if (scale === 1) return this.raster;
    const width = Math.max(1, Math.round(this.width * scale));
    const height = Math.max(1, Math.round(this.height * scale));
    return this.crop({ x: 0, y: 0, width: this.width, height: this.height }, width, height);
  }
}
