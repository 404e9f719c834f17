import { assertSessionTransition } from '../../../domain/identity/sessions/session';
import { Session } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { moveSession, findSessionForWorkflow } from './session-store';

/** Looked for at a time; what is left is found by the next look. */
const BATCH_SIZE = 200;

/** Lets one approval lapse, if it still stands and its day has come: a reviewer may have reversed it meanwhile. */
const expireApproval = (platform: Platform, sessionId: string): Promise<boolean> =>
  runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    const due = session?.approvalExpiresAt ?? null;
    if (session === null || due === null || due > platform.clock.now()) return false;
    assertSessionTransition(session.status, 'approval_expired');
    await moveSession(platform, unit, session, 'approval_expired');
    await unit.audit(session, {
      actor: 'system',
      action: 'session.approval_expired',
      subject: sessionId,
      fields: ['status'],
    });
    return true;
  });

/**
 * Moves every approval whose time is over to `approval_expired`, each with its event in one transaction; run twice at
 * once it moves each once.
 *
 * @returns how many lapsed
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
    // A batch of which none moved is another run's at this moment.
    if (due.length < BATCH_SIZE || moved === 0) return expired;
  }
}
