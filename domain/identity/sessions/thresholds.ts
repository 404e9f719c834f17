import { meetsMinimumAge, minimumAgeRisks } from '../biometrics/age';
import { amlRisks } from '../aml/aml-result';
import { livenessRisks } from '../biometrics/liveness';
import { FACE_MATCH, falseMatchRateAt, LIVENESS, matchScore, similarityOfScore } from '../biometrics/thresholds';
import type { CheckKind, Finding } from '../checks/checks';
import { makeRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';

/** Scores 0–100 below which a check is declined, or looked at by a person; `decline` ≤ `review`. */
export interface LowScoreLimits {
  decline: number;
  review: number;
}

/** Scores 0–100 from which a check is looked at by a person, or declined; `review` ≤ `decline`. */
export interface HighScoreLimits {
  review: number;
  decline: number;
}

/** Where a session draws its lines; what is left out stands at the service's own. */
export interface Thresholds {
  liveness?: LowScoreLimits | undefined;
  /** calibrated scores: 50 at the service's own match threshold, 25 at its review threshold */
  faceMatch?: LowScoreLimits | undefined;
  aml?: HighScoreLimits | undefined;
  /** years; anyone younger is declined */
  minimumAge?: number | undefined;
}

/** The service's own limits, where a feature has any. */
export const DEFAULT_THRESHOLDS = {
  liveness: { decline: LIVENESS.decline, review: LIVENESS.review },
  faceMatch: { decline: matchScore(FACE_MATCH.review), review: matchScore(FACE_MATCH.match) },
} as const satisfies Thresholds;

/** What a check found and the risks it found it with. */
export interface Measured<K extends CheckKind> {
  finding: Finding<K>;
  risks: readonly Risk[];
}

type ApplyLimits<K extends CheckKind> = (measured: Measured<K>, thresholds: Thresholds) => Measured<K>;

/** A risk raised by a limit carries the measurement it was raised by; the same code may be raised by other findings. */
const withoutLimitRisks = (risks: readonly Risk[], codes: readonly RiskCode[], measurement: string): Risk[] =>
  risks.filter(({ code, details }) => !codes.includes(code) || details?.[measurement] === undefined);

function limitLiveness(
  { finding, risks }: Measured<'liveness'>,
  { liveness: limits }: Thresholds,
): Measured<'liveness'> {
  const { score, quality } = finding;
  if (limits === undefined || score === null || quality === null) return { finding, risks };
  return {
    finding: { ...finding, thresholds: { ...limits } },
    risks: [
      ...withoutLimitRisks(risks, ['attack_suspected', 'liveness_low'], 'score'),
      ...livenessRisks(score, quality, limits),
    ],
  };
}

function limitFaceMatch(
  { finding, risks }: Measured<'face_match'>,
  { faceMatch: limits }: Thresholds,
): Measured<'face_match'> {
  const { score, similarity } = finding;
  if (limits === undefined) return { finding, risks };
  const threshold = similarityOfScore(limits.review);
  const mismatch =
    score === null || score >= limits.review
      ? []
      : [
          makeRisk('face_mismatch', {
            action: score < limits.decline ? 'decline' : 'review',
            details: { similarity },
          }),
        ];
  return {
    finding: {
      ...finding,
      match: score !== null && score >= limits.review,
      threshold,
      reviewThreshold: similarityOfScore(limits.decline),
      falseMatchRate: falseMatchRateAt(threshold),
    },
    risks: [...withoutLimitRisks(risks, ['face_mismatch'], 'similarity'), ...mismatch],
  };
}

/** The higher of the session's minimum and the one the check was asked. */
function limitAge({ finding, risks }: Measured<'age'>, { minimumAge }: Thresholds): Measured<'age'> {
  const { interval } = finding;
  if (minimumAge === undefined || interval === null) return { finding, risks };
  const asked = Math.max(minimumAge, finding.minimumAge ?? 0);
  const answer = meetsMinimumAge(interval, asked);
  return {
    finding: { ...finding, minimumAge: asked, meetsMinimumAge: answer },
    risks: [...withoutLimitRisks(risks, ['minimum_age_not_met'], 'minimumAge'), ...minimumAgeRisks(answer, asked)],
  };
}

function limitDocument(
  { finding, risks }: Measured<'id_verification'>,
  { minimumAge }: Thresholds,
): Measured<'id_verification'> {
  const others = withoutLimitRisks(risks, ['minimum_age_not_met'], 'minimumAge');
  const tooYoung = minimumAge !== undefined && finding.age !== null && finding.age < minimumAge;
  return {
    finding,
    // The age itself is personal data and is in the result.
    risks: tooYoung ? [...others, makeRisk('minimum_age_not_met', { details: { minimumAge } })] : others,
  };
}

function limitAml(
  { finding, risks }: Measured<'aml_screening'>,
  { aml: limits }: Thresholds,
): Measured<'aml_screening'> {
  if (limits === undefined) return { finding, risks };
  return {
    finding: { ...finding, thresholds: { ...limits } },
    risks: [
      ...withoutLimitRisks(risks, ['aml_match', 'aml_possible_match'], 'score'),
      ...amlRisks(finding.score, limits),
    ],
  };
}

/** A row for every kind of check whose risks depend on a limit that a session may move. */
const LIMITS: { [K in CheckKind]?: ApplyLimits<K> } = {
  id_verification: limitDocument,
  liveness: limitLiveness,
  face_match: limitFaceMatch,
  age: limitAge,
  aml_screening: limitAml,
};

/**
 * Draws a session's lines over what an engine measured, whatever lines it was judged by before. Limits a session does
 * not set stay as they were.
 */
export const applyThresholds = <K extends CheckKind>(
  kind: K,
  measured: Measured<K>,
  thresholds: Thresholds,
): Measured<K> => LIMITS[kind]?.(measured, thresholds) ?? measured;
