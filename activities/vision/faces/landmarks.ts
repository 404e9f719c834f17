import type { Networks } from '../inference/networks';
import type { Affine, ImagePyramid } from '../imaging/image-pyramid';
import type { Rect } from '../imaging/raster';
import { toGreyTensor } from '../imaging/tensor';

export interface Point {
  x: number;
  y: number;
}

const SIZE = 64;

/** The square around the centre of a bounding box with its longer side multiplied by `factor`. */
export function squareAround(box: Rect, factor: number): Rect {
  const side = Math.max(box.width, box.height) * factor;
  return { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side };
}

/** The 68 landmarks (iBUG 300-W order) of a detected face, in pixels of the image. */
export async function findLandmarks(networks: Networks, image: ImagePyramid, box: Rect): Promise<Point[]> {
  const square = squareAround(box, 1);
  const chip = image.crop(square, SIZE, SIZE);
  const values = await networks.runFirstOutput('face_landmarks', toGreyTensor(chip, 256), [1, 1, SIZE, SIZE]);
  return Array.from({ length: 68 }, (_, index) => ({
    x: square.x + (values[2 * index] ?? 0) * square.width,
    y: square.y + (values[2 * index + 1] ?? 0) * square.height,
  }));
}

const averagePoints = (points: readonly Point[], ...indices: number[]): Point => {
  const chosen = indices.map((index) => points[index] ?? { x: 0, y: 0 });
  return {
    x: chosen.reduce((sum, { x }) => sum + x, 0) / chosen.length,
    y: chosen.reduce((sum, { y }) => sum + y, 0) / chosen.length,
  };
};

/** Eye centres (image left, image right), nose tip and mouth corners. */
export function computeFivePoints(landmarks: readonly Point[]): [Point, Point, Point, Point, Point] {
  return [
    averagePoints(landmarks, 37, 38, 40, 41),
    averagePoints(landmarks, 43, 44, 46, 47),
    averagePoints(landmarks, 30),
    averagePoints(landmarks, 48),
    averagePoints(landmarks, 54),
  ];
}

/** Angle of the line between the eyes against the horizontal, degrees, −180 to 180. */
export function computeEyeAngle(landmarks: readonly Point[]): number {
  const [left, right] = computeFivePoints(landmarks);
  return (Math.atan2(right.y - left.y, right.x - left.x) * 180) / Math.PI;
}

/** Pixels between the eye centres. */
export function computeInterEyeDistance(landmarks: readonly Point[]): number {
  const [left, right] = computeFivePoints(landmarks);
  return Math.hypot(right.x - left.x, right.y - left.y);
}

/**
 * Positions of the five points in an aligned 112×112 face: the template that the embedding network was trained with.
 */
const TEMPLATE: readonly Point[] = [
  { x: 38.29, y: 51.7 },
  { x: 73.53, y: 51.5 },
  { x: 56.03, y: 71.74 },
  { x: 41.55, y: 92.37 },
  { x: 70.73, y: 92.2 },
];

/** Least-squares similarity transform (rotation, scale, translation) that maps `from` onto `to`. */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Affine {
  const count = Math.min(from.length, to.length);
  const centre = (points: readonly Point[]): Point => ({
    x: points.reduce((sum, { x }) => sum + x, 0) / count,
    y: points.reduce((sum, { y }) => sum + y, 0) / count,
  });
  const a = centre(from);
  const b = centre(to);
  let along = 0;
  let across = 0;
  let norm = 0;
  from.forEach((point, index) => {
    const other = to[index] ?? b;
    const [px, py, qx, qy] = [point.x - a.x, point.y - a.y, other.x - b.x, other.y - b.y];
    along += px * qx + py * qy;
    across += px * qy - py * qx;
    norm += px * px + py * py;
  });
  const cos = norm === 0 ? 1 : along / norm;
  const sin = norm === 0 ? 0 : across / norm;
  return [cos, -sin, b.x - cos * a.x + sin * a.y, sin, cos, b.y - sin * a.x - cos * a.y];
}

/** Affine map from the aligned 112×112 face to the image. */
export const computeAlignment = (landmarks: readonly Point[]): Affine =>
  fitSimilarity(TEMPLATE, computeFivePoints(landmarks));
