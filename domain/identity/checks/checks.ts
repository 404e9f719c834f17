import type { LivenessAction } from '../biometrics/active-liveness';
import type { FaceSearchParameters } from '../biometrics/face-search';
import type { AgeResult, FaceMatchResult, FaceSearchResult, LivenessResult } from '../biometrics/result';
import type { DatabaseClaims, DatabaseResult } from '../database-validation/validate';
import type { ScreeningQuery } from '../aml/query';
import type { AmlResult } from '../aml/aml-result';
import type { DocumentResult } from '../documents/result';
import type { AddressProofResult } from '../documents/poa/result';
import type { Feature } from '../sessions/features';

/** The result type of each kind of check. */
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
 * Parameters of each kind of check in addition to its images, sent by the client or taken from the session: personal
 * data, stored with the check only. Null for kinds that need no parameters.
 */
export interface CheckDetails {
  id_verification: null;
  /** The challenge that an active check answers. */
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

/** When a session creates a check automatically, from data that it already has. */
export interface FollowOnRule {
  /** The check is created once each of these steps has a usable check, and once for the same checks. */
  from: readonly Feature[];
  /** Whether it is created from the session's own data if the session verifies none of these steps. @default false */
  orFromSession?: boolean;
  /** Steps to capture again when a reviewer repeats this one: the same inputs would give the same result. */
  recapture?: readonly Feature[];
  /** Whether it examines the images of those steps, which an imported session may lack, and not only their results. @default false */
  examinesImages?: boolean;
}

export interface CheckDefinition {
  /** The feature whose step the check fulfils; null for a kind that is always standalone. */
  feature: Feature | null;
  pool: CheckPool;
  follows?: FollowOnRule;
  /**
   * True if nothing is captured for the check, so that a new capture cannot cure a failure: its session goes to a
   * reviewer instead of waiting for the person. @default false
   */
  unattended?: boolean;
}

/** Every kind of check. Every feature has one. */
export const CHECKS = {
  id_verification: { feature: 'id', pool: 'vision' },
  liveness: { feature: 'liveness', pool: 'vision' },
  face_match: {
    feature: 'face_match',
    pool: 'vision',
    follows: { from: ['id', 'liveness'], recapture: ['liveness'], examinesImages: true },
  },
  age: {
    feature: 'age',
    pool: 'vision',
    follows: { from: ['liveness'], recapture: ['liveness'], examinesImages: true },
  },
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

/** The definition of a kind of check: its feature, pool and what it follows from. */
export const getCheckDefinition = (kind: CheckKind): CheckDefinition => CHECKS[kind];

/** The kind of check that fulfils a feature's step. */
export const findCheckKind = (feature: Feature): CheckKind | undefined =>
  CHECK_KINDS.find((kind) => CHECKS[kind].feature === feature);

/** `failed`: the check could not be run, so it has no result. */
export const CHECK_STATUSES = ['processing', 'completed', 'failed'] as const;

export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A result without risks and verdict, which depend on the session's settings and are stored separately. */
export type Finding<K extends CheckKind = CheckKind> = { [P in K]: Omit<CheckResults[P], 'risks' | 'status'> }[K];
