import {
  AGE_BANDS,
  AGE_MEASURED_ON,
  toAgeEstimate,
  evaluateMinimumAge,
  assessMinimumAgeRisks,
} from '../../../domain/identity/biometrics/age';
import type { AgeResult } from '../../../domain/identity/biometrics/result';
import { FACE_LIMITS } from '../../../domain/identity/biometrics/thresholds';
import { buildRisk, computeVerdict } from '../../../domain/identity/checks/risks';
import type { Risk } from '../../../domain/identity/checks/risks';
import type { DecodedImage } from '../decoding/pool';
import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Rect } from '../imaging/raster';
import { toTensor } from '../imaging/tensor';
import { listModelUses } from '../manifest';
import { squareAround } from './landmarks';
import { toDetectedFaces } from './match';
import { assessFace } from './quality';
import { searchFaces, computeSecondFaceShare } from './search';

const SIZE = 112;
/**
 * Size of the crop in widths of the detected face. On 100 photographs of ten people of known age the mean error is 4.4
 * years at 1, 4.3 at 0.9 and 7.3 at 1.15, where elderly people are estimated much too young.
 */
const CROP = 0.9;

/** The network's estimate for one face, in years. */
async function estimateYears(networks: Networks, image: ImagePyramid, face: Rect): Promise<number> {
  const chip = image.crop(squareAround(face, CROP), SIZE, SIZE);
  const tensor = toTensor(chip, { order: 'RGB', mean: [122.782, 117.001, 104.298], deviation: [255, 255, 255] });
  const [years = 0] = await networks.runFirstOutput('face_age', tensor, [1, 3, SIZE, SIZE]);
  return years;
}

/** Estimates the age of the largest face, and whether it reaches `minimumAge` (years) unless that is null. */
export async function estimateAge(
  networks: Networks,
  decoded: DecodedImage,
  minimumAge: number | null,
): Promise<AgeResult> {
  const search = await searchFaces(networks, decoded.raster);
  const faces = toDetectedFaces(search, decoded);
  const [largest] = search.faces;
  const common = {
    face: faces[0] ?? null,
    faces,
    rotation: search.turn,
    minimumAge,
    errorByAge: [...AGE_BANDS],
    measuredOn: AGE_MEASURED_ON,
    models: listModelUses('face_detector', 'face_landmarks', 'face_embedding', 'face_age', 'face_pose', 'eye_state'),
  };
  if (largest === undefined) {
    const risks = [buildRisk('no_face', { feature: 'age' })];
    const unknown = { age: null, interval: null, meanAbsoluteError: null, meetsMinimumAge: null, quality: null };
    return { ...common, ...unknown, risks, status: computeVerdict(risks) };
  }
  const quality = await assessFace(networks, search.image, largest, decoded.fullWidth / decoded.raster.width);
  const estimate = toAgeEstimate(await estimateYears(networks, search.image, largest.box));
  const meetsMinimum = minimumAge === null ? null : evaluateMinimumAge(estimate.interval, minimumAge);
  const risks: Risk[] = assessMinimumAgeRisks(meetsMinimum, minimumAge);
  if (computeSecondFaceShare(search) >= FACE_LIMITS.secondFaceShare) {
    risks.push(buildRisk('multiple_faces', { feature: 'age', details: { faces: faces.length } }));
  }
  if (quality.overall < FACE_LIMITS.minOverallQuality) {
    risks.push(buildRisk('face_low_quality', { feature: 'age', details: { overall: quality.overall } }));
  }
  return { ...common, ...estimate, meetsMinimumAge: meetsMinimum, quality, risks, status: computeVerdict(risks) };
}
