/**
 * Thresholds of the face engine and what they stand for. Changing a model changes these figures: `npm run bench -- faces`
 * prints them for a labelled folder.
 */
export const FACE_MATCH = {
  /** cosine from which two faces are taken for one person */
  match: 0.31,
  /** cosine from which a person should look before two faces are taken for different people */
  review: 0.25,
  measuredOn: '100 public photographs of 10 people (450 same, 4500 different pairs)',
} as const;

/** Cosine → share of pairs of different people at or above it, measured as above. Sorted by cosine. */
export const FALSE_MATCH_TABLE: readonly (readonly [cosine: number, rate: number])[] = [
  [0.2, 0.0434],
  [0.25, 0.0103],
  [0.31, 0.0009],
  // Nothing was seen from here on: 4500 pairs bound the rate by the rule of three.
  [0.35, 0.00067],
];

/** Share of different people expected to reach a cosine, from the table, stepwise and never below its last row. */
export function getFalseMatchRate(cosine: number): number {
  let rate = 1;
  for (const [from, share] of FALSE_MATCH_TABLE) if (cosine >= from) rate = share;
  return rate;
}

/** Steepness at which the score falls to 25 at the review threshold: ln 3 / (match − review). */
const STEEPNESS = Math.log(3) / (FACE_MATCH.match - FACE_MATCH.review);

/** Score 0–100 of a cosine: logistic, 50 at the match threshold and 25 at the review threshold. */
export const computeMatchScore = (cosine: number): number =>
  Math.round(1000 / (1 + Math.exp(-STEEPNESS * (cosine - FACE_MATCH.match)))) / 10;

/** The cosine a score stands for: the inverse of {@link computeMatchScore}, for scores above 0 and below 100. */
export const scoreToSimilarity = (score: number): number => {
  const share = Math.min(0.9999, Math.max(0.0001, score / 100));
  return Math.round(10_000 * (FACE_MATCH.match + Math.log(share / (1 - share)) / STEEPNESS)) / 10_000;
};

/** Scores, 0–100, below which a liveness check is declined or looked at by a person. */
export const LIVENESS = {
  decline: 30,
  review: 70,
  measuredOn: '6 labelled images (3 live, 3 attacks) and 100 ordinary photographs: too few to state an error rate',
} as const;

/** Limits of a face that can be judged. */
export const FACE_LIMITS = {
  /** pixels between the eyes in the image as sent */
  minInterEyeDistance: 60,
  /** the same of a face to be searched for: passport photos and old portraits are smaller than selfies */
  minIndexedEyeDistance: 20,
  /** below it the engine still compares, but liveness is not judged */
  minOverallQuality: 20,
  /** a second face this large against the first, by area, is a second person and not a passer-by */
  secondFaceShare: 0.35,
} as const;
