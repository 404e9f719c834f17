import type { Plane } from './raster';

/** In-place radix-2 Fourier transform of `count` complex values (a power of two) at `offset`, `stride` apart. */
function transform(real: Float32Array, imaginary: Float32Array, count: number, offset: number, stride: number): void {
  for (let index = 1, reversed = 0; index < count; index += 1) {
    let bit = count >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (index < reversed) {
      const [a, b] = [offset + index * stride, offset + reversed * stride];
      [real[a], real[b]] = [real[b] ?? 0, real[a] ?? 0];
      [imaginary[a], imaginary[b]] = [imaginary[b] ?? 0, imaginary[a] ?? 0];
    }
  }
  for (let size = 2; size <= count; size <<= 1) {
    const half = size >> 1;
    for (let k = 0; k < half; k += 1) {
      const angle = (-2 * Math.PI * k) / size;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let start = k; start < count; start += size) {
        const upper = offset + start * stride;
        const lower = upper + half * stride;
        const [lr, li] = [real[lower] ?? 0, imaginary[lower] ?? 0];
        const [tr, ti] = [lr * cos - li * sin, lr * sin + li * cos];
        const [ur, ui] = [real[upper] ?? 0, imaginary[upper] ?? 0];
        real[upper] = ur + tr;
        imaginary[upper] = ui + ti;
        real[lower] = ur - tr;
        imaginary[lower] = ui - ti;
      }
    }
  }
}

/**
 * Log-magnitude spectrum of a square plane whose side is a power of two, under a Hann window, frequency zero in the
 * corner.
 */
export function logSpectrum({ width: size, data }: Plane): Plane {
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  const real = new Float32Array(size * size);
  const imaginary = new Float32Array(size * size);
  const window = Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      real[y * size + x] = ((data[y * size + x] ?? 0) - mean) * (window[x] ?? 0) * (window[y] ?? 0);
    }
  }
  for (let y = 0; y < size; y += 1) transform(real, imaginary, size, y * size, 1);
  for (let x = 0; x < size; x += 1) transform(real, imaginary, size, x, size);
  const result = real.map((value, index) => Math.log1p(Math.hypot(value, imaginary[index] ?? 0)));
  return { width: size, height: size, data: result };
}

/** Lowest frequency looked at, cycles over the plane as a share of its side: below it lie the features of the face. */
const LOWEST = 0.12;

/**
 * Strength of isolated peaks at middle and high frequencies: a photographed pixel grid and its moiré are periodic, skin
 * and cloth are not. The highest excess over the median of its ring of like frequency, in units of the distance from
 * that median to the 84th percentile (one standard deviation, were the ring normal): a peak must not hide itself by
 * widening the spread it is measured in.
 */
export function periodicPeak(plane: Plane): number {
  const size = plane.width;
  const { data } = logSpectrum(plane);
  const rings = Array.from({ length: size / 2 }, (): number[] => []);
  for (let y = 3; y < size / 2; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const fx = x > size / 2 ? x - size : x;
      // Exact rows and columns carry the picture's own borders and the compression's block grid.
      if (Math.abs(fx) < 3) continue;
      const radius = Math.round(Math.hypot(fx, y));
      if (radius >= size * LOWEST) rings[radius]?.push(data[y * size + x] ?? 0);
    }
  }
  let highest = 0;
  for (const ring of rings) {
    if (ring.length === 0) continue;
    ring.sort((a, b) => a - b);
    const at = (share: number): number => ring[Math.min(ring.length - 1, Math.floor(share * ring.length))] ?? 0;
    highest = Math.max(highest, (at(1) - at(0.5)) / Math.max(0.05, at(0.84) - at(0.5)));
  }
  return highest;
}
