import { unauthorizedError } from '../../../domain/errors';
import { verifyPassword } from '../../../lib/crypto/passwords';
import type { UserRecord } from '../../../models/platform/access/user';
import { beginLoginAttempt } from './login-lock';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import { findUserByEmail } from './users';

/** Organisation id for failed logins of unknown addresses, which belong to no organisation. */
const NO_ORGANISATION = 'installation';

/** The only rejection of a login, in both APIs. */
export const invalidCredentials = () =>
  unauthorizedError('Invalid credentials: email or password is wrong, or the account is locked.');

const auditRejectedLogin = (
  platform: Platform,
  user: UserRecord | null,
  action: string,
  reason?: string,
): Promise<void> =>
  runTransaction(platform, (unit) =>
    unit.audit(
      { organisationId: user?.organisationId ?? NO_ORGANISATION, mode: 'live' },
      {
        actor: user?._id ?? 'anonymous',
        action,
        subject: user?._id ?? 'unknown',
        ...(reason === undefined ? {} : { reason }),
      },
    ),
  );

/**
 * Authenticates a user by email address and password. Failures of both APIs count towards the same lock.
 * @throws AppError 401 with the same message and timing for an unknown address, a wrong password and a locked account
 */
export async function authenticateUser(platform: Platform, email: string, password: string): Promise<UserRecord> {
  const attempt = await beginLoginAttempt(platform, email);
  const user = await findUserByEmail(email);
  const matches = await verifyPassword(user?.active === true ? user.passwordHash : null, password);
  if (attempt === null) {
    await auditRejectedLogin(platform, user, 'login.refused', 'locked');
    throw invalidCredentials();
  }
  if (user !== null && matches) {
    await attempt.succeed();
    return user;
  }
  const locked = await attempt.fail();
  await auditRejectedLogin(platform, user, 'login.failed', locked ? 'locked from now on' : undefined);
  throw invalidCredentials();
}
