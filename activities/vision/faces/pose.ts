import type { Pose } from '../../../domain/identity/biometrics/result';
import type { Networks } from '../inference/sessions';
import type { Picture } from '../imaging/picture';
import type { Rect } from '../imaging/raster';
import { IMAGENET, toGreyTensor, toTensor } from '../imaging/tensor';
import { fivePoints, interEyeDistance, squareAround } from './landmarks';
import type { Point } from './landmarks';

const POSE_SIZE = 224;
const EYE_SIZE = 24;

/** Expected angle of a softmax over 66 bins of 3 degrees, the first at −99. */
function expectedAngle(logits: Float32Array): number {
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
export async function estimatePose(networks: Networks, picture: Picture, box: Rect): Promise<Pose> {
  const chip = picture.crop(squareAround(box, 1.2), POSE_SIZE, POSE_SIZE);
  const tensor = toTensor(chip, { order: 'RGB', ...IMAGENET });
  const outputs = await networks.run('face_pose', tensor, [1, 3, POSE_SIZE, POSE_SIZE]);
  const [yaw = 0, pitch = 0, roll = 0] = outputs.map(({ data }) => Math.round(expectedAngle(data) * 10) / 10);
  return { yaw, pitch, roll };
}

/** Probability that each eye is open, image left first. */
export async function eyesOpen(
  networks: Networks,
  picture: Picture,
  landmarks: readonly Point[],
): Promise<[number, number]> {
  const [left, right] = fivePoints(landmarks);
  // 1.6 times the width of the eye slit, as the model's maker crops.
  const side = interEyeDistance(landmarks) * 0.72;
  const probability = async ({ x, y }: Point): Promise<number> => {
    const chip = picture.crop({ x: x - side / 2, y: y - side / 2, width: side, height: side }, EYE_SIZE, EYE_SIZE);
    // The model's first class is the closed eye.
    const [closed = 0, open = 0] = await networks.first('eye_state', toGreyTensor(chip, 255), [
      1,
      1,
      EYE_SIZE,
      EYE_SIZE,
    ]);
    return Math.round(100 / (1 + Math.exp(closed - open))) / 100;
  };
  return [await probability(left), await probability(right)];
}
