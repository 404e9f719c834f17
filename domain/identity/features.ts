/** What a session may be asked to verify; the spelling of the contract. */
export const FEATURES = ['id', 'liveness', 'face_match', 'poa', 'age', 'aml', 'database'] as const;

export type Feature = (typeof FEATURES)[number];

/** Features whose checks exist in this version; a session asking for another is refused with this list. */
export const AVAILABLE_FEATURES = ['id', 'liveness', 'face_match'] as const satisfies readonly Feature[];

export type AvailableFeature = (typeof AVAILABLE_FEATURES)[number];

/** @default what a session verifies when its creator names nothing */
export const DEFAULT_FEATURES: readonly AvailableFeature[] = ['id', 'liveness', 'face_match'];

export const isAvailableFeature = (feature: string): feature is AvailableFeature =>
  AVAILABLE_FEATURES.some((available) => available === feature);
