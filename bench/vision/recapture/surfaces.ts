import sharp from 'sharp';
import { toLinear } from './camera';
import type { Surface } from './camera';

// Taken once: looked up for each of some hundred million samples, a global of jest's sandbox takes minutes.
const { PI, cos, floor, max, min, sin } = Math;

/** What is photographed, and its size in its own units. */
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

/** Share of a display's pixel that a stripe lights: the rest is the black matrix between stripes. */
const STRIPE = 0.82;
const ROW = 0.88;

/**
 * A picture on a display: each of its pixels is a red, a green and a blue stripe beside each other, with black between.
 * One unit is a pixel of the display; the middle of the picture lies at 0, 0. Around it the viewer is dark grey.
 *
 * @param width pixels of the display the picture takes
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
    // As bright as the picture: the stripes are lit in a third of the area each.
    light[stripe] = (level * 3) / (STRIPE * ROW);
  };
  return { surface, width, height: pixels.height };
}

/** Angles of the screens of the four inks, degrees (ISO 12647-2: yellow at 0, the others 30 apart). */
const SCREENS = [
  { angle: 15, ink: [1, 0, 0] },
  { angle: 75, ink: [0, 1, 0] },
  { angle: 0, ink: [0, 0, 1] },
  { angle: 45, ink: [1, 1, 1] },
] as const;

/** What an ink lets through of the light it absorbs. */
const INK_TRANSMISSION = 0.06;

/**
 * A print in four colours by clustered dots, as offset and laser printers make them. One unit is a dot of the screen; the
 * middle of the print lies at 0, 0; around it is bare paper.
 *
 * @param width dots the picture is wide
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
    // Grey component: what all three inks would print together, half of it is black.
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

/** The picture itself as the surface, smooth between its pixels: what the camera would see without a copy between. */
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
