import { findUsableCheck } from '../../../domain/identity/sessions/steps';
import { newId } from '../../../lib/ids';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Face } from '../../../models/identity/biometrics/face';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { incrementGalleryRevision, sealEmbedding } from './face-gallery';

/** What a selfie's comparison with known faces needs to know of its session. */
export type SelfieSession = Pick<SessionRecord, '_id' | 'externalId' | 'settings'>;

/** The session a liveness check belongs to; null of one that stands alone, or once it is deleted. */
export const findSelfieSession = ({ sessionId, organisationId, mode }: CheckRecord): Promise<SelfieSession | null> =>
  sessionId === null
    ? Promise.resolve(null)
    : Session.findOne(
        { _id: sessionId, organisationId, mode, deletedAt: null },
        { externalId: 1, settings: 1 },
      ).lean<SelfieSession>();

/**
 * Keeps the embedding of a session's selfie, sealed under the session's data key, until the session is approved. Searches
 * do not find it before. Once for a check, however often it is run.
 */
export async function holdSelfie(
  platform: Platform,
  check: CheckRecord,
  session: SelfieSession,
  embedding: readonly number[],
  model: string,
): Promise<void> {
  const { organisationId, mode } = check;
  const sealed = await sealEmbedding(platform, check, session._id, embedding);
  await runTransaction(platform, async (unit) => {
    const filter = { _id: session._id, organisationId, mode, deletedAt: null };
    // Written, not only read: an erasure of the session at the same moment meets this and one of the two is repeated.
    const alive = await Session.updateOne(filter, { $inc: { version: 1 } }, { session: unit.mongoSession });
    if (alive.matchedCount === 0) return;
    await Face.updateOne(
      { organisationId, mode, sessionId: session._id, checkId: check._id, deletedAt: null },
      {
        $set: { embedding: sealed, model },
        $setOnInsert: {
          _id: newId('fac'),
          recordId: session._id,
          source: 'session',
          list: 'users',
          externalId: session.externalId,
          status: 'held',
          revision: 0,
          createdBy: 'system',
          createdAt: platform.clock.now(),
        },
      },
      { upsert: true, session: unit.mongoSession },
    );
  });
}

/**
 * Lets searches find the selfie of a session that is approved, and no longer that of one whose approval is taken back;
 * within the transaction of the move.
 */
export async function enrolSelfie(
  platform: Platform,
  unit: UnitOfWork,
  before: SessionRecord,
  after: SessionRecord,
): Promise<void> {
  const { organisationId, mode, _id: sessionId } = after;
  const filter = { organisationId, mode, sessionId, deletedAt: null };
  if (after.status === 'approved' && after.settings.indexApprovedFaces) {
    const selfie = findUsableCheck(after.steps, 'liveness');
    if (selfie === undefined) return;
    const heldFilter = { ...filter, checkId: selfie.checkId, status: 'held' as const };
    if ((await Face.exists(heldFilter).session(unit.mongoSession)) === null) return;
    const revision = await incrementGalleryRevision(after, unit.mongoSession);
    const indexed = { status: 'indexed' as const, revision, indexedAt: platform.clock.now() };
    await Face.updateOne(heldFilter, { $set: indexed }, { session: unit.mongoSession });
  } else if (before.status === 'approved' && after.status !== 'approval_expired') {
    const enrolledFilter = { ...filter, status: 'indexed' as const };
    if ((await Face.exists(enrolledFilter).session(unit.mongoSession)) === null) return;
    const revision = await incrementGalleryRevision(after, unit.mongoSession);
    await Face.updateMany(enrolledFilter, { $set: { status: 'held', revision } }, { session: unit.mongoSession });
  }
}
