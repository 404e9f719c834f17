import sharp from 'sharp';
import { createRandom } from '../../random';

// Local constants: in the sandbox of jest, looking up a global for each of some hundred million samples takes minutes.
const { PI, ceil, cos, exp, max, min, round, sin } = Math;

/** Writes the linear light of a surface at a point: red, green and blue, 0–1. */
export type Surface = (x: number, y: number, light: Float32Array) => void;

/** Parameters of a photograph of a surface. */
export interface Shot {
  /** pixels of the image */
  width: number;
  height: number;
  /** units of the surface per pixel of the image */
  unitsPerPixel: number;
  /** rotation of the camera against the surface, degrees */
  turn: number;
  /** perspective reduction of the far edge, 0–0.3 */
  keystone: number;
  /** standard deviation of the lens blur, pixels */
  blur: number;
  /** standard deviation of the sensor noise, on the 0–255 scale */
  noise: number;
  /** JPEG quality */
  quality: number;
  seed: number;
}

/** Light (0–1) of a level (0–255) of a screen with gamma 2.2. */
export const toLinear = (level: number): number => (level / 255) ** 2.2;
const toLevel = (light: number): number => 255 * max(0, light) ** (1 / 2.2);

/** Samples along each side of a pixel, because a pixel integrates light over its area. */
const SAMPLES = 3;

/** Linear light integrated by each pixel of the sensor, RGB interleaved. */
function exposeSensor(surface: Surface, { width, height, unitsPerPixel, turn, keystone }: Shot): Float32Array {
  const sensor = new Float32Array(width * height * 3);
  const light = new Float32Array(3);
  const along = cos((turn * PI) / 180);
  const across = sin((turn * PI) / 180);
  for (let row = 0, out = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, out += 3) {
      for (let down = 0; down < SAMPLES; down += 1) {
        const py = row + (down + 0.5) / SAMPLES - height / 2;
        const far = 1 + keystone * (py / height);
        const y = py * unitsPerPixel * far;
        for (let right = 0; right < SAMPLES; right += 1) {
          const x = (column + (right + 0.5) / SAMPLES - width / 2) * unitsPerPixel * far;
          surface(x * along - y * across, x * across + y * along, light);
          for (let channel = 0; channel < 3; channel += 1) {
            sensor[out + channel] = (sensor[out + channel] ?? 0) + (light[channel] ?? 0) / (SAMPLES * SAMPLES);
          }
        }
      }
    }
  }
  return sensor;
}

/** Gaussian blur of the lens, applied to linear light as it happens before the sensor. */
function applyLens(lens: number, light: Float32Array, width: number, height: number): Float32Array {
  const radius = ceil(2.5 * lens);
  const weights = Float64Array.from({ length: 2 * radius + 1 }, (_, index) =>
    exp(-0.5 * ((index - radius) / lens) ** 2),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  /** Blurs lines of `length` pixels, `step` values apart; `first` is the first value of the line of a value. */
  const blurLine = (from: Float32Array, to: Float32Array, first: number, length: number, step: number): void => {
    for (let at = 0; at < length; at += 1) {
      let sum = 0;
      for (let offset = 0; offset < weights.length; offset += 1) {
        const near = min(length - 1, max(0, at + offset - radius));
        sum += (weights[offset] ?? 0) * (from[first + near * step] ?? 0);
      }
      to[first + at * step] = sum / total;
    }
  };
  if (lens === 0) return light;
  const across = new Float32Array(light.length);
  for (let row = 0; row < height; row += 1)
    for (let channel = 0; channel < 3; channel += 1) blurLine(light, across, row * width * 3 + channel, width, 3);
  const both = new Float32Array(light.length);
  for (let first = 0; first < width * 3; first += 1) blurLine(across, both, first, height, width * 3);
  return both;
}

/** Bayer filter (RGGB): each pixel records one colour; the others are averaged from its neighbours. */
function applyColourFilter(raw: Float32Array, width: number, height: number): Float32Array {
  const filterChannel = (x: number, y: number): number => ((x & 1) === (y & 1) ? ((x & 1) === 0 ? 0 : 2) : 1);
  const result = new Float32Array(raw.length);
  // Used again for each pixel: new arrays would cost more than the sums.
  const [sums, counts] = [new Float64Array(3), new Float64Array(3)];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      sums.fill(0);
      counts.fill(0);
      const own = filterChannel(x, y);
      for (let dy = -1; dy <= 1; dy += 1) {
        const ny = min(height - 1, max(0, y + dy));
        for (let dx = -1; dx <= 1; dx += 1) {
          const channel = filterChannel(x + dx, y + dy);
          if ((dx !== 0 || dy !== 0) && channel === own) continue;
          const nx = min(width - 1, max(0, x + dx));
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

/** Simulates a photograph of a surface: lens blur, Bayer filter, sensor noise and JPEG compression. */
export async function photograph(surface: Surface, shot: Shot): Promise<Buffer> {
  const { width, height, blur, noise, quality, seed } = shot;
  const raw = applyColourFilter(applyLens(blur, exposeSensor(surface, shot), width, height), width, height);
  const random = createRandom(seed);
  const levels = new Uint8Array(raw.length);
  for (let index = 0; index < raw.length; index += 1) {
    const gauss = random() + random() + random() + random() - 2;
    levels[index] = min(255, max(0, round(toLevel(raw[index] ?? 0) + gauss * noise * 1.73)));
  }
  return sharp(levels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}
