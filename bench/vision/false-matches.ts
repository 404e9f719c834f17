import { createRandom } from '../random';

/** Cosine of the faces of two people, given by their numbers. */
export interface DifferentPair {
  people: readonly [number, number];
  similarity: number;
}

/** False match rate at a threshold: as observed, by the fitted normal distribution, and its 95 % interval. */
export interface FalseMatchRate {
  threshold: number;
  observed: number;
  fitted: number;
  interval: readonly [number, number];
}

/** Complementary error function, to 1.2e-7 (Numerical Recipes, erfcc). */
function computeErfc(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const polynomial = terms.reduceRight((sum, term) => sum * t + term, 0);
  const value = t * Math.exp(-x * x + polynomial);
  return x >= 0 ? value : 2 - value;
}

/** Share of a normal distribution at or above a threshold. */
const computeTail = (threshold: number, mean: number, deviation: number): number =>
  0.5 * computeErfc((threshold - mean) / (deviation * Math.SQRT2));

/** Mean and deviation of the cosines; a pair counts as often as the product of the weights of its people. */
function fitNormal(pairs: readonly DifferentPair[], weights: readonly number[]): [mean: number, deviation: number] {
  let [total, sum, squares] = [0, 0, 0];
  for (const { people, similarity } of pairs) {
    const weight = (weights[people[0]] ?? 0) * (weights[people[1]] ?? 0);
    total += weight;
    sum += weight * similarity;
    squares += weight * similarity * similarity;
  }
  const mean = sum / total;
  return [mean, Math.sqrt(Math.max(0, squares / total - mean * mean))];
}

const SAMPLES = 1000;
const SEED = 20261122;

/**
 * False match rates at thresholds that few or no pairs reach. The pairs of one person depend on each other, so the
 * intervals are those of samples of people, not of pairs.
 */
export function estimateFalseMatches(
  pairs: readonly DifferentPair[],
  peopleCount: number,
  thresholds: readonly number[],
): FalseMatchRate[] {
  const everyone = Array.from({ length: peopleCount }, () => 1);
  const [mean, deviation] = fitNormal(pairs, everyone);
  const random = createRandom(SEED);
  const samples = Array.from({ length: SAMPLES }, () => {
    const weights = everyone.map(() => 0);
    for (let draw = 0; draw < peopleCount; draw += 1) {
      const person = Math.floor(random() * peopleCount);
      weights[person] = (weights[person] ?? 0) + 1;
    }
    return fitNormal(pairs, weights);
  }).filter(([, sampleDeviation]) => sampleDeviation > 0);
  return thresholds.map((threshold) => {
    const rates = samples.map((sample) => computeTail(threshold, ...sample)).sort((a, b) => a - b);
    const quantile = (share: number): number => rates[Math.floor(share * (rates.length - 1))] ?? 0;
    return {
      threshold,
      observed: pairs.filter(({ similarity }) => similarity >= threshold).length / pairs.length,
      fitted: computeTail(threshold, mean, deviation),
      interval: [quantile(0.025), quantile(0.975)],
    };
  });
}
