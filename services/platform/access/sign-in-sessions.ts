import { BrowserSession } from '../../../models/platform/access/browser-session';
import { LoginSession } from '../../../models/platform/access/login-session';
import type { UnitOfWork } from '../transactions/unit-of-work';

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
