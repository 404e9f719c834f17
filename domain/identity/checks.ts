import type { FaceMatchResult, LivenessResult } from './biometrics/result';
import type { DocumentResult } from './documents/result';
import type { AvailableFeature } from './features';
import { makeRisk, verdictOf } from './risks';
import type { Risk, RiskActions, Verdict } from './risks';

/** What each kind of check finds out. */
export interface CheckResults {
  id_verification: DocumentResult;
  liveness: LivenessResult;
  face_match: FaceMatchResult;
}

export const CHECK_KINDS = ['id_verification', 'liveness', 'face_match'] as const;

export type CheckKind = (typeof CHECK_KINDS)[number];

/** The feature whose step a kind of check fulfils. */
export const FEATURE_OF_KIND = {
  id_verification: 'id',
  liveness: 'liveness',
  face_match: 'face_match',
} as const satisfies Record<CheckKind, AvailableFeature>;

/** `failed`: it could not be run to its end, so that nothing was found out. */
export const CHECK_STATUSES = ['processing', 'completed', 'failed'] as const;

export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A result without its verdict, which rests on the session's settings and is kept beside it. */
export type Finding<K extends CheckKind = CheckKind> = { [P in K]: Omit<CheckResults[P], 'risks' | 'status'> }[K];

/** What a check comes to under the settings it was started with. */
export interface Judgement<K extends CheckKind = CheckKind> {
  finding: Finding<K>;
  risks: Risk[];
  verdict: Verdict;
}

/**
 * Judges an engine's result: its risks and those found beside it, each with the action the settings give it, and the
 * verdict they come to.
 */
export function judge<K extends CheckKind>(
  result: CheckResults[K],
  beside: readonly Risk[] = [],
  actions: RiskActions = {},
): Judgement<K> {
  const { risks: found, status: _proposed, ...finding } = result;
  const risks = [...found, ...beside].map(({ code, action, feature, details }) =>
    makeRisk(code, { action, feature, ...(details === undefined ? {} : { details }) }, actions),
  );
  return { finding, risks, verdict: verdictOf(risks) };
}
