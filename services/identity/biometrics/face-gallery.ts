import { mongo } from 'mongoose';
import type { ClientSession } from 'mongoose';
import type { FaceList } from '../../../domain/identity/biometrics/face-search';
import { Face, openFaceFields } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import type { FacePackRecord } from '../../../models/identity/biometrics/face-pack';
import { FaceGallery } from '../../../models/identity/biometrics/face-gallery';
import type { FaceGalleryRecord } from '../../../models/identity/biometrics/face-gallery';
import { openValues, sealValue } from '../../platform/evidence/data-keys';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { toScope } from '../sessions/session-store';
import {
  dropFacePacks,
  listFacePacks,
  MAX_PACK_FACES,
  MIN_PACK_FACES,
  readFacePack,
  writeFacePack,
} from './face-packs';
import type { PackedFace, RevisionRange } from './face-packs';

/** Faces read and decrypted at a time. */
const BATCH_SIZE = 500;
/** The name under which an embedding is sealed. */
const EMBEDDING_NAME = 'embedding';

/** A changed face, as an in-memory gallery needs it. */
export interface FaceChange {
  faceId: string;
  list: FaceList;
  externalId: string | null;
  sessionId: string | null;
  /** Null once the face is no longer searchable. */
  embedding: Float32Array | null;
}

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

const SEARCHABLE_FILTER = { status: 'indexed', deletedAt: null } as const;

/** Counts the faces that are searchable. */
export const countSearchableFaces = (scope: Scope): Promise<number> =>
  Face.countDocuments({ ...toScope(scope), ...SEARCHABLE_FILTER });

/** Seals an embedding under the data key of its record. */
export const sealEmbedding = (
  platform: Platform,
  scope: Scope,
  recordId: string,
  embedding: readonly number[],
): Promise<Buffer> => {
  const values = Float32Array.from(embedding);
  return sealValue(platform, scope, recordId, EMBEDDING_NAME, Buffer.from(values.buffer));
};

/** Lean records hold binary data in the type of the MongoDB driver. */
const toBuffer = (stored: Uint8Array | mongo.Binary): Buffer =>
  stored instanceof mongo.Binary ? Buffer.from(stored.buffer) : Buffer.from(stored);

const toFloat32Array = (bytes: Buffer): Float32Array => {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer);
};

interface RevisedFace extends FaceChange {
  revision: number;
}

async function openFaces(platform: Platform, scope: Scope, model: string, faces: FaceRecord[]): Promise<RevisedFace[]> {
  await openFaceFields(toScope(scope), faces);
  const sealed = faces.map(({ recordId, status, deletedAt, embedding, model: embeddingModel }) =>
    status === 'indexed' && deletedAt === null && embedding !== null && embeddingModel === model
      ? { recordId, name: EMBEDDING_NAME, sealed: toBuffer(embedding) }
      : null,
  );
  const opened = await openValues(
    platform,
    scope,
    sealed.filter((value) => value !== null),
  );
  let next = 0;
  return faces.map(({ _id, list, externalId, sessionId, revision }, index) => {
    const bytes = sealed[index] === null ? null : (opened[next++] ?? null);
    const embedding = bytes === null ? null : toFloat32Array(bytes);
    return { faceId: _id, list, externalId, sessionId, embedding, revision };
  });
}

/** Reads rows of faces in batches, those that changed first before others. */
async function* readFaceRows(
  platform: Platform,
  scope: Scope,
  model: string,
  filter: { revision: { $gt: number; $lte?: number }; status?: 'indexed'; deletedAt?: null },
): AsyncGenerator<RevisedFace[]> {
  const rows = Face.find(
    { ...toScope(scope), ...filter },
    { recordId: 1, status: 1, deletedAt: 1, list: 1, externalId: 1, sessionId: 1, embedding: 1, model: 1, revision: 1 },
  )
    .sort({ revision: 1 })
    .batchSize(BATCH_SIZE)
    .setOptions({ middleware: false })
    .lean<FaceRecord[]>()
    .cursor();
  let batch: FaceRecord[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_SIZE) continue;
    yield await openFaces(platform, scope, model, batch);
    batch = [];
  }
  if (batch.length > 0) yield await openFaces(platform, scope, model, batch);
}

/** Reads the searchable faces that changed last in a range one by one, and packs them for the next reader. */
async function* readRange(
  platform: Platform,
  scope: Scope,
  model: string,
  { after, upTo }: RevisionRange,
): AsyncGenerator<FaceChange[]> {
  const filter = { revision: { $gt: after, $lte: upTo }, ...SEARCHABLE_FILTER };
  let unpacked: PackedFace[] = [];
  let start = after;
  for await (const faces of readFaceRows(platform, scope, model, filter)) {
    yield faces;
    for (const { embedding, revision, ...face } of faces) {
      if (embedding !== null) unpacked.push({ ...face, embedding });
      if (unpacked.length < MAX_PACK_FACES) continue;
      await writeFacePack(platform, scope, model, unpacked, { after: start, upTo: revision });
      [unpacked, start] = [[], revision];
    }
  }
  if (unpacked.length >= MIN_PACK_FACES) await writeFacePack(platform, scope, model, unpacked, { after: start, upTo });
}

/** The parts of a gallery that no readable pack has. */
function listGaps(packs: readonly RevisionRange[], revision: number): RevisionRange[] {
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
  const read: FacePackRecord[] = [];
  const readPack = (index: number) => {
    const pack = packs[index];
    return pack === undefined ? null : readFacePack(platform, pack);
  };
  let next = readPack(0);
  for (const [index, pack] of packs.entries()) {
    const faces = await next;
    // Read while the caller works on these.
    next = readPack(index + 1);
    if (faces === null) continue;
    read.push(pack);
    yield faces;
  }
  for (const gap of listGaps(read, revision)) yield* readRange(platform, scope, model, gap);
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
  platform: Platform,
  unit: UnitOfWork,
  scope: Scope,
  which: { _id: string } | { sessionId: string },
): Promise<string[]> {
  const filter = { ...toScope(scope), ...which, deletedAt: null };
  const faces = await Face.find(filter, { _id: 1, status: 1 }).session(unit.mongoSession).lean<FaceRecord[]>();
  if (faces.length === 0) return [];
  const searched = faces.filter(({ status }) => status === 'indexed').map(({ _id }) => _id);
  const revision = searched.length > 0 ? { revision: await incrementGalleryRevision(scope, unit.mongoSession) } : {};
  if (searched.length > 0) await dropFacePacks(platform, unit, scope, searched);
  const erasedFields = { embedding: null, deletedAt: platform.clock.now(), ...revision };
  await Face.updateMany(filter, { $set: erasedFields }, { session: unit.mongoSession });
  return faces.map(({ _id }) => _id);
}
