import { conflictError, notFoundError } from '../../../domain/errors';
import { Share } from '../../../models/identity/sharing/share';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { forgetEvidence } from '../../platform/evidence/evidence';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { getSession } from '../sessions/session-store';

/** Status of a share; it can be imported while it is `open`. */
export type ShareStatus = 'open' | 'used' | 'revoked' | 'expired';

/** Whether a share was revoked. Shares of early versions have no such field. */
export const isRevoked = ({ revokedAt }: Pick<ShareRecord, 'revokedAt'>): boolean => revokedAt instanceof Date;

/** The status of a share at a time. */
export function getShareStatus(share: ShareRecord, now: Date): ShareStatus {
  if (share.consumedAt !== null) return 'used';
  if (isRevoked(share)) return 'revoked';
  return share.expiresAt <= now ? 'expired' : 'open';
}

/** Shares of a session in any status, newest first. @throws AppError 404 for an unknown session */
export async function listShares(
  scope: Scope,
  sessionId: string,
  page: CursorPageRequest,
): Promise<CursorPage<ShareRecord>> {
  await getSession(scope, sessionId);
  return readCursorPage(Share, { ...toScope(scope), sessionId }, page);
}

/**
 * Revokes a share, so that it can no longer be imported, and removes its bundle; of a simultaneous revocation and import
 * only one commits. Revoking again changes nothing. A bundle that another installation holds is verified there,
 * independently of this installation.
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
    await getSession(scope, sessionId, unit.mongoSession);
    const share = await Share.findOne(filter).session(unit.mongoSession).lean<ShareRecord>();
    if (share === null) throw notFoundError('share');
    if (share.consumedAt !== null)
      throw conflictError('share_used', 'The share was already imported and can no longer be revoked.');
    if (isRevoked(share)) return share;
    const revocation = { revokedAt: platform.clock.now(), bundleEvidenceId: null };
    if (share.bundleEvidenceId != null) await forgetEvidence(unit, scope, sessionId, share.bundleEvidenceId);
    await Share.updateOne(filter, { $set: revocation }, { session: unit.mongoSession });
    await unit.audit(scope, { actor, action: 'session.share_revoked', subject: sessionId, fields: ['revokedAt'] });
    return { ...share, ...revocation };
  });
}
