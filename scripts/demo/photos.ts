import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

interface Crop {
  file: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Faces on the demonstration photos that @vladmandic/face-api ships: head and shoulders, one person each. */
const CROPS = {
  anna: { file: 'sample3.jpg', left: 980, top: 90, width: 420, height: 540 },
  maria: { file: 'sample6.jpg', left: 600, top: 180, width: 400, height: 515 },
  clara: { file: 'sample6.jpg', left: 1410, top: 120, width: 400, height: 515 },
} satisfies Record<string, Crop>;

export type Person = keyof typeof CROPS;

const folder = (): string => path.join(path.dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');

/** A portrait photo of one of the persons, JPEG. */
export function portraitOf(person: Person): Promise<Buffer> {
  const { file, ...box } = CROPS[person];
  return sharp(readFileSync(path.join(folder(), file))).extract(box).jpeg({ quality: 92 }).toBuffer();
}

export interface Alteration {
  /** Width in pixels of the altered photo. @default 720 */
  width?: number;
  /** 1 leaves the light as it is. @default 1.12 */
  brightness?: number;
  /** JPEG quality 1–100. @default 80 */
  quality?: number;
  /** Degrees, clockwise, as a phone held badly. @default 0 */
  turn?: number;
}

/** The same person on another picture: scaled, relit and compressed anew, as a selfie differs from a portrait. */
export async function selfieOf(person: Person, { width = 720, brightness = 1.12, quality = 80, turn = 0 }: Alteration = {}): Promise<Buffer> {
  return sharp(await portraitOf(person))
    .resize({ width })
    .modulate({ brightness, saturation: 0.9 })
    .linear(0.95, 6)
    .rotate(turn, { background: '#999' })
    .jpeg({ quality })
    .toBuffer();
}
