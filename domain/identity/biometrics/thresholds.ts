/**
 * Thresholds of the face engine. A change of the model changes these figures: `npm run bench -- faces` prints them for
 * a labelled folder.
 */
export const FACE_MATCH = {
  /** Cosine from which two faces count as the same person: one of about 1,500 pairs of different people reaches it. */
  match: 0.36,
  /** Cosine from which a mismatch goes to review instead of being declined: one of about 180 pairs reaches it. */
  review: 0.29,
  measuredOn:
    '100 public photographs of 10 people (450 same, 4500 different pairs); rates from a normal distribution fitted to them, 95 % interval at 0.36: 0.002 to 0.35 %',
} as const;

/**
 * Cosine → share of pairs of different people at or above it, sorted by cosine: the tail of the normal distribution
 * fitted to the pairs. Counting pairs claimed 0.09 % at 0.31, where photographs of other people had 0.20 to 0.34 %.
 */
export const FALSE_MATCH_TABLE: readonly (readonly [cosine: number, rate: number])[] = [
  [0.2, 0.0441],
  [0.25, 0.0149],
  [0.29, 0.0054],
  [0.31, 0.0031],
  [0.33, 0.0017],
  [0.35, 0.00094],
  [0.36, 0.00068],
  [0.4, 0.00017],
];

/** Share of different people expected to reach a cosine: a step function of the table, constant beyond its last row. */
export function getFalseMatchRate(cosine: number): number {
  let rate = 1;
  for (const [from, share] of FALSE_MATCH_TABLE) if (cosine >= from) rate = share;
  return rate;
}

/** Steepness at which the score is 25 at the review threshold: ln 3 / (match − review). */
const STEEPNESS = Math.log(3) / (FACE_MATCH.match - FACE_MATCH.review);

/** Score 0–100 of a cosine: logistic, 50 at the match threshold and 25 at the review threshold. */
export const computeMatchScore = (cosine: number): number =>
  Math.round(1000 / (1 + Math.exp(-STEEPNESS * (cosine - FACE_MATCH.match)))) / 10;

/** The cosine of a score: the inverse of {@link computeMatchScore}, for scores above 0 and below 100. */
export const scoreToSimilarity = (score: number): number => {
  const share = Math.min(0.9999, Math.max(0.0001, score / 100));
  return Math.round(10_000 * (FACE_MATCH.match + Math.log(share / (1 - share)) / STEEPNESS)) / 10_000;
};

/** Scores, 0–100, below which a liveness check is declined or reviewed. */
export const LIVENESS = {
  decline: 30,
  review: 70,
  measuredOn: '6 labelled images (3 live, 3 attacks) and 100 ordinary photographs: too few to state an error rate',
} as const;

/** Limits of a face that can be evaluated. */
export const FACE_LIMITS = {
  /** Pixels between the eyes in the image as sent. */
  minInterEyeDistance: 60,
  /** The same for a face to be indexed: passport photos and old portraits are smaller than selfies. */
  minIndexedEyeDistance: 20,
  /** Below it the engine still compares faces, but does not evaluate liveness. */
  minOverallQuality: 20,
  /** A second face of at least this share of the largest one, by area, is a second person and not a passer-by. */
  secondFaceShare: 0.35,
} as const;
