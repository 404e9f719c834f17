import type { ClientSession } from 'mongoose';
import { Face } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import { FaceGallery } from '../../../models/identity/biometrics/face-gallery';
import type { FaceGalleryRecord } from '../../../models/identity/biometrics/face-gallery';
import { sealValue } from '../../platform/evidence/data-keys';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { dropFacePacks, listFacePacks, readFacePacks } from './face-packs';
import type { RevisionRange } from './face-packs';
import { EMBEDDING_NAME, readFaceRows, SEARCHABLE_FILTER } from './face-rows';
import type { FaceChange } from './face-rows';

/** Raises the revision of a scope's gallery; the face that changes in the same transaction stores it. */
export async function incrementGalleryRevision(scope: Scope, mongoSession: ClientSession): Promise<number> {
  const { organisationId, mode } = scope;
  const gallery = await FaceGallery.findOneAndUpdate(
    { _id: `${organisationId}.${mode}` },
    { $inc: { revision: 1 }, $setOnInsert: { organisationId, mode } },
    { upsert: true, returnDocument: 'after', session: mongoSession },
  ).lean<FaceGalleryRecord>();
  return gallery.revision;
}

/** The current revision: at least that of every change committed before the call; 0 if no face was ever searchable. */
export async function getGalleryRevision({ organisationId, mode }: Scope): Promise<number> {
  const gallery = await FaceGallery.findById(`${organisationId}.${mode}`).lean<FaceGalleryRecord>();
  return gallery?.revision ?? 0;
}

/** Counts the faces that are searchable. */
export const countSearchableFaces = (scope: Scope): Promise<number> =>
  Face.countDocuments({ ...toScope(scope), ...SEARCHABLE_FILTER });

/** Seals an embedding under the data key of its record. */
export const sealEmbedding = (
  platform: Platform,
  scope: Scope,
  recordId: string,
  embedding: readonly number[],
  mongoSession: ClientSession | null = null,
): Promise<Buffer> => {
  const values = Float32Array.from(embedding);
  return sealValue(platform, scope, recordId, EMBEDDING_NAME, Buffer.from(values.buffer), mongoSession);
};

/** The parts of a gallery that none of the packs has. @param packs in the order of their ranges */
export function listGaps(packs: readonly RevisionRange[], revision: number): RevisionRange[] {
  const starts = [0, ...packs.map(({ upTo }) => upTo)];
  const ends = [...packs.map(({ after }) => after), revision];
  return starts
    .map((after, index) => ({ after, upTo: ends[index] ?? revision }))
    .filter(({ after, upTo }) => after < upTo);
}

/** Reads all searchable faces: packs first, then the faces that are in none. */
async function* readGallery(platform: Platform, scope: Scope, model: string): AsyncGenerator<FaceChange[]> {
  const revision = await getGalleryRevision(scope);
  const packs = await listFacePacks(scope, model);
  const read: RevisionRange[] = [];
  for await (const { pack, faces } of readFacePacks(platform, packs)) {
    read.push(pack);
    yield faces;
  }
  for (const { after, upTo } of listGaps(read, revision)) {
    yield* readFaceRows(platform, scope, model, { revision: { $gt: after, $lte: upTo }, ...SEARCHABLE_FILTER });
  }
}

/**
 * Reads the faces that changed after a revision, in batches. Of several changes of a face, the last one is read last.
 * After revision 0, reads the searchable faces only.
 * @param model SHA-256 of the embedding network in use; faces embedded by another one have no embedding here
 */
export const readGalleryChanges = (
  platform: Platform,
  scope: Scope,
  model: string,
  after: number,
): AsyncGenerator<FaceChange[]> =>
  after === 0
    ? readGallery(platform, scope, model)
    : readFaceRows(platform, scope, model, { revision: { $gt: after } });

/** The fields that an erasure clears. */
export const ERASED_FACE = {
  name: null,
  externalId: null,
  externalIdKey: null,
  metadata: null,
  embedding: null,
  quality: null,
  risks: [],
  evidenceId: null,
  retainUntil: null,
} as const;

/** Removes faces from every search, in the transaction that erases the record they belong to. */
export async function withdrawFaces(
  unit: UnitOfWork,
  scope: Scope,
  which: { _id: string } | { sessionId: string },
): Promise<string[]> {
  const filter = { ...toScope(scope), ...which, deletedAt: null };
  const faces = await Face.find(filter, { _id: 1, status: 1 }).session(unit.mongoSession).lean<FaceRecord[]>();
  if (faces.length === 0) return [];
  const searched = faces.filter(({ status }) => status === 'indexed').map(({ _id }) => _id);
  const revision = searched.length > 0 ? { revision: await incrementGalleryRevision(scope, unit.mongoSession) } : {};
  if (searched.length > 0) await dropFacePacks(unit, scope, searched);
  const erasedFields = { embedding: null, deletedAt: unit.platform.clock.now(), ...revision };
  await Face.updateMany(filter, { $set: erasedFields }, { session: unit.mongoSession });
  return faces.map(({ _id }) => _id);
}
