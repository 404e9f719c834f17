import sharp from 'sharp';

// Taken once: looked up for each of some hundred million samples, a global of jest's sandbox takes minutes.
const { PI, ceil, cos, exp, floor, imul, max, min, round, sin } = Math;

/** Linear light of a surface at a place, red, green and blue, 0–1. */
export type Surface = (x: number, y: number, light: Float32Array) => void;

/** How a surface is photographed. */
export interface Shot {
  /** pixels of the picture */
  width: number;
  height: number;
  /** units of the surface for one pixel of the picture */
  unitsPerPixel: number;
  /** degrees the camera is turned against the surface */
  turn: number;
  /** how much smaller the far edge looks, 0–0.3 */
  keystone: number;
  /** standard deviation of the lens, pixels */
  blur: number;
  /** standard deviation of the sensor's noise, of 255 */
  noise: number;
  /** JPEG quality */
  quality: number;
  seed: number;
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
export function createCameraRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const toLinear = (level: number): number => (level / 255) ** 2.2;
const toLevel = (light: number): number => 255 * max(0, light) ** (1 / 2.2);

/** Sub-samples along each side of a pixel: its area gathers light, it is no point. */
const SAMPLES = 3;

/** What each pixel of the sensor gathers, RGB interleaved, linear. */
function exposeSensor(surface: Surface, { width, height, unitsPerPixel, turn, keystone }: Shot): Float32Array {
  const sensor = new Float32Array(width * height * 3);
  const light = new Float32Array(3);
  const [along, across] = [cos((turn * PI) / 180), sin((turn * PI) / 180)];
  for (let row = 0, out = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, out += 3) {
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
        const px = column + ((sample % SAMPLES) + 0.5) / SAMPLES - width / 2;
        const py = row + (floor(sample / SAMPLES) + 0.5) / SAMPLES - height / 2;
        const far = 1 + keystone * (py / height);
        const [x, y] = [px * unitsPerPixel * far, py * unitsPerPixel * far];
        surface(x * along - y * across, x * across + y * along, light);
        for (let channel = 0; channel < 3; channel += 1) {
          sensor[out + channel] = (sensor[out + channel] ?? 0) + (light[channel] ?? 0) / (SAMPLES * SAMPLES);
        }
      }
    }
  }
  return sensor;
}

/** The lens spreads light before the sensor counts it, so linear light is what is smoothed. */
function applyLens(lens: number, light: Float32Array, width: number, height: number): Float32Array {
  const reach = ceil(2.5 * lens);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, index) => exp(-0.5 * ((index - reach) / lens) ** 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const spread = (from: Float32Array, across: boolean): Float32Array => {
    const result = new Float32Array(from.length);
    for (let index = 0; index < from.length; index += 1) {
      const pixel = floor(index / 3);
      const [x, y] = [pixel % width, floor(pixel / width)];
      let sum = 0;
      weights.forEach((weight, at) => {
        const nx = across ? min(width - 1, max(0, x + at - reach)) : x;
        const ny = across ? y : min(height - 1, max(0, y + at - reach));
        sum += weight * (from[(ny * width + nx) * 3 + (index % 3)] ?? 0);
      });
      result[index] = sum / total;
    }
    return result;
  };
  return lens === 0 ? light : spread(spread(light, true), false);
}

/** A sensor sees one colour a pixel (RGGB); the others are the mean of the neighbours that see them. */
function applyColourFilter(raw: Float32Array, width: number, height: number): Float32Array {
  const filterChannel = (x: number, y: number): number => ((x & 1) === (y & 1) ? ((x & 1) === 0 ? 0 : 2) : 1);
  const result = new Float32Array(raw.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [sums, counts] = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          const [nx, ny] = [min(width - 1, max(0, x + dx)), min(height - 1, max(0, y + dy))];
          const channel = filterChannel(x + dx, y + dy);
          if ((dx !== 0 || dy !== 0) && channel === filterChannel(x, y)) continue;
          sums[channel] = (sums[channel] ?? 0) + (raw[(ny * width + nx) * 3 + channel] ?? 0);
          counts[channel] = (counts[channel] ?? 0) + 1;
        }
      }
      for (let channel = 0; channel < 3; channel += 1) {
        result[(y * width + x) * 3 + channel] = (sums[channel] ?? 0) / max(1, counts[channel] ?? 0);
      }
    }
  }
  return result;
}

/** Photographs a surface: lens, sensor with its colour filter, noise, then JPEG as cameras write it. */
export async function photograph(surface: Surface, shot: Shot): Promise<Buffer> {
  const { width, height, blur, noise, quality, seed } = shot;
  const raw = applyColourFilter(applyLens(blur, exposeSensor(surface, shot), width, height), width, height);
  const random = createCameraRandom(seed);
  const levels = new Uint8Array(raw.length);
  raw.forEach((light, index) => {
    const gauss = random() + random() + random() + random() - 2;
    levels[index] = min(255, max(0, round(toLevel(light) + gauss * noise * 1.73)));
  });
  return sharp(levels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}
