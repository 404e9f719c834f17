import { invalidFieldError, notFoundError } from '../../../domain/errors';
import { HOUR_MS } from '../../../domain/durations';
import { hashPassword, verifyPassword } from '../../../lib/crypto/passwords';
import { generateSecret } from '../../../lib/crypto/secrets';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import { revokeCreatedKeys } from './key-revocation';
import { requireStrongPassword } from './password-policy';
import { endSessions } from './sign-in-sessions';
import { beginSourceAttempt, clearSignInFailures, throttledError } from './sign-in-throttle';

/** Number of characters of a generated password: 144 bits. */
const GENERATED_PASSWORD_LENGTH = 24;
/** Hours in which a temporary password can be used. */
export const TEMPORARY_PASSWORD_HOURS = 24;

/** Until when a generated password can be used to sign in. */
export const computeTemporaryPasswordEnd = (now: Date): Date =>
  new Date(now.getTime() + TEMPORARY_PASSWORD_HOURS * HOUR_MS);

/** A random password, for an account whose creator chose none. */
export const generatePassword = (): string => generateSecret().slice(0, GENERATED_PASSWORD_LENGTH);

const wrongPasswordError = () => invalidFieldError('currentPassword', 'is not the current password');

/**
 * Verifies the password of a signed-in user. Wrong ones are counted for the user, apart from those of sign-in, so that
 * neither a stolen session can be used to guess nor an attack on the account prevents a change.
 * @throws AppError 400, 429 `sign_in_throttled`
 */
export async function requireCurrentPassword(platform: Platform, user: UserRecord, password: string): Promise<void> {
  const attempt = await beginSourceAttempt(platform, user.email, 'password_change', user._id);
  if (typeof attempt === 'number') throw throttledError(attempt);
  if (await verifyPassword(user.passwordHash, password)) return attempt.succeed();
  await attempt.fail();
  await runTransaction(platform, (unit) =>
    unit.audit(
      { organisationId: user.organisationId, mode: 'live' },
      { actor: user._id, action: 'user.password_rejected', subject: user._id },
    ),
  );
  throw wrongPasswordError();
}

/**
 * Changes the password of a signed-in user and ends every other session of the user in both APIs.
 * @param sessionId the session of the request, which remains valid
 * @throws AppError 400 for a wrong current password or an unacceptable new one; 429
 */
export async function changePassword(
  platform: Platform,
  { user, sessionId }: { user: UserRecord; sessionId: string },
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  if (newPassword === currentPassword) throw invalidFieldError('newPassword', 'must differ from the current password');
  await requireStrongPassword(newPassword, user, 'newPassword');
  await requireCurrentPassword(platform, user, currentPassword);
  const passwordHash = await hashPassword(newPassword, user.passwordHash);
  const { _id, organisationId } = user;
  await runTransaction(platform, async (unit) => {
    const now = platform.clock.now();
    // Conditional on the verified password: of two concurrent changes, the second one fails.
    const changed = await User.updateOne(
      { _id, organisationId, passwordHash: user.passwordHash },
      { $set: { passwordHash, temporaryPasswordUntil: null, updatedAt: now }, $inc: { version: 1 } },
      { session: unit.mongoSession },
    );
    if (changed.matchedCount === 0) throw wrongPasswordError();
    await endSessions(unit, _id, now, sessionId);
    const entry = { actor: _id, action: 'user.password_changed', subject: _id, fields: ['password'] };
    await unit.audit({ organisationId, mode: 'live' }, entry);
  });
}

/**
 * Replaces a lost password by a temporary one, which the user must change after signing in. Ends the sessions of the
 * user, and makes every device unknown.
 * @param keepKeys whether the API keys that the user created remain valid
 * @returns the password, which only this call returns
 * @throws AppError 404
 */
export async function setTemporaryPassword(
  platform: Platform,
  userId: string,
  { keepKeys }: { keepKeys: boolean },
): Promise<{ password: string; expiresAt: Date }> {
  const account = await User.findById(userId).lean<UserRecord>();
  if (account === null) throw notFoundError('user');
  const password = generatePassword();
  const passwordHash = await hashPassword(password, account.passwordHash);
  const now = platform.clock.now();
  const expiresAt = computeTemporaryPasswordEnd(now);
  const user = await runTransaction(platform, async (unit) => {
    const set = { passwordHash, temporaryPasswordUntil: expiresAt, devicesTrustedFrom: now, updatedAt: now };
    const changed = await User.findOneAndUpdate(
      { _id: userId },
      { $set: set, $inc: { version: 1 } },
      { session: unit.mongoSession },
    ).lean<UserRecord>();
    if (changed === null) throw notFoundError('user');
    const { organisationId } = changed;
    await endSessions(unit, userId, now);
    if (!keepKeys) await revokeCreatedKeys(unit, { organisationId, creatorId: userId, actor: 'system' }, now);
    const entry = { actor: 'system', action: 'user.password_reset', subject: userId, fields: ['password'] };
    await unit.audit({ organisationId, mode: 'live' }, entry);
    return changed;
  });
  await clearSignInFailures(platform, user.email);
  return { password, expiresAt };
}

/** Forgets the failed sign-in attempts of a user, so that no attempt is delayed. @returns whether there was one */
export async function unlockUser(platform: Platform, user: UserRecord, actor = 'system'): Promise<boolean> {
  const cleared = await clearSignInFailures(platform, user.email);
  await runTransaction(platform, (unit) =>
    unit.audit(
      { organisationId: user.organisationId, mode: 'live' },
      { actor, action: 'user.unlocked', subject: user._id },
    ),
  );
  return cleared;
}
