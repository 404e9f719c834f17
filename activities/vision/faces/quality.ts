import { findCoveredParts } from '../../../domain/identity/biometrics/covered-parts';
import type { FaceQuality } from '../../../domain/identity/biometrics/result';
import type { Networks } from '../inference/networks';
import { computeMean, ramp, scoreSharpness } from '../imaging/measures';
import type { ImagePyramid } from '../imaging/image-pyramid';
import { toLuminance } from '../imaging/raster';
import { alignFace } from './embedding';
import { computeInterEyeDistance } from './landmarks';
import { measureCovering } from './covering';
import { estimatePose, estimateEyesOpen } from './pose';
import type { FoundFace } from './search';

// Variance of the Laplacian of the aligned face: below the first value the eyes are not recognisable, above the second
// more sharpness makes no difference. Chosen on gradually blurred photographs.
const BLURRED = 30;
const SHARP = 1500;

/** Occlusion of a face whose eyes or mouth cannot be seen: its quality is too low to be evaluated. */
const COVERED_OCCLUSION = 0.9;

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/**
 * Assesses the quality of a face.
 *
 * @param scale pixels of the uploaded image per pixel of `image`
 */
export async function assessFace(
  networks: Networks,
  image: ImagePyramid,
  face: FoundFace,
  scale: number,
): Promise<FaceQuality> {
  const aligned = alignFace(image, face.landmarks);
  const sharpness = scoreSharpness(aligned, BLURRED, SHARP);
  const brightness = Math.round(computeMean(toLuminance(aligned)));
  const pose = await estimatePose(networks, image, face.box);
  const eyes = await estimateEyesOpen(networks, image, face.landmarks);
  const eyeDistance = computeInterEyeDistance(face.landmarks) * scale;
  const covered = findCoveredParts(measureCovering(aligned, eyes));
  // Displaced landmarks and eyes that seem closed indicate a cover that the measures do not show.
  const occlusion = Math.max(
    ramp(face.misfit, 0.12, 0.35),
    ramp(1 - Math.max(...eyes), 0.6, 1) * 0.8,
    covered.length > 0 ? COVERED_OCCLUSION : 0,
  );
  const parts = [
    sharpness,
    100 * Math.min(ramp(brightness, 20, 70), ramp(brightness, 250, 215)),
    100 * ramp(Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)), 60, 20),
    100 * ramp(eyeDistance, 15, 60),
    100 * (1 - occlusion),
  ];
  return {
    sharpness,
    brightness,
    pose,
    eyesOpen: eyes,
    interEyeDistance: Math.round(eyeDistance),
    occlusion: round(occlusion),
    covered,
    overall: Math.round(Math.min(...parts)),
  };
}
