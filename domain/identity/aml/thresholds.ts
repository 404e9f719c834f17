/** Score from which a hit is a match, 0–100, unless the request names another; chosen on generated pairs, see docs/aml.md. */
export const MATCH_THRESHOLD = 70;

/** Lowest threshold a request may name: below it nearly every name has hits. */
export const MIN_THRESHOLD = 40;

/** In a session, hits from here on are matches; those between it and the threshold are possible ones. */
export const SESSION_MATCH_THRESHOLD = 85;

/** A name its publisher calls weak scores no more than this on its own. */
export const WEAK_NAME_CEILING = 66;

/** What else is known of a person or company moves the score of its name by so many points. */
export const EFFECTS = {
  sameDateOfBirth: 10,
  sameYearOfBirth: 4,
  otherYearOfBirth: -22,
  otherDateInYear: -6,
  sameCountry: 4,
  otherCountry: -6,
  sameGender: 0,
  otherGender: -18,
  /** a number that belongs to one person or ship only */
  documentWithName: 100,
  documentAlone: 85,
} as const;

/** Years of birth so close are held for the same where a list states them as approximate. */
export const YEAR_TOLERANCE = { exact: 1, approximate: 3 } as const;

/** A name score below this is another name: agreement elsewhere cannot raise it. */
export const MIN_NAME_SCORE = 40;

/** Most hits an answer holds, the highest first. */
export const MAX_HITS = 50;

/** Sessions keep hits from here on, so that a lower limit can be tried on them later. */
export const SESSION_SEARCH_THRESHOLD = 60;
