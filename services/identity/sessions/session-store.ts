import type { ClientSession } from 'mongoose';
import { conflictError, notFoundError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { toScope } from '../../platform/platform';
import type { Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { recordDayChanges } from '../statistics/day-changes';

const buildActiveFilter = (scope: Scope) => ({ ...toScope(scope), deletedAt: null });

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getSession(scope: Scope, id: string, mongoSession?: ClientSession): Promise<SessionRecord> {
  const found = await Session.findOne({ _id: id, ...buildActiveFilter(scope) })
    .session(mongoSession ?? null)
    .lean<SessionRecord>();
  if (found === null) throw notFoundError('session');
  return found;
}

/** The session that a workflow follows, whatever its scope; null once it is deleted. Never call it for a request. */
export const findSessionForWorkflow = (id: string, mongoSession: ClientSession): Promise<SessionRecord | null> =>
  Session.findOne({ _id: id, deletedAt: null }).session(mongoSession).lean<SessionRecord>();

/**
 * The session of a check; null for a standalone check, or once the session is deleted.
 * @param options.fields the fields to read: without personal ones, nothing is decrypted. @default all
 */
export async function findSessionOfCheck<K extends keyof SessionRecord = keyof SessionRecord>(
  check: Pick<CheckRecord, 'sessionId' | 'organisationId' | 'mode'>,
  { fields = [], mongoSession = null }: { fields?: readonly K[]; mongoSession?: ClientSession | null } = {},
): Promise<Pick<SessionRecord, K | '_id'> | null> {
  if (check.sessionId === null) return null;
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  return Session.findOne({ _id: check.sessionId, ...buildActiveFilter(check) }, projection)
    .session(mongoSession)
    .lean<Pick<SessionRecord, K | '_id'>>();
}

/** Inserts a session and notes that the statistics of its day change. */
export const insertSession = async (unit: UnitOfWork, record: SessionRecord): Promise<void> => {
  await Session.create([record], { session: unit.mongoSession });
  await recordDayChanges(unit, 'sessions', record, [record]);
};

/** Fields that may change without a transition to another status. */
export type SessionChanges = Partial<
  Omit<SessionRecord, '_id' | 'organisationId' | 'mode' | 'version' | 'guards' | 'status'>
>;

/** The version of what reviewers see of a session: its ETag. */
export const getShownVersion = ({ version, guards = 0 }: Pick<SessionRecord, 'version' | 'guards'>): number =>
  version - guards;

/** 409: another request changed the session at the same time. */
export const sessionChangedError = (): AppError =>
  conflictError('session_changed', 'The session changed meanwhile; try again.');

async function writeSession(
  unit: UnitOfWork,
  before: SessionRecord,
  set: SessionChanges & { status?: SessionStatus },
  increments: { version: 1; guards?: 1 },
): Promise<void> {
  const written = await Session.updateOne(
    { _id: before._id, ...buildActiveFilter(before), version: before.version },
    { $set: set, $inc: increments },
    { session: unit.mongoSession },
  );
  if (written.matchedCount === 0) throw sessionChangedError();
}

/**
 * Writes a session that was read in the same transaction, and raises its version, so that neither another change nor an
 * erasure can intervene. What reviewers see stays the same, except for the time of the last activity.
 * @throws AppError 409 `session_changed` if its version is no longer the one that was read
 */
export async function guardSession(
  unit: UnitOfWork,
  before: SessionRecord,
  changes: Pick<SessionChanges, 'lastActivityAt' | 'drawnChallenges'> = {},
): Promise<SessionRecord> {
  await writeSession(unit, before, changes, { version: 1, guards: 1 });
  return { ...before, ...changes, version: before.version + 1, guards: (before.guards ?? 0) + 1 };
}

/**
 * Writes changes to a session that was read in the same transaction, and raises its version.
 * @throws AppError 409 `session_changed` if its version is no longer the one that was read
 */
export async function changeSession(
  unit: UnitOfWork,
  before: SessionRecord,
  changes: SessionChanges & { status?: SessionStatus },
): Promise<SessionRecord> {
  await writeSession(unit, before, changes, { version: 1 });
  if (changes.status !== undefined || changes.decision !== undefined || changes.startedAt !== undefined)
    await recordDayChanges(unit, 'sessions', before, [before]);
  return { ...before, ...changes, version: before.version + 1 };
}
