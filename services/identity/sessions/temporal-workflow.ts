import { HOUR_SECONDS } from '../../../domain/durations';
import { hasDueFollowOns, summariseProgress } from '../../../domain/identity/sessions/progress';
import type { SessionProgress } from '../../../domain/identity/sessions/progress';
import { acceptsChecks } from '../../../domain/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { workflowIds } from '../../../workflows/contracts';
import type { SessionChanged, SessionSignal } from '../../../workflows/contracts';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** Sessions of version 0.1 keep the workflow with which they were started; their checks have workflows of their own. */
export const runsItsChecks = ({ followedBy }: Pick<SessionRecord, 'followedBy'>): boolean =>
  followedBy === 'verification';

/** The progress of a session for its workflow, with the deliveries that the transaction has enqueued so far. */
export function summariseSession(unit: UnitOfWork, session: SessionRecord, due = false): SessionProgress {
  const deliveries = unit.deliveries
    .filter(({ subjectId }) => subjectId === session._id)
    .map(({ event, webhookId }) => ({ event, webhookId }));
  return summariseProgress(session, unit.platform.clock.now(), { due, deliveries });
}

const summarise = (unit: UnitOfWork, session: SessionRecord): SessionProgress =>
  summariseSession(unit, session, acceptsChecks(session.status) && hasDueFollowOns(session, unit.platform.clock.now()));

/** Starts the Temporal workflow that follows a session in its present opening. */
export const startSessionWorkflow = (unit: UnitOfWork, session: SessionRecord): void =>
  unit.start(session.organisationId, {
    workflow: 'verification',
    workflowId: workflowIds.session(session._id, session.opening),
    argument: {
      sessionId: session._id,
      opening: session.opening,
      organisationId: session.organisationId,
      progress: summarise(unit, session),
    },
    summary: `Session ${session.number} (${session.mode}): ${session.features.join(', ')}`,
    searchAttributes: { status: session.status, features: session.features, recordId: session._id },
  });

/** Starts the workflow of an open session again, in the version that its record names, for a Temporal that lost it. */
export function restartSessionWorkflow(unit: UnitOfWork, session: SessionRecord): void {
  if (runsItsChecks(session)) return startSessionWorkflow(unit, session);
  unit.start(session.organisationId, {
    workflow: 'session',
    workflowId: workflowIds.session(session._id, session.opening),
    argument: {
      sessionId: session._id,
      opening: session.opening,
      linkTtlSeconds: session.settings.linkTtlHours * HOUR_SECONDS,
      abandonAfterSeconds: session.settings.abandonAfterHours * HOUR_SECONDS,
    },
    summary: `Session ${session.number} (${session.mode}): ${session.features.join(', ')}`,
    searchAttributes: { status: session.status, features: session.features, recordId: session._id },
  });
}

/** The signal to a session of version 0.1 for each signal of the present version. */
const EARLIER_KINDS: Partial<Record<SessionSignal, SessionChanged['kind']>> = {
  reviewerDecided: 'decided',
  sessionCancelled: 'decided',
  hitsReviewed: 'check_completed',
};

/**
 * Signals the Temporal workflow of a session what happened.
 * @param after the session since then
 * @param before the session whose workflow is signalled, if the change starts the workflow of another opening
 */
export function signalSessionWorkflow(
  unit: UnitOfWork,
  after: SessionRecord,
  signal: SessionSignal,
  before: Pick<SessionRecord, 'opening' | 'followedBy'> = after,
): void {
  const workflowId = workflowIds.session(after._id, before.opening);
  if (runsItsChecks(before)) {
    const progress = summarise(unit, after);
    // The decision may be due after a review of hits, in addition to checks.
    const due = progress.due || (signal === 'hitsReviewed' && acceptsChecks(after.status));
    unit.signal(after.organisationId, workflowId, signal, { progress: { ...progress, due } });
  } else {
    const kind = EARLIER_KINDS[signal] ?? 'opened';
    unit.signal(after.organisationId, workflowId, 'sessionChanged', { kind });
  }
}

/** Signals the workflow of a session of version 0.1 that a check of it ended; the present one runs its checks itself. */
export const signalCheckEnded = (unit: UnitOfWork, session: SessionRecord): void =>
  unit.signal(session.organisationId, workflowIds.session(session._id, session.opening), 'sessionChanged', {
    kind: 'check_completed',
  });
