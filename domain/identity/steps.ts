import type { Feature } from './features';
import { curableByRetry } from './risks';
import type { Risk, Verdict } from './risks';
import type { SessionSettings } from './settings';

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

const DAY_MILLISECONDS = 86_400_000;

/**
 * Which of several checks speaks for the step they share, first wins: one under way is awaited, then the gravest result,
 * and only where there is no result at all the wish for a better capture.
 */
const PRECEDENCE: readonly StepStatus[] = ['processing', 'declined', 'review', 'passed', 'exhausted', 'retry'];

const current = (step: Step): Attempt[] => step.attempts.filter(({ superseded }) => !superseded);

/** Attempts that count against the limit: those not superseded, within the window that ends now. */
export function attemptsUsed(step: Step, limits: AttemptLimits, now: Date): number {
  const since = now.getTime() - limits.attemptWindowDays * DAY_MILLISECONDS;
  return current(step).filter(({ at }) => at.getTime() > since).length;
}

export const attemptsLeft = (step: Step, limits: AttemptLimits, now: Date): number =>
  Math.max(0, limits.maxAttempts - attemptsUsed(step, limits, now));

/** The last attempt of each origin: a client's own comparison never hides the one the session made itself. */
export function decisiveAttempts(step: Step): Attempt[] {
  const attempts = current(step);
  return (['client', 'follow_on'] as const).flatMap((origin) =>
    attempts.filter((one) => one.origin === origin).slice(-1),
  );
}

function statusOfAttempt(attempt: Attempt, left: number): StepStatus {
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
      if (!curableByRetry(attempt.risks)) return 'declined';
      return left > 0 ? 'retry' : 'exhausted';
  }
}

/** @param now the end of the window in which attempts are counted */
export function stepStatus(step: Step, limits: AttemptLimits, now: Date): StepStatus {
  const left = attemptsLeft(step, limits, now);
  const statuses = decisiveAttempts(step).map((attempt) => statusOfAttempt(attempt, left));
  return PRECEDENCE.find((status) => statuses.includes(status)) ?? 'not_run';
}

/** True once a check of the step came to a result that still counts. Only then may anyone approve the session. */
export const hasRun = (step: Step): boolean =>
  current(step).some(({ outcome }) => outcome !== 'processing' && outcome !== 'failed');

/**
 * Steps a reviewer's request reopens: those named (every step where none is), the comparison that follows from either of
 * its inputs, and for a comparison the selfie, since the same two pictures would only give the same answer.
 */
export function stepsToReopen(features: readonly Feature[], named: readonly Feature[] = []): Feature[] {
  const wanted = named.length === 0 ? features : named;
  const comparison = wanted.some((feature) => feature === 'id' || feature === 'liveness' || feature === 'face_match');
  const selfie = wanted.includes('liveness') || wanted.includes('face_match');
  return features.filter((feature) => {
    if (feature === 'face_match') return comparison;
    return feature === 'liveness' ? selfie : wanted.includes(feature);
  });
}

/** The same steps with every attempt of the reopened ones superseded. */
export const reopenSteps = (steps: readonly Step[], reopened: readonly Feature[]): Step[] =>
  steps.map((step) =>
    reopened.includes(step.feature)
      ? { ...step, attempts: step.attempts.map((attempt) => ({ ...attempt, superseded: true })) }
      : step,
  );

/** A comparison that follows from a document and a selfie already checked. */
export interface FollowOnFaceMatch {
  documentCheckId: string;
  livenessCheckId: string;
  /** the same two checks always have the same key, so that they are compared once */
  pair: string;
}

/** The last usable check of a step: one that came to a result which a better capture need not replace. */
export function usableCheck(steps: readonly Step[], feature: Feature): Attempt | undefined {
  const step = steps.find((candidate) => candidate.feature === feature);
  const last = step === undefined ? undefined : current(step).at(-1);
  if (last === undefined || last.outcome === 'processing' || last.outcome === 'failed') return undefined;
  return last.outcome === 'declined' && curableByRetry(last.risks) ? undefined : last;
}

/**
 * The face match that has to be made now, if the session wants one: the portrait of the last usable document against
 * the last usable selfie, unless that pair was compared before.
 */
export function followOnFaceMatch(steps: readonly Step[]): FollowOnFaceMatch | undefined {
  const comparison = steps.find(({ feature }) => feature === 'face_match');
  const document = usableCheck(steps, 'id');
  const selfie = usableCheck(steps, 'liveness');
  if (comparison === undefined || document === undefined || selfie === undefined) return undefined;
  const pair = `${document.checkId}.${selfie.checkId}`;
  return comparison.attempts.some((attempt) => attempt.pair === pair)
    ? undefined
    : { documentCheckId: document.checkId, livenessCheckId: selfie.checkId, pair };
}
