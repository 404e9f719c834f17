import type { FaceQuality } from '../../../domain/identity/biometrics/result';
import type { Networks } from '../inference/sessions';
import { meanOf, ramp, sharpnessScore } from '../imaging/measures';
import type { Picture } from '../imaging/picture';
import { luminance } from '../imaging/raster';
import { alignedFace } from './embedding';
import { interEyeDistance } from './landmarks';
import { estimatePose, eyesOpen } from './pose';
import type { FoundFace } from './search';

// Variance of the Laplacian on the aligned face: below the first nothing of the eyes is left, above the second a sharp
// portrait is not told from a sharper one. Chosen on photographs blurred step by step.
const BLURRED = 30;
const SHARP = 1500;

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/**
 * How well a face can be judged.
 *
 * @param scale pixels of the image as sent for one pixel of the picture
 */
export async function assessFace(
  networks: Networks,
  picture: Picture,
  face: FoundFace,
  scale: number,
): Promise<FaceQuality> {
  const aligned = alignedFace(picture, face.landmarks);
  const sharpness = sharpnessScore(aligned, BLURRED, SHARP);
  const brightness = Math.round(meanOf(luminance(aligned)));
  const pose = await estimatePose(networks, picture, face.box);
  const eyes = await eyesOpen(networks, picture, face.landmarks);
  const distance = interEyeDistance(face.landmarks) * scale;
  // Features out of place, or both eyes unreadable, are what a mask or dark glasses look like to these models.
  const occlusion = Math.max(ramp(face.misfit, 0.12, 0.35), ramp(1 - Math.max(...eyes), 0.6, 1) * 0.8);
  const parts = [
    sharpness,
    100 * Math.min(ramp(brightness, 20, 70), ramp(brightness, 250, 215)),
    100 * ramp(Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)), 60, 20),
    100 * ramp(distance, 15, 60),
    100 * (1 - occlusion),
  ];
  return {
    sharpness,
    brightness,
    pose,
    eyesOpen: eyes,
    interEyeDistance: Math.round(distance),
    occlusion: round(occlusion),
    overall: Math.round(Math.min(...parts)),
  };
}
