import { notFoundError, toFailureCode } from '../../../domain/errors';
import type { FaceList } from '../../../domain/identity/biometrics/face-search';
import type { FaceSearchMatch, MatchedImage } from '../../../domain/identity/biometrics/result';
import { buildRisk } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import type { StoredFile } from '../../../lib/files/stored-file';
import { newId } from '../../../lib/ids';
import { Face } from '../../../models/identity/biometrics/face';
import type { FaceRecord, FaceStatus } from '../../../models/identity/biometrics/face';
import { workflowIds } from '../../../workflows/contracts';
import { readStoredFile, saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { awaitRecord } from '../../platform/await-record';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { computeReferenceKey, listReferenceKeys } from './face-index';
import { incrementGalleryRevision, sealEmbedding } from './face-gallery';
import type { Upload } from '../checks/uploads';
import { addDaysToInstant } from '../../../domain/durations';

export interface NewFace {
  list: FaceList;
  name?: string | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Days until it is erased automatically @default kept until it is deleted */
  retentionDays?: number | undefined;
  image: Upload;
}

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getFace(scope: Scope, id: string): Promise<FaceRecord> {
  const found = await Face.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<FaceRecord>();
  if (found === null) throw notFoundError('face');
  return found;
}

/** Waits up to `seconds` for a face to be indexed. @returns it as it is then; `processing` if it was not in time */
export const awaitFace = (platform: Platform, scope: Scope, id: string, seconds: number): Promise<FaceRecord> =>
  awaitRecord(platform, {
    collection: 'faces',
    id,
    waitMs: seconds * 1000,
    read: () => getFace(scope, id),
    isFinished: ({ status }) => status !== 'processing',
  });

/** A new face in status `processing`, not yet inserted. */
const draftFace = async (
  platform: Platform,
  scope: Scope,
  actor: string,
  id: string,
  input: NewFace,
): Promise<FaceRecord> => {
  const createdAt = platform.clock.now();
  return {
    _id: id,
    ...toScope(scope),
    recordId: id,
    source: 'index',
    sessionId: null,
    checkId: null,
    list: input.list,
    name: input.name ?? null,
    externalId: input.externalId ?? null,
    externalIdKey: await computeReferenceKey(platform, scope, input.externalId ?? null),
    metadata: input.metadata ?? null,
    status: 'processing',
    evidenceId: null,
    embedding: null,
    model: null,
    quality: null,
    risks: [],
    failure: null,
    revision: 0,
    createdBy: actor,
    createdAt,
    indexedAt: null,
    retainUntil: input.retentionDays === undefined ? null : addDaysToInstant(createdAt, input.retentionDays),
    deletedAt: null,
  };
};

/** Starts the workflow that embeds a face. */
export const startIndexingWorkflow = (unit: UnitOfWork, { _id, organisationId, list }: FaceRecord): void =>
  unit.start(organisationId, {
    workflow: 'faceIndexing',
    workflowId: workflowIds.faceIndexing(_id),
    argument: { faceId: _id, organisationId },
    summary: `Face for ${list}`,
    searchAttributes: { status: 'processing' },
  });

/** Submits a face for later searches: stores its image, then records it and starts its workflow in one transaction. */
export const submitFace = (
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewFace,
  use: IdempotentUse | undefined,
): Promise<FaceRecord> =>
  runIdempotently(
    platform,
    use,
    async (claim) => {
      const id = newId('fac');
      const { field, contentType, body } = input.image;
      const file = { recordId: id, checkId: id, field, contentType, body };
      const evidence = await uploadEvidence(platform, scope, file);
      const face = { ...(await draftFace(platform, scope, actor, id, input)), evidenceId: evidence._id };
      return runTransaction(platform, async (unit) => {
        await saveEvidence(unit, [evidence]);
        await Face.create([face], { session: unit.mongoSession });
        await unit.audit(scope, { actor, action: 'face.created', subject: id, fields: ['image', 'list'] });
        await claim(unit, id, 201);
        startIndexingWorkflow(unit, face);
        return face;
      });
    },
    (id) => getFace(scope, id),
  );

export interface FaceFilter {
  list?: FaceList | undefined;
  externalId?: string | undefined;
  statuses?: readonly FaceStatus[] | undefined;
}

/** Faces, newest first; the selfie of a session only while the session is approved. */
export async function listFaces(
  platform: Platform,
  scope: Scope,
  { list, externalId, statuses }: FaceFilter,
  page: CursorPageRequest,
): Promise<CursorPage<FaceRecord>> {
  const filter = {
    ...toScope(scope),
    deletedAt: null,
    status: statuses === undefined ? { $ne: 'held' as const } : { $in: [...statuses] },
    ...(list === undefined ? {} : { list }),
    ...(externalId === undefined
      ? {}
      : { externalIdKey: { $in: await listReferenceKeys(platform, scope, externalId) } }),
  };
  return readCursorPage(Face, filter, page, { projection: { embedding: 0 } });
}

/** The face that a workflow indexes, whatever its scope; null once it is deleted. Never call it for a request. */
export const findFaceForWorkflow = (id: string): Promise<FaceRecord | null> =>
  Face.findOne({ _id: id, deletedAt: null }).lean<FaceRecord>();

/** The decrypted image of a face. @throws AppError 404 */
export async function readFaceImage(platform: Platform, face: FaceRecord): Promise<StoredFile> {
  if (face.evidenceId === null) throw notFoundError('evidence');
  return readStoredFile(platform, face, face.evidenceId);
}

/** The embedding of an image, with its measurements. */
export interface EmbeddedImage {
  embedding: readonly number[] | null;
  image: MatchedImage;
  /** SHA-256 of the embedding network. */
  model: string;
  /** Reasons why the face is not searchable; empty if it is. */
  risks: Risk[];
}

/** An image that cannot be searched is kept as long as a standalone check, for inspection. */
function computeUnusableRetention({ config }: Platform, { createdAt, retainUntil }: FaceRecord): Date {
  const latest = addDaysToInstant(createdAt, config.CHECK_RETENTION_DAYS);
  return retainUntil !== null && retainUntil < latest ? retainUntil : latest;
}

/**
 * Ends the indexing of a face; a second call changes nothing. An embedding without risks makes the face searchable:
 * every search that begins after the commit finds it, in any process.
 */
export async function completeFace(
  platform: Platform,
  face: FaceRecord,
  { embedding, image, model, risks }: EmbeddedImage,
): Promise<FaceStatus> {
  const searchable = embedding !== null && risks.length === 0;
  const sealed = searchable ? await sealEmbedding(platform, face, face.recordId, embedding) : null;
  return runTransaction(platform, async (unit) => {
    const owner = { ...toScope(face), recordId: face.recordId };
    const filter = { _id: face._id, ...owner, status: 'processing' as const, deletedAt: null };
    if ((await Face.exists(filter).session(unit.mongoSession)) === null) {
      const ended = await Face.findById(face._id, { status: 1 }).session(unit.mongoSession).lean<FaceRecord>();
      return ended?.status ?? 'failed';
    }
    const found = { quality: image.quality, risks, model };
    const changes = searchable
      ? {
          ...found,
          status: 'indexed' as const,
          embedding: sealed,
          indexedAt: platform.clock.now(),
          revision: await incrementGalleryRevision(face, unit.mongoSession),
        }
      : { ...found, status: 'rejected' as const, retainUntil: computeUnusableRetention(platform, face) };
    await Face.updateOne(filter, { $set: changes }, { session: unit.mongoSession });
    return changes.status;
  });
}

/** Ends the indexing of a face that could not be examined. */
export async function failFace(platform: Platform, faceId: string, reason: string): Promise<void> {
  const failure = toFailureCode(reason);
  const risks = [buildRisk('processing_failed', { details: { reason: failure } })];
  const filter = { _id: faceId, status: 'processing' as const, deletedAt: null };
  const face = await Face.findOne(filter).lean<FaceRecord>();
  if (face === null) return;
  const retainUntil = computeUnusableRetention(platform, face);
  await Face.updateOne(
    { ...filter, ...toScope(face), recordId: face.recordId },
    { $set: { status: 'failed', failure, risks, retainUntil } },
  );
}

/** The fields of the faces that a search found, in its order; a face erased meanwhile is left out. */
export async function describeMatches(
  scope: Scope,
  hits: readonly { faceId: string; similarity: number }[],
): Promise<FaceSearchMatch[]> {
  const ids = hits.map(({ faceId }) => faceId);
  const rows = await Face.find({ _id: { $in: ids }, ...toScope(scope), deletedAt: null }, { embedding: 0 }).lean<
    FaceRecord[]
  >();
  const faces = new Map(rows.map((face) => [face._id, face]));
  return hits.flatMap(({ faceId, similarity }) => {
    const face = faces.get(faceId);
    if (face === undefined) return [];
    const { name, externalId, sessionId, list } = face;
    return [{ id: faceId, name, externalId, sessionId, list, similarity: Math.round(similarity * 10_000) / 10_000 }];
  });
}
