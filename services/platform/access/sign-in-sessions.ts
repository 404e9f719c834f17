import { MINUTE_MS } from '../../../domain/durations';
import { notFoundError } from '../../../domain/errors';
import { BrowserSession } from '../../../models/platform/access/browser-session';
import type { BrowserSessionRecord } from '../../../models/platform/access/browser-session';
import { LoginSession } from '../../../models/platform/access/login-session';
import type { LoginSessionRecord } from '../../../models/platform/access/login-session';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';

/** Minimum interval between two writes of `lastSeenAt`. */
const LAST_SEEN_UPDATE_INTERVAL_MS = MINUTE_MS;
const MAX_DEVICE_LENGTH = 200;

/** A user's session in one of the APIs. */
export interface SignInSession {
  id: string;
  api: 'business' | 'identity';
  /** Address and User-Agent of the sign-in; null for sessions of earlier versions. */
  address: string | null;
  device: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** Whose sessions. */
export interface SessionOwner {
  organisationId: string;
  userId: string;
}

/** The User-Agent of a client as it is stored. */
export const describeDevice = (userAgent: string | null): string | null =>
  userAgent === null ? null : userAgent.slice(0, MAX_DEVICE_LENGTH);

/** Whether the time of the last request is so old that it is written again; not every request writes it. */
export const isLastSeenOutdated = (lastSeenAt: Date | null | undefined, now: Date): boolean =>
  lastSeenAt == null || now.getTime() - lastSeenAt.getTime() > LAST_SEEN_UPDATE_INTERVAL_MS;

/** Whether a browser session had no request for too long. */
export const isIdle = ({ config, clock }: Platform, { lastSeenAt }: BrowserSessionRecord): boolean =>
  clock.now().getTime() - lastSeenAt.getTime() > config.BROWSER_SESSION_IDLE_SECONDS * 1000;

const presentSession = (
  api: SignInSession['api'],
  session: LoginSessionRecord | BrowserSessionRecord,
): SignInSession => ({
  id: session._id,
  api,
  address: session.address ?? null,
  device: session.device ?? null,
  createdAt: session.createdAt,
  lastUsedAt: session.lastSeenAt ?? session.createdAt,
  expiresAt: session.expiresAt,
});

/** The sessions of a user in both APIs that have not ended, most recently used first. */
export async function listSignInSessions(
  platform: Platform,
  { organisationId, userId }: SessionOwner,
): Promise<SignInSession[]> {
  const open = { organisationId, userId, revokedAt: null, expiresAt: { $gt: platform.clock.now() } };
  const [logins, browsers] = await Promise.all([
    LoginSession.find(open).lean<LoginSessionRecord[]>(),
    BrowserSession.find(open).lean<BrowserSessionRecord[]>(),
  ]);
  const active = browsers.filter((session) => !isIdle(platform, session));
  return [
    ...logins.map((session) => presentSession('business', session)),
    ...active.map((session) => presentSession('identity', session)),
  ].sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
}

/**
 * Ends one session of a user, immediately on every replica.
 * @throws AppError 404 for a session that is not the user's or has ended
 */
export async function endSignInSession(
  platform: Platform,
  { organisationId, userId }: SessionOwner,
  sessionId: string,
  actor: string,
): Promise<void> {
  await runTransaction(platform, async (unit) => {
    const open = { _id: sessionId, organisationId, userId, revokedAt: null };
    const revokedAt = platform.clock.now();
    const session = unit.mongoSession;
    const login = await LoginSession.updateOne(open, { $set: { revokedAt, revokedReason: 'ended' } }, { session });
    const browser = await BrowserSession.updateOne(open, { $set: { revokedAt } }, { session });
    if (login.modifiedCount + browser.modifiedCount === 0) throw notFoundError('session');
    await unit.audit(
      { organisationId, mode: 'live' },
      { actor, action: 'sign_in_session.ended', subject: userId, reason: sessionId },
    );
  });
}

/** Whether a session of either API was not ended, as the transaction sees it. */
export async function isSessionOpen({ mongoSession }: UnitOfWork, sessionId: string): Promise<boolean> {
  const open = { _id: sessionId, revokedAt: null };
  return (
    (await LoginSession.exists(open).session(mongoSession)) !== null ||
    (await BrowserSession.exists(open).session(mongoSession)) !== null
  );
}

/**
 * Ends the sessions of a user in both APIs, immediately on every replica.
 * @param except a session that remains valid
 */
export async function endSessions(unit: UnitOfWork, userId: string, now: Date, except?: string): Promise<void> {
  const { mongoSession: session } = unit;
  const others = { userId, revokedAt: null, ...(except === undefined ? {} : { _id: { $ne: except } }) };
  await LoginSession.updateMany(others, { $set: { revokedAt: now, revokedReason: 'user' } }, { session });
  await BrowserSession.updateMany(others, { $set: { revokedAt: now } }, { session });
}
