import { HOUR_MS, MINUTE_MS } from '../../../domain/durations';
import { evaluateSessionRules } from '../../../domain/identity/sessions/decision';
import { isFinalStatus, isOpenStatus } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { computeStepStatus } from '../../../domain/identity/sessions/steps';
import type { StepStatus } from '../../../domain/identity/sessions/steps';
import type { Feature } from '../../../domain/identity/sessions/features';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { createFollowOns } from '../checks/follow-ons';
import { applyTemplateRules } from './rule-decision';
import { findSessionForWorkflow } from './session-store';
import { transitionSession } from './session-transitions';

/** Tolerated difference between the clocks of worker and Temporal, by which a session still counts as idle. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** The progress of a session in statuses only: a workflow history holds no personal data. */
export interface SessionProgress {
  /** `erased` once the session is deleted. */
  status: SessionStatus | 'erased';
  /** True when the calling workflow has nothing left to wait for: an override starts the next workflow. */
  final: boolean;
  steps: { feature: Feature; status: StepStatus }[];
}

/** The workflow that calls: the one of an earlier opening has nothing left to do. */
export interface SessionWorkflowReference {
  sessionId: string;
  opening: number;
}

function buildProgress(platform: Platform, session: SessionRecord, opening: number): SessionProgress {
  const now = platform.clock.now();
  return {
    status: session.status,
    final: isFinalStatus(session.status) || session.opening !== opening,
    steps: session.steps.map((step) => ({
      feature: step.feature,
      status: computeStepStatus(step, session.settings, now),
    })),
  };
}

const ERASED: SessionProgress = { status: 'erased', final: true, steps: [] };

/** Decides by the rules once every step is done. */
async function decideByRules(platform: Platform, unit: UnitOfWork, session: SessionRecord): Promise<SessionRecord> {
  const at = platform.clock.now();
  const outcome = evaluateSessionRules(session.steps, session.settings, at);
  if (outcome.kind === 'waiting') return session;
  await unit.audit(session, { actor: 'system', action: 'session.decided', subject: session._id, fields: ['decision'] });
  const { status, reasons, rule } = await applyTemplateRules(session, outcome, at, unit.mongoSession);
  return transitionSession(platform, unit, session, status, {
    decision: { outcome: status, reasons, decidedBy: 'rules', rule, at },
  });
}

/**
 * Advances a session as far as possible without its person: creates the checks that follow from those completed, then
 * decides. Repeated calls change nothing until the session changes.
 */
export const advanceSession = (
  platform: Platform,
  { sessionId, opening }: SessionWorkflowReference,
): Promise<SessionProgress> =>
  runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    if (session === null) return ERASED;
    if (!isOpenStatus(session.status)) return buildProgress(platform, session, opening);
    const followed = await createFollowOns(platform, unit, session);
    if (followed.status !== 'in_progress') return buildProgress(platform, followed, opening);
    return buildProgress(platform, await decideByRules(platform, unit, followed), opening);
  });

/** The status that an idle session moves to by now; null while it has time left. */
function determineIdleOutcome(session: SessionRecord, now: number): 'expired' | 'abandoned' | null {
  const due = now + CLOCK_TOLERANCE_MS;
  if (session.status === 'not_started') return session.expiresAt.getTime() <= due ? 'expired' : null;
  if (session.status !== 'in_progress' && session.status !== 'resubmission_requested') return null;
  const idleUntil = session.lastActivityAt.getTime() + session.settings.abandonAfterHours * HOUR_MS;
  const isProcessing = session.steps.some(({ attempts }) => attempts.some(({ outcome }) => outcome === 'processing'));
  return idleUntil <= due && !isProcessing ? 'abandoned' : null;
}

/** Ends a session whose time ran out, if it is still idle: an upload may have arrived at the last moment. */
export const endIdleSession = (
  platform: Platform,
  { sessionId, opening }: SessionWorkflowReference,
): Promise<SessionProgress> =>
  runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    if (session === null) return ERASED;
    const outcome = determineIdleOutcome(session, platform.clock.now().getTime());
    if (outcome === null) return buildProgress(platform, session, opening);
    await unit.audit(session, { actor: 'system', action: `session.${outcome}`, subject: sessionId });
    return buildProgress(platform, await transitionSession(platform, unit, session, outcome), opening);
  });
