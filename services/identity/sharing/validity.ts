import type { ClientSession } from 'mongoose';
import { AppError, conflictError } from '../../../domain/errors';
import { SHAREABLE_STATUSES } from '../../../domain/identity/sharing/sharing';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { getOrganisation } from '../../platform/access/organisations';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { guardSession, getSession, sessionChangedError } from '../sessions/session-store';
import type { NamedOrganisation } from './trusted-organisations';

/** 409: the share was imported before. */
export const shareUsedError = (): AppError =>
  conflictError('share_used', 'The share was already imported; a share can be imported only once.');

/** 410: its creator has revoked the share. */
export const shareRevokedError = (): AppError =>
  new AppError('share_revoked', 410, 'The share was revoked by its creator.');

/** 409: the session has another outcome than the bundle. */
export const shareOutdatedError = (): AppError =>
  conflictError(
    'share_outdated',
    'The session was reopened or decided again since the bundle was made; request another share.',
  );

/** 410: the session of the share was erased. */
export const shareGoneError = (): AppError => new AppError('share_gone', 410, 'The shared session has been erased.');

/** The sharing organisation of a share that this installation issued. */
export async function nameOwner(share: ShareRecord): Promise<NamedOrganisation> {
  const { _id: id, name } = await getOrganisation(share.organisationId);
  return { id, name };
}

/** Reads what belongs to a shared session. @throws AppError 410 `share_gone` once it is erased */
export async function mapErasedToGone<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw shareGoneError();
    throw error;
  }
}

/** The session of a share. @throws AppError 410 `share_gone` once it is erased */
export const getSharedSession = (share: ShareRecord, mongoSession?: ClientSession): Promise<SessionRecord> =>
  mapErasedToGone(getSession(share, share.sessionId, mongoSession));

const getDecisionTime = ({ decision }: SessionRecord): number | null => decision?.at.getTime() ?? null;

/**
 * Lets the transaction of an import commit only if the session is neither erased nor decided again meanwhile: it writes
 * the session, as an erasure and a decision do.
 * @param read the session as it was when its content was read
 * @throws AppError 409 `session_changed`, 410 `share_gone`
 */
export async function guardSharedSession(unit: UnitOfWork, share: ShareRecord, read: SessionRecord): Promise<void> {
  const current = await getSharedSession(share, unit.mongoSession);
  const isDecidedAgain = current.status !== read.status || getDecisionTime(current) !== getDecisionTime(read);
  if (isDecidedAgain || current.opening !== read.opening) throw sessionChangedError();
  await guardSession(unit, current);
}

/**
 * Rejects a bundle of this installation whose session has another outcome by now.
 * @returns the session
 * @throws AppError 409 `share_outdated`, 410 `share_gone`
 */
export async function requireCurrent(share: ShareRecord): Promise<SessionRecord> {
  const session = await getSharedSession(share);
  const reopened = typeof share.opening === 'number' && session.opening !== share.opening;
  const decidedAgain = session.decision !== null && session.decision.at > share.createdAt;
  if (reopened || decidedAgain || !SHAREABLE_STATUSES.includes(session.status)) throw shareOutdatedError();
  return session;
}
