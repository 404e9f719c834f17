import type { EmbeddingResult, FaceSearchResult } from '../../domain/identity/biometrics/result';
import { FACE_SEARCH } from '../../domain/identity/biometrics/face-search';
import { FACE_LIMITS } from '../../domain/identity/biometrics/thresholds';
import { buildRisk, computeVerdict } from '../../domain/identity/checks/risks';
import type { Risk } from '../../domain/identity/checks/risks';
import type { CheckOfKind } from '../../models/identity/checks/check';
import type { FaceStatus } from '../../models/identity/biometrics/face';
import {
  countSearchableFaces,
  readGalleryChanges,
  getGalleryRevision,
} from '../../services/identity/biometrics/face-gallery';
import {
  completeFace,
  describeMatches,
  findFaceForWorkflow,
  readFaceImage,
} from '../../services/identity/biometrics/faces';
import type { SelfieSession } from '../../services/identity/biometrics/session-faces';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import type { VisionEngine } from './engine';
import type { FaceSource, Galleries, GallerySearchResult } from './gallery/galleries';
import { getEmbeddingWeights } from './manifest';

export interface FaceActivities {
  /** Embeds a face and makes it searchable; idempotent. Returns the resulting status. */
  indexFace: (input: { faceId: string }) => Promise<FaceStatus | 'erased'>;
}

/** The indexed faces in MongoDB, as the source of galleries. */
export const createFaceSource = (platform: Platform): FaceSource => ({
  revision: getGalleryRevision,
  count: countSearchableFaces,
  changes: (scope, after) => readGalleryChanges(platform, scope, getEmbeddingWeights(), after),
});

/** Risks for which an image cannot be indexed. */
function findFaceRisks({ embedding, image }: EmbeddingResult): Risk[] {
  if (embedding === null || image.quality === null) return [buildRisk('no_face')];
  const { interEyeDistance, overall } = image.quality;
  const [largest, second] = image.faces;
  const area = (face: typeof largest): number => (face === undefined ? 0 : face.box.width * face.box.height);
  if (area(second) >= FACE_LIMITS.secondFaceShare * area(largest)) {
    return [buildRisk('multiple_faces', { details: { faces: image.faces.length } })];
  }
  if (interEyeDistance < FACE_LIMITS.minIndexedEyeDistance) {
    return [buildRisk('face_too_small', { details: { interEyeDistance } })];
  }
  return overall < FACE_LIMITS.minOverallQuality
    ? [buildRisk('face_low_quality', { action: 'decline', details: { overall } })]
    : [];
}

/** The activities that index faces. */
export const createFaceActivities = (platform: Platform, engine: Pick<VisionEngine, 'embed'>): FaceActivities => ({
  indexFace: ({ faceId }) =>
    withHeartbeat(async () => {
      const face = await findFaceForWorkflow(faceId);
      if (face === null) return 'erased';
      if (face.status !== 'processing') return face.status;
      const found = await engine.embed(await readFaceImage(platform, face));
      const model = getEmbeddingWeights();
      return completeFace(platform, face, { ...found, model, risks: findFaceRisks(found) });
    }),
});

/** Searches the largest face of an image among the indexed faces. */
export async function searchIndexedFaces(
  galleries: Galleries,
  check: CheckOfKind<'face_search'>,
  { embedding, image, models }: EmbeddingResult,
): Promise<FaceSearchResult> {
  const { lists, topK, threshold } = check.details;
  const risks = embedding === null ? [buildRisk('no_face')] : [];
  // Without a face no result is used, but the response still describes the searched gallery.
  const query = embedding === null ? new Float32Array(512) : Float32Array.from(embedding);
  const { hits, ...searchResult } = await galleries.search(check, { embedding: query, lists, topK, threshold });
  return {
    matches: embedding === null ? [] : await describeMatches(check, hits),
    lists,
    topK,
    ...searchResult,
    measuredOn: FACE_SEARCH.measuredOn,
    ...image,
    risks,
    status: computeVerdict(risks),
    models,
  };
}

/** Ids and figures only, without personal data. */
const toRiskDetails = ({ hits: [best], threshold, gallerySize, expectedFalseHits }: GallerySearchResult) => ({
  faceId: best?.faceId ?? null,
  ...(best?.sessionId === undefined || best.sessionId === null ? {} : { sessionId: best.sessionId }),
  similarity: Math.round((best?.similarity ?? 0) * 1000) / 1000,
  threshold,
  gallerySize,
  expectedFalseHits: Number(expectedFalseHits.toPrecision(3)),
});

/**
 * Compares the selfie of a session with the faces of the organisation: other people verified before, and the blocklist.
 * Sessions with the same external id belong to the same person.
 * @param session that of the check; null for a standalone check
 */
export async function compareWithKnownFaces(
  galleries: Galleries,
  check: CheckOfKind<'liveness' | 'face_match' | 'age'>,
  session: SelfieSession | null,
  embedding: readonly number[] | null,
): Promise<Risk[]> {
  if (session === null || embedding === null) return [];
  const query = { embedding: Float32Array.from(embedding), topK: 1, threshold: null };
  const exclude = { sessionId: session._id, externalId: session.externalId };
  const duplicates = await galleries.search(check, { ...query, lists: ['users'], exclude });
  const blocked = await galleries.search(check, { ...query, lists: ['blocklist'] });
  return [
    ...(duplicates.hits.length > 0 ? [buildRisk('duplicate_face', { details: toRiskDetails(duplicates) })] : []),
    ...(blocked.hits.length > 0 ? [buildRisk('face_in_blocklist', { details: toRiskDetails(blocked) })] : []),
  ];
}
