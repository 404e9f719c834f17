import { getCheckDefinition, findCheckKind } from '../checks/checks';
import type { CheckDefinition, CheckKind, FollowOnRule } from '../checks/checks';
import type { Feature } from './features';
import { isCurableByRetry } from '../checks/risks';
import type { Risk, Verdict } from '../checks/risks';
import type { SessionSettings } from './settings';
import { DAY_MS } from '../../durations';

/** How a check of a step ended, or `processing`. `failed`: it could not be run. */
export type AttemptOutcome = Verdict | 'processing' | 'failed';

/** Who submitted a check: a client, or the session itself because it follows from earlier checks. */
export type AttemptOrigin = 'client' | 'follow_on';

/** One check of a step. */
export interface Attempt {
  checkId: string;
  /** When it was received. */
  at: Date;
  origin: AttemptOrigin;
  outcome: AttemptOutcome;
  risks: readonly Pick<Risk, 'code' | 'action'>[];
  /** Key of the checks that a follow-on check follows from. */
  pair?: string;
  /** True once a reviewer repeated the step: the attempt is kept but no longer counts. */
  superseded: boolean;
  /**
   * True once the document whose data were examined was replaced: the attempt neither decides nor counts against the
   * limit, but what it found still calls a reviewer.
   */
  outdated?: boolean;
}

export interface Step {
  feature: Feature;
  /** Attempts in the order of receipt. */
  attempts: readonly Attempt[];
}

/**
 * The status of a step. `not_run`: nothing was submitted. `retry`: a better capture may cure it and attempts are left.
 * `exhausted`: the same, but no attempts are left. `declined`: a finding that no other capture cures.
 */
export type StepStatus = 'not_run' | 'processing' | 'passed' | 'review' | 'retry' | 'exhausted' | 'declined';

type AttemptLimits = Pick<SessionSettings, 'maxAttempts' | 'attemptWindowDays'>;

/**
 * Which of several decisive attempts determines the status of their step, in order of precedence: the most severe result,
 * and only without a result a retry.
 */
const PRECEDENCE: readonly StepStatus[] = ['declined', 'review', 'passed', 'exhausted', 'retry'];

const listCurrentAttempts = (step: Step): Attempt[] => step.attempts.filter(({ superseded }) => !superseded);

/** Attempts that count: not superseded, and not about a document that was replaced. */
export const listCountedAttempts = (step: Step): Attempt[] =>
  listCurrentAttempts(step).filter(({ outdated }) => outdated !== true);

const findStepDefinition = (feature: Feature): CheckDefinition | undefined => {
  const kind = findCheckKind(feature);
  return kind === undefined ? undefined : getCheckDefinition(kind);
};

const findFollowOnRule = (feature: Feature): FollowOnRule | undefined => findStepDefinition(feature)?.follows;

/** Attempts that count against the limit: those that count, within the window that ends now. */
export function countAttemptsUsed(step: Step, limits: AttemptLimits, now: Date): number {
  const since = now.getTime() - limits.attemptWindowDays * DAY_MS;
  return listCountedAttempts(step).filter(({ at }) => at.getTime() > since).length;
}

/** How often the step can still be attempted; 0 once it is exhausted. */
export const countAttemptsLeft = (step: Step, limits: AttemptLimits, now: Date): number =>
  Math.max(0, limits.maxAttempts - countAttemptsUsed(step, limits, now));

/**
 * When the steps of a session that accepts no more checks were judged: at its last attempt. Attempts that have left the
 * window since are not given back.
 * @returns null without an attempt
 */
export function findJudgementTime(steps: readonly Step[]): Date | null {
  const times = steps.flatMap(({ attempts }) => attempts.map(({ at }) => at.getTime()));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

/** The last attempt of each origin: a comparison by the client does not hide the one made by the session. */
export function listDecisiveAttempts(step: Step): Attempt[] {
  const attempts = listCountedAttempts(step);
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
    case 'recapture':
      return left > 0 ? 'retry' : 'exhausted';
    case 'declined':
      if (!isCurableByRetry(attempt.risks)) return 'declined';
      return left > 0 ? 'retry' : 'exhausted';
  }
}

/** @param now the end of the window in which attempts are counted */
export function computeStepStatus(step: Step, limits: AttemptLimits, now: Date): StepStatus {
  // Also one that is not the last: a finding of it, which no later attempt cures, would come after the decision.
  if (listCurrentAttempts(step).some(({ outcome }) => outcome === 'processing')) return 'processing';
  // A step that the service runs by itself and that failed cannot be retried by the person: it is `not_run`, however
  // many attempts are left.
  if (isStuck(step) && !hasRun(step)) return 'not_run';
  const left = countAttemptsLeft(step, limits, now);
  const statuses = listDecisiveAttempts(step).map((attempt) => getAttemptStatus(attempt, left));
  return PRECEDENCE.find((status) => statuses.includes(status)) ?? 'not_run';
}

/** True if a step that the service runs by itself failed: no new capture can help, so that waiting would never end. */
export const isStuck = (step: Step): boolean =>
  findStepDefinition(step.feature)?.unattended === true &&
  listDecisiveAttempts(step).some(({ outcome }) => outcome === 'failed');

/** True once a check of the step has a result that still counts: a precondition of any approval. */
export const hasRun = (step: Step): boolean =>
  listCountedAttempts(step).some(({ outcome }) => outcome !== 'processing' && outcome !== 'failed');

/**
 * The steps that a resubmission reopens: the requested ones (all if none is named), the captures without which a
 * requested one would give the same result, every step that follows from a reopened one, and the captures whose images
 * such a step needs and the session does not have.
 *
 * @param withoutImages captures whose images the session does not have
 */
export function listStepsToReopen(
  features: readonly Feature[],
  requested: readonly Feature[] = [],
  withoutImages: readonly Feature[] = [],
): Feature[] {
  const reopened = new Set(requested.length === 0 ? features : requested);
  for (const feature of [...reopened]) {
    for (const capture of findFollowOnRule(feature)?.recapture ?? []) reopened.add(capture);
  }
  // A capture that is reopened for its images reopens what follows from it, which may need images of others.
  for (let before = 0; before < reopened.size;) {
    before = reopened.size;
    for (const feature of features) {
      const rule = findFollowOnRule(feature);
      if (rule?.from.some((source) => reopened.has(source)) === true) reopened.add(feature);
      if (rule?.examinesImages !== true || !reopened.has(feature)) continue;
      for (const source of rule.from) if (withoutImages.includes(source)) reopened.add(source);
    }
  }
  return features.filter((feature) => reopened.has(feature));
}

/** The steps with every attempt of the reopened ones superseded. */
export const reopenSteps = (steps: readonly Step[], reopened: readonly Feature[]): Step[] =>
  steps.map((step) =>
    reopened.includes(step.feature)
      ? { ...step, attempts: step.attempts.map((attempt) => ({ ...attempt, superseded: true })) }
      : step,
  );

/** The steps with the result of a check in its attempt. */
export const recordOutcome = (
  steps: readonly Step[],
  checkId: string,
  { outcome, risks }: Pick<Attempt, 'outcome' | 'risks'>,
): Step[] =>
  steps.map((step) => ({
    ...step,
    attempts: step.attempts.map((attempt) =>
      attempt.checkId === checkId
        ? { ...attempt, outcome, risks: risks.map(({ code, action }) => ({ code, action })) }
        : attempt,
    ),
  }));

/** The steps with the given attempts marked as outdated. */
export const outdateAttempts = (steps: readonly Step[], checkIds: readonly string[]): Step[] =>
  steps.map((step) => ({
    ...step,
    attempts: step.attempts.map((attempt) =>
      checkIds.includes(attempt.checkId) ? { ...attempt, outdated: true } : attempt,
    ),
  }));

/** The last usable check of a step: one with a result that no better capture needs to replace. */
export function findUsableCheck(steps: readonly Step[], feature: Feature): Attempt | undefined {
  const step = steps.find((candidate) => candidate.feature === feature);
  const last = step === undefined ? undefined : listCurrentAttempts(step).at(-1);
  if (last === undefined || ['processing', 'failed', 'recapture'].includes(last.outcome)) return undefined;
  return last.outcome === 'declined' && isCurableByRetry(last.risks) ? undefined : last;
}

/** A check that a session creates by itself, such as the comparison of portrait and selfie. */
export interface FollowOn {
  kind: CheckKind;
  /** The check of each step that it follows from; empty if it follows from the session's own data. */
  sources: Partial<Record<Feature, string>>;
  /** Key of the sources: equal for equal sources, so that they are examined once. */
  pair: string;
}

/** The key of a check that follows from the session's own data. */
const FROM_SESSION = 'session';

/** Between the ids of checks in the key of what follows from them. */
const PAIR_SEPARATOR = '.';

/** Whether a session with these steps runs the step of a feature by itself, once the steps that it follows from are done. */
export function isAutomatic(steps: readonly Pick<Step, 'feature'>[], feature: Feature): boolean {
  const rule = findFollowOnRule(feature);
  if (rule === undefined) return false;
  const present = rule.from.filter((source) => steps.some((step) => step.feature === source));
  return present.length === rule.from.length || (present.length === 0 && rule.orFromSession === true);
}

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
  return { sources, pair: Object.values(sources).join(PAIR_SEPARATOR) };
}

/** Whether the checks that a follow-on check follows from are still the last usable ones of their steps. */
export const hasCurrentSources = (steps: readonly Step[], { kind, pair }: FollowOn): boolean => {
  const rule = getCheckDefinition(kind).follows;
  return rule !== undefined && findSources(steps, rule)?.pair === pair;
};

/** The key of the same checks under other ids, such as in a copy of their session. */
export const renamePair = (pair: string, ids: ReadonlyMap<string, string>): string =>
  pair
    .split(PAIR_SEPARATOR)
    .map((id) => ids.get(id) ?? id)
    .join(PAIR_SEPARATOR);

/**
 * Whether an attempt examined these sources in the session that it was imported from: earlier versions kept the ids of
 * that session in `pair`. What was captured since the import is newer.
 */
function examinedElsewhere(steps: readonly Step[], { pair, at }: Attempt, sources: FollowOn['sources']): boolean {
  if (pair === undefined || pair === FROM_SESSION) return false;
  const attempts = steps.flatMap((step) => step.attempts);
  const ids = pair.split(PAIR_SEPARATOR);
  if (attempts.some(({ checkId }) => ids.includes(checkId))) return false;
  return attempts.every((attempt) => !Object.values(sources).includes(attempt.checkId) || attempt.at <= at);
}

/** Whether a check of these sources makes another one unnecessary. One that could not be run is repeated. */
function isExamined(
  steps: readonly Step[],
  step: Step,
  { sources, pair }: Pick<FollowOn, 'sources' | 'pair'>,
  limits: AttemptLimits,
  now: Date,
): boolean {
  const examinations = listCurrentAttempts(step).filter(
    (attempt) => attempt.pair === pair || examinedElsewhere(steps, attempt, sources),
  );
  const last = examinations.at(-1);
  if (last?.outcome !== 'failed') return last !== undefined;
  return findStepDefinition(step.feature)?.unattended === true || countAttemptsLeft(step, limits, now) === 0;
}

/**
 * The follow-on checks that are due: for each step that the session can run by itself, from the last usable checks of
 * its sources, unless those were examined before. Repeating the step examines them again, and a check that failed is
 * repeated while attempts are left, because the person can do nothing about it.
 */
export function listDueFollowOns(steps: readonly Step[], limits: AttemptLimits, now: Date): FollowOn[] {
  return steps.flatMap((step) => {
    const kind = findCheckKind(step.feature);
    const rule = findFollowOnRule(step.feature);
    const due = rule === undefined ? undefined : findSources(steps, rule);
    if (kind === undefined || due === undefined) return [];
    return isExamined(steps, step, due, limits, now) ? [] : [{ kind, ...due }];
  });
}
