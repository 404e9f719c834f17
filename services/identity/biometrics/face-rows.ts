import { mongo } from 'mongoose';
import type { FaceList } from '../../../domain/identity/biometrics/face-search';
import { Face, openFaceFields } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import { openValues, readTogether } from '../../platform/evidence/data-keys';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';

/** Faces read and decrypted at a time. */
const BATCH_SIZE = 500;
/** The name under which an embedding is sealed. */
export const EMBEDDING_NAME = 'embedding';

export const SEARCHABLE_FILTER = { status: 'indexed', deletedAt: null } as const;

/** A changed face, as an in-memory gallery needs it. */
export interface FaceChange {
  faceId: string;
  list: FaceList;
  externalId: string | null;
  sessionId: string | null;
  /** Null once the face is no longer searchable. */
  embedding: Float32Array | null;
}

/** Lean records hold binary data in the type of the MongoDB driver. */
const toBuffer = (stored: Uint8Array | mongo.Binary): Buffer =>
  stored instanceof mongo.Binary ? Buffer.from(stored.buffer) : Buffer.from(stored);

const toFloat32Array = (bytes: Buffer): Float32Array => {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer);
};

/** A change with the revision of the gallery in which it was made. */
export interface RevisedFace extends FaceChange {
  revision: number;
}

/** Fields and embeddings of a record are encrypted with the same key. */
const openFaces = (platform: Platform, scope: Scope, model: string, faces: FaceRecord[]): Promise<RevisedFace[]> =>
  readTogether(() => decryptFaces(platform, scope, model, faces));

async function decryptFaces(
  platform: Platform,
  scope: Scope,
  model: string,
  faces: FaceRecord[],
): Promise<RevisedFace[]> {
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

/** Reads rows of faces one by one, in batches, those that changed first before others. */
export async function* readFaceRows(
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
