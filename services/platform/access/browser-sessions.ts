import { AppError, notFoundError } from '../../../domain/errors';
import { generateSecret, sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { SharedReads } from '../../../lib/shared-reads';
import { BrowserSession } from '../../../models/platform/access/browser-session';
import type { BrowserSessionRecord } from '../../../models/platform/access/browser-session';
import type { UserRecord } from '../../../models/platform/access/user';
import { computeCsrfToken } from './csrf-tokens';
import { authenticateUser, beginSessionOf } from './password-check';
import type { AuthenticatedUser, SignInInput } from './password-check';
import { hasAnyRole, readUserRoles } from './user-roles';
import { readAuthenticatingUser } from './users';
import type { UserRoles } from './user-roles';
import type { Platform, Scope } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { describeDevice, isIdle, isLastSeenOutdated } from './sign-in-sessions';

/** A signed-in user, with the CSRF token that unsafe requests must contain. */
export interface BrowserCredential {
  session: BrowserSessionRecord;
  user: UserRecord;
  roles: UserRoles;
  csrfToken: string;
}

/** A session that begins now, with the token of its cookie, of which only the hash is stored. */
function buildSession(
  { clock }: Platform,
  fields: Pick<
    BrowserSessionRecord,
    'organisationId' | 'mode' | 'userId' | 'address' | 'device' | 'createdAt' | 'expiresAt'
  >,
): { session: BrowserSessionRecord; token: string } {
  const token = generateSecret();
  const state = { tokenHash: sha256Hex(token), lastSeenAt: clock.now(), revokedAt: null };
  return { session: { _id: newId('bws'), ...fields, ...state }, token };
}

/** A browser session that has just begun; only this call returns its token. */
export type OpenedBrowserSession = BrowserCredential & { token: string };

const roleWithoutAccessError = () => new AppError('role_without_access', 403, 'The user has no role in either API.');

/**
 * Signs a user in from a browser, for both APIs.
 * @throws AppError 401 as {@link authenticateUser}; 403 `role_without_access` for a user without a role in either API
 */
export async function openBrowserSession(
  platform: Platform,
  input: SignInInput & { mode: Scope['mode'] },
): Promise<OpenedBrowserSession & AuthenticatedUser> {
  const { user, deviceToken } = await authenticateUser(platform, input, (found) =>
    hasAnyRole(readUserRoles(found)) ? null : { error: roleWithoutAccessError(), reason: 'role_without_access' },
  );
  const roles = readUserRoles(user);
  const createdAt = platform.clock.now();
  const { session, token } = buildSession(platform, {
    organisationId: user.organisationId,
    mode: input.mode,
    userId: user._id,
    address: input.client.address,
    device: describeDevice(input.client.device),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + platform.config.BROWSER_SESSION_SECONDS * 1000),
  });
  await beginSessionOf(platform, user, async (unit) => {
    await BrowserSession.create([session], { session: unit.mongoSession });
    await unit.audit(session, { actor: user._id, action: 'login.succeeded', subject: session._id });
  });
  const csrfToken = computeCsrfToken(platform, session._id);
  return { session, user, roles, token, deviceToken, csrfToken };
}

/** Marks a session as ended. @throws AppError 404 for one that has ended already */
async function revokeSession(unit: UnitOfWork, { _id }: BrowserSessionRecord, revokedAt: Date): Promise<void> {
  const { mongoSession } = unit;
  const ended = await BrowserSession.updateOne(
    { _id, revokedAt: null },
    { $set: { revokedAt } },
    { session: mongoSession },
  );
  if (ended.modifiedCount === 0) throw notFoundError('session');
}

/**
 * Replaces a session by one in another mode, which ends when the replaced one would have ended. Cookie and CSRF token
 * change with it, so that a page that still shows the other mode cannot write. The roles of a user are the same in both
 * modes, and sign-in offers both, so no password is needed.
 * @throws AppError 404 for a session that has ended meanwhile
 */
export async function switchSessionMode(
  platform: Platform,
  current: BrowserCredential,
  mode: Scope['mode'],
): Promise<OpenedBrowserSession> {
  const { organisationId, userId, address = null, device = null, createdAt, expiresAt } = current.session;
  const opened = buildSession(platform, { organisationId, mode, userId, address, device, createdAt, expiresAt });
  await runTransaction(platform, async (unit) => {
    await revokeSession(unit, current.session, platform.clock.now());
    await BrowserSession.create([opened.session], { session: unit.mongoSession });
    const entry = {
      actor: userId,
      action: 'sign_in_session.mode_switched',
      subject: opened.session._id,
      reason: current.session._id,
    };
    await unit.audit(current.session, entry);
    await unit.audit(opened.session, entry);
  });
  return { ...current, ...opened, csrfToken: computeCsrfToken(platform, opened.session._id) };
}

class BrowserSessionReads extends SharedReads<BrowserSessionRecord | null> {
  constructor() {
    super(async (tokenHash) => BrowserSession.findOne({ tokenHash }).lean<BrowserSessionRecord>());
  }
}

/**
 * Finds the session of a cookie's token, with its user; null if it has expired or was closed, or if its user is inactive
 * or has no role in either API any more.
 */
export async function findBrowserSession(platform: Platform, token: string): Promise<BrowserCredential | null> {
  const session = await platform.singletons.get(BrowserSessionReads).read(sha256Hex(token));
  const now = platform.clock.now();
  if (session === null || session.revokedAt instanceof Date || session.expiresAt <= now) return null;
  if (isIdle(platform, session)) return null;
  const user = await readAuthenticatingUser(platform, session.userId);
  if (user?.active !== true || user.organisationId !== session.organisationId) return null;
  const roles = readUserRoles(user);
  if (!hasAnyRole(roles)) return null;
  if (isLastSeenOutdated(session.lastSeenAt, now)) {
    await BrowserSession.updateOne({ _id: session._id }, { $max: { lastSeenAt: now } });
  }
  return { session, user, roles, csrfToken: computeCsrfToken(platform, session._id) };
}

/** Ends a session, with immediate effect on every replica. */
export async function closeBrowserSession(platform: Platform, session: BrowserSessionRecord): Promise<void> {
  await runTransaction(platform, async (unit) => {
    await revokeSession(unit, session, platform.clock.now());
    await unit.audit(session, { actor: session.userId, action: 'logout', subject: session._id });
  });
}
