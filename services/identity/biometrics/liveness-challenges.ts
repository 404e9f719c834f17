import { randomInt } from 'node:crypto';
import { AppError, conflict, notFound } from '../../../domain/errors';
import { LIVENESS_ACTIONS } from '../../../domain/identity/biometrics/active-liveness';
import type { LivenessAction } from '../../../domain/identity/biometrics/active-liveness';
import { newId } from '../../../lib/ids';
import { LivenessChallenge } from '../../../models/identity/biometrics/liveness-challenge';
import type { LivenessChallengeRecord } from '../../../models/identity/biometrics/liveness-challenge';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { getSession, scopeOf } from '../sessions/session-store';

/** Time to record and send the frames: short, so that no film can be made to order. */
const VALID_MS = 5 * 60_000;

/** Actions in an order nobody can foresee. */
function drawActions(count: number): LivenessAction[] {
  const left = [...LIVENESS_ACTIONS];
  return Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)).flat();
}

/** Draws a challenge, to be answered once within five minutes. @throws AppError 404 unknown session */
export async function createChallenge(
  platform: Platform,
  scope: Scope,
  actor: string,
  { sessionId, count }: { sessionId?: string | undefined; count: number },
): Promise<LivenessChallengeRecord> {
  if (sessionId !== undefined) await getSession(scope, sessionId);
  const createdAt = platform.clock.now();
  const record: LivenessChallengeRecord = {
    _id: newId('chl'),
    ...scopeOf(scope),
    sessionId: sessionId ?? null,
    actions: drawActions(count),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + VALID_MS),
    usedBy: null,
  };
  return transact(platform, async (unit) => {
    await LivenessChallenge.create([record], { session: unit.session });
    await unit.audit(scope, { actor, action: 'liveness_challenge.created', subject: record._id, fields: ['actions'] });
    return record;
  });
}

const used = (): AppError => conflict('challenge_used', 'The challenge was answered before; ask for another.');

/**
 * The challenge that frames answer.
 * @throws AppError 404 unknown, another organisation's or another session's; 410 `challenge_expired`; 409 `challenge_used`
 */
export async function openChallenge(
  platform: Platform,
  scope: Scope,
  id: string,
  sessionId: string | null,
): Promise<LivenessChallengeRecord> {
  const found = await LivenessChallenge.findOne({ _id: id, ...scopeOf(scope) }).lean<LivenessChallengeRecord>();
  if (found === null || (found.sessionId !== null && found.sessionId !== sessionId)) throw notFound('challenge');
  if (found.usedBy !== null) throw used();
  if (found.expiresAt.getTime() <= platform.clock.now().getTime()) {
    throw new AppError('challenge_expired', 410, 'The challenge has expired; ask for another.');
  }
  return found;
}

/** Uses a challenge up, within the transaction of the check that answers it. @throws AppError 409 `challenge_used` */
export async function useChallenge(
  unit: UnitOfWork,
  challenge: LivenessChallengeRecord,
  checkId: string,
): Promise<void> {
  const { _id, organisationId, mode } = challenge;
  const taken = await LivenessChallenge.updateOne(
    { _id, organisationId, mode, usedBy: null },
    { $set: { usedBy: checkId } },
    { session: unit.session },
  );
  if (taken.matchedCount === 0) throw used();
}
