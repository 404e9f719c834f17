import { conflictError, notFoundError } from '../../../domain/errors';
import { Share } from '../../../models/identity/sharing/share';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { getSession, toScope } from '../sessions/session-store';

/** Where a share stands: it can be taken up while it is `open`. */
export type ShareStatus = 'open' | 'used' | 'revoked' | 'expired';

/** Whether a share was taken back; of those made before that could be said, none was. */
export const isRevoked = ({ revokedAt }: Pick<ShareRecord, 'revokedAt'>): boolean => revokedAt instanceof Date;

export function getShareStatus(share: ShareRecord, now: Date): ShareStatus {
  if (share.consumedAt !== null) return 'used';
  if (isRevoked(share)) return 'revoked';
  return share.expiresAt <= now ? 'expired' : 'open';
}

/** Shares of a session, newest first, whatever became of them. @throws AppError 404 for an unknown session */
export async function listShares(
  scope: Scope,
  sessionId: string,
  page: CursorPageRequest,
): Promise<CursorPage<ShareRecord>> {
  await getSession(scope, sessionId);
  return readCursorPage(Share, { ...toScope(scope), sessionId }, page);
}

/**
 * Takes a share back, so that nobody takes it up any more; of a revocation and an import that meet only one commits. A
 * share taken back before stays as it is. A bundle that another installation holds is verified there, without us.
 *
 * @throws AppError 404; 409 `share_used`
 */
export async function revokeShare(
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
  shareId: string,
): Promise<ShareRecord> {
  const filter = { _id: shareId, sessionId, ...toScope(scope) };
  return runTransaction(platform, async (unit) => {
    const share = await Share.findOne(filter).session(unit.mongoSession).lean<ShareRecord>();
    if (share === null) throw notFoundError('share');
    if (share.consumedAt !== null)
      throw conflictError('share_used', 'The share was taken up before it was taken back.');
    if (isRevoked(share)) return share;
    const revokedAt = platform.clock.now();
    await Share.updateOne(filter, { $set: { revokedAt } }, { session: unit.mongoSession });
    await unit.audit(scope, { actor, action: 'session.share_revoked', subject: sessionId, fields: ['revokedAt'] });
    return { ...share, revokedAt };
  });
}
