import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { DecoderPool } from '../../activities/vision/decoding/pool';
import { measureFineStructure } from '../../activities/vision/documents/recapture';
import { isScreenshot, detectRecapture } from '../../domain/identity/documents/recapture';
import type { FineStructure } from '../../domain/identity/documents/recapture';
import { createRandom } from '../random';
import { photograph } from './recapture/camera';
import type { Shot } from './recapture/camera';
import { renderDisplay, renderHalftone, renderPlain } from './recapture/surfaces';
import type { SizedSurface } from './recapture/surfaces';
import { report } from '../report';
import { toStoredFile } from './stored-file';

type Kind = 'genuine' | 'photographed' | 'display' | 'print';
type Finding = 'nothing' | 'screen' | 'print' | 'not examined';

/** Narrower images lack the detail that a simulated recapture needs. */
const MIN_SOURCE_WIDTH = 900;
const DISPLAYS = 3;
const PRINTS = 3;
const PHOTOGRAPHS = 2;
/** Differs from the seed that the detection limits were chosen with. */
const SEED = 20261122;

/** Random parameters of a shot with a hand-held telephone. */
function createHandheldShot(random: () => number): Omit<Shot, 'width' | 'height' | 'unitsPerPixel'> {
  const between = (low: number, high: number): number => low + (high - low) * random();
  return {
    turn: between(-6, 6),
    keystone: between(0, 0.1),
    blur: between(0.5, 1),
    noise: between(1.5, 4),
    quality: Math.round(between(75, 92)),
    seed: Math.round(between(1, 1e9)),
  };
}

interface Recapture {
  kind: Kind;
  name: string;
  bytes: Buffer;
}

/** Simulated photographs of the image on displays, in print, and of the scene itself by the same camera. */
async function* generateRecaptures(source: Buffer, random: () => number): AsyncGenerator<Recapture> {
  const between = (low: number, high: number): number => low + (high - low) * random();
  const shoot = async (kind: Kind, { surface, width, height }: SizedSurface, scale: number): Promise<Recapture> => {
    const [columns, rows] = [Math.round(width * scale * 1.08), Math.round(height * scale * 1.08)];
    const shot = { ...createHandheldShot(random), width: columns, height: rows, unitsPerPixel: 1 / scale };
    const name = `${Math.round(width)} units wide, ${scale.toFixed(2)} pixels per unit`;
    return { kind, name, bytes: await photograph(surface, shot) };
  };
  for (let index = 0; index < DISPLAYS; index += 1) {
    const width = Math.round(between(600, 1500));
    yield shoot('display', await renderDisplay(source, width), between(0.8, Math.min(3, 2000 / width)));
  }
  for (let index = 0; index < PRINTS; index += 1) {
    const width = Math.round(between(300, 650));
    yield shoot('print', await renderHalftone(source, width), between(2.5, Math.min(5.5, 2000 / width)));
  }
  for (let index = 0; index < PHOTOGRAPHS; index += 1) {
    yield shoot('photographed', await renderPlain(source), between(0.7, 1.1));
  }
}

/** What the service would conclude from the fine structure and the file of one image. */
async function examineImage(
  decoders: DecoderPool,
  bytes: Buffer,
): Promise<{ found: Finding; seen: FineStructure | null }> {
  const { captures } = await decoders.examine(toStoredFile(bytes), { longSide: 2400, minLongSide: 1200 });
  const [capture] = captures;
  const seen = measureFineStructure(capture?.squares ?? []);
  if (capture !== undefined && isScreenshot(capture.origin)) return { found: 'screen', seen };
  return { found: seen === null ? 'not examined' : (detectRecapture(seen) ?? 'nothing'), seen };
}

const isImageFile = (name: string): boolean => /\.(jpe?g|png|webp)$/i.test(name);

/**
 * Counts the findings among genuine images, and among recaptures of the larger ones simulated by a model of displays,
 * prints and cameras.
 */
export async function benchRecapture(folders: readonly string[], printRows: boolean): Promise<void> {
  const decoders = new DecoderPool(1);
  const random = createRandom(SEED);
  const counts = new Map<string, number>();
  const recordFinding = async (kind: Kind, name: string, bytes: Buffer): Promise<void> => {
    const { found, seen } = await examineImage(decoders, bytes);
    counts.set(`${kind}: ${found}`, (counts.get(`${kind}: ${found}`) ?? 0) + 1);
    if (printRows) console.log(JSON.stringify({ kind, name, found, ...seen }));
  };
  for (const folder of folders) {
    for (const name of (await readdir(folder)).filter(isImageFile).sort()) {
      const bytes = await readFile(path.join(folder, name));
      await recordFinding('genuine', name, bytes);
      if ((await sharp(bytes).metadata()).width < MIN_SOURCE_WIDTH) continue;
      for await (const copy of generateRecaptures(bytes, random))
        await recordFinding(copy.kind, `${name}, ${copy.name}`, copy.bytes);
    }
  }
  await decoders.close();
  report('recapture', Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b))));
}
