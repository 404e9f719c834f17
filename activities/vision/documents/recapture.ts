import type { FineStructure } from '../../../domain/identity/documents/recapture';
import type { Plane, Raster } from '../imaging/raster';
import { computePairSpectrum } from '../imaging/spectrum';

/** Lowest frequency of a grid, cycles per pixel; below it is the print itself. */
const MIN_FREQUENCY = 0.12;
/** Colours also alternate at lower frequencies, where the pixels of display and camera produce moiré. */
const MIN_OPPONENT_FREQUENCY = 0.05;
/** Above it files contain no independent colour, because chroma is stored at half the resolution. */
const MAX_OPPONENT_FREQUENCY = 0.3;
/** Frequencies this close to an axis contain the borders of the image and the block grid of the compression. */
const NEAR_AXIS = 3;

/**
 * Sensor noise in levels of 255, lower than that of any sensor; weaker structure is an artefact of the file. White
 * noise of one level has an amplitude of the side of the square times the root mean square of its window.
 */
const NOISE_FLOOR = 0.5;
const HANN_ENERGY = 0.375;

/**
 * Logarithms of noise amplitudes have a standard deviation of 0.45, their means over 25 squares one of 0.12. With less
 * deviation a square is plain, and these minimums prevent its values from counting as peaks.
 */
const MIN_DEVIATION = 0.3;
const MIN_MEAN_DEVIATION = 0.08;

/** Minimum number of squares to distinguish a grid over the whole image from a local pattern. */
const MIN_SQUARES = 9;

function extractChannel({ width, height, data }: Raster, offset: number): Plane {
  const channel = new Float32Array(width * height);
  for (let at = 0, from = offset; at < channel.length; at += 1, from += 3) channel[at] = data[from] ?? 0;
  return { width, height, data: channel };
}

/** A ring has the frequencies of one radius, rounded to whole cycles per square; their values are compared. */
interface Frequency {
  at: number;
  /** signed, cycles per square */
  fx: number;
  fy: number;
}

/** Frequencies from `lowest` to `highest` cycles per pixel, in groups of one ring each. */
function listRings(size: number, lowest: number, highest = 0.5): Frequency[][] {
  const rings: Frequency[][] = [];
  for (let fy = NEAR_AXIS; fy < size / 2; fy += 1) {
    for (let x = 0; x < size; x += 1) {
      const fx = x > size / 2 ? x - size : x;
      const radius = Math.hypot(fx, fy);
      if (Math.abs(fx) < NEAR_AXIS || radius < lowest * size || radius > highest * size) continue;
      const ring = Math.round(radius);
      if (ring < size / 2) (rings[ring] ??= []).push({ at: fy * size + x, fx, fy });
    }
  }
  return rings.filter((ring) => ring.length > 0);
}

const quantile = (sorted: ArrayLike<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;

interface Peak {
  at: number;
  /** excess over the median of its ring, in units of the distance from the median to the 84th percentile */
  strength: number;
}

/** The strongest values relative to their rings, strongest first. */
function findPeaks(values: Float32Array, rings: readonly (readonly Frequency[])[], maxPeaks: number): Peak[] {
  const peaks: Peak[] = [];
  for (const ring of rings) {
    const sorted = new Float32Array(ring.length);
    for (let index = 0; index < ring.length; index += 1) sorted[index] = values[ring[index]?.at ?? 0] ?? 0;
    sorted.sort();
    const median = quantile(sorted, 0.5);
    const deviation = Math.max(MIN_DEVIATION, quantile(sorted, 0.84) - median);
    // Without a value above the weakest peak so far, the ring has no peak.
    const weakest = peaks.length < maxPeaks ? -Infinity : (peaks.at(-1)?.strength ?? 0);
    if ((quantile(sorted, 1) - median) / deviation <= weakest) continue;
    for (const { at } of ring) {
      const strength = ((values[at] ?? 0) - median) / deviation;
      if (peaks.length === maxPeaks && strength <= (peaks.at(-1)?.strength ?? 0)) continue;
      peaks.push({ at, strength });
      peaks.sort((one, other) => other.strength - one.strength);
      peaks.length = Math.min(peaks.length, maxPeaks);
    }
  }
  return peaks;
}

/** Number of peaks whose colours are examined, and their minimum strength. */
const OPPONENT_PEAKS = 6;
const OPPONENT_STRENGTH = 5;
/** Half of the squares of ordinary images are below this strength; their colours are not examined. */
const ORDINARY_STRENGTH = 4;
/** Red and blue alternate if their phases differ by more than a quarter and their amplitudes are of similar size. */
const MAX_CROSS_CORRELATION = -0.1;
const MIN_BALANCE = 0.35;

function coloursAlternate(
  { first, second, cross }: ReturnType<typeof computePairSpectrum>,
  rings: readonly (readonly Frequency[])[],
  noiseFloor: number,
): boolean {
  const difference = first.map((power, at) =>
    Math.log(noiseFloor + Math.sqrt(Math.max(0, power + (second[at] ?? 0) - 2 * (cross[at] ?? 0)))),
  );
  return findPeaks(difference, rings, OPPONENT_PEAKS).some(({ at, strength }) => {
    const [red, blue] = [Math.sqrt(first[at] ?? 0), Math.sqrt(second[at] ?? 0)];
    const balance = Math.min(red, blue) / Math.max(1e-6, red, blue);
    return (
      strength > OPPONENT_STRENGTH && balance > MIN_BALANCE && (cross[at] ?? 0) < MAX_CROSS_CORRELATION * red * blue
    );
  });
}

/** Distances of the frequencies surrounding a frequency, cycles per square; peaks are narrower than the inner one. */
const SURROUND_DISTANCE = { from: 4, to: 5 };
/** Lowest frequency of an isolated peak, cycles per pixel. */
const LOWEST_ISOLATED = 0.08;

/** A mean spectrum with the frequencies around it, which mirror those within it. */
function extendSpectrum(mean: Float32Array, size: number): { width: number; data: Float32Array } {
  const [half, margin] = [size / 2, SURROUND_DISTANCE.to];
  const width = size + 2 * margin;
  const data = new Float32Array(width * (half + 2 * margin));
  for (let fy = -margin, at = 0; fy < half + margin; fy += 1) {
    for (let fx = -half - margin; fx < half + margin; fx += 1, at += 1) {
      // The lower half of the spectrum mirrors the upper half.
      const [x, y] = fy < 0 ? [-fx, -fy] : [fx, fy];
      data[at] = mean[Math.min(half - 1, y) * size + ((x + 2 * size) % size)] ?? 0;
    }
  }
  return { width, data };
}

/** The strongest peak of a mean spectrum over its surroundings, in standard deviations of all such differences. */
function measureIsolatedPeak(mean: Float32Array, size: number): number {
  const half = size / 2;
  const { from, to } = SURROUND_DISTANCE;
  const { width, data } = extendSpectrum(mean, size);
  const excess: number[] = [];
  for (const { at, fx, fy } of listRings(size, LOWEST_ISOLATED).flat()) {
    if (fy > half - 2) continue;
    const centre = (fy + to) * width + fx + half + to;
    let [sum, count] = [0, 0];
    for (let dy = -to; dy <= to; dy += 1) {
      if (Math.abs(fy + dy) < NEAR_AXIS - 1) continue;
      for (let dx = -to; dx <= to; dx += 1) {
        if (dy > -from && dy < from && dx > -from && dx < from) continue;
        if (Math.abs(fx + dx) < NEAR_AXIS - 1) continue;
        sum += data[centre + dy * width + dx] ?? 0;
        count += 1;
      }
    }
    excess.push((mean[at] ?? 0) - sum / Math.max(1, count));
  }
  const sorted = Float32Array.from(excess).sort();
  const median = quantile(sorted, 0.5);
  return (quantile(sorted, 1) - median) / Math.max(MIN_MEAN_DEVIATION, quantile(sorted, 0.84) - median);
}

const roundToPlaces = (value: number, places = 1): number => Math.round(value * 10 ** places) / 10 ** places;

/** Squares of every second position, from corner to corner, are examined first. */
const FIRST_STEP = 2;
/**
 * An image whose first squares are below these values is an ordinary one: the limits of a display or print are 5.2 and
 * 10, and a common peak of 10 in 25 squares is one of about 7 in 13 of them.
 */
const ORDINARY = { median: 4.4, lattice: 6 } as const;

/** Sums over squares, from which the measures of an image are computed. */
class StructureSums {
  private readonly gridRings: Frequency[][];
  private readonly opponentRings: Frequency[][];
  private readonly noiseFloor: number;
  private readonly sums: Float32Array;
  private readonly strengths: number[] = [];
  private opponents = 0;

  /** @param size side of the squares in pixels */
  constructor(private readonly size: number) {
    this.gridRings = listRings(size, MIN_FREQUENCY);
    this.opponentRings = listRings(size, MIN_OPPONENT_FREQUENCY, MAX_OPPONENT_FREQUENCY);
    this.noiseFloor = NOISE_FLOOR * size * HANN_ENERGY;
    this.sums = new Float32Array((size * size) / 2);
  }

  add(square: Raster): void {
    const spectrum = computePairSpectrum(extractChannel(square, 0), extractChannel(square, 2));
    const level = new Float32Array(this.sums.length);
    for (let at = 0; at < level.length; at += 1) {
      level[at] = Math.log(this.noiseFloor + Math.sqrt(spectrum.first[at] ?? 0) + Math.sqrt(spectrum.second[at] ?? 0));
      this.sums[at] = (this.sums[at] ?? 0) + (level[at] ?? 0);
    }
    const strength = findPeaks(level, this.gridRings, 1)[0]?.strength ?? 0;
    this.strengths.push(strength);
    if (strength < ORDINARY_STRENGTH) return;
    if (coloursAlternate(spectrum, this.opponentRings, this.noiseFloor)) this.opponents += 1;
  }

  compute(): FineStructure {
    const count = this.strengths.length;
    const mean = this.sums.map((sum) => sum / count);
    return {
      median: roundToPlaces(quantile(Float32Array.from(this.strengths).sort(), 0.5)),
      opponentShare: roundToPlaces(this.opponents / count, 2),
      lattice: roundToPlaces(measureIsolatedPeak(mean, this.size)),
    };
  }
}

/**
 * Measures periodic structure too fine to be part of a design, which shows that a display or a print was photographed:
 * on half of the squares, and on all of them unless these are certainly ordinary.
 *
 * @param squares samples of the image at its original resolution, all of one size that is a power of two
 * @returns null if there are too few squares
 */
export function measureFineStructure(squares: readonly Raster[]): FineStructure | null {
  if (squares.length < MIN_SQUARES) return null;
  const sums = new StructureSums(squares[0]?.width ?? 0);
  const isFirst = (index: number): boolean => index % FIRST_STEP === 0;
  const first = squares.filter((_, index) => isFirst(index));
  first.forEach((square) => sums.add(square));
  if (first.length >= MIN_SQUARES) {
    const found = sums.compute();
    if (found.median < ORDINARY.median && found.lattice < ORDINARY.lattice) return found;
  }
  squares.filter((_, index) => !isFirst(index)).forEach((square) => sums.add(square));
  return sums.compute();
}
