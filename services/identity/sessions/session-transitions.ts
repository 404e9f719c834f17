import { addDaysToInstant } from '../../../domain/durations';
import { EVENT_BY_STATUS, isFinalStatus } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { Metrics } from '../../../lib/metrics/metrics';
import { toScope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { EventPayload } from '../../platform/webhooks/event-payloads';
import { emitEvent } from '../../platform/webhooks/events';
import { enrolSelfie } from '../biometrics/session-faces';
import { removeKeptFront } from './kept-front';
import { changeSession, insertSession } from './session-store';
import type { SessionChanges } from './session-store';
import { startSessionWorkflow } from './temporal-workflow';

/** The dates that depend on a status. An expired approval ended when it was given: its retention does not restart. */
export function computeStatusDates(
  before: Pick<SessionRecord, 'settings' | 'finishedAt'>,
  to: SessionStatus,
  now: Date,
) {
  const { approvalValidDays, retentionDays } = before.settings;
  const ended = to === 'approval_expired' ? (before.finishedAt ?? now) : now;
  const finishedAt = isFinalStatus(to) ? ended : null;
  return {
    finishedAt,
    approvalExpiresAt:
      to === 'approved' && approvalValidDays !== null ? addDaysToInstant(now, approvalValidDays) : null,
    retainUntil: finishedAt === null || retentionDays === null ? null : addDaysToInstant(finishedAt, retentionDays),
  };
}

function buildEventData(session: SessionRecord): EventPayload<'session.created'> {
  const { decision } = session;
  return {
    sessionId: session._id,
    number: session.number,
    mode: session.mode,
    status: session.status,
    externalId: session.externalId,
    workflowId: session.templateId,
    workflowVersion: session.templateVersion,
    decision:
      decision === null
        ? null
        : {
            outcome: decision.outcome,
            reasons: [...decision.reasons],
            decidedBy: decision.decidedBy,
            rule: decision.rule,
          },
  };
}

/** Emits the event of a session's present status and counts it; the version in its key makes each transition a separate event. */
async function emitStatusEvent(unit: UnitOfWork, session: SessionRecord, at: Date): Promise<void> {
  const type = EVENT_BY_STATUS[session.status];
  await emitEvent(unit, toScope(session), {
    type,
    key: `${type}:${session._id}:${session.version}`,
    subjectId: session._id,
    data: buildEventData(session),
    at,
  });
  const { sessionTransitions } = unit.platform.singletons.get(Metrics).instruments;
  unit.afterCommit(() => sessionTransitions.inc({ status: session.status }));
}

/** Inserts a session, emits its first event and starts its workflow, unless it is imported with a final decision. */
export async function beginSession(unit: UnitOfWork, session: SessionRecord): Promise<void> {
  await insertSession(unit, session);
  await emitStatusEvent(unit, session, session.createdAt);
  if (!isFinalStatus(session.status)) startSessionWorkflow(unit, session);
}

/**
 * Moves a session to another status. The caller has asserted that the transition is legal, and signals the session's
 * workflow unless that workflow makes the transition itself.
 *
 * Effects, in the caller's transaction:
 * 1. writes the status, the dates that depend on it and `changes`;
 * 2. removes a front that was kept for a back which did not come, once the session has ended;
 * 3. enrols the selfie of an approved session for face search, or withdraws it when an approval is reversed;
 * 4. emits the event of the new status.
 */
export async function transitionSession(
  unit: UnitOfWork,
  before: SessionRecord,
  to: SessionStatus,
  changes: SessionChanges = {},
): Promise<SessionRecord> {
  const now = unit.platform.clock.now();
  const keptFront = isFinalStatus(to) ? await removeKeptFront(unit, before) : {};
  const after = await changeSession(unit, before, {
    ...changes,
    ...keptFront,
    status: to,
    lastActivityAt: now,
    reviewSince: to === 'in_review' ? now : null,
    ...computeStatusDates(before, to, now),
    ...(to === 'in_progress' ? { startedAt: before.startedAt ?? now } : {}),
  });
  await enrolSelfie(unit, before, after);
  await emitStatusEvent(unit, after, now);
  return after;
}
