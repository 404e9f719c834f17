/** The features that a session may verify, as spelt in the API; `CHECKS` has the check of each. */
export const FEATURES = ['id', 'liveness', 'face_match', 'poa', 'age', 'aml', 'database'] as const;

export type Feature = (typeof FEATURES)[number];

/** The features of a session whose creator names none. */
export const DEFAULT_FEATURES = ['id', 'liveness', 'face_match'] as const satisfies readonly Feature[];
