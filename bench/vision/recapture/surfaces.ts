import sharp from 'sharp';
import { toLinear } from './camera';
import type { Surface } from './camera';

// Local constants: in the sandbox of jest, looking up a global for each of some hundred million samples takes minutes.
const { PI, cos, floor, max, min, sin } = Math;

/** A surface to photograph, with its size in its own units. */
export interface SizedSurface {
  surface: Surface;
  width: number;
  height: number;
}

interface Pixels {
  width: number;
  height: number;
  /** linear light, RGB interleaved */
  light: Float32Array;
}

const LINEAR_LIGHT = Float64Array.from({ length: 256 }, (_, level) => toLinear(level));

async function readLinearPixels(image: Buffer, width: number): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize({ width })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const light = new Float32Array(info.width * info.height * 3);
  for (let index = 0; index < light.length; index += 1) {
    const pixel = floor(index / 3) * info.channels;
    light[index] = LINEAR_LIGHT[data[pixel + (info.channels < 3 ? 0 : index % 3)] ?? 0] ?? 0;
  }
  return { width: info.width, height: info.height, light };
}

/** Lit share of a display pixel, across a stripe and along it; the remainder is the black matrix. */
const STRIPE = 0.82;
const ROW = 0.88;

/**
 * An image on a display: each display pixel consists of a red, a green and a blue stripe separated by black. One unit
 * is a display pixel; the centre of the image is at 0, 0, surrounded by dark grey.
 *
 * @param width width of the image in display pixels
 */
export async function renderDisplay(image: Buffer, width: number): Promise<SizedSurface> {
  const pixels = await readLinearPixels(image, width);
  const surround = toLinear(42);
  const surface: Surface = (x, y, light) => {
    const u = x + pixels.width / 2;
    const v = y + pixels.height / 2;
    const column = floor(u);
    const row = floor(v);
    light.fill(0);
    if (v - row > ROW) return;
    const within = (u - column) * 3;
    const stripe = floor(within);
    if (within - stripe > STRIPE) return;
    const inside = column >= 0 && row >= 0 && column < pixels.width && row < pixels.height;
    const level = inside ? (pixels.light[(row * pixels.width + column) * 3 + stripe] ?? 0) : surround;
    // Each stripe lights a third of the area, so it is scaled to the brightness of the image.
    light[stripe] = (level * 3) / (STRIPE * ROW);
  };
  return { surface, width, height: pixels.height };
}

/** Screen angles of the four inks, degrees (ISO 12647-2: yellow at 0, the others 30 apart), and the channels they absorb. */
const SCREENS = [
  { angle: 15, absorbed: [0] },
  { angle: 75, absorbed: [1] },
  { angle: 0, absorbed: [2] },
  { angle: 45, absorbed: [0, 1, 2] },
] as const;

/** Share of light an ink transmits in the channel it absorbs. */
const INK_TRANSMISSION = 0.06;

/** The tones of cyan, magenta, yellow and black, 0–1, of each pixel. */
function separateInks({ light }: Pixels): Float64Array {
  const tones = new Float64Array((light.length / 3) * SCREENS.length);
  for (let at = 0, out = 0; at < light.length; at += 3, out += SCREENS.length) {
    const [cyan, magenta, yellow] = [1 - (light[at] ?? 0), 1 - (light[at + 1] ?? 0), 1 - (light[at + 2] ?? 0)];
    // Grey component replacement: most of what all three inks would print together is printed in black.
    const black = min(cyan, magenta, yellow) * 0.7;
    tones[out] = (cyan - black) / (1 - black);
    tones[out + 1] = (magenta - black) / (1 - black);
    tones[out + 2] = (yellow - black) / (1 - black);
    tones[out + 3] = black;
  }
  return tones;
}

/** Steps of a turn in the table of cosines, and how far the sum of two of its entries can be from the exact one. */
const STEPS = 4096;
const COSINES = Float64Array.from({ length: STEPS }, (_, step) => cos((2 * PI * (step + 0.5)) / STEPS));
const INACCURACY = (2 * PI) / STEPS;

const readCosine = (turns: number): number => COSINES[((turns - floor(turns)) * STEPS) & (STEPS - 1)] ?? 0;

/**
 * Whether ink of a tone covers a point of the screen. The exact cosines, which take most of the time, are computed only
 * for points at the edge of a dot, so that the print is the same as if they were always computed.
 */
function isCovered(tone: number, u: number, v: number): boolean {
  const distance = tone - (0.5 + 0.25 * (readCosine(u) + readCosine(v)));
  if (distance > INACCURACY) return true;
  if (distance < -INACCURACY) return false;
  return tone > 0.5 + 0.25 * (cos(2 * PI * u) + cos(2 * PI * v));
}

/**
 * A four-colour halftone print with clustered dots, as offset and laser printers produce. One unit is a screen dot; the
 * centre of the print is at 0, 0, surrounded by blank paper.
 *
 * @param width width of the image in dots
 */
export async function renderHalftone(image: Buffer, width: number): Promise<SizedSurface> {
  const samplesPerDot = 3;
  const pixels = await readLinearPixels(image, width * samplesPerDot);
  const tones = separateInks(pixels);
  const axes = SCREENS.map(({ angle, absorbed }) => {
    const radians = (angle * PI) / 180;
    return { along: cos(radians), across: sin(radians), absorbed };
  });
  const surface: Surface = (x, y, light) => {
    light.fill(0.85);
    const column = floor(x * samplesPerDot + pixels.width / 2);
    const row = floor(y * samplesPerDot + pixels.height / 2);
    if (column < 0 || row < 0 || column >= pixels.width || row >= pixels.height) return;
    let at = (row * pixels.width + column) * SCREENS.length;
    for (const { along, across, absorbed } of axes) {
      const tone = tones[at] ?? 0;
      at += 1;
      // No dot is printed where there is no ink.
      if (tone <= 0) continue;
      if (!isCovered(tone, x * along - y * across, x * across + y * along)) continue;
      for (const channel of absorbed) light[channel] = (light[channel] ?? 0) * INK_TRANSMISSION;
    }
  };
  return { surface, width, height: pixels.height / samplesPerDot };
}

/** The image as a surface, interpolated between its pixels: what the camera sees of an original. */
export async function renderPlain(image: Buffer): Promise<SizedSurface> {
  const { width } = await sharp(image).metadata();
  const { height, light: pixelLight } = await readLinearPixels(image, width);
  const surface: Surface = (x, y, light) => {
    const u = x + width / 2 - 0.5;
    const v = y + height / 2 - 0.5;
    const fx = u - floor(u);
    const fy = v - floor(v);
    const left = min(width - 1, max(0, floor(u))) * 3;
    const right = min(width - 1, max(0, floor(u) + 1)) * 3;
    const top = min(height - 1, max(0, floor(v))) * width * 3;
    const bottom = min(height - 1, max(0, floor(v) + 1)) * width * 3;
    for (let channel = 0; channel < 3; channel += 1) {
      const at = (offset: number): number => pixelLight[offset + channel] ?? 0;
      const upper = at(top + left) * (1 - fx) + at(top + right) * fx;
      const lower = at(bottom + left) * (1 - fx) + at(bottom + right) * fx;
      light[channel] = upper * (1 - fy) + lower * fy;
    }
  };
  return { surface, width, height };
}
