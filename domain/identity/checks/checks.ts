import type { LivenessAction } from '../biometrics/active-liveness';
import type { FaceSearchParameters } from '../biometrics/face-search';
import type { AgeResult, FaceMatchResult, FaceSearchResult, LivenessResult } from '../biometrics/result';
import type { DatabaseClaims, DatabaseResult } from '../database-validation/validate';
import type { ScreeningQuery } from '../aml/query';
import type { AmlResult } from '../aml/aml-result';
import type { DocumentResult } from '../documents/result';
import type { AddressProofResult } from '../documents/poa/result';
import { FEATURES } from '../sessions/features';
import type { Feature } from '../sessions/features';

/** What each kind of check finds out. */
export interface CheckResults {
  id_verification: DocumentResult;
  liveness: LivenessResult;
  face_match: FaceMatchResult;
  age: AgeResult;
  face_search: FaceSearchResult;
  database_validation: DatabaseResult;
  proof_of_address: AddressProofResult;
  aml_screening: AmlResult;
}

/**
 * What each kind of check is told beside its pictures, by the client or by the session it follows from: personal data,
 * kept with the check and nowhere else. Null where pictures say it all.
 */
export interface CheckDetails {
  id_verification: null;
  /** of an active check: the challenge it answers */
  liveness: { challengeId: string; actions: LivenessAction[] } | null;
  face_match: null;
  age: { minimumAge: number | null };
  face_search: FaceSearchParameters;
  database_validation: DatabaseClaims;
  proof_of_address: null;
  aml_screening: ScreeningQuery;
}

export type CheckKind = keyof CheckResults;

/** Worker pools that run checks. */
export type CheckPool = 'vision' | 'screening';

/** How a session makes a check by itself, out of what it already has. */
export interface FollowOnRule {
  /** It follows once each of these steps has a usable check, and once for the same checks. */
  from: readonly Feature[];
  /** Where the session verifies none of them, it follows from what the session was created with. @default false */
  orFromSession?: boolean;
  /** Steps asked for again when a reviewer wants it repeated, since the same inputs would give the same answer. */
  recapture?: readonly Feature[];
}

export interface CheckDefinition {
  /** the feature whose step it fulfils; null of a kind that always stands alone */
  feature: Feature | null;
  pool: CheckPool;
  follows?: FollowOnRule;
  /**
   * Nobody captures anything for it, so that a failure is cured by no better picture: its session goes to a reviewer
   * instead of waiting for the person. @default false
   */
  unattended?: boolean;
}

/** Every kind of check. A row here makes its feature one that sessions may ask for. */
export const CHECKS = {
  id_verification: { feature: 'id', pool: 'vision' },
  liveness: { feature: 'liveness', pool: 'vision' },
  face_match: {
    feature: 'face_match',
    pool: 'vision',
    follows: { from: ['id', 'liveness'], recapture: ['liveness'] },
  },
  age: { feature: 'age', pool: 'vision', follows: { from: ['liveness'], recapture: ['liveness'] } },
  face_search: { feature: null, pool: 'vision' },
  database_validation: { feature: 'database', pool: 'screening', follows: { from: ['id'] }, unattended: true },
  proof_of_address: { feature: 'poa', pool: 'vision' },
  aml_screening: {
    feature: 'aml',
    pool: 'screening',
    follows: { from: ['id'], orFromSession: true },
    unattended: true,
  },
} as const satisfies Record<CheckKind, CheckDefinition>;

const isCheckKind = (name: string): name is CheckKind => Object.hasOwn(CHECKS, name);

export const CHECK_KINDS: readonly CheckKind[] = Object.keys(CHECKS).filter(isCheckKind);

export const getCheckDefinition = (kind: CheckKind): CheckDefinition => CHECKS[kind];

/** The kind of check that fulfils a feature's step. */
export const findCheckKind = (feature: Feature): CheckKind | undefined =>
  CHECK_KINDS.find((kind) => CHECKS[kind].feature === feature);

export type AvailableFeature = NonNullable<(typeof CHECKS)[CheckKind]['feature']>;

export const isAvailableFeature = (feature: string): feature is AvailableFeature =>
  CHECK_KINDS.some((kind) => CHECKS[kind].feature === feature);

/** Features whose checks exist in this version; a session asking for another is refused with this list. */
export const AVAILABLE_FEATURES: readonly AvailableFeature[] = FEATURES.filter(isAvailableFeature);

/** `failed`: it could not be run to its end, so that nothing was found out. */
export const CHECK_STATUSES = ['processing', 'completed', 'failed'] as const;

export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A result without its verdict, which rests on the session's settings and is kept beside it. */
export type Finding<K extends CheckKind = CheckKind> = { [P in K]: Omit<CheckResults[P], 'risks' | 'status'> }[K];
