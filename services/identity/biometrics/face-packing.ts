import { MINUTE_MS } from '../../../domain/durations';
import { startBackgroundLoop } from '../../../lib/background-loop';
import type { BackgroundLoop } from '../../../lib/background-loop';
import { summariseError } from '../../../lib/logger';
import { Face } from '../../../models/identity/biometrics/face';
import { FaceGallery } from '../../../models/identity/biometrics/face-gallery';
import type { FaceGalleryRecord } from '../../../models/identity/biometrics/face-gallery';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { listGaps } from './face-gallery';
import { listFacePacks, MAX_PACK_FACES, writeFacePack } from './face-packs';
import type { PackedFace, RevisionRange } from './face-packs';
import { readFaceRows, SEARCHABLE_FILTER } from './face-rows';
import type { RevisedFace } from './face-rows';

const POLL_MS = MINUTE_MS;
/** Longer than the packing of a large gallery takes, after which another process packs it. */
const CLAIM_MS = 10 * MINUTE_MS;
/** Fewer new faces than this are left until there are more, so that packs of a growing gallery are not small. */
const MIN_NEW_FACES = 1024;
/** The same where a pack was dropped: no more faces will come there. */
const MIN_LEFT_FACES = 64;

/** The faces of a pack and their range. */
export interface PackContent {
  faces: PackedFace[];
  range: RevisionRange;
}

/**
 * Divides the faces of a gap, those that changed first before others, into packs of `maxFaces`. Faces that changed
 * together are in one pack: a range that ends between them would hide the others.
 */
export async function* divideIntoPacks(
  batches: AsyncIterable<RevisedFace[]>,
  { after, upTo }: RevisionRange,
  maxFaces: number,
): AsyncGenerator<PackContent> {
  let [faces, start, last]: [PackedFace[], number, number] = [[], after, after];
  for await (const batch of batches) {
    for (const { embedding, revision, ...face } of batch) {
      if (faces.length >= maxFaces && revision !== last) {
        yield { faces, range: { after: start, upTo: last } };
        [faces, start] = [[], last];
      }
      if (embedding !== null) faces.push({ ...face, embedding });
      last = revision;
    }
  }
  if (faces.length > 0) yield { faces, range: { after: start, upTo } };
}

/** Packs the faces of one gap, reading them one by one. */
async function packGap(platform: Platform, scope: Scope, model: string, gap: RevisionRange): Promise<void> {
  const rows = readFaceRows(platform, scope, model, {
    revision: { $gt: gap.after, $lte: gap.upTo },
    ...SEARCHABLE_FILTER,
  });
  for await (const { faces, range } of divideIntoPacks(rows, gap, MAX_PACK_FACES))
    await writeFacePack(platform, scope, model, faces, range);
}

/** Packs the faces of a gallery that are in no pack. */
export async function packGallery(platform: Platform, scope: Scope, model: string, revision: number): Promise<void> {
  const packs = await listFacePacks(scope, model);
  const end = packs.at(-1)?.upTo ?? 0;
  for (const gap of listGaps(packs, revision)) {
    const enough = gap.after >= end ? MIN_NEW_FACES : MIN_LEFT_FACES;
    const filter = { ...toScope(scope), model, revision: { $gt: gap.after, $lte: gap.upTo }, ...SEARCHABLE_FILTER };
    if ((await Face.countDocuments(filter).limit(enough)) < enough) continue;
    await packGap(platform, scope, model, gap);
  }
}

/** A gallery that has changed since its faces were packed, claimed so that no other process packs it; null if there is none. */
function claimGallery(platform: Platform, except: readonly string[]): Promise<FaceGalleryRecord | null> {
  const now = platform.clock.now();
  return FaceGallery.findOneAndUpdate(
    {
      _id: { $nin: except },
      $expr: { $gt: ['$revision', { $ifNull: ['$packedRevision', 0] }] },
      $or: [{ packingUntil: null }, { packingUntil: { $lt: now } }],
    },
    { $set: { packingUntil: new Date(now.getTime() + CLAIM_MS) } },
    { returnDocument: 'after' },
  ).lean<FaceGalleryRecord>();
}

/**
 * Packs the faces of every gallery that has changed since the last run in any process, so that a new worker reads few
 * faces one by one.
 * @param model SHA-256 of the embedding network in use
 * @returns the number of galleries that were looked at
 */
export async function packGalleries(platform: Platform, model: string): Promise<number> {
  const packed: string[] = [];
  for (;;) {
    const gallery = await claimGallery(platform, packed);
    if (gallery === null) return packed.length;
    const { _id, revision, packingUntil } = gallery;
    await packGallery(platform, gallery, model, revision);
    // A pack that was dropped meanwhile has ended the claim, so that the gallery is packed again.
    await FaceGallery.updateOne(
      { _id, packingUntil: packingUntil ?? null },
      { $set: { packedRevision: revision, packingUntil: null } },
    );
    packed.push(_id);
  }
}

/** Packs faces until stopped. Every process of the vision pool does; they share the galleries. */
export const startFacePacking = (platform: Platform, model: string): BackgroundLoop =>
  startBackgroundLoop(POLL_MS, async () => {
    await packGalleries(platform, model).catch((error: unknown) =>
      platform.logger.warn({ reason: summariseError(error) }, 'Faces could not be packed; this is tried again'),
    );
  });
