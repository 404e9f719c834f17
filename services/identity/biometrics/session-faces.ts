import { usableCheck } from '../../../domain/identity/sessions/steps';
import { newId } from '../../../lib/ids';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Face } from '../../../models/identity/biometrics/face';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { nextGalleryRevision, sealEmbedding } from './face-gallery';

/** What a selfie's comparison with known faces needs to know of its session. */
export type SessionOfSelfie = Pick<SessionRecord, '_id' | 'externalId' | 'settings'>;

/** The session a liveness check belongs to; null of one that stands alone, or once it is deleted. */
export const sessionOfSelfie = ({ sessionId, organisationId, mode }: CheckRecord): Promise<SessionOfSelfie | null> =>
  sessionId === null
    ? Promise.resolve(null)
    : Session.findOne(
        { _id: sessionId, organisationId, mode, deletedAt: null },
        { externalId: 1, settings: 1 },
      ).lean<SessionOfSelfie>();

/**
 * Keeps the embedding of a session's selfie, sealed under the session's data key, until the session is approved. Searches
 * do not find it before. Once for a check, however often it is run.
 */
export async function holdSelfie(
  platform: Platform,
  check: CheckRecord,
  session: SessionOfSelfie,
  embedding: readonly number[],
  model: string,
): Promise<void> {
  const { organisationId, mode } = check;
  const sealed = await sealEmbedding(platform, check, session._id, embedding);
  await transact(platform, async (unit) => {
    const mine = { _id: session._id, organisationId, mode, deletedAt: null };
    // Written, not only read: an erasure of the session at the same moment meets this and one of the two is repeated.
    const alive = await Session.updateOne(mine, { $inc: { version: 1 } }, { session: unit.session });
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
      { upsert: true, session: unit.session },
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
  const mine = { organisationId, mode, sessionId, deletedAt: null };
  if (after.status === 'approved' && after.settings.indexApprovedFaces) {
    const selfie = usableCheck(after.steps, 'liveness');
    if (selfie === undefined) return;
    const held = { ...mine, checkId: selfie.checkId, status: 'held' as const };
    if ((await Face.exists(held).session(unit.session)) === null) return;
    const revision = await nextGalleryRevision(after, unit.session);
    const indexed = { status: 'indexed' as const, revision, indexedAt: platform.clock.now() };
    await Face.updateOne(held, { $set: indexed }, { session: unit.session });
  } else if (before.status === 'approved' && after.status !== 'approval_expired') {
    const enrolled = { ...mine, status: 'indexed' as const };
    if ((await Face.exists(enrolled).session(unit.session)) === null) return;
    const revision = await nextGalleryRevision(after, unit.session);
    await Face.updateMany(enrolled, { $set: { status: 'held', revision } }, { session: unit.session });
  }
}
