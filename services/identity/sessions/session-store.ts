import type { ClientSession } from 'mongoose';
import { conflictError, notFoundError } from '../../../domain/errors';
import { EVENT_BY_STATUS, isFinalStatus } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { emitEvent } from '../../platform/webhooks/events';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { enrolSelfie } from '../biometrics/session-faces';
import { DAY_MS } from '../../../domain/durations';

const buildActiveFilter = (scope: Scope) => ({
  organisationId: scope.organisationId,
  mode: scope.mode,
  deletedAt: null,
});

export const toScope = ({ organisationId, mode }: Scope): Scope => ({ organisationId, mode });

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getSession(scope: Scope, id: string, mongoSession?: ClientSession): Promise<SessionRecord> {
  const found = await Session.findOne({ _id: id, ...buildActiveFilter(scope) })
    .session(mongoSession ?? null)
    .lean<SessionRecord>();
  if (found === null) throw notFoundError('session');
  return found;
}

/** The session a workflow follows, in whatever scope it lies; null once it is deleted. Never call it for a request. */
export const findSessionForWorkflow = (id: string, mongoSession: ClientSession): Promise<SessionRecord | null> =>
  Session.findOne({ _id: id, deletedAt: null }).session(mongoSession).lean<SessionRecord>();

/** Inserts a session with its event. */
export async function insertSession(unit: UnitOfWork, record: SessionRecord): Promise<void> {
  await Session.create([record], { session: unit.mongoSession });
  await emitStatusEvent(unit, record, record.createdAt);
}

type SessionChanges = Partial<Omit<SessionRecord, '_id' | 'organisationId' | 'mode' | 'version' | 'status'>>;

/**
 * Writes changes to a session read in the same transaction, under the guard of its version.
 * @throws AppError 409 `session_changed` when it is no longer as it was read
 */
export async function changeSession(
  unit: UnitOfWork,
  before: SessionRecord,
  changes: SessionChanges & { status?: SessionStatus },
): Promise<SessionRecord> {
  const written = await Session.updateOne(
    { _id: before._id, ...buildActiveFilter(before), version: before.version },
    { $set: changes, $inc: { version: 1 } },
    { session: unit.mongoSession },
  );
  if (written.matchedCount === 0) throw conflictError('session_changed', 'The session changed meanwhile; try again.');
  return { ...before, ...changes, version: before.version + 1 };
}

const addDays = (from: Date, days: number | null): Date | null =>
  days === null ? null : new Date(from.getTime() + days * DAY_MS);

/** The dates a status has. An approval that lapses ended when it was given: its retention does not begin anew. */
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
    approvalExpiresAt: to === 'approved' ? addDays(now, approvalValidDays) : null,
    retainUntil: finishedAt === null ? null : addDays(finishedAt, retentionDays),
  };
}

/**
 * Moves a session on and tells the event of its new status. The caller has asserted that the move is legal; what each
 * status means for the dates of the record is kept here.
 */
export async function moveSession(
  platform: Platform,
  unit: UnitOfWork,
  before: SessionRecord,
  to: SessionStatus,
  changes: SessionChanges = {},
): Promise<SessionRecord> {
  const now = platform.clock.now();
  const after = await changeSession(unit, before, {
    ...changes,
    status: to,
    lastActivityAt: now,
    reviewSince: to === 'in_review' ? now : null,
    ...computeStatusDates(before, to, now),
    ...(to === 'in_progress' ? { startedAt: before.startedAt ?? now } : {}),
  });
  await enrolSelfie(platform, unit, before, after);
  await emitStatusEvent(unit, after, now);
  return after;
}

/** Tells the event of a session's present status; its version makes each move an event of its own. */
async function emitStatusEvent(unit: UnitOfWork, session: SessionRecord, at: Date): Promise<void> {
  const type = EVENT_BY_STATUS[session.status];
  await emitEvent(unit, toScope(session), {
    type,
    key: `${type}:${session._id}:${session.version}`,
    subjectId: session._id,
    data: { sessionId: session._id, number: session.number, status: session.status },
    at,
  });
}
