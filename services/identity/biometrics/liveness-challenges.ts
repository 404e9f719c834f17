import { randomInt } from 'node:crypto';
import { AppError, conflictError, notFoundError } from '../../../domain/errors';
import { LIVENESS_ACTIONS, MAX_UNANSWERED_CHALLENGES } from '../../../domain/identity/biometrics/active-liveness';
import type { LivenessAction } from '../../../domain/identity/biometrics/active-liveness';
import { newId } from '../../../lib/ids';
import { LivenessChallenge } from '../../../models/identity/biometrics/liveness-challenge';
import type { LivenessChallengeRecord } from '../../../models/identity/biometrics/liveness-challenge';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { getSession, guardSession } from '../sessions/session-store';
import { MINUTE_MS } from '../../../domain/durations';

/** Time to record and send the frames: too short to produce a matching video. */
const CHALLENGE_TTL_MS = 5 * MINUTE_MS;

/** Draws actions in unpredictable order. */
function drawActions(count: number): LivenessAction[] {
  const remaining = [...LIVENESS_ACTIONS];
  return Array.from({ length: count }, () => remaining.splice(randomInt(remaining.length), 1)).flat();
}

/** @throws AppError 409 `challenges_exhausted` */
function requireChallengeLeft({ steps, drawnChallenges = 0 }: SessionRecord): void {
  const attempts = steps.find(({ feature }) => feature === 'liveness')?.attempts ?? [];
  const counted = attempts.filter(({ superseded }) => !superseded).length;
  if (drawnChallenges < MAX_UNANSWERED_CHALLENGES + counted) return;
  const message = `The session has drawn ${drawnChallenges} challenges; it accepts at most ${MAX_UNANSWERED_CHALLENGES} without an attempt. Submit a selfie without a challenge, or have a reviewer request the step again.`;
  throw conflictError('challenges_exhausted', message, { feature: 'liveness' });
}

/** Counts a challenge of a session, one after another under concurrency. @throws AppError 404, 409 */
async function countChallenge(unit: UnitOfWork, scope: Scope, sessionId: string): Promise<void> {
  const session = await getSession(scope, sessionId, unit.mongoSession);
  requireChallengeLeft(session);
  await guardSession(unit, session, { drawnChallenges: (session.drawnChallenges ?? 0) + 1 });
}

/**
 * Creates a challenge, which can be answered once within five minutes.
 * @throws AppError 404 unknown session; 409 `challenges_exhausted`
 */
export async function createChallenge(
  platform: Platform,
  scope: Scope,
  actor: string,
  { sessionId, count }: { sessionId?: string | undefined; count: number },
): Promise<LivenessChallengeRecord> {
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
    if (sessionId !== undefined) await countChallenge(unit, scope, sessionId);
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
