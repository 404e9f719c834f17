import type { EventType } from '../../platform/webhooks/event-types';
import { HOUR_MS } from '../../durations';
import { findCheckKind } from '../checks/checks';
import type { CheckKind } from '../checks/checks';
import type { RiskCode } from '../checks/risks';
import type { Feature } from './features';
import { isFinalStatus, acceptsChecks } from './session';
import type { SessionStatus } from './session';
import type { SessionSettings } from './settings';
import { computeStepStatus, isAutomatic, listDecisiveAttempts, listDueFollowOns } from './steps';
import type { Step, StepStatus } from './steps';

/** A check that the workflow of a session runs. */
export interface SessionCheck {
  checkId: string;
  kind: CheckKind;
}

/** An event of a session that the workflow of a webhook delivers. */
export interface EventDelivery {
  event: EventType;
  webhookId: string;
}

/**
 * The progress of a session in ids, statuses, codes and times only: it is part of the workflow history, which holds no
 * personal data.
 */
export interface SessionProgress {
  /** `erased` once the session is deleted. */
  status: SessionStatus | 'erased';
  /** True when the session's workflow has nothing left to wait for. */
  final: boolean;
  /** Number of the session's present workflow: an override that reopens a session starts the next one. */
  opening: number;
  /** Version of the session record: a higher one is newer. */
  version: number;
  steps: StepProgress[];
  /** Checks that are being processed, in the order of receipt. */
  checks: SessionCheck[];
  /** True if follow-on checks or the decision are due, which only `advanceSession` creates. */
  due: boolean;
  /** When the session ends unless its person continues (ISO 8601); null while it waits for something else. */
  idleUntil: string | null;
  /** The reasons of the present decision. */
  reasons: RiskCode[];
  /** Deliveries that the change enqueued. A process of an earlier version reports none. */
  deliveries?: EventDelivery[];
}

export interface StepProgress {
  feature: Feature;
  status: StepStatus;
  /** Codes of the risks that count, except ignored ones. */
  risks: RiskCode[];
  /** True if the session runs the step by itself: the person is not waited for. */
  automatic: boolean;
}

/** The fields of a session from which its progress is computed. */
export interface ProgressSource {
  status: SessionStatus;
  version: number;
  opening: number;
  steps: readonly Step[];
  settings: SessionSettings;
  expiresAt: Date;
  lastActivityAt: Date;
  decision: { reasons: readonly RiskCode[] } | null;
}

/** The progress of a session that was deleted: newer than any other. */
export const ERASED_PROGRESS: SessionProgress = {
  status: 'erased',
  final: true,
  opening: 0,
  version: Number.MAX_SAFE_INTEGER,
  steps: [],
  checks: [],
  due: false,
  idleUntil: null,
  reasons: [],
};

/** When a session ends unless its person continues; null while it does not wait for the person. */
export function computeIdleLimit(session: ProgressSource): Date | null {
  if (session.status === 'not_started') return session.expiresAt;
  if (!acceptsChecks(session.status)) return null;
  return new Date(session.lastActivityAt.getTime() + session.settings.abandonAfterHours * HOUR_MS);
}

const listProcessingChecks = (steps: readonly Step[]): SessionCheck[] =>
  steps.flatMap(({ feature, attempts }) => {
    const kind = findCheckKind(feature);
    if (kind === undefined) return [];
    return attempts.filter(({ outcome }) => outcome === 'processing').map(({ checkId }) => ({ checkId, kind }));
  });

/** Whether the session can create a check by itself now. */
export const hasDueFollowOns = ({ steps, settings }: ProgressSource, now: Date): boolean =>
  listDueFollowOns(steps, settings, now).length > 0;

/** Summarises a session for its workflow. */
export function summariseProgress(
  session: ProgressSource,
  now: Date,
  { due = false, deliveries = [] }: { due?: boolean; deliveries?: readonly EventDelivery[] } = {},
): SessionProgress {
  const { status, version, opening, steps, settings, decision } = session;
  return {
    status,
    final: isFinalStatus(status),
    opening,
    version,
    steps: steps.map((step) => ({
      feature: step.feature,
      status: computeStepStatus(step, settings, now),
      risks: listDecisiveAttempts(step).flatMap(({ risks }) =>
        risks.filter(({ action }) => action !== 'ignore').map(({ code }) => code),
      ),
      automatic: isAutomatic(steps, step.feature),
    })),
    checks: listProcessingChecks(steps),
    due,
    idleUntil: computeIdleLimit(session)?.toISOString() ?? null,
    reasons: [...(decision?.reasons ?? [])],
    deliveries: [...deliveries],
  };
}

/**
 * The features of the steps that are not done or must be repeated: those of the person, else the ones that the session
 * could not run by itself.
 */
export function listAwaitedSteps(steps: readonly StepProgress[]): Feature[] {
  const undone = steps.filter(({ status }) => status === 'not_run' || status === 'retry');
  const byPerson = undone.filter(({ automatic }) => !automatic);
  return (byPerson.length > 0 ? byPerson : undone).map(({ feature }) => feature);
}
