import type { Raster } from './raster';

const RADIUS = 12;

/**
 * Normalises the background of text: the brightest channel, in which coloured guilloche is faint, divided by the local
 * brightness of the paper. Dark text stays; tinted lines and shading fade. For images as low as a text line.
 */
export function removeBackground({ width, height, data }: Raster): Raster {
  const bright = new Float32Array(width * height);
  for (let index = 0, at = 0; index < bright.length; index += 1, at += 3) {
    bright[index] = Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
  }
  // Paper brightness per column window: the mean of the brighter half approximates the 90th percentile at low cost.
  const paper = new Float32Array(width);
  for (let x = 0; x < width; x += 1) {
    const from = Math.max(0, x - RADIUS);
    const to = Math.min(width - 1, x + RADIUS);
    let sum = 0;
    let count = 0;
    for (let y = 0; y < height; y += 2)
      for (let column = from; column <= to; column += 2) {
        sum += bright[y * width + column] ?? 0;
        count += 1;
      }
    const mean = sum / Math.max(1, count);
    let upper = 0;
    let above = 0;
    for (let y = 0; y < height; y += 2)
      for (let column = from; column <= to; column += 2) {
        const value = bright[y * width + column] ?? 0;
        if (value < mean) continue;
        upper += value;
        above += 1;
      }
    paper[x] = above === 0 ? 255 : upper / above;
  }
  const result = new Uint8Array(data.length);
  for (let index = 0, at = 0; index < bright.length; index += 1, at += 3) {
    const value = Math.min(255, ((bright[index] ?? 0) / Math.max(32, paper[index % width] ?? 255)) * 245);
    result[at] = result[at + 1] = result[at + 2] = value;
  }
  return { width, height, data: result };
}
