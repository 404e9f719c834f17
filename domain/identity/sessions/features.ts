/** What a session may be asked to verify; the spelling of the contract. Which have a check to run: `CHECKS`. */
export const FEATURES = ['id', 'liveness', 'face_match', 'poa', 'age', 'aml', 'database'] as const;

export type Feature = (typeof FEATURES)[number];

/** @default what a session verifies when its creator names nothing */
export const DEFAULT_FEATURES = ['id', 'liveness', 'face_match'] as const satisfies readonly Feature[];
