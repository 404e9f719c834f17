import { notFoundError } from '../../../domain/errors';
import { isFinalStatus } from '../../../domain/identity/sessions/session';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { isWorkflowLost } from '../../platform/transactions/lost-workflows';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { changeSession, findSessionForWorkflow } from './session-store';
import { startSessionWorkflow } from './temporal-workflow';

type FollowedSession = Pick<SessionRecord, '_id' | 'opening'>;

const isLost = (platform: Platform, { _id, opening }: FollowedSession): Promise<boolean> =>
  isWorkflowLost(platform, workflowIds.session(_id, opening));

/** The open sessions that no workflow follows: it was terminated, or the data of Temporal was lost. */
export async function filterLostSessions<T extends FollowedSession>(
  platform: Platform,
  open: readonly T[],
): Promise<T[]> {
  const lost = await Promise.all(open.map((session) => isLost(platform, session)));
  return open.filter((_, index) => lost[index]);
}

/**
 * Starts the next workflow of an open session that none follows. It runs the checks that are still processing.
 * @returns the id of the workflow; null if a workflow follows the session or it has ended
 * @throws AppError 404
 */
export async function restartSession(platform: Platform, sessionId: string): Promise<string | null> {
  const found = await Session.findOne({ _id: sessionId, deletedAt: null }, { opening: 1 }).lean<FollowedSession>();
  if (found === null) throw notFoundError('session');
  if (!(await isLost(platform, found))) return null;
  return runTransaction(platform, async (unit) => {
    const session = await findSessionForWorkflow(sessionId, unit.mongoSession);
    if (session === null) throw notFoundError('session');
    const { status, opening } = session;
    if (isFinalStatus(status) || opening !== found.opening) return null;
    // A workflow of this opening may exist in Temporal, ended; its id cannot be used again.
    const restarted = await changeSession(unit, session, { opening: opening + 1, followedBy: 'verification' });
    await unit.audit(session, {
      actor: 'system',
      action: 'session.restarted',
      subject: sessionId,
      fields: ['opening'],
    });
    startSessionWorkflow(unit, restarted);
    return workflowIds.session(sessionId, restarted.opening);
  });
}
