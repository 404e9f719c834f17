import { buildRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';
import type { FaceQuality, LivenessParts } from './result';
import { FACE_LIMITS } from './thresholds';

/** Maximum points that each cue deducts. The model determines the score; no single cue declines a person. */
export const LIVENESS_WEIGHTS = {
  narrowCrop: 30,
  moire: 25,
  specular: 10,
  gamut: 10,
  frameEdges: 15,
  faceToFrame: 5,
} as const satisfies Partial<Record<keyof LivenessParts, number>>;

/** A face narrower than this share of the image was not captured at arm's length. */
const SMALL_FACE = 0.12;

export interface LivenessScore {
  /** 0–100. */
  score: number;
  deductions: Partial<Record<keyof LivenessParts, number>>;
}

/**
 * Combines the model with cues that are independent of it: 100 × (0.7 × model + 0.3 × the same model at a narrower
 * crop), minus 30 × the difference of the two, minus the other cues, each times its weight in `LIVENESS_WEIGHTS`. A
 * live face scores alike at both crops; a copy often does not.
 */
export function computeLivenessScore(parts: LivenessParts): LivenessScore {
  const base = 100 * (0.7 * parts.model + 0.3 * parts.narrowCrop);
  const deductions = {
    narrowCrop: LIVENESS_WEIGHTS.narrowCrop * Math.abs(parts.model - parts.narrowCrop),
    moire: LIVENESS_WEIGHTS.moire * parts.moire,
    specular: LIVENESS_WEIGHTS.specular * parts.specular,
    gamut: LIVENESS_WEIGHTS.gamut * parts.gamut,
    frameEdges: LIVENESS_WEIGHTS.frameEdges * parts.frameEdges,
    faceToFrame: LIVENESS_WEIGHTS.faceToFrame * Math.min(1, Math.max(0, 1 - parts.faceToFrame / SMALL_FACE)),
  };
  const total = Object.values(deductions).reduce((sum, points) => sum + points, 0);
  return {
    score: Math.round(10 * Math.min(100, Math.max(0, base - total))) / 10,
    deductions: Object.fromEntries(
      Object.entries(deductions)
        .filter(([, points]) => points >= 0.05)
        .map(([name, points]) => [name, Math.round(points * 10) / 10]),
    ),
  };
}

/**
 * The risks of a score under the given limits. A poor capture explains a poor score: it is no finding about the
 * person, who may try again.
 *
 * @param limits scores below which a check is declined or reviewed
 */
export function assessLivenessRisks(
  score: number,
  { interEyeDistance, overall }: Pick<FaceQuality, 'interEyeDistance' | 'overall'>,
  limits: { decline: number; review: number },
): Risk[] {
  const isAssessable = interEyeDistance >= FACE_LIMITS.minInterEyeDistance && overall >= FACE_LIMITS.minOverallQuality;
  if (score < limits.decline && isAssessable) return [buildRisk('attack_suspected', { details: { score } })];
  if (score >= limits.review) return [];
  return [buildRisk('liveness_low', { action: score < limits.decline ? 'decline' : 'review', details: { score } })];
}
