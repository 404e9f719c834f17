import { findCheckKind, getCheckDefinition } from '../checks/checks';
import { RISKS } from '../checks/risks';
import type { RiskCode } from '../checks/risks';
import type { Feature } from '../sessions/features';
import type { SessionSettings } from '../sessions/settings';
import { computeStepStatus, countAttemptsLeft, isAutomatic, listDecisiveAttempts } from '../sessions/steps';
import type { Step, StepStatus } from '../sessions/steps';

/**
 * What a person captures for a step: photographs of an identity document, a selfie that proves liveness, a selfie for
 * another purpose, or a proof of address.
 */
export type CaptureTask = 'document' | 'liveness' | 'selfie' | 'address';

const TASKS: Partial<Record<Feature, CaptureTask>> = {
  id: 'document',
  liveness: 'liveness',
  face_match: 'selfie',
  age: 'selfie',
  poa: 'address',
};

/** A step that the person completes on the capture page. */
export interface CaptureStep {
  feature: Feature;
  task: CaptureTask;
  status: StepStatus;
  attemptsLeft: number;
  /** Why the last capture must be repeated; only risks that a better capture may cure. */
  problems: RiskCode[];
}

type Limits = Pick<SessionSettings, 'maxAttempts' | 'attemptWindowDays'>;

/** The risks of a step that another capture may cure. Others are not shown: they could help to deceive the checks. */
const listCurableProblems = (step: Step): RiskCode[] => [
  ...new Set(
    listDecisiveAttempts(step)
      .flatMap(({ risks }) => risks)
      .filter(({ code, action }) => RISKS[code].retryable && (action === 'recapture' || action === 'decline'))
      .map(({ code }) => code),
  ),
];

/** The steps whose checks the session runs by itself, and which wait for another capture of this feature. */
const listWaitingFollowOns = (steps: readonly Step[], feature: Feature, limits: Limits, now: Date): Step[] =>
  steps.filter((step) => {
    const kind = findCheckKind(step.feature);
    const recapture = kind === undefined ? undefined : getCheckDefinition(kind).follows?.recapture;
    if (recapture?.includes(feature) !== true || !isAutomatic(steps, step.feature)) return false;
    return computeStepStatus(step, limits, now) === 'retry';
  });

function describeStep(steps: readonly Step[], step: Step, task: CaptureTask, limits: Limits, now: Date): CaptureStep {
  const own = computeStepStatus(step, limits, now);
  const attemptsLeft = countAttemptsLeft(step, limits, now);
  const waiting = own === 'passed' || own === 'review' ? listWaitingFollowOns(steps, step.feature, limits, now) : [];
  const status = waiting.length > 0 && attemptsLeft > 0 ? 'retry' : own;
  const problems = status === 'retry' ? [step, ...waiting].flatMap(listCurableProblems) : [];
  return { feature: step.feature, task, status, attemptsLeft, problems };
}

/** The steps that the person completes, in the order of the session; the session runs the others by itself. */
export const listCaptureSteps = (steps: readonly Step[], limits: Limits, now: Date): CaptureStep[] =>
  steps.flatMap((step) => {
    const task = TASKS[step.feature];
    if (task === undefined || isAutomatic(steps, step.feature)) return [];
    return [describeStep(steps, step, task, limits, now)];
  });

/**
 * Whether a step was captured and does not wait for the person: it is being processed, or has a result that no other capture
 * cures. False for steps that the page does not offer.
 */
export const isCaptured = (steps: readonly Step[], feature: Feature, limits: Limits, now: Date): boolean =>
  listCaptureSteps(steps, limits, now).some(
    (step) => step.feature === feature && step.status !== 'not_run' && step.status !== 'retry',
  );

/**
 * Whether a person can complete a session of these features on the capture page: a comparison of faces needs the
 * portrait of a document, and registers are queried with the details of one.
 */
export function isCapturable(features: readonly Feature[]): boolean {
  const steps = features.map((feature) => ({ feature }));
  return features.every((feature) => {
    if (isAutomatic(steps, feature)) return true;
    return feature === 'face_match' ? features.includes('id') : TASKS[feature] !== undefined;
  });
}
