import { requireSessionTransition } from '../../../domain/identity/sessions/session';
import { Session } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { findSessionForWorkflow } from './session-store';
import { transitionSession } from './session-transitions';

const BATCH_SIZE = 200;

/** Expires one approval if it is still due: a reviewer may have reversed it meanwhile. */
const expireApproval = (platform: Platform, sessionId: string): Promise<boolean> =>
  runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    const due = session?.approvalExpiresAt ?? null;
    if (session === null || due === null || due > platform.clock.now()) return false;
    requireSessionTransition(session.status, 'approval_expired');
    await transitionSession(unit, session, 'approval_expired');
    await unit.audit(session, {
      actor: 'system',
      action: 'session.approval_expired',
      subject: sessionId,
      fields: ['status'],
    });
    return true;
  });

/**
 * Moves every approval that is due to `approval_expired`, each with its event in one transaction. Concurrent runs expire
 * each approval once.
 *
 * @returns how many expired
 */
export async function expireApprovals(platform: Platform): Promise<number> {
  let expired = 0;
  for (;;) {
    const due = await Session.find({ approvalExpiresAt: { $lte: platform.clock.now() }, deletedAt: null }, { _id: 1 })
      .sort({ approvalExpiresAt: 1 })
      .limit(BATCH_SIZE)
      .lean<{ _id: string }[]>();
    let moved = 0;
    for (const { _id } of due) if (await expireApproval(platform, _id)) moved += 1;
    expired += moved;
    // If none of a batch moved, a concurrent run is expiring it.
    if (due.length < BATCH_SIZE || moved === 0) return expired;
  }
}
