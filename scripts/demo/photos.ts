import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Faces on the sample photos of @vladmandic/face-api: cropped closely, as on a document, and with their surroundings. */
const PERSONS = {
  anna: {
    file: 'sample3.jpg',
    portrait: { left: 475, top: 186, width: 439, height: 549 },
    selfie: { left: 429, top: 128, width: 532, height: 665 },
  },
  clara: {
    file: 'sample6.jpg',
    portrait: { left: 1366, top: 133, width: 447, height: 559 },
    selfie: { left: 1319, top: 74, width: 541, height: 676 },
  },
  maria: {
    file: 'sample3.jpg',
    portrait: { left: 1399, top: 188, width: 394, height: 492 },
    selfie: { left: 1357, top: 137, width: 477, height: 596 },
  },
} satisfies Record<string, { file: string; portrait: Crop; selfie: Crop }>;

export type Person = keyof typeof PERSONS;

const getPhotoFolder = (): string =>
  path.join(path.dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');

const cropPhoto = (person: Person, kind: 'portrait' | 'selfie') =>
  sharp(readFileSync(path.join(getPhotoFolder(), PERSONS[person].file))).extract(PERSONS[person][kind]);

/** A portrait photo of one of the persons, as on a document. JPEG. */
export const loadPortrait = (person: Person): Promise<Buffer> =>
  cropPhoto(person, 'portrait').jpeg({ quality: 92 }).toBuffer();

export interface Alteration {
  /** Width in pixels of the altered photo. @default 720 */
  width?: number;
  /** Factor; 1 leaves the brightness unchanged. @default 1.12 */
  brightness?: number;
  /** JPEG quality 1–100. @default 80 */
  quality?: number;
  /** Rotation in degrees, clockwise, as of a tilted phone. @default 0 */
  turn?: number;
}

/** A selfie of the same person: scaled, with other light and compression, as a selfie differs from a portrait. */
export async function loadSelfie(
  person: Person,
  { width = 720, brightness = 1.12, quality = 80, turn = 0 }: Alteration = {},
): Promise<Buffer> {
  return sharp(await cropPhoto(person, 'selfie').toBuffer())
    .resize({ width })
    .modulate({ brightness, saturation: 0.9 })
    .linear(0.95, 6)
    .rotate(turn, { background: '#999' })
    .jpeg({ quality })
    .toBuffer();
}
