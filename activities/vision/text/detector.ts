import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Plane } from '../imaging/raster';
import { IMAGENET, toTensor } from '../imaging/tensor';

/** A text line: a rotated rectangle given by its centre, in pixels of the image. */
export interface TextLine {
  x: number;
  y: number;
  /** along the line */
  length: number;
  /** across the line, including ascenders and a margin */
  height: number;
  /** direction of the line against the horizontal, radians, −π/4 to 3π/4 */
  angle: number;
  /** mean text probability, 0–1 */
  score: number;
}

const MIN_PROBABILITY = 0.3;
const MIN_SCORE = 0.5;
const MIN_PIXELS = 12;
/**
 * The network marks the core of a line; each side is extended by area × this / perimeter (the unclip step of DBNet).
 */
const UNCLIP = 1.6;

const BGR_IMAGENET = {
  order: 'BGR',
  mean: [IMAGENET.mean[2], IMAGENET.mean[1], IMAGENET.mean[0]],
  deviation: [IMAGENET.deviation[2], IMAGENET.deviation[1], IMAGENET.deviation[0]],
} as const;

interface Moments {
  count: number;
  sum: number;
  x: number;
  y: number;
  pixels: Int32Array;
}

/** Connected components of text pixels. */
function findComponents({ width, data }: Plane): Moments[] {
  const seen = new Uint8Array(data.length);
  const found: Moments[] = [];
  // The pixels of a component in the order in which they are visited: those after `next` still have neighbours to visit.
  const queue = new Int32Array(data.length);
  let end = 0;
  const visit = (at: number): void => {
    if (at < 0 || at >= data.length || seen[at] === 1 || (data[at] ?? 0) < MIN_PROBABILITY) return;
    seen[at] = 1;
    queue[end] = at;
    end += 1;
  };
  for (let start = 0; start < data.length; start += 1) {
    if ((data[start] ?? 0) < MIN_PROBABILITY || seen[start] === 1) continue;
    end = 0;
    visit(start);
    let [sum, sumX, sumY] = [0, 0, 0];
    for (let next = 0; next < end; next += 1) {
      const at = queue[next] ?? 0;
      const x = at % width;
      sum += data[at] ?? 0;
      sumX += x;
      sumY += (at - x) / width;
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      visit(at - width);
      visit(at + width);
    }
    if (end >= MIN_PIXELS) found.push({ count: end, sum, x: sumX, y: sumY, pixels: queue.slice(0, end) });
  }
  return found;
}

/** The rotated rectangle around a component: direction from its second moments, extent by projection. */
function fitLine({ count, sum, x: sumX, y: sumY, pixels }: Moments, width: number): TextLine {
  const cx = sumX / count;
  const cy = sumY / count;
  let [xx, yy, xy] = [0, 0, 0];
  for (const at of pixels) {
    const dx = (at % width) - cx;
    const dy = Math.floor(at / width) - cy;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  let angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  if (angle < -Math.PI / 4) angle += Math.PI;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [minU, maxU, minV, maxV] = [0, 0, 0, 0];
  for (const at of pixels) {
    const dx = (at % width) - cx;
    const dy = Math.floor(at / width) - cy;
    const u = dx * cos + dy * sin;
    const v = dy * cos - dx * sin;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }
  const [length, height] = [maxU - minU + 1, maxV - minV + 1];
  const margin = (count * UNCLIP) / (2 * (length + height));
  const [u, v] = [(minU + maxU) / 2, (minV + maxV) / 2];
  return {
    x: cx + u * cos - v * sin + 0.5,
    y: cy + u * sin + v * cos + 0.5,
    length: length + 2 * margin,
    height: height + 2 * margin,
    angle,
    score: sum / count,
  };
}

/**
 * Detects text lines of any direction in an image.
 *
 * @param longSide longer side of the detector input in pixels; text lower than about 8 pixels at that size is lost
 */
export async function detectText(networks: Networks, image: ImagePyramid, longSide: number): Promise<TextLine[]> {
  const scale = Math.max(image.width, image.height) / longSide;
  const width = Math.max(32, Math.round(image.width / scale / 32) * 32);
  const height = Math.max(32, Math.round(image.height / scale / 32) * 32);
  const input = image.crop({ x: 0, y: 0, width: image.width, height: image.height }, width, height);
  const tensor = toTensor(input, BGR_IMAGENET, networks.takeInput(3 * height * width));
  const data = await networks.runFirstOutput('text_detector', tensor, [1, 3, height, width]);
  const [scaleX, scaleY] = [image.width / width, image.height / height];
  return findComponents({ width, height, data })
    .map((group) => fitLine(group, width))
    .filter(({ score, height: lineHeight }) => score >= MIN_SCORE && lineHeight >= 4)
    .map((line) => ({
      ...line,
      x: line.x * scaleX,
      y: line.y * scaleY,
      length: line.length * scaleX,
      height: line.height * scaleY,
    }));
}
