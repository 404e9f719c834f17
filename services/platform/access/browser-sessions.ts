import { AppError, notFoundError } from '../../../domain/errors';
import type { IdentityRole } from '../../../domain/identity/access/roles';
import { requireJwtSecret } from '../../../lib/config';
import { hmacSha256Hex, generateSecret, sha256Hex, constantTimeEqual } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { BrowserSession } from '../../../models/platform/access/browser-session';
import type { BrowserSessionRecord } from '../../../models/platform/access/browser-session';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { authenticateUser } from './password-check';
import type { AuthenticatedUser, SignInInput } from './password-check';
import { readUserRoles } from './user-roles';
import type { Platform, Scope } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import { describeDevice, isIdle, isLastSeenOutdated } from './sign-in-sessions';

/** A signed-in user, with the CSRF token that unsafe requests must contain. */
export interface BrowserCredential {
  session: BrowserSessionRecord;
  user: UserRecord;
  role: IdentityRole;
  csrfToken: string;
}

/** Derived from the session and a secret of the installation, so that a page that cannot read responses cannot guess it. */
const computeCsrfToken = (secret: string, sessionId: string): string => hmacSha256Hex(secret, `csrf:${sessionId}`);

/** A page keeps its token while the secret is replaced, so those of all configured secrets are valid. */
export const isCsrfTokenValid = (
  { config }: Platform,
  { session }: BrowserCredential,
  presented: string | null,
): boolean =>
  presented !== null &&
  config.jwtSecrets.some((secret) => constantTimeEqual(presented, computeCsrfToken(secret, session._id)));

/**
 * Signs a user in from a browser.
 * @returns the session and its token, which only this call returns
 * @throws AppError 401 as {@link authenticateUser}; 403 `role_without_access` for a user without a role in the identity API
 */
export async function openBrowserSession(
  platform: Platform,
  input: SignInInput & { mode: Scope['mode'] },
): Promise<BrowserCredential & AuthenticatedUser & { token: string }> {
  const { user, deviceToken } = await authenticateUser(platform, input);
  const { identity: role } = readUserRoles(user);
  if (role === null) throw new AppError('role_without_access', 403, 'The user has no role in identity verification.');
  const token = generateSecret();
  const now = platform.clock.now();
  const session: BrowserSessionRecord = {
    _id: newId('bws'),
    tokenHash: sha256Hex(token),
    organisationId: user.organisationId,
    mode: input.mode,
    userId: user._id,
    address: input.client.address,
    device: describeDevice(input.client.device),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + platform.config.BROWSER_SESSION_SECONDS * 1000),
    revokedAt: null,
  };
  await runTransaction(platform, async (unit) => {
    await BrowserSession.create([session], { session: unit.mongoSession });
    await unit.audit(session, { actor: user._id, action: 'login.succeeded', subject: session._id });
  });
  const csrfToken = computeCsrfToken(requireJwtSecret(platform.config), session._id);
  return { session, user, role, token, deviceToken, csrfToken };
}

/**
 * Finds the session of a cookie's token, with its user; null if it has expired or was closed, or if its user is inactive
 * or has no role in the identity API any more.
 */
export async function findBrowserSession(platform: Platform, token: string): Promise<BrowserCredential | null> {
  const session = await BrowserSession.findOne({ tokenHash: sha256Hex(token) }).lean<BrowserSessionRecord>();
  const now = platform.clock.now();
  if (session === null || session.revokedAt instanceof Date || session.expiresAt <= now) return null;
  if (isIdle(platform, session)) return null;
  const user = await User.findById(session.userId).lean<UserRecord>();
  if (user?.active !== true || user.organisationId !== session.organisationId) return null;
  const { identity: role } = readUserRoles(user);
  if (role === null) return null;
  if (isLastSeenOutdated(session.lastSeenAt, now)) {
    await BrowserSession.updateOne({ _id: session._id }, { $max: { lastSeenAt: now } });
  }
  return { session, user, role, csrfToken: computeCsrfToken(requireJwtSecret(platform.config), session._id) };
}

/** Ends a session, with immediate effect on every replica. */
export async function closeBrowserSession(platform: Platform, session: BrowserSessionRecord): Promise<void> {
  await runTransaction(platform, async (unit) => {
    const ended = await BrowserSession.updateOne(
      { _id: session._id, revokedAt: null },
      { $set: { revokedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (ended.modifiedCount === 0) throw notFoundError('session');
    await unit.audit(session, { actor: session.userId, action: 'logout', subject: session._id });
  });
}
