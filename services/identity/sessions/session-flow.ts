import { MINUTE_MS } from '../../../domain/durations';
import { evaluateSessionRules } from '../../../domain/identity/sessions/decision';
import { computeIdleLimit, ERASED_PROGRESS } from '../../../domain/identity/sessions/progress';
import type { SessionProgress } from '../../../domain/identity/sessions/progress';
import { acceptsChecks } from '../../../domain/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { createFollowOns } from '../checks/follow-ons';
import { applyTemplateRules } from './rule-decision';
import { findSessionForWorkflow } from './session-store';
import { summariseSession } from './temporal-workflow';
import { transitionSession } from './session-transitions';

/** Tolerated difference between the clocks of worker and Temporal, by which a session still counts as idle. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** The workflow that calls: the one of an earlier opening has nothing left to do. */
export interface SessionWorkflowReference {
  sessionId: string;
  opening: number;
}

/** The progress for the workflow of an opening: that of an earlier one has nothing left to do. */
function buildProgress(unit: UnitOfWork, session: SessionRecord, opening: number, due = false): SessionProgress {
  const progress = summariseSession(unit, session, due);
  return { ...progress, final: progress.final || session.opening !== opening };
}

/** Decides by the rules once every step is done. */
async function decideByRules(unit: UnitOfWork, session: SessionRecord): Promise<SessionRecord> {
  const at = unit.platform.clock.now();
  const outcome = evaluateSessionRules(session.steps, session.settings, at);
  if (outcome.kind === 'waiting') return session;
  await unit.audit(session, { actor: 'system', action: 'session.decided', subject: session._id, fields: ['decision'] });
  const { status, reasons, rule } = await applyTemplateRules(session, outcome, at, unit.mongoSession);
  return transitionSession(unit, session, status, {
    decision: { outcome: status, reasons, decidedBy: 'rules', rule, at },
  });
}

/**
 * Advances a session as far as possible without its person, in the transaction that changed it: creates the checks that
 * follow from those completed, then decides. Repeated calls change nothing until the session changes.
 */
export async function advance(unit: UnitOfWork, session: SessionRecord): Promise<SessionRecord> {
  if (!acceptsChecks(session.status)) return session;
  const followed = await createFollowOns(unit, session);
  return followed.status === 'in_progress' ? decideByRules(unit, followed) : followed;
}

/** {@link advance} in a transaction of its own. */
export const advanceSession = (
  platform: Platform,
  { sessionId, opening }: SessionWorkflowReference,
): Promise<SessionProgress> =>
  runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    if (session === null) return ERASED_PROGRESS;
    return buildProgress(unit, await advance(unit, session), opening);
  });

/** The status that an idle session moves to by now; null while it has time left. */
function determineIdleOutcome(session: SessionRecord, now: number): 'expired' | 'abandoned' | null {
  const limit = computeIdleLimit(session);
  if (limit === null || limit.getTime() > now + CLOCK_TOLERANCE_MS) return null;
  if (session.status === 'not_started') return 'expired';
  const isProcessing = session.steps.some(({ attempts }) => attempts.some(({ outcome }) => outcome === 'processing'));
  return isProcessing ? null : 'abandoned';
}

/**
 * Ends a session whose time ran out, if it is still idle: an upload may have arrived at the last moment. The signal of
 * that upload is taken for a repetition once this reports its version, so what may be due is reported here, too.
 */
export const endIdleSession = (
  platform: Platform,
  { sessionId, opening }: SessionWorkflowReference,
): Promise<SessionProgress> =>
  runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    if (session === null) return ERASED_PROGRESS;
    const outcome = determineIdleOutcome(session, platform.clock.now().getTime());
    if (outcome === null) return buildProgress(unit, session, opening, acceptsChecks(session.status));
    await unit.audit(session, { actor: 'system', action: `session.${outcome}`, subject: sessionId });
    return buildProgress(unit, await transitionSession(unit, session, outcome), opening);
  });
