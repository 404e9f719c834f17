/**
 * Parameters of one-to-many search. The threshold of a one-to-one comparison would find a stranger in any large
 * gallery, so that search has its own, which rises with the number of faces searched.
 */
export const FACE_SEARCH = {
  /** Share of searches for absent people that may find a match. */
  falsePositiveIdentificationRate: 0.01,
  /** Minimum cosine of a match, however small the gallery. */
  floor: 0.5,
  /** Cosines of different people, printed by `npm run bench -- faces`. */
  impostorMean: 0.018,
  impostorDeviation: 0.107,
  measuredOn:
    '4500 pairs of photographs of different people (10 people, highest cosine 0.33), extrapolated as a normal distribution',
} as const;

/** Lists of faces: known users, and people to be stopped. */
export const FACE_LISTS = ['users', 'blocklist'] as const;

export type FaceList = (typeof FACE_LISTS)[number];

/** Complementary error function, relative error below 1.2e-7 (Chebyshev fit; Press et al., Numerical Recipes, 6.2). */
function erfc(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const series = coefficients.reduceRight((sum, coefficient) => coefficient + t * sum, 0);
  const value = t * Math.exp(-x * x + series);
  return x >= 0 ? value : 2 - value;
}

/** Share of pairs of different people that reach a cosine (the false-match rate), 0–1. */
export const computeImpostorRate = (cosine: number): number =>
  erfc((cosine - FACE_SEARCH.impostorMean) / (FACE_SEARCH.impostorDeviation * Math.SQRT2)) / 2;

/** Probability that a search for an absent person matches at least one of `size` faces: 1 − (1 − FMR)^N. */
export const computeIdentificationError = (cosine: number, size: number): number =>
  -Math.expm1(size * Math.log1p(-computeImpostorRate(cosine)));

/** Number of `size` strangers that are expected to reach a cosine: N · FMR. */
export const computeExpectedFalseHits = (cosine: number, size: number): number => size * computeImpostorRate(cosine);

/** The search threshold for `size` faces, rounded up to a thousandth; never below the floor. */
export function computeSearchThreshold(size: number): number {
  const targetRate = FACE_SEARCH.falsePositiveIdentificationRate;
  let [low, high] = [FACE_SEARCH.floor as number, 1];
  if (computeIdentificationError(low, size) <= targetRate) return low;
  while (high - low > 0.0005) {
    const middle = (low + high) / 2;
    if (computeIdentificationError(middle, size) > targetRate) low = middle;
    else high = middle;
  }
  return Math.ceil(high * 1000) / 1000;
}

/** The parameters of a search. */
export interface FaceSearchParameters {
  /** Maximum number of matches. */
  topK: number;
  /** Requested cosine; null for the threshold of the gallery. */
  threshold: number | null;
  lists: FaceList[];
}
