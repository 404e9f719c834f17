import type { SessionSettings } from '../sessions/settings';
import { applyThresholds } from '../sessions/thresholds';
import type { MeasuredCheck } from '../sessions/thresholds';
import type { CheckKind, CheckResults, Finding } from './checks';
import { computeVerdict, buildRisk } from './risks';
import type { Risk, Verdict } from './risks';

/** The finding, risks and verdict of a check under the settings of its session. */
export interface CheckEvaluation<K extends CheckKind = CheckKind> {
  finding: Finding<K>;
  risks: Risk[];
  verdict: Verdict;
}

/** The session settings that a check is evaluated by. */
export type EvaluationSettings = Pick<SessionSettings, 'actions' | 'thresholds'>;

/**
 * Evaluates an engine's result: combines its risks with the additional ones, applies the actions of the settings to
 * them and computes the verdict.
 */
export function evaluateCheck<K extends CheckKind>(
  kind: K,
  result: CheckResults[K],
  additionalRisks: readonly Risk[],
  settings: EvaluationSettings,
): CheckEvaluation<K> {
  const { risks: found, status: _proposed, ...measured } = result;
  return reevaluateCheck(kind, { finding: measured, risks: [...found, ...additionalRisks] }, settings);
}

/**
 * Evaluates a measured check by the thresholds and actions of other settings. A risk keeps the action it was found with
 * unless the settings override it.
 */
export function reevaluateCheck<K extends CheckKind>(
  kind: K,
  measured: MeasuredCheck<K>,
  settings: EvaluationSettings,
): CheckEvaluation<K> {
  const { finding, risks: adjusted } = applyThresholds(kind, measured, settings.thresholds);
  const risks = adjusted.map(({ code, action, feature, details }) =>
    buildRisk(code, { action, feature, ...(details === undefined ? {} : { details }) }, settings.actions),
  );
  return { finding, risks, verdict: computeVerdict(risks) };
}
