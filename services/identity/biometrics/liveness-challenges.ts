import { randomInt } from 'node:crypto';
import { AppError, conflictError, notFoundError } from '../../../domain/errors';
import { LIVENESS_ACTIONS } from '../../../domain/identity/biometrics/active-liveness';
import type { LivenessAction } from '../../../domain/identity/biometrics/active-liveness';
import { newId } from '../../../lib/ids';
import { LivenessChallenge } from '../../../models/identity/biometrics/liveness-challenge';
import type { LivenessChallengeRecord } from '../../../models/identity/biometrics/liveness-challenge';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { getSession } from '../sessions/session-store';
import { MINUTE_MS } from '../../../domain/durations';

/** Time to record and send the frames: too short to produce a matching video. */
const CHALLENGE_TTL_MS = 5 * MINUTE_MS;

/** Draws actions in unpredictable order. */
function drawActions(count: number): LivenessAction[] {
  const remaining = [...LIVENESS_ACTIONS];
  return Array.from({ length: count }, () => remaining.splice(randomInt(remaining.length), 1)).flat();
}

/** Creates a challenge, which can be answered once within five minutes. @throws AppError 404 unknown session */
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
    ...toScope(scope),
    sessionId: sessionId ?? null,
    actions: drawActions(count),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + CHALLENGE_TTL_MS),
    usedBy: null,
  };
  return runTransaction(platform, async (unit) => {
    await LivenessChallenge.create([record], { session: unit.mongoSession });
    await unit.audit(scope, { actor, action: 'liveness_challenge.created', subject: record._id, fields: ['actions'] });
    return record;
  });
}

const challengeUsedError = (): AppError =>
  conflictError('challenge_used', 'The challenge was already answered; request another one.');

/**
 * The challenge that a submission of frames answers.
 * @throws AppError 404 unknown, or of another organisation or session; 410 `challenge_expired`; 409 `challenge_used`
 */
export async function getOpenChallenge(
  platform: Platform,
  scope: Scope,
  id: string,
  sessionId: string | null,
): Promise<LivenessChallengeRecord> {
  const found = await LivenessChallenge.findOne({ _id: id, ...toScope(scope) }).lean<LivenessChallengeRecord>();
  if (found === null || (found.sessionId !== null && found.sessionId !== sessionId)) throw notFoundError('challenge');
  if (found.usedBy !== null) throw challengeUsedError();
  if (found.expiresAt.getTime() <= platform.clock.now().getTime()) {
    throw new AppError('challenge_expired', 410, 'The challenge has expired; request another one.');
  }
  return found;
}

/** Marks a challenge as used, in the transaction of the check that answers it. @throws AppError 409 `challenge_used` */
export async function consumeChallenge(
  unit: UnitOfWork,
  challenge: LivenessChallengeRecord,
  checkId: string,
): Promise<void> {
  const { _id, organisationId, mode } = challenge;
  const taken = await LivenessChallenge.updateOne(
    { _id, organisationId, mode, usedBy: null },
    { $set: { usedBy: checkId } },
    { session: unit.mongoSession },
  );
  if (taken.matchedCount === 0) throw challengeUsedError();
}
