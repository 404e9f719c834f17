import { isCurableByRetry } from '../checks/risks';
import type { RiskCode } from '../checks/risks';
import type { SessionSettings } from './settings';
import { listDecisiveAttempts, hasRun, isStuck, computeStepStatus } from './steps';
import type { Attempt, Step, StepStatus } from './steps';
import type { Feature } from './features';

/** What the rules make of a session: still waiting for steps, or decided for reasons. */
export type RuleOutcome =
  | { kind: 'waiting'; for: Feature[] }
  | { kind: 'decided'; status: 'approved' | 'declined' | 'in_review'; reasons: RiskCode[] };

/** Where a decision came from. */
export type DecidedBy = 'rules' | 'reviewer';

const unique = (codes: readonly RiskCode[]): RiskCode[] => [...new Set(codes)];

const listCodesByAction = (attempts: readonly Attempt[], action: 'decline' | 'review'): RiskCode[] =>
  attempts.flatMap(({ risks }) => risks.filter((risk) => risk.action === action).map(({ code }) => code));

/**
 * Earlier findings that no better capture cures, of a step whose last check found nothing of the kind. They are not
 * washed away by trying again: a person looks.
 */
function listEarlierFindings(step: Step): RiskCode[] {
  const decisive = listDecisiveAttempts(step);
  const earlier = step.attempts.filter((attempt) => !attempt.superseded && !decisive.includes(attempt));
  return listCodesByAction(
    earlier.filter(({ outcome, risks }) => outcome === 'declined' && !isCurableByRetry(risks)),
    'decline',
  );
}

/**
 * The rules. Every step of a session is required. In this order: a check under way is waited for; a step without
 * attempts left calls a reviewer; a step not yet done is waited for; a finding declines; anything doubtful, now or in an
 * earlier attempt, and a step that the service could not run, calls a reviewer; only what is left, every step passed, is approved.
 *
 * @param now the end of the window in which attempts are counted
 */
export function evaluateSessionRules(steps: readonly Step[], settings: SessionSettings, now: Date): RuleOutcome {
  const states = steps.map((step) => ({ step, status: computeStepStatus(step, settings, now) }));
  const withStatus = (...statuses: StepStatus[]): Step[] =>
    states.filter(({ status }) => statuses.includes(status)).map(({ step }) => step);
  const listFeatures = (chosen: readonly Step[]): Feature[] => chosen.map(({ feature }) => feature);

  if (steps.length === 0) return { kind: 'waiting', for: [] };
  const processing = withStatus('processing');
  if (processing.length > 0) return { kind: 'waiting', for: listFeatures(processing) };

  const decisive = steps.flatMap(listDecisiveAttempts);
  const declining = listCodesByAction(decisive, 'decline');
  if (withStatus('exhausted').length > 0) {
    return { kind: 'decided', status: 'in_review', reasons: unique(['attempts_exhausted', ...declining]) };
  }
  const undone = withStatus('not_run', 'retry').filter((step) => !isStuck(step));
  if (undone.length > 0) return { kind: 'waiting', for: listFeatures(undone) };

  if (withStatus('declined').length > 0) return { kind: 'decided', status: 'declined', reasons: unique(declining) };

  const stuck: RiskCode[] = steps.some(isStuck) ? ['processing_failed'] : [];
  const doubts = unique([...stuck, ...listCodesByAction(decisive, 'review'), ...steps.flatMap(listEarlierFindings)]);
  return doubts.length > 0 || withStatus('review').length > 0
    ? { kind: 'decided', status: 'in_review', reasons: doubts }
    : { kind: 'decided', status: 'approved', reasons: [] };
}

/** Steps that stand in the way of any approval, a reviewer's included: nothing was found out in them. */
export const listStepsNotRun = (steps: readonly Step[]): Feature[] =>
  steps.filter((step) => !hasRun(step)).map(({ feature }) => feature);

/** Whether every step came to a good end or to no more than a doubt. */
export const hasOnlyDoubts = (steps: readonly Step[], settings: SessionSettings, now: Date): boolean =>
  steps.every((step) => ['passed', 'review'].includes(computeStepStatus(step, settings, now)));
