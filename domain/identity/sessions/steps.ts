import { getCheckDefinition, findCheckKind } from '../checks/checks';
import type { CheckDefinition, CheckKind, FollowOnRule } from '../checks/checks';
import type { Feature } from './features';
import { isCurableByRetry } from '../checks/risks';
import type { Risk, Verdict } from '../checks/risks';
import type { SessionSettings } from './settings';
import { DAY_MS } from '../../durations';

/** How a check of a step ended, or that it has not yet. `failed`: it could not be run to its end. */
export type AttemptOutcome = Verdict | 'processing' | 'failed';

/** Who brought a check about: a client's upload, or the session following from two earlier checks. */
export type AttemptOrigin = 'client' | 'follow_on';

/** One check of a step. */
export interface Attempt {
  checkId: string;
  /** when it was received */
  at: Date;
  origin: AttemptOrigin;
  outcome: AttemptOutcome;
  risks: readonly Pick<Risk, 'code' | 'action'>[];
  /** of a follow-on: the key of the pair it compares */
  pair?: string;
  /** true once a reviewer asked for the step again: it is kept, and counts no more */
  superseded: boolean;
}

export interface Step {
  feature: Feature;
  /** in the order they were received */
  attempts: readonly Attempt[];
}

/**
 * Where a step stands. `not_run`: nothing was submitted. `retry`: a better capture may cure it and attempts are left.
 * `exhausted`: the same, and none are left. `declined`: a finding that no other capture cures.
 */
export type StepStatus = 'not_run' | 'processing' | 'passed' | 'review' | 'retry' | 'exhausted' | 'declined';

type AttemptLimits = Pick<SessionSettings, 'maxAttempts' | 'attemptWindowDays'>;

/**
 * Which of several checks speaks for the step they share, first wins: one under way is awaited, then the gravest result,
 * and only where there is no result at all the wish for a better capture.
 */
const PRECEDENCE: readonly StepStatus[] = ['processing', 'declined', 'review', 'passed', 'exhausted', 'retry'];

const listCurrentAttempts = (step: Step): Attempt[] => step.attempts.filter(({ superseded }) => !superseded);

const findStepDefinition = (feature: Feature): CheckDefinition | undefined => {
  const kind = findCheckKind(feature);
  return kind === undefined ? undefined : getCheckDefinition(kind);
};

const findFollowOnRule = (feature: Feature): FollowOnRule | undefined => findStepDefinition(feature)?.follows;

/** Attempts that count against the limit: those not superseded, within the window that ends now. */
export function countAttemptsUsed(step: Step, limits: AttemptLimits, now: Date): number {
  const since = now.getTime() - limits.attemptWindowDays * DAY_MS;
  return listCurrentAttempts(step).filter(({ at }) => at.getTime() > since).length;
}

export const countAttemptsLeft = (step: Step, limits: AttemptLimits, now: Date): number =>
  Math.max(0, limits.maxAttempts - countAttemptsUsed(step, limits, now));

/** The last attempt of each origin: a client's own comparison never hides the one the session made itself. */
export function listDecisiveAttempts(step: Step): Attempt[] {
  const attempts = listCurrentAttempts(step);
  return (['client', 'follow_on'] as const).flatMap((origin) =>
    attempts.filter((one) => one.origin === origin).slice(-1),
  );
}

function getAttemptStatus(attempt: Attempt, left: number): StepStatus {
  switch (attempt.outcome) {
    case 'processing':
      return 'processing';
    case 'approved':
      return 'passed';
    case 'review':
      return 'review';
    case 'failed':
      return left > 0 ? 'retry' : 'exhausted';
    case 'declined':
      if (!isCurableByRetry(attempt.risks)) return 'declined';
      return left > 0 ? 'retry' : 'exhausted';
  }
}

/** @param now the end of the window in which attempts are counted */
export function computeStepStatus(step: Step, limits: AttemptLimits, now: Date): StepStatus {
  const left = countAttemptsLeft(step, limits, now);
  const statuses = listDecisiveAttempts(step).map((attempt) => getAttemptStatus(attempt, left));
  // What nobody can repeat and what could not be run is not run, however many attempts are left.
  if (isStuck(step) && !hasRun(step)) return statuses.includes('processing') ? 'processing' : 'not_run';
  return PRECEDENCE.find((status) => statuses.includes(status)) ?? 'not_run';
}

/**
 * True where a step the service makes by itself could not be run: nobody can capture anything better, so that waiting
 * would be for ever.
 */
export const isStuck = (step: Step): boolean =>
  findStepDefinition(step.feature)?.unattended === true &&
  listDecisiveAttempts(step).some(({ outcome }) => outcome === 'failed');

/** True once a check of the step came to a result that still counts. Only then may anyone approve the session. */
export const hasRun = (step: Step): boolean =>
  listCurrentAttempts(step).some(({ outcome }) => outcome !== 'processing' && outcome !== 'failed');

/**
 * Steps a reviewer's request reopens: those named (every step where none is), the captures without which a named one
 * would only give the same answer, and whatever follows from a step so reopened.
 */
export function listStepsToReopen(features: readonly Feature[], requested: readonly Feature[] = []): Feature[] {
  const reopened = new Set(requested.length === 0 ? features : requested);
  for (const feature of [...reopened]) {
    for (const capture of findFollowOnRule(feature)?.recapture ?? []) reopened.add(capture);
  }
  return features.filter(
    (feature) =>
      reopened.has(feature) || (findFollowOnRule(feature)?.from.some((source) => reopened.has(source)) ?? false),
  );
}

/** The same steps with every attempt of the reopened ones superseded. */
export const reopenSteps = (steps: readonly Step[], reopened: readonly Feature[]): Step[] =>
  steps.map((step) =>
    reopened.includes(step.feature)
      ? { ...step, attempts: step.attempts.map((attempt) => ({ ...attempt, superseded: true })) }
      : step,
  );

/** The last usable check of a step: one that came to a result which a better capture need not replace. */
export function findUsableCheck(steps: readonly Step[], feature: Feature): Attempt | undefined {
  const step = steps.find((candidate) => candidate.feature === feature);
  const last = step === undefined ? undefined : listCurrentAttempts(step).at(-1);
  if (last === undefined || last.outcome === 'processing' || last.outcome === 'failed') return undefined;
  return last.outcome === 'declined' && isCurableByRetry(last.risks) ? undefined : last;
}

/** A check that a session has to make by itself, such as the comparison of portrait and selfie. */
export interface FollowOn {
  kind: CheckKind;
  /** the check of each step it follows from; empty where it follows from what the session was created with */
  sources: Partial<Record<Feature, string>>;
  /** the same sources always have the same key, so that they are examined once */
  pair: string;
}

/** The key of what follows from no check. */
const FROM_SESSION = 'session';

function findSources(steps: readonly Step[], rule: FollowOnRule): Pick<FollowOn, 'sources' | 'pair'> | undefined {
  if (rule.orFromSession === true && !steps.some(({ feature }) => rule.from.includes(feature))) {
    return { sources: {}, pair: FROM_SESSION };
  }
  const sources: FollowOn['sources'] = {};
  for (const feature of rule.from) {
    const usable = findUsableCheck(steps, feature);
    if (usable === undefined) return undefined;
    sources[feature] = usable.checkId;
  }
  return { sources, pair: Object.values(sources).join('.') };
}

/**
 * The checks that follow now: of each step the session wants and can make by itself, from the last usable check of its
 * sources, unless those were examined before. A reviewer who asks for the step again has them examined again.
 */
export function listDueFollowOns(steps: readonly Step[]): FollowOn[] {
  return steps.flatMap((step) => {
    const kind = findCheckKind(step.feature);
    const rule = findFollowOnRule(step.feature);
    const due = rule === undefined ? undefined : findSources(steps, rule);
    if (kind === undefined || due === undefined) return [];
    return listCurrentAttempts(step).some(({ pair }) => pair === due.pair) ? [] : [{ kind, ...due }];
  });
}
