import { INSTALLATION } from '../../../domain/platform/installation';
import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';

/**
 * What became of an attempt to sign in: `login.failed` if it was rejected, `login.refused` if it was not made because of
 * earlier failures, `login.incomplete` if the password was right and the client was asked for what was missing.
 */
type RejectedAction = 'login.failed' | 'login.refused' | 'login.incomplete';

/** Writes a row about an attempt for an account, or for none. */
export const auditAttempt = (
  unit: UnitOfWork,
  user: UserRecord | null,
  action: RejectedAction,
  reason?: string,
): Promise<void> =>
  unit.audit(
    { organisationId: user?.organisationId ?? INSTALLATION, mode: 'live' },
    {
      actor: user?._id ?? 'anonymous',
      action,
      subject: user?._id ?? 'unknown',
      ...(reason === undefined ? {} : { reason }),
    },
  );

/**
 * Records an attempt that began no session for each account, or once if there is none.
 * @param getReason the reason for one account, which only its organisation may read
 */
export const auditAttempts = (
  platform: Platform,
  users: readonly UserRecord[],
  action: RejectedAction,
  getReason: (user: UserRecord | null) => string | undefined,
): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const accounts: readonly (UserRecord | null)[] = users.length === 0 ? [null] : users;
    for (const user of accounts) await auditAttempt(unit, user, action, getReason(user));
  });
