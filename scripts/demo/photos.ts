import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Part of a sample photo; `turned` is the part from which it is cropped after a rotation that makes the head upright. */
interface Shot extends Crop {
  file: string;
  turned?: Crop & { degrees: number };
}

/**
 * Faces on the sample photos of @vladmandic/face-api: cropped closely, as on a document, and with their surroundings.
 * Anna was photographed twice; of the others portrait and selfie are the same picture.
 */
const PERSONS = {
  anna: {
    portrait: {
      file: 'sample1.jpg',
      turned: { left: 1238, top: 0, width: 682, height: 682, degrees: -35 },
      left: 288,
      top: 208,
      width: 371,
      height: 464,
    },
    selfie: { file: 'sample3.jpg', left: 887, top: 67, width: 600, height: 750 },
  },
  clara: {
    portrait: { file: 'sample6.jpg', left: 1366, top: 133, width: 447, height: 559 },
    selfie: { file: 'sample6.jpg', left: 1319, top: 74, width: 541, height: 676 },
  },
  maria: {
    portrait: { file: 'sample3.jpg', left: 1399, top: 188, width: 394, height: 492 },
    selfie: { file: 'sample3.jpg', left: 1357, top: 137, width: 477, height: 596 },
  },
} satisfies Record<string, { portrait: Shot; selfie: Shot }>;

export type Person = keyof typeof PERSONS;

const getPhotoFolder = (): string =>
  path.join(path.dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');

async function cropPhoto(person: Person, kind: 'portrait' | 'selfie'): Promise<sharp.Sharp> {
  const { file, turned, ...crop }: Shot = PERSONS[person][kind];
  const photo = sharp(readFileSync(path.join(getPhotoFolder(), file)));
  if (turned === undefined) return photo.extract(crop);
  const { degrees, ...area } = turned;
  const upright = await sharp(await photo.extract(area).toBuffer())
    .rotate(degrees, { background: '#1c1c1e' })
    .toBuffer();
  return sharp(upright).extract(crop);
}

/** A portrait photo of one of the persons, as on a document. JPEG. */
export const loadPortrait = async (person: Person): Promise<Buffer> =>
  (await cropPhoto(person, 'portrait')).jpeg({ quality: 92 }).toBuffer();

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

/** A selfie of the same person: scaled, with other light and compression. */
export async function loadSelfie(
  person: Person,
  { width = 720, brightness = 1.12, quality = 80, turn = 0 }: Alteration = {},
): Promise<Buffer> {
  return sharp(await (await cropPhoto(person, 'selfie')).toBuffer())
    .resize({ width })
    .modulate({ brightness, saturation: 0.9 })
    .linear(0.95, 6)
    .rotate(turn, { background: '#999' })
    .jpeg({ quality })
    .toBuffer();
}
