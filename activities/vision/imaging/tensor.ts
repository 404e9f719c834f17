import type { Raster } from './raster';

export interface TensorSpec {
  order: 'RGB' | 'BGR';
  /** Per channel of `order`: value = (pixel − mean) / deviation. */
  mean: readonly [number, number, number];
  deviation: readonly [number, number, number];
}

/** Mean and standard deviation of ImageNet, in RGB on the 0–255 scale. */
export const IMAGENET = {
  mean: [123.675, 116.28, 103.53],
  deviation: [58.395, 57.12, 57.375],
} as const;

/** The value of a channel for each of the 256 values of a pixel. */
function tabulate(mean: number, deviation: number): Float32Array {
  const scale = 1 / deviation;
  const values = new Float32Array(256);
  for (let value = 0; value < 256; value += 1) values[value] = (value - mean) * scale;
  return values;
}

/** Converts pixels to a CHW tensor, written to the beginning of `target`. */
export function toTensor(
  source: Raster,
  { order, mean, deviation }: TensorSpec,
  target: Float32Array = new Float32Array(source.width * source.height * 3),
): Float32Array {
  const count = source.width * source.height;
  const { data } = source;
  const first = tabulate(mean[0], deviation[0]);
  const second = tabulate(mean[1], deviation[1]);
  const third = tabulate(mean[2], deviation[2]);
  const [firstFrom, thirdFrom] = order === 'RGB' ? [0, 2] : [2, 0];
  for (let index = 0, at = 0; index < count; index += 1, at += 3) {
    target[index] = first[data[at + firstFrom] ?? 0] ?? 0;
    target[count + index] = second[data[at + 1] ?? 0] ?? 0;
    target[2 * count + index] = third[data[at + thirdFrom] ?? 0] ?? 0;
  }
  return target;
}

/** Converts luminance, divided by `divisor`, to a tensor with one channel. */
export function toGreyTensor(source: Raster, divisor: number): Float32Array {
  const count = source.width * source.height;
  const { data } = source;
  const target = new Float32Array(count);
  for (let index = 0, at = 0; index < count; index += 1, at += 3) {
    target[index] = (0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)) / divisor;
  }
  return target;
}
