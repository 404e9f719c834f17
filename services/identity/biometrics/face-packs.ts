import { endianness } from 'node:os';
import { z } from 'zod';
import { AppError } from '../../../domain/errors';
import { FACE_LISTS } from '../../../domain/identity/biometrics/face-search';
import { newId } from '../../../lib/ids';
import { summariseError } from '../../../lib/logger';
import { prefetch } from '../../../lib/read-ahead';
import { Face } from '../../../models/identity/biometrics/face';
import { FaceGallery } from '../../../models/identity/biometrics/face-gallery';
import { FacePack } from '../../../models/identity/biometrics/face-pack';
import type { FacePackRecord } from '../../../models/identity/biometrics/face-pack';
import { Evidence } from '../../../models/platform/evidence/evidence';
import {
  destroyDataKeys,
  isEvidenceLost,
  readEvidence,
  saveEvidence,
  uploadEvidence,
} from '../../platform/evidence/evidence';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** Faces in one pack, of 8 MB: an erasure makes the faces of one pack be read one by one until they are packed again. */
export const MAX_PACK_FACES = 4096;
/** Packs read at the same time, of 8 MB each. */
const PACKS_AT_ONCE = 4;

/** A searchable face with its embedding. */
export interface PackedFace extends z.infer<typeof entrySchema> {
  embedding: Float32Array;
}

/** A part of a gallery: the faces that changed last after one revision, up to another. */
export interface RevisionRange {
  after: number;
  upTo: number;
}

const entrySchema = z.object({
  faceId: z.string(),
  list: z.enum(FACE_LISTS),
  externalId: z.string().nullable(),
  sessionId: z.string().nullable(),
});

const CONTENT_TYPE = 'application/octet-stream';
const LENGTH_BYTES = 4;
/** Bytes of a value in single precision. */
const VALUE_BYTES = 4;

/**
 * The length of the ids, the ids as JSON, and the embeddings in single precision, which spaces after the ids align so
 * that they can be read in place.
 */
function encodeFaces(faces: readonly PackedFace[]): Buffer {
  const json = Buffer.from(JSON.stringify(faces.map((face) => entrySchema.parse(face))));
  const ids = Buffer.concat([json, Buffer.alloc(-json.length & (VALUE_BYTES - 1), ' ')]);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(ids.length);
  return Buffer.concat([
    length,
    ids,
    ...faces.map(({ embedding }) => Buffer.from(new Uint8Array(embedding.slice().buffer))),
  ]);
}

/** The values in place; a copy where they are not aligned, as in packs of earlier versions. */
function viewValues(bytes: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  return byteOffset % VALUE_BYTES === 0
    ? new Float32Array(buffer, byteOffset, byteLength / VALUE_BYTES)
    : new Float32Array(new Uint8Array(bytes).buffer);
}

function decodeFaces(bytes: Buffer): PackedFace[] {
  const start = LENGTH_BYTES + bytes.readUInt32LE();
  const entries = z.array(entrySchema).parse(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start)));
  const values = viewValues(bytes.subarray(start));
  const dimensions = values.length / Math.max(1, entries.length);
  return entries.map((entry, index) => ({
    ...entry,
    embedding: values.subarray(index * dimensions, (index + 1) * dimensions),
  }));
}

/** The packs of a gallery, those with the earliest changes first. */
export const listFacePacks = (scope: Scope, model: string): Promise<FacePackRecord[]> =>
  FacePack.find({ ...toScope(scope), model }, { faceIds: 0 })
    .sort({ upTo: 1 })
    .lean<FacePackRecord[]>();

/** Removes packs and destroys their data keys. */
async function removePacks(unit: UnitOfWork, scope: Scope, packIds: readonly string[]): Promise<void> {
  const session = unit.mongoSession;
  await destroyDataKeys(unit, scope, packIds);
  await Evidence.deleteMany({ ...toScope(scope), recordId: { $in: packIds } }, { session });
  await FacePack.deleteMany({ ...toScope(scope), _id: { $in: packIds } }, { session });
}

/** Drops a pack whose file is lost and has its gallery packed again, also if a process is packing it at the moment. */
async function dropLostPack(platform: Platform, pack: FacePackRecord): Promise<void> {
  const { _id, organisationId, mode } = pack;
  await runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    if ((await FacePack.exists({ _id, ...toScope(pack) }).session(session)) === null) return;
    await removePacks(unit, pack, [_id]);
    const unpacked = { $set: { packedRevision: 0, packingUntil: null } };
    await FaceGallery.updateOne({ _id: `${organisationId}.${mode}` }, unpacked, { session });
  });
}

/**
 * The faces of a pack; null if it was dropped meanwhile or cannot be read, so that its faces are read one by one. A pack
 * whose file is lost is dropped, so that its faces are packed again.
 */
async function readFacePack(platform: Platform, pack: FacePackRecord): Promise<PackedFace[] | null> {
  try {
    const { body } = await readEvidence(platform, pack, pack.evidenceId);
    return decodeFaces(body);
  } catch (error) {
    platform.logger.info({ packId: pack._id, reason: summariseError(error) }, 'A pack of faces was not read');
    if (error instanceof AppError && isEvidenceLost(error.code)) await dropLostPack(platform, pack);
    return null;
  }
}

/** Reads packs in their order, several at the same time; those that cannot be read are left out. */
export async function* readFacePacks(
  platform: Platform,
  packs: readonly FacePackRecord[],
): AsyncGenerator<{ pack: FacePackRecord; faces: PackedFace[] }> {
  for await (const { item: pack, value: faces } of prefetch(packs, PACKS_AT_ONCE, (each) =>
    readFacePack(platform, each),
  ))
    if (faces !== null) yield { pack, faces };
}

/**
 * Stores faces as a pack, unless one of them has changed or another process has packed part of the range.
 * @param range every searchable face that changed in it is one of `faces`
 * @returns whether the faces are packed
 */
export async function writeFacePack(
  platform: Platform,
  scope: Scope,
  model: string,
  faces: readonly PackedFace[],
  range: RevisionRange,
): Promise<boolean> {
  if (endianness() !== 'LE') return false;
  const packId = newId('fpk');
  const file = { recordId: packId, checkId: packId, field: 'faces', contentType: CONTENT_TYPE };
  const evidence = await uploadEvidence(platform, scope, { ...file, body: encodeFaces(faces) });
  const faceIds = faces.map(({ faceId }) => faceId);
  return runTransaction(platform, async (unit) => {
    if (!(await claimRange(unit, scope, model, faceIds, range))) return false;
    await saveEvidence(unit, [evidence]);
    const created = { _id: packId, ...toScope(scope), model, ...range, faceIds, evidenceId: evidence._id };
    await FacePack.create([{ ...created, createdAt: platform.clock.now() }], { session: unit.mongoSession });
    return true;
  });
}

/** Whether the faces are unchanged and no pack overlaps with the range. */
async function claimRange(
  unit: UnitOfWork,
  scope: Scope,
  model: string,
  faceIds: readonly string[],
  { after, upTo }: RevisionRange,
): Promise<boolean> {
  const { organisationId, mode } = scope;
  const session = unit.mongoSession;
  // Every change of a searchable face writes this record, too: only one of two concurrent transactions commits.
  const packed = { $set: { packedAt: unit.platform.clock.now() } };
  await FaceGallery.updateOne({ _id: `${organisationId}.${mode}` }, packed, { session });
  const overlapping = { ...toScope(scope), model, after: { $lt: upTo }, upTo: { $gt: after } };
  if ((await FacePack.exists(overlapping).session(session)) !== null) return false;
  const unchanged = { ...toScope(scope), _id: { $in: faceIds }, status: 'indexed' as const, deletedAt: null };
  const count = await Face.countDocuments({ ...unchanged, revision: { $gt: after, $lte: upTo } }).session(session);
  return count === faceIds.length;
}

/** Drops the packs that have one of the faces, in the transaction in which these are no longer searchable. */
export async function dropFacePacks(unit: UnitOfWork, scope: Scope, faceIds: readonly string[]): Promise<void> {
  const filter = { ...toScope(scope), faceIds: { $in: faceIds } };
  const packs = await FacePack.find(filter, { _id: 1 }).session(unit.mongoSession).lean<{ _id: string }[]>();
  if (packs.length === 0) return;
  await removePacks(
    unit,
    scope,
    packs.map(({ _id }) => _id),
  );
}
