import { evaluateMinimumAge, assessMinimumAgeRisks } from '../biometrics/age';
import { assessAmlRisks } from '../aml/aml-result';
import { assessLivenessRisks } from '../biometrics/liveness';
import {
  FACE_MATCH,
  getFalseMatchRate,
  LIVENESS,
  computeMatchScore,
  scoreToSimilarity,
} from '../biometrics/thresholds';
import type { CheckKind, Finding } from '../checks/checks';
import { buildRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';

/** Scores 0–100 below which a check is declined or reviewed; `decline` ≤ `review`. */
export interface LowScoreLimits {
  decline: number;
  review: number;
}

/** Scores 0–100 from which a check is reviewed or declined; `review` ≤ `decline`. */
export interface HighScoreLimits {
  review: number;
  decline: number;
}

/** The thresholds of a session; the service's defaults apply to those left out. */
export interface Thresholds {
  liveness?: LowScoreLimits | undefined;
  /** Calibrated scores: 50 at the service's match threshold, 25 at its review threshold. */
  faceMatch?: LowScoreLimits | undefined;
  aml?: HighScoreLimits | undefined;
  /** Minimum age in years; a younger person is declined. */
  minimumAge?: number | undefined;
}

/** The service's default thresholds. */
export const DEFAULT_THRESHOLDS = {
  liveness: { decline: LIVENESS.decline, review: LIVENESS.review },
  faceMatch: { decline: computeMatchScore(FACE_MATCH.review), review: computeMatchScore(FACE_MATCH.match) },
} as const satisfies Thresholds;

/** The finding of a check, with the risks it was found with. */
export interface MeasuredCheck<K extends CheckKind> {
  finding: Finding<K>;
  risks: readonly Risk[];
}

type ApplyLimits<K extends CheckKind> = (measured: MeasuredCheck<K>, thresholds: Thresholds) => MeasuredCheck<K>;

/**
 * Excludes the risks raised by a limit: they carry the measurement. Other findings may raise the same code without it.
 */
const excludeLimitRisks = (risks: readonly Risk[], codes: readonly RiskCode[], measurement: string): Risk[] =>
  risks.filter(({ code, details }) => !codes.includes(code) || details?.[measurement] === undefined);

function applyLivenessLimits(
  { finding, risks }: MeasuredCheck<'liveness'>,
  { liveness: limits }: Thresholds,
): MeasuredCheck<'liveness'> {
  const { score, quality } = finding;
  if (limits === undefined || score === null || quality === null) return { finding, risks };
  return {
    finding: { ...finding, thresholds: { ...limits } },
    risks: [
      ...excludeLimitRisks(risks, ['attack_suspected', 'liveness_low'], 'score'),
      ...assessLivenessRisks(score, quality, limits),
    ],
  };
}

function applyFaceMatchLimits(
  { finding, risks }: MeasuredCheck<'face_match'>,
  { faceMatch: limits }: Thresholds,
): MeasuredCheck<'face_match'> {
  const { score, similarity } = finding;
  if (limits === undefined) return { finding, risks };
  const threshold = scoreToSimilarity(limits.review);
  const mismatch =
    score === null || score >= limits.review
      ? []
      : [
          buildRisk('face_mismatch', {
            action: score < limits.decline ? 'decline' : 'review',
            details: { similarity },
          }),
        ];
  return {
    finding: {
      ...finding,
      match: score !== null && score >= limits.review,
      threshold,
      reviewThreshold: scoreToSimilarity(limits.decline),
      falseMatchRate: getFalseMatchRate(threshold),
    },
    risks: [...excludeLimitRisks(risks, ['face_mismatch'], 'similarity'), ...mismatch],
  };
}

/** Applies the higher of the session's minimum age and the one of the check. */
function applyAgeLimits({ finding, risks }: MeasuredCheck<'age'>, { minimumAge }: Thresholds): MeasuredCheck<'age'> {
  const { interval } = finding;
  if (minimumAge === undefined || interval === null) return { finding, risks };
  const effectiveMinimum = Math.max(minimumAge, finding.minimumAge ?? 0);
  const answer = evaluateMinimumAge(interval, effectiveMinimum);
  return {
    finding: { ...finding, minimumAge: effectiveMinimum, meetsMinimumAge: answer },
    risks: [
      ...excludeLimitRisks(risks, ['minimum_age_not_met'], 'minimumAge'),
      ...assessMinimumAgeRisks(answer, effectiveMinimum),
    ],
  };
}

function applyDocumentLimits(
  { finding, risks }: MeasuredCheck<'id_verification'>,
  { minimumAge }: Thresholds,
): MeasuredCheck<'id_verification'> {
  const others = excludeLimitRisks(risks, ['minimum_age_not_met'], 'minimumAge');
  const tooYoung = minimumAge !== undefined && finding.age !== null && finding.age < minimumAge;
  return {
    finding,
    // The age itself is personal data and only part of the result.
    risks: tooYoung ? [...others, buildRisk('minimum_age_not_met', { details: { minimumAge } })] : others,
  };
}

function applyAmlLimits(
  { finding, risks }: MeasuredCheck<'aml_screening'>,
  { aml: limits }: Thresholds,
): MeasuredCheck<'aml_screening'> {
  if (limits === undefined) return { finding, risks };
  return {
    finding: { ...finding, match: finding.score >= limits.review, thresholds: { ...limits } },
    risks: [
      ...excludeLimitRisks(risks, ['aml_match', 'aml_possible_match'], 'score'),
      ...assessAmlRisks(finding.score, limits),
    ],
  };
}

/** One entry for every kind of check whose risks depend on a threshold of the session. */
const LIMIT_APPLIERS: { [K in CheckKind]?: ApplyLimits<K> } = {
  id_verification: applyDocumentLimits,
  liveness: applyLivenessLimits,
  face_match: applyFaceMatchLimits,
  age: applyAgeLimits,
  aml_screening: applyAmlLimits,
};

/**
 * Applies a session's thresholds to a measured check, whatever thresholds it was evaluated by before. Those that the
 * session does not set stay as they were.
 */
export const applyThresholds = <K extends CheckKind>(
  kind: K,
  measured: MeasuredCheck<K>,
  thresholds: Thresholds,
): MeasuredCheck<K> => LIMIT_APPLIERS[kind]?.(measured, thresholds) ?? measured;
