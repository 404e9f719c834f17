import FFT from 'fft.js';
import type { Plane } from './raster';

/** Transforms by length. Their tables are constant, and only two lengths are used: 128 and 256. */
const transforms = new Map<number, FFT>();

function getTransform(size: number): FFT {
  const transform = transforms.get(size) ?? new FFT(size);
  transforms.set(size, transform);
  return transform;
}

/** Hann windows by length. */
const windows = new Map<number, Float32Array>();

function getWindow(size: number): Float32Array {
  const window =
    windows.get(size) ??
    Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size));
  windows.set(size, window);
  return window;
}

/** A square plane minus its mean, multiplied by a Hann window. */
function applyHannWindow({ width: size, data }: Plane): Float32Array {
  let sum = 0;
  for (const value of data) sum += value;
  const mean = sum / data.length;
  const window = getWindow(size);
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

/**
 * The Fourier transform of a square of complex values whose side is a power of two: of its rows, then of the columns of
 * the result.
 */
function computeSpectrum(real: Float32Array, imaginary: Float32Array, size: number): Spectrum {
  const transform = getTransform(size);
  // Complex values of one row or column, real and imaginary parts interleaved.
  const [input, output] = [new Float64Array(2 * size), new Float64Array(2 * size)];
  const spectrum = { real: new Float32Array(size * size), imaginary: new Float32Array(size * size) };
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      input[2 * x] = real[y * size + x] ?? 0;
      input[2 * x + 1] = imaginary[y * size + x] ?? 0;
    }
    transform.transform(output, input);
    // Transposed, so that columns are contiguous.
    for (let fx = 0; fx < size; fx += 1) {
      spectrum.real[fx * size + y] = output[2 * fx] ?? 0;
      spectrum.imaginary[fx * size + y] = output[2 * fx + 1] ?? 0;
    }
  }
  for (let start = 0; start < size * size; start += size) {
    for (let y = 0; y < size; y += 1) {
      input[2 * y] = spectrum.real[start + y] ?? 0;
      input[2 * y + 1] = spectrum.imaginary[start + y] ?? 0;
    }
    transform.transform(output, input);
    for (let fy = 0; fy < size; fy += 1) {
      spectrum.real[start + fy] = output[2 * fy] ?? 0;
      spectrum.imaginary[start + fy] = output[2 * fy + 1] ?? 0;
    }
  }
  return spectrum;
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
