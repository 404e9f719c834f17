import { assessLivenessRisks, computeLivenessScore } from '../../../domain/identity/biometrics/liveness';
import type { LivenessAnalysis, LivenessParts, LivenessResult } from '../../../domain/identity/biometrics/result';
import { FACE_LIMITS, LIVENESS } from '../../../domain/identity/biometrics/thresholds';
import { buildRisk, computeVerdict } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import type { DecodedImage } from '../decoding/pool';
import { toDetectedFaces } from '../faces/match';
import { squareAround } from '../faces/landmarks';
import { assessFace } from '../faces/quality';
import { searchFaces, computeSecondFaceShare } from '../faces/search';
import type { FaceSearch, FoundFace } from '../faces/search';
import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Rect } from '../imaging/raster';
import { toTensor } from '../imaging/tensor';
import { listModelUses } from '../manifest';
import { measureFrameEdges, measureGamut, measureMoire, measureSpecular } from './cues';

const SIZE = 128;
/** Size of the crop that the model was trained with, in widths of the face, and of the narrower second crop. */
const CROP = 2.7;
const NARROW_CROP = 2.2;

/** Moves a square inside the image, or shrinks it to a smaller image. */
function clampInside(square: Rect, image: ImagePyramid): Rect {
  const width = Math.min(square.width, image.width);
  const height = Math.min(square.height, image.height);
  return {
    x: Math.min(Math.max(0, square.x), image.width - width),
    y: Math.min(Math.max(0, square.y), image.height - height),
    width,
    height,
  };
}

/** The model's probability that the face is live, 0–1. */
async function estimateLiveProbability(
  networks: Networks,
  image: ImagePyramid,
  face: Rect,
  factor: number,
): Promise<number> {
  const chip = image.crop(clampInside(squareAround(face, factor), image), SIZE, SIZE);
  const tensor = toTensor(chip, { order: 'BGR', mean: [0, 0, 0], deviation: [1, 1, 1] });
  const logits = await networks.runFirstOutput('face_liveness', tensor, [1, 3, SIZE, SIZE]);
  const top = Math.max(...logits);
  const weights = [...logits].map((logit) => Math.exp(logit - top));
  return (weights[0] ?? 0) / weights.reduce((sum, weight) => sum + weight, 0);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

async function measureParts(networks: Networks, image: ImagePyramid, { box }: FoundFace): Promise<LivenessParts> {
  const skin = image.crop(
    { x: box.x + box.width * 0.15, y: box.y + box.height * 0.15, width: box.width * 0.7, height: box.height * 0.7 },
    64,
    64,
  );
  return {
    model: round(await estimateLiveProbability(networks, image, box, CROP)),
    narrowCrop: round(await estimateLiveProbability(networks, image, box, NARROW_CROP)),
    moire: round(measureMoire(image, box)),
    specular: round(measureSpecular(skin)),
    gamut: round(measureGamut(skin)),
    frameEdges: round(measureFrameEdges(image, box)),
    faceToFrame: round(box.width / image.width),
  };
}

/** Passive liveness of the largest face of an image, with its embedding. */
export async function analyseLiveness(networks: Networks, decoded: DecodedImage): Promise<LivenessAnalysis> {
  const search = await searchFaces(networks, decoded.raster);
  const result = await assessLiveness(networks, decoded, search);
  return { result, embedding: search.embedding === null ? null : Array.from(search.embedding.values) };
}

/** Passive liveness of the largest detected face. */
export async function assessLiveness(
  networks: Networks,
  decoded: DecodedImage,
  search: FaceSearch,
): Promise<LivenessResult> {
  const [largest] = search.faces;
  const faces = toDetectedFaces(search, decoded);
  const risks: Risk[] = [];
  const common = {
    method: 'passive' as const,
    active: null,
    face: faces[0] ?? null,
    faces,
    rotation: search.turn,
    thresholds: { decline: LIVENESS.decline, review: LIVENESS.review },
    measuredOn: LIVENESS.measuredOn,
    models: listModelUses('face_detector', 'face_landmarks', 'face_liveness', 'face_pose', 'eye_state'),
  };
  if (largest === undefined) {
    risks.push(buildRisk('no_face', { feature: 'liveness' }));
    return { ...common, score: null, parts: null, deductions: {}, quality: null, risks, status: computeVerdict(risks) };
  }
  const scale = decoded.fullWidth / decoded.raster.width;
  const parts = await measureParts(networks, search.image, largest);
  const quality = await assessFace(networks, search.image, largest, scale);
  const { score, deductions } = computeLivenessScore(parts);
  risks.push(...assessLivenessRisks(score, quality, LIVENESS));
  if (computeSecondFaceShare(search) >= FACE_LIMITS.secondFaceShare)
    risks.push(buildRisk('multiple_faces', { details: { faces: faces.length } }));
  if (quality.interEyeDistance < FACE_LIMITS.minInterEyeDistance) {
    risks.push(buildRisk('face_too_small', { details: { interEyeDistance: quality.interEyeDistance } }));
  }
  if (quality.overall < FACE_LIMITS.minOverallQuality && quality.interEyeDistance >= FACE_LIMITS.minInterEyeDistance) {
    risks.push(buildRisk('face_low_quality', { details: { overall: quality.overall } }));
  }
  return { ...common, score, parts, deductions, quality, risks, status: computeVerdict(risks) };
}
