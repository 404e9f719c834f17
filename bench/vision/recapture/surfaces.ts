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

async function readLinearPixels(image: Buffer, width: number): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize({ width })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const light = Float32Array.from({ length: info.width * info.height * 3 }, (_, index) => {
    const pixel = floor(index / 3) * info.channels;
    return toLinear(data[pixel + (info.channels < 3 ? 0 : index % 3)] ?? 0);
  });
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
    const [u, v] = [x + pixels.width / 2, y + pixels.height / 2];
    const [column, row] = [floor(u), floor(v)];
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

/** Screen angles of the four inks, degrees (ISO 12647-2: yellow at 0, the others 30 apart). */
const SCREENS = [
  { angle: 15, ink: [1, 0, 0] },
  { angle: 75, ink: [0, 1, 0] },
  { angle: 0, ink: [0, 0, 1] },
  { angle: 45, ink: [1, 1, 1] },
] as const;

/** Share of light an ink transmits in the channel it absorbs. */
const INK_TRANSMISSION = 0.06;

/**
 * A four-colour halftone print with clustered dots, as offset and laser printers produce. One unit is a screen dot; the
 * centre of the print is at 0, 0, surrounded by blank paper.
 *
 * @param width width of the image in dots
 */
export async function renderHalftone(image: Buffer, width: number): Promise<SizedSurface> {
  const samplesPerDot = 3;
  const pixels = await readLinearPixels(image, width * samplesPerDot);
  const axes = SCREENS.map(({ angle, ink }) => {
    const radians = (angle * PI) / 180;
    return { along: cos(radians), across: sin(radians), ink };
  });
  const surface: Surface = (x, y, light) => {
    light.fill(0.85);
    const [column, row] = [floor(x * samplesPerDot + pixels.width / 2), floor(y * samplesPerDot + pixels.height / 2)];
    if (column < 0 || row < 0 || column >= pixels.width || row >= pixels.height) return;
    const at = (row * pixels.width + column) * 3;
    const absorbed = [0, 1, 2].map((channel) => 1 - (pixels.light[at + channel] ?? 0));
    // Grey component replacement: most of what all three inks would print together is printed in black.
    const black = min(...absorbed) * 0.7;
    const tones = [...absorbed.map((part) => (part - black) / (1 - black)), black];
    axes.forEach(({ along, across, ink }, index) => {
      const [u, v] = [x * along - y * across, x * across + y * along];
      const threshold = 0.5 + 0.25 * (cos(2 * PI * u) + cos(2 * PI * v));
      if ((tones[index] ?? 0) <= threshold) return;
      ink.forEach((absorbs, channel) => {
        if (absorbs === 1) light[channel] = (light[channel] ?? 0) * INK_TRANSMISSION;
      });
    });
  };
  return { surface, width, height: pixels.height / samplesPerDot };
}

/** The image as a surface, interpolated between its pixels: what the camera sees of an original. */
export async function renderPlain(image: Buffer): Promise<SizedSurface> {
  const { width } = await sharp(image).metadata();
  const { height, light: pixelLight } = await readLinearPixels(image, width);
  const sampleLight = (column: number, row: number, channel: number): number => {
    const [x, y] = [min(width - 1, max(0, column)), min(height - 1, max(0, row))];
    return pixelLight[(y * width + x) * 3 + channel] ?? 0;
  };
  const surface: Surface = (x, y, light) => {
    const [u, v] = [x + width / 2 - 0.5, y + height / 2 - 0.5];
    const [column, row] = [floor(u), floor(v)];
    const [fx, fy] = [u - column, v - row];
    for (let channel = 0; channel < 3; channel += 1) {
      const upper = sampleLight(column, row, channel) * (1 - fx) + sampleLight(column + 1, row, channel) * fx;
      const lower = sampleLight(column, row + 1, channel) * (1 - fx) + sampleLight(column + 1, row + 1, channel) * fx;
      light[channel] = upper * (1 - fy) + lower * fy;
    }
  };
  return { surface, width, height };
}
