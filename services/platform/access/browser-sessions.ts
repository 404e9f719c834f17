import { AppError, notFound } from '../../../domain/errors';
import { keyedHash, randomSecret, sha256Hex, equalInConstantTime } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { BrowserSession } from '../../../models/platform/access/browser-session';
import type { BrowserSessionRecord } from '../../../models/platform/access/browser-session';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { requirePassword } from './password-check';
import type { Platform, Scope } from '../platform';
import { transact } from '../transactions/unit-of-work';

/** A session ends this long after the login at the latest, … */
export const SESSION_SECONDS = 12 * 3600;
/** … and when nothing has been asked for this long. */
export const IDLE_SECONDS = 3600;
/** `lastSeenAt` is written at most once in this time. */
const SEEN_STEP_MS = 60_000;

/** A signed-in person, with what the browser must send along to change anything. */
export interface BrowserCredential {
  session: BrowserSessionRecord;
  user: UserRecord;
  csrfToken: string;
}

/** Made from the session and a secret of the installation: a page that cannot read our answers cannot guess it. */
const csrfTokenOf = (platform: Platform, sessionId: string): string =>
  keyedHash(platform.config.jwtSecret, `csrf:${sessionId}`);

export const csrfMatches = (credential: BrowserCredential, presented: string | null): boolean =>
  presented !== null && equalInConstantTime(presented, credential.csrfToken);

/**
 * Signs a person in from a browser.
 * @param hasAccess whether a role opens this API at all
 * @returns the session and its token, which is given this once, as a cookie
 * @throws AppError 401 as {@link requirePassword}; 403 for a role without access
 */
export async function openBrowserSession(
  platform: Platform,
  input: { email: string; password: string; mode: Scope['mode'] },
  hasAccess: (role: string) => boolean,
): Promise<BrowserCredential & { token: string }> {
  const user = await requirePassword(platform, input.email, input.password);
  if (!hasAccess(user.role)) {
    throw new AppError('role_without_access', 403, `The role ${user.role} has no access to identity verification.`);
  }
  const token = randomSecret();
  const now = platform.clock.now();
  const session: BrowserSessionRecord = {
    _id: newId('bws'),
    tokenHash: sha256Hex(token),
    organisationId: user.organisationId,
    mode: input.mode,
    userId: user._id,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
    revokedAt: null,
  };
  await transact(platform, async (unit) => {
    await BrowserSession.create([session], { session: unit.session });
    await unit.audit(session, { actor: user._id, action: 'login.succeeded', subject: session._id });
  });
  return { session, user, token, csrfToken: csrfTokenOf(platform, session._id) };
}

/** The session of a cookie's token, with its user; null when it has ended in any way. */
export async function findBrowserSession(platform: Platform, token: string): Promise<BrowserCredential | null> {
  const session = await BrowserSession.findOne({ tokenHash: sha256Hex(token) }).lean<BrowserSessionRecord>();
  const now = platform.clock.now();
  if (session === null || session.revokedAt instanceof Date || session.expiresAt <= now) return null;
  const unseenMs = now.getTime() - session.lastSeenAt.getTime();
  if (unseenMs > IDLE_SECONDS * 1000) return null;
  const user = await User.findById(session.userId).lean<UserRecord>();
  if (user?.active !== true || user.organisationId !== session.organisationId) return null;
  if (unseenMs > SEEN_STEP_MS) {
    await BrowserSession.updateOne({ _id: session._id }, { $max: { lastSeenAt: now } });
  }
  return { session, user, csrfToken: csrfTokenOf(platform, session._id) };
}

/** Ends a session, on every replica at once. */
export async function closeBrowserSession(platform: Platform, session: BrowserSessionRecord): Promise<void> {
  await transact(platform, async (unit) => {
    const ended = await BrowserSession.updateOne(
      { _id: session._id, revokedAt: null },
      { $set: { revokedAt: platform.clock.now() } },
      { session: unit.session },
    );
    if (ended.modifiedCount === 0) throw notFound('session');
    await unit.audit(session, { actor: session.userId, action: 'logout', subject: session._id });
  });
}
