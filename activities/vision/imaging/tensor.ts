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

/** Converts pixels to a CHW tensor, written into `target` at `offset`. */
export function toTensor(
  source: Raster,
  { order, mean, deviation }: TensorSpec,
  target = new Float32Array(source.width * source.height * 3),
  offset = 0,
): Float32Array {
  const count = source.width * source.height;
  const { data } = source;
  for (let channel = 0; channel < 3; channel += 1) {
    const from = order === 'RGB' ? channel : 2 - channel;
    const centre = mean[channel] ?? 0;
    const scale = 1 / (deviation[channel] ?? 1);
    const start = offset + channel * count;
    const values = Float32Array.from({ length: 256 }, (_, value) => (value - centre) * scale);
    for (let index = 0, at = from; index < count; index += 1, at += 3) {
      target[start + index] = values[data[at] ?? 0] ?? 0;
    }
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
