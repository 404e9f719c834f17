import { listRolePermissions } from '../../../domain/business/access/permissions';
import type { Permission, Role } from '../../../domain/business/access/permissions';
import { SECOND_MS } from '../../../domain/durations';
import { unauthorizedError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { SharedReads } from '../../../lib/shared-reads';
import { RefreshToken } from '../../../models/business/access/refresh-token';
import type { RefreshTokenRecord } from '../../../models/business/access/refresh-token';
import { LoginSession } from '../../../models/platform/access/login-session';
import type { LoginSessionRecord } from '../../../models/platform/access/login-session';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { authenticateUser, beginSessionOf, invalidCredentialsError } from '../../platform/access/password-check';
import type { AuthenticatedUser, SignInInput } from '../../platform/access/password-check';
import { describeDevice, isLastSeenOutdated } from '../../platform/access/sign-in-sessions';
import { readUserRoles } from '../../platform/access/user-roles';
import { readAuthenticatingUser } from '../../platform/access/users';
import { readAccessToken, readRefreshToken, signAccessToken, signRefreshToken } from './tokens';

export interface TokenSet {
  token: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds, which ends with the session at the latest. */
  expiresIn: number;
}

export interface SignedInUser {
  record: UserRecord;
  sessionId: string;
  role: Role;
  permissions: ReadonlySet<Permission>;
}

const invalidRefreshTokenError = () => unauthorizedError('The refresh token is invalid, expired or already used.');
const invalidAccessTokenError = () => unauthorizedError('The access token is invalid or expired.');

const buildScope = (organisationId: string): Scope => ({ organisationId, mode: 'live' });

/** However often it is refreshed, a session ends a fixed time after the sign-in. */
const computeSessionEnd = ({ config }: Platform, createdAt: Date): Date =>
  new Date(createdAt.getTime() + config.LOGIN_SESSION_SECONDS * 1000);

/** Whole seconds until a time, so that a token does not outlive its session; at least one and at most `most`. */
const countWholeSeconds = (now: Date, end: Date, most: number): number =>
  Math.min(most, Math.max(1, Math.floor((end.getTime() - now.getTime()) / SECOND_MS)));

async function issueTokens(
  unit: UnitOfWork,
  { userId, sessionId, createdAt }: { userId: string; sessionId: string; createdAt: Date },
): Promise<{ tokens: TokenSet; expiresAt: Date }> {
  const { platform } = unit;
  const { config } = platform;
  const now = platform.clock.now();
  const end = computeSessionEnd(platform, createdAt);
  const expiresAt = new Date(Math.min(now.getTime() + config.REFRESH_TOKEN_SECONDS * 1000, end.getTime()));
  const tokenId = newId('log');
  await RefreshToken.create([{ _id: tokenId, sessionId, usedAt: null, createdAt: now, expiresAt }], {
    session: unit.mongoSession,
  });
  const expiresIn = countWholeSeconds(now, expiresAt, config.ACCESS_TOKEN_SECONDS);
  const refreshExpiresIn = countWholeSeconds(now, expiresAt, config.REFRESH_TOKEN_SECONDS);
  return {
    tokens: {
      token: signAccessToken(platform, { userId, sessionId }, expiresIn),
      refreshToken: signRefreshToken(platform, { tokenId, sessionId }, refreshExpiresIn),
      expiresIn,
    },
    expiresAt,
  };
}

/**
 * Signs a user in.
 * @throws AppError as {@link authenticateUser}; the 401 of a wrong password for a user without a role in the business API
 */
export async function signIn(
  platform: Platform,
  input: SignInInput,
): Promise<AuthenticatedUser & { role: Role; tokens: TokenSet }> {
  const { user, deviceToken } = await authenticateUser(platform, input, (found) =>
    readUserRoles(found).business === null ? { error: invalidCredentialsError(), reason: 'role_without_access' } : null,
  );
  const { business: role } = readUserRoles(user);
  if (role === null) throw invalidCredentialsError();
  const tokens = await beginSessionOf(platform, user, async (unit) => {
    const sessionId = newId('fam');
    const createdAt = platform.clock.now();
    const issued = await issueTokens(unit, { userId: user._id, sessionId, createdAt });
    const session = {
      _id: sessionId,
      organisationId: user.organisationId,
      userId: user._id,
      address: input.client.address,
      device: describeDevice(input.client.device),
      createdAt,
      lastSeenAt: createdAt,
      expiresAt: issued.expiresAt,
    };
    await LoginSession.create([session], { session: unit.mongoSession });
    await unit.audit(buildScope(user.organisationId), {
      actor: user._id,
      action: 'login.succeeded',
      subject: sessionId,
    });
    return issued.tokens;
  });
  return { user, deviceToken, role, tokens };
}

async function revokeSession(unit: UnitOfWork, session: LoginSessionRecord, reason: 'logout' | 'reuse'): Promise<void> {
  const revoked = await LoginSession.updateOne(
    { _id: session._id, revokedAt: null },
    { $set: { revokedAt: unit.platform.clock.now(), revokedReason: reason } },
    { session: unit.mongoSession },
  );
  if (revoked.modifiedCount === 0) return;
  const action = reason === 'logout' ? 'logout' : 'refresh_token.reused';
  const entry = { actor: session.userId, action, subject: session._id };
  await unit.audit(buildScope(session.organisationId), entry);
}

/** Handles the second use of a token: within the grace period it is only rejected, later it ends the whole family. */
async function revokeOnReuse(unit: UnitOfWork, used: RefreshTokenRecord, session: LoginSessionRecord): Promise<void> {
  const { platform } = unit;
  const graceMs = platform.config.REFRESH_REUSE_GRACE_SECONDS * 1000;
  const sinceFirstUse = platform.clock.now().getTime() - (used.usedAt?.getTime() ?? 0);
  if (sinceFirstUse > graceMs) await revokeSession(unit, session, 'reuse');
}

/** Marks the token as used and issues its successor in one transaction; null if the token is rejected. */
async function rotateRefreshToken(
  unit: UnitOfWork,
  claims: { tokenId: string; sessionId: string },
): Promise<TokenSet | null> {
  const now = unit.platform.clock.now();
  const found = await LoginSession.findById(claims.sessionId).session(unit.mongoSession).lean<LoginSessionRecord>();
  if (found === null || found.revokedAt !== null || found.expiresAt <= now) return null;
  // A session of an earlier version, or from before the limit was lowered, has a later expiry.
  if (computeSessionEnd(unit.platform, found.createdAt) <= now) return null;
  const user = await User.findById(found.userId).session(unit.mongoSession).lean<UserRecord>();
  if (user?.active !== true) return null;
  const token = { _id: claims.tokenId, sessionId: found._id };
  const used = await RefreshToken.updateOne(
    { ...token, usedAt: null, expiresAt: { $gt: now } },
    { $set: { usedAt: now } },
    { session: unit.mongoSession },
  );
  if (used.modifiedCount === 0) {
    const existing = await RefreshToken.findOne(token).session(unit.mongoSession).lean<RefreshTokenRecord>();
    if (existing !== null && existing.usedAt !== null) await revokeOnReuse(unit, existing, found);
    return null;
  }
  const { tokens, expiresAt } = await issueTokens(unit, {
    userId: user._id,
    sessionId: found._id,
    createdAt: found.createdAt,
  });
  // The session is written, so that a concurrent sign-out conflicts with this transaction.
  await LoginSession.updateOne(
    { _id: found._id, revokedAt: null },
    { $set: { expiresAt, lastSeenAt: now } },
    { session: unit.mongoSession },
  );
  return tokens;
}

/**
 * Exchanges a refresh token for a new pair, once.
 * @throws AppError 401 for any token other than the latest one of an active session
 */
export async function refreshSession(platform: Platform, refreshToken: string): Promise<TokenSet> {
  const claims = readRefreshToken(platform, refreshToken);
  if (claims === null) throw invalidRefreshTokenError();
  const tokens = await runTransaction(platform, (unit) => rotateRefreshToken(unit, claims));
  if (tokens === null) throw invalidRefreshTokenError();
  return tokens;
}

/** Ends the session: its access token and its refresh token are revoked immediately on every replica. */
export async function signOut(platform: Platform, token: string): Promise<void> {
  const claims = readAccessToken(platform, token);
  if (claims === null) throw invalidAccessTokenError();
  await runTransaction(platform, async (unit) => {
    const session = await LoginSession.findById(claims.sessionId).session(unit.mongoSession).lean<LoginSessionRecord>();
    if (session !== null) await revokeSession(unit, session, 'logout');
  });
}

class LoginSessionReads extends SharedReads<LoginSessionRecord | null> {
  constructor() {
    super(async (id) => LoginSession.findById(id).lean<LoginSessionRecord>());
  }
}

/** The user of a bearer token. The session is read for every request. @throws AppError 401 */
export async function authenticateToken(platform: Platform, token: string): Promise<SignedInUser> {
  const claims = readAccessToken(platform, token);
  if (claims === null) throw invalidAccessTokenError();
  const [session, record] = await Promise.all([
    platform.singletons.get(LoginSessionReads).read(claims.sessionId),
    readAuthenticatingUser(platform, claims.userId),
  ]);
  const alive = session !== null && session.revokedAt === null && session.expiresAt > platform.clock.now();
  if (!alive || session.userId !== claims.userId || record?.active !== true) throw invalidAccessTokenError();
  const { business: role } = readUserRoles(record);
  if (role === null) throw invalidAccessTokenError();
  const now = platform.clock.now();
  if (isLastSeenOutdated(session.lastSeenAt, now))
    await LoginSession.updateOne({ _id: session._id }, { $max: { lastSeenAt: now } });
  return { record, sessionId: session._id, role, permissions: new Set(listRolePermissions(role)) };
}

/** @throws AppError 401 for a deleted user */
export async function getSignedInUser(userId: string): Promise<UserRecord> {
  const record = await User.findById(userId).lean<UserRecord>();
  if (record === null) throw invalidAccessTokenError();
  return record;
}
