import { findUsableCheck } from '../../../domain/identity/sessions/steps';
import { newId } from '../../../lib/ids';
import { Face } from '../../../models/identity/biometrics/face';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { CheckContext } from '../checks/contextual-risks';
import { computeReferenceKey } from './face-index';
import { incrementGalleryRevision, sealEmbedding } from './face-gallery';
import { dropFacePacks } from './face-packs';

/** The fields of a session that the comparison of its selfie with other images needs; none of them is encrypted. */
export const SELFIE_FIELDS = ['externalId', 'features', 'steps'] as const satisfies readonly (keyof SessionRecord)[];

export type SelfieSession = Pick<SessionRecord, '_id' | (typeof SELFIE_FIELDS)[number]>;

/**
 * Stores the embedding of a session's selfie, sealed under the session's data key, with status `held`: searches find it
 * only once the session is approved. Runs in the transaction that records the result of the check, which also writes the
 * session, so that an erasure of the session conflicts with it.
 */
export async function holdSelfie(
  { unit, check, session }: CheckContext,
  { embedding, model }: { embedding: readonly number[]; model: string },
): Promise<void> {
  if (session === null) return;
  const { platform } = unit;
  const { organisationId, mode } = check;
  const sealed = await sealEmbedding(platform, check, session._id, embedding, unit.mongoSession);
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
        externalIdKey: await computeReferenceKey(platform, check, session.externalId),
        status: 'held',
        revision: 0,
        createdBy: 'system',
        createdAt: platform.clock.now(),
      },
    },
    { upsert: true, session: unit.mongoSession },
  );
}

/**
 * Makes the selfie of an approved session searchable, and holds it again when the approval is reversed, in the
 * transaction of the transition.
 */
export async function enrolSelfie(unit: UnitOfWork, before: SessionRecord, after: SessionRecord): Promise<void> {
  const { organisationId, mode, _id: sessionId } = after;
  const filter = { organisationId, mode, sessionId, deletedAt: null };
  if (after.status === 'approved' && after.settings.indexApprovedFaces) {
    const selfie = findUsableCheck(after.steps, 'liveness');
    if (selfie === undefined) return;
    const heldFilter = { ...filter, checkId: selfie.checkId, status: 'held' as const };
    if ((await Face.exists(heldFilter).session(unit.mongoSession)) === null) return;
    const revision = await incrementGalleryRevision(after, unit.mongoSession);
    const indexed = { status: 'indexed' as const, revision, indexedAt: unit.platform.clock.now() };
    await Face.updateOne(heldFilter, { $set: indexed }, { session: unit.mongoSession });
  } else if (before.status === 'approved' && after.status !== 'approval_expired') {
    const enrolledFilter = { ...filter, status: 'indexed' as const };
    const enrolled = await Face.find(enrolledFilter, { _id: 1 }).session(unit.mongoSession).lean<{ _id: string }[]>();
    if (enrolled.length === 0) return;
    const revision = await incrementGalleryRevision(after, unit.mongoSession);
    const faceIds = enrolled.map(({ _id }) => _id);
    await dropFacePacks(unit, after, faceIds);
    await Face.updateMany(enrolledFilter, { $set: { status: 'held', revision } }, { session: unit.mongoSession });
  }
}
