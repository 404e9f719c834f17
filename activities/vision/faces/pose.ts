import type { Pose } from '../../../domain/identity/biometrics/result';
import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Rect } from '../imaging/raster';
import { IMAGENET, toGreyTensor, toTensor } from '../imaging/tensor';
import { computeFivePoints, computeInterEyeDistance, squareAround } from './landmarks';
import type { Point } from './landmarks';

const POSE_SIZE = 224;
const EYE_SIZE = 24;

/** Expected angle of a softmax over 66 bins of 3 degrees, the first one at −99. */
function computeExpectedAngle(logits: Float32Array): number {
  const top = Math.max(...logits);
  let sum = 0;
  let weighted = 0;
  logits.forEach((logit, bin) => {
    const weight = Math.exp(logit - top);
    sum += weight;
    weighted += weight * bin;
  });
  return (weighted / sum) * 3 - 99;
}

/** Head pose in degrees. */
export async function estimatePose(networks: Networks, image: ImagePyramid, box: Rect): Promise<Pose> {
  const chip = image.crop(squareAround(box, 1.2), POSE_SIZE, POSE_SIZE);
  const tensor = toTensor(chip, { order: 'RGB', ...IMAGENET });
  const outputs = await networks.run('face_pose', tensor, [1, 3, POSE_SIZE, POSE_SIZE]);
  const [yaw = 0, pitch = 0, roll = 0] = outputs.map(({ data }) => Math.round(computeExpectedAngle(data) * 10) / 10);
  return { yaw, pitch, roll };
}

/** Probability that each eye is open; the eye on the left of the image first. */
export async function estimateEyesOpen(
  networks: Networks,
  image: ImagePyramid,
  landmarks: readonly Point[],
): Promise<[number, number]> {
  const [left, right] = computeFivePoints(landmarks);
  // 1.6 times the width of the eye, the crop that the model was trained with.
  const side = computeInterEyeDistance(landmarks) * 0.72;
  const estimateOpen = async ({ x, y }: Point): Promise<number> => {
    const chip = image.crop({ x: x - side / 2, y: y - side / 2, width: side, height: side }, EYE_SIZE, EYE_SIZE);
    // The first class of the model is a closed eye.
    const [closed = 0, open = 0] = await networks.runFirstOutput('eye_state', toGreyTensor(chip, 255), [
      1,
      1,
      EYE_SIZE,
      EYE_SIZE,
    ]);
    return Math.round(100 / (1 + Math.exp(closed - open))) / 100;
  };
  return [await estimateOpen(left), await estimateOpen(right)];
}
