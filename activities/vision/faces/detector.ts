import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Rect } from '../imaging/raster';
import { toTensor } from '../imaging/tensor';

const WIDTH = 320;
const HEIGHT = 240;
const MIN_SCORE = 0.6;
const MAX_OVERLAP = 0.4;

export interface Detection {
  box: Rect;
  /** 0–1 */
  score: number;
}

/** Intersection over union of two rectangles, 0–1. */
export function computeOverlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
}

/** Non-maximum suppression: keeps the best of overlapping detections, best first. */
export function suppressOverlaps(detections: readonly Detection[], maxOverlap = MAX_OVERLAP): Detection[] {
  const kept: Detection[] = [];
  for (const candidate of [...detections].sort((a, b) => b.score - a.score)) {
    if (kept.every(({ box }) => computeOverlap(box, candidate.box) <= maxOverlap)) kept.push(candidate);
  }
  return kept;
}

/**
 * Detects upright faces. The region is letterboxed to the input size of the detector, because stretching distorts faces
 * and misses some.
 *
 * @param region part of the image to search @default the whole image
 * @returns bounding boxes in pixels of the image, best score first
 */
export async function detectFaces(
  networks: Networks,
  image: ImagePyramid,
  region: Rect = { x: 0, y: 0, width: image.width, height: image.height },
): Promise<Detection[]> {
  const scale = Math.max(region.width / WIDTH, region.height / HEIGHT);
  // The padding is on both sides, because faces at the border of the input are detected less reliably.
  const left = region.x - (WIDTH * scale - region.width) / 2;
  const top = region.y - (HEIGHT * scale - region.height) / 2;
  const input = image.samplePatch(WIDTH, HEIGHT, [scale, 0, left, 0, scale, top], 127);
  const spec = { order: 'RGB', mean: [127, 127, 127], deviation: [128, 128, 128] } as const;
  const tensor = toTensor(input, spec, networks.takeInput(3 * WIDTH * HEIGHT));
  const [scores, boxes] = await networks.run('face_detector', tensor, [1, 3, HEIGHT, WIDTH]);
  const found: Detection[] = [];
  for (let index = 0; scores && boxes && index < scores.data.length / 2; index += 1) {
    const score = scores.data[2 * index + 1] ?? 0;
    if (score < MIN_SCORE) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = boxes.data.subarray(4 * index, 4 * index + 4);
    found.push({
      score,
      box: {
        x: left + x1 * WIDTH * scale,
        y: top + y1 * HEIGHT * scale,
        width: (x2 - x1) * WIDTH * scale,
        height: (y2 - y1) * HEIGHT * scale,
      },
    });
  }
  return suppressOverlaps(found);
}
