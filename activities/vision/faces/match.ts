import { assessSameCapture, SAME_CAPTURE } from '../../../domain/identity/biometrics/capture';
import type {
  CaptureComparison,
  DetectedFace,
  FaceMatchResult,
  MatchedImage,
} from '../../../domain/identity/biometrics/result';
import { FACE_MATCH, getFalseMatchRate, computeMatchScore } from '../../../domain/identity/biometrics/thresholds';
import { buildRisk, computeVerdict } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import type { DecodedImage } from '../decoding/pool';
import type { Networks } from '../inference/networks';
import { listModelUses } from '../manifest';
import { toImageBox } from '../imaging/coordinates';
import { compareCaptures } from './capture';
import { cosineSimilarity } from './embedding';
import { assessFace } from './quality';
import { searchFaces } from './search';
import type { FaceSearch } from './search';

export interface EmbeddedFace {
  image: MatchedImage;
  search: FaceSearch;
  embedding: Float32Array | null;
}

/** The detected faces in the form used in results. */
export const toDetectedFaces = ({ faces, turn }: FaceSearch, decoded: DecodedImage): DetectedFace[] =>
  faces.map(({ box, score }) => ({ box: toImageBox(box, turn, decoded), confidence: Math.round(score * 1000) / 1000 }));

/** Detects the largest face of an image, assesses its quality and computes its embedding. */
export async function embedLargestFace(
  networks: Networks,
  decoded: DecodedImage,
  onDocument = false,
): Promise<EmbeddedFace> {
  const search = await searchFaces(networks, decoded.raster, { onDocument });
  const faces = toDetectedFaces(search, decoded);
  const [largest] = search.faces;
  if (largest === undefined) {
    return { image: { faces, face: null, rotation: search.turn, quality: null }, search, embedding: null };
  }
  const scale = decoded.fullWidth / decoded.raster.width;
  const quality = await assessFace(networks, search.image, largest, scale);
  const image = { faces, face: faces[0] ?? null, rotation: search.turn, quality };
  return { image, search, embedding: search.embedding?.values ?? null };
}

/** Compares two faces; a risk reports an image without a face. */
export function compareFaces(user: EmbeddedFace, reference: EmbeddedFace): FaceMatchResult {
  const risks: Risk[] = [];
  if (user.embedding === null) risks.push(buildRisk('no_face_in_user_image'));
  if (reference.embedding === null) risks.push(buildRisk('no_face_in_ref_image'));
  const value = user.embedding && reference.embedding ? cosineSimilarity(user.embedding, reference.embedding) : null;
  if (value !== null && value < FACE_MATCH.match) {
    risks.push(
      buildRisk('face_mismatch', {
        feature: 'face_match',
        action: value < FACE_MATCH.review ? 'decline' : 'review',
        details: { similarity: Math.round(value * 1000) / 1000 },
      }),
    );
  }
  const captureCorrelation = compareCaptures(user.search, reference.search);
  risks.push(...assessSameCapture(captureCorrelation, SAME_CAPTURE.session, { feature: 'face_match' }));
  return {
    score: value === null ? null : computeMatchScore(value),
    similarity: value === null ? null : Math.round(value * 10000) / 10000,
    captureCorrelation: captureCorrelation === null ? null : Math.round(captureCorrelation * 1000) / 1000,
    match: value !== null && value >= FACE_MATCH.match,
    threshold: FACE_MATCH.match,
    reviewThreshold: FACE_MATCH.review,
    falseMatchRate: getFalseMatchRate(FACE_MATCH.match),
    measuredOn: FACE_MATCH.measuredOn,
    userImage: user.image,
    refImage: reference.image,
    risks,
    status: computeVerdict(risks),
    models: listModelUses('face_detector', 'face_landmarks', 'face_embedding', 'face_pose', 'eye_state'),
  };
}

/** How far the largest face of an image is the same picture as those of others. */
export async function compareWithCaptures(
  networks: Networks,
  { raster }: DecodedImage,
  others: readonly { image: DecodedImage; onDocument: boolean }[],
): Promise<CaptureComparison> {
  const own = await searchFaces(networks, raster);
  const correlations: (number | null)[] = [];
  for (const { image, onDocument } of others) {
    correlations.push(compareCaptures(own, await searchFaces(networks, image.raster, { onDocument })));
  }
  return { correlations };
}
