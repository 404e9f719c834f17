import { AppError, invalidFieldError } from '../../../domain/errors';
import { hashPassword } from '../../../lib/crypto/passwords';
import { LoginSession } from '../../../models/business/access/sign-in';
import { BrowserSession } from '../../../models/platform/access/browser-session';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { authenticateUser } from '../../platform/access/password-check';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { requirePasswordLength } from '../../platform/access/users';
import { authenticateToken } from './sign-in';

/**
 * Ends the sessions of a user in both APIs, immediately on every replica.
 * @param except a session of the business API that remains valid
 */
export async function endSessions(unit: UnitOfWork, userId: string, now: Date, except?: string): Promise<void> {
  const active = { userId, revokedAt: null };
  const others = except === undefined ? active : { ...active, _id: { $ne: except } };
  await LoginSession.updateMany(
    others,
    { $set: { revokedAt: now, revokedReason: 'user' } },
    { session: unit.mongoSession },
  );
  await BrowserSession.updateMany(active, { $set: { revokedAt: now } }, { session: unit.mongoSession });
}

const wrongPasswordError = () =>
  invalidFieldError('currentPassword', 'is not the current password, or the account is locked');

/**
 * Verifies the current password of an account. As in sign-in, wrong passwords lock the account, and a correct one is
 * rejected during the lock, so that passwords cannot be guessed.
 * @throws AppError 400
 */
async function requireCurrentPassword(platform: Platform, email: string, password: string): Promise<UserRecord> {
  try {
    return await authenticateUser(platform, email, password);
  } catch (error) {
    throw error instanceof AppError && error.status === 401 ? wrongPasswordError() : error;
  }
}

/**
 * Changes the password of the user of a session and ends every other session of the user.
 * @param token access token of the session
 * @throws AppError 400 for a wrong current password or an unacceptable new one; 401 for a session that has ended
 */
export async function changePassword(
  platform: Platform,
  token: string,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  const { record, sessionId } = await authenticateToken(platform, token);
  requirePasswordLength(newPassword, 'newPassword');
  if (newPassword === currentPassword) throw invalidFieldError('newPassword', 'must differ from the current password');
  const user = await requireCurrentPassword(platform, record.email, currentPassword);
  const passwordHash = await hashPassword(newPassword);
  const { _id, organisationId } = user;
  await runTransaction(platform, async (unit) => {
    const now = platform.clock.now();
    // Conditional on the verified password: of two concurrent changes, the second one fails.
    const changed = await User.updateOne(
      { _id, organisationId, passwordHash: user.passwordHash },
      { $set: { passwordHash, updatedAt: now }, $inc: { version: 1 } },
      { session: unit.mongoSession },
    );
    if (changed.matchedCount === 0) throw wrongPasswordError();
    await endSessions(unit, _id, now, sessionId);
    const entry = { actor: _id, action: 'user.password_changed', subject: _id, fields: ['password'] };
    await unit.audit({ organisationId, mode: 'live' }, entry);
  });
}
