import type { Plane } from './raster';

/** What transforms of one length share: where each value goes first, and the turns of each pass one after the other. */
interface Tables {
  reversed: Uint16Array;
  cos: Float64Array;
  sin: Float64Array;
}

const tablesCache = new Map<number, Tables>();

/** @param count a power of two */
function getTables(count: number): Tables {
  const cached = tablesCache.get(count);
  if (cached !== undefined) return cached;
  const tables = { reversed: new Uint16Array(count), cos: new Float64Array(count), sin: new Float64Array(count) };
  for (let index = 1, reversed = 0; index < count; index += 1) {
    let bit = count >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    tables.reversed[index] = reversed;
  }
  for (let half = 1; half < count; half <<= 1) {
    for (let k = 0; k < half; k += 1) {
      const angle = (-Math.PI * k) / half;
      tables.cos[half + k] = Math.cos(angle);
      tables.sin[half + k] = Math.sin(angle);
    }
  }
  tablesCache.set(count, tables);
  return tables;
}

/** In-place radix-2 Fourier transform of as many complex values as the tables are for. */
function transform(real: Float32Array, imaginary: Float32Array, { reversed, cos, sin }: Tables): void {
  const count = real.length;
  for (let index = 1; index < count; index += 1) {
    const other = reversed[index] ?? 0;
    if (index >= other) continue;
    const [r, i] = [real[index] ?? 0, imaginary[index] ?? 0];
    real[index] = real[other] ?? 0;
    imaginary[index] = imaginary[other] ?? 0;
    real[other] = r;
    imaginary[other] = i;
  }
  for (let half = 1; half < count; half <<= 1) {
    for (let k = 0; k < half; k += 1) {
      const c = cos[half + k] ?? 0;
      const s = sin[half + k] ?? 0;
      for (let upper = k; upper < count; upper += 2 * half) {
        const lower = upper + half;
        const lr = real[lower] ?? 0;
        const li = imaginary[lower] ?? 0;
        const tr = lr * c - li * s;
        const ti = lr * s + li * c;
        const ur = real[upper] ?? 0;
        const ui = imaginary[upper] ?? 0;
        real[upper] = ur + tr;
        imaginary[upper] = ui + ti;
        real[lower] = ur - tr;
        imaginary[lower] = ui - ti;
      }
    }
  }
}

function transformRows(real: Float32Array, imaginary: Float32Array, tables: Tables): void {
  const size = tables.reversed.length;
  for (let from = 0; from < real.length; from += size) {
    transform(real.subarray(from, from + size), imaginary.subarray(from, from + size), tables);
  }
}

/** Rows and columns changed over: transforms of columns read memory in order then. */
function transpose(values: Float32Array, size: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) result[x * size + y] = values[y * size + x] ?? 0;
  }
  return result;
}

/** A square plane minus its mean, multiplied by a Hann window. */
function applyHannWindow({ width: size, data }: Plane): Float32Array {
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  const window = Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size));
  const result = new Float32Array(size * size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      result[y * size + x] = ((data[y * size + x] ?? 0) - mean) * (window[x] ?? 0) * (window[y] ?? 0);
    }
  }
  return result;
}

/** Complex values by frequency: the value of (fx, fy) is at fx · size + fy. */
interface Spectrum {
  real: Float32Array;
  imaginary: Float32Array;
}

/** The transform of a square of complex values; its side is a power of two. */
function computeSpectrum(real: Float32Array, imaginary: Float32Array, size: number): Spectrum {
  const tables = getTables(size);
  transformRows(real, imaginary, tables);
  const columns = { real: transpose(real, size), imaginary: transpose(imaginary, size) };
  transformRows(columns.real, columns.imaginary, tables);
  return columns;
}

/**
 * Magnitudes of the spectrum of a square plane under a Hann window; its side is a power of two.
 *
 * @returns the magnitude as a function of horizontal and vertical frequency, from zero
 */
function computeMagnitudes(plane: Plane): (fx: number, fy: number) => number {
  const size = plane.width;
  const { real, imaginary } = computeSpectrum(applyHannWindow(plane), new Float32Array(size * size), size);
  return (fx, fy) => {
    const [re, im] = [real[fx * size + fy] ?? 0, imaginary[fx * size + fy] ?? 0];
    return Math.sqrt(re * re + im * im);
  };
}

/** Spectra of two planes for all horizontal and the non-negative vertical frequencies; the others mirror them. */
export interface PairSpectrum {
  /** power of each plane by frequency: the value of (fx, fy) is at fy · size + fx */
  first: Float32Array;
  second: Float32Array;
  /** real part of the cross spectrum: negative where the planes alternate */
  cross: Float32Array;
}

/**
 * Computes the spectra of two real planes of the same size by one complex transform, with one plane as the real and the
 * other as the imaginary part. Symmetry separates the two spectra.
 */
export function computePairSpectrum(one: Plane, other: Plane): PairSpectrum {
  const size = one.width;
  const { real, imaginary } = computeSpectrum(applyHannWindow(one), applyHannWindow(other), size);
  const half = (size * size) / 2;
  const [first, second, cross] = [new Float32Array(half), new Float32Array(half), new Float32Array(half)];
  for (let at = 0; at < half; at += 1) {
    const [x, y] = [at % size, Math.floor(at / size)];
    const [here, mirror] = [x * size + y, ((size - x) % size) * size + ((size - y) % size)];
    const [re, im] = [real[here] ?? 0, imaginary[here] ?? 0];
    const [mirrorRe, mirrorIm] = [real[mirror] ?? 0, imaginary[mirror] ?? 0];
    const [ar, ai] = [(re + mirrorRe) / 2, (im - mirrorIm) / 2];
    const [br, bi] = [(im + mirrorIm) / 2, (mirrorRe - re) / 2];
    first[at] = ar * ar + ai * ai;
    second[at] = br * br + bi * bi;
    cross[at] = ar * br + ai * bi;
  }
  return { first, second, cross };
}

/** Lowest frequency examined, in cycles per pixel; below it are the features of the face. */
const MIN_FREQUENCY = 0.12;

/**
 * Strength of the strongest peak at middle and high frequencies: a photographed pixel grid and its moiré are periodic,
 * skin and cloth are not. Values are compared with the median of their ring of equal frequency, in units of the distance
 * from the median to the 84th percentile (one standard deviation of a normal distribution), a measure of deviation that
 * the peak itself does not affect.
 */
export function measurePeriodicPeak(plane: Plane): number {
  const size = plane.width;
  const magnitude = computeMagnitudes(plane);
  const rings = Array.from({ length: size / 2 }, (): number[] => []);
  for (let y = 3; y < size / 2; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const fx = x > size / 2 ? x - size : x;
      // Frequencies close to an axis contain the borders of the image and the block grid of the compression.
      if (Math.abs(fx) < 3) continue;
      const radius = Math.round(Math.sqrt(fx * fx + y * y));
      if (radius >= size * MIN_FREQUENCY) rings[radius]?.push(Math.log1p(magnitude(x, y)));
    }
  }
  let highest = 0;
  for (const values of rings) {
    if (values.length === 0) continue;
    const ring = Float32Array.from(values).sort();
    const quantile = (share: number): number => ring[Math.min(ring.length - 1, Math.floor(share * ring.length))] ?? 0;
    highest = Math.max(highest, (quantile(1) - quantile(0.5)) / Math.max(0.05, quantile(0.84) - quantile(0.5)));
  }
  return highest;
}
