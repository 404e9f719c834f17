/** Default score from which a hit is a match, 0–100; chosen on generated pairs, see docs/explanation/aml-screening.md. */
export const MATCH_THRESHOLD = 70;

/** Lowest threshold that a request may set: below it nearly every name has hits. */
export const MIN_THRESHOLD = 40;

/**
 * Score from which hits of a session are matches; hits between the review limit and this score are possible matches.
 */
export const SESSION_MATCH_THRESHOLD = 85;

/** Maximum score of a name that its publisher marks as weak. */
export const WEAK_NAME_CEILING = 66;

/** Points by which other facts about a subject change its name score. */
export const EFFECTS = {
  sameDateOfBirth: 10,
  sameYearOfBirth: 4,
  otherYearOfBirth: -22,
  otherDateInYear: -6,
  sameCountry: 4,
  otherCountry: -6,
  sameGender: 0,
  otherGender: -18,
  /** Effect of a number that identifies one person or ship. */
  documentWithName: 100,
  documentAlone: 85,
} as const;

/**
 * Maximum difference in years between dates of birth that count as equal, by whether the list states them as
 * approximate.
 */
export const YEAR_TOLERANCE = { exact: 1, approximate: 3 } as const;

/** Minimum name score at which matching facts may raise the score. */
export const MIN_NAME_SCORE = 40;

/** Maximum number of hits in a result, best first. */
export const MAX_HITS = 50;

/** Score from which sessions store hits, so that lower limits can be simulated later. */
export const SESSION_SEARCH_THRESHOLD = 60;
