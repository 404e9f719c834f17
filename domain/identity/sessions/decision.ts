import { isCurableByRetry } from '../checks/risks';
import type { RiskAction, RiskCode } from '../checks/risks';
import type { SessionSettings } from './settings';
import { listDecisiveAttempts, hasRun, isStuck, computeStepStatus } from './steps';
import type { Attempt, Step, StepStatus } from './steps';
import type { Feature } from './features';

/** The outcome of the service's rules: waiting for steps, or decided with reasons. */
export type RuleOutcome =
  | { kind: 'waiting'; for: Feature[] }
  | { kind: 'decided'; status: 'approved' | 'declined' | 'in_review'; reasons: RiskCode[] };

/** Who made a decision. */
export type DecidedBy = 'rules' | 'reviewer';

const unique = (codes: readonly RiskCode[]): RiskCode[] => [...new Set(codes)];

const listCodesByAction = (attempts: readonly Attempt[], action: Exclude<RiskAction, 'ignore'>): RiskCode[] =>
  attempts.flatMap(({ risks }) => risks.filter((risk) => risk.action === action).map(({ code }) => code));

/**
 * Earlier findings that no better capture cures, of a step whose last check found nothing of the kind. A successful
 * retry does not clear them: a reviewer decides.
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
 * The service's rules. Every step of a session is required. In this order:
 * 1. a check that is still processing is waited for;
 * 2. an exhausted step goes to review;
 * 3. a step that was not run or needs a retry is waited for;
 * 4. a finding declines;
 * 5. a doubt, in a decisive or an earlier attempt, or a step that the service could not run, goes to review;
 * 6. otherwise every step passed and the session is approved.
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
    const recaptures = listCodesByAction(decisive, 'recapture');
    return {
      kind: 'decided',
      status: 'in_review',
      reasons: unique(['attempts_exhausted', ...declining, ...recaptures]),
    };
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

/** Steps without a result, which prevent any approval, also by a reviewer. */
export const listStepsNotRun = (steps: readonly Step[]): Feature[] =>
  steps.filter((step) => !hasRun(step)).map(({ feature }) => feature);

/** Whether every step passed or has no more than a doubt. */
export const hasOnlyDoubts = (steps: readonly Step[], settings: SessionSettings, now: Date): boolean =>
  steps.every((step) => ['passed', 'review'].includes(computeStepStatus(step, settings, now)));
