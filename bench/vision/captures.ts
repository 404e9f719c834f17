import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { DecoderPool } from '../../activities/vision/decoding/pool';
import { FACE_SIZE } from '../../activities/vision/engine';
import { compareCaptures } from '../../activities/vision/faces/capture';
import { cosineSimilarity } from '../../activities/vision/faces/embedding';
import { searchFaces } from '../../activities/vision/faces/search';
import type { FaceSearch } from '../../activities/vision/faces/search';
import { Networks } from '../../activities/vision/inference/networks';
import { SAME_CAPTURE } from '../../domain/identity/biometrics/capture';
import { FACE_MATCH } from '../../domain/identity/biometrics/thresholds';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report, roundTo } from '../report';
import { rephotographPortrait } from './recapture/rephotographs';
import { toStoredFile } from './stored-file';

/** Changes that leave an image the same picture. */
const ALTERATIONS: readonly ((photo: sharp.Sharp) => sharp.Sharp)[] = [
  (photo) => photo.jpeg({ quality: 30 }),
  (photo) => photo.resize({ width: 125 }).jpeg({ quality: 80 }),
  (photo) => photo.modulate({ brightness: 1.25 }).linear(0.85, 10).jpeg({ quality: 80 }),
  (photo) => photo.rotate(6, { background: '#888' }).jpeg({ quality: 80 }),
  (photo) => photo.blur(1.5).jpeg({ quality: 60 }),
];

/** Photographs of each person that are photographed again, because the simulation takes seconds. */
const REPHOTOGRAPHED = 5;

interface Photo {
  identity: string;
  body: Buffer;
  search: FaceSearch;
}

/** Correlations by kind of pair. */
interface Correlations {
  different: number[];
  altered: number[];
  display: number[];
  print: number[];
}

/** Finds the faces of an image; null without any. */
type FindFace = (body: Buffer) => Promise<FaceSearch | null>;

/** Whether the faces pass the face match, at least for a reviewer: others need no comparison of captures. */
const isLikeFace = ({ embedding: a }: FaceSearch, { embedding: b }: FaceSearch): boolean =>
  a !== null && b !== null && cosineSimilarity(a.values, b.values) >= FACE_MATCH.review;

const addCorrelation = (to: number[], a: FaceSearch, b: FaceSearch | null): void => {
  const correlation = b === null || !isLikeFace(a, b) ? null : compareCaptures(a, b);
  if (correlation !== null) to.push(correlation);
};

/** Mean processor milliseconds of one comparison. */
function measureComparison(photos: readonly Photo[]): number {
  const before = process.cpuUsage();
  for (const [index, { search }] of photos.entries()) compareCaptures(search, photos.at(index - 1)?.search ?? search);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / photos.length;
}

/** The selfies that are photographs of a display or a print, against the portrait of a photographed document. */
async function compareRephotographs(photo: Photo, seed: number, findFace: FindFace, to: Correlations): Promise<void> {
  const document = await findFace(await rephotographPortrait(photo.body, 'document', seed));
  if (document === null) return;
  for (const kind of ['display', 'print'] as const) {
    addCorrelation(to[kind], document, await findFace(await rephotographPortrait(photo.body, kind, seed + 1)));
  }
}

async function compareAll(photos: readonly Photo[], findFace: FindFace): Promise<Correlations> {
  const found: Correlations = { different: [], altered: [], display: [], print: [] };
  for (const [index, photo] of photos.entries()) {
    const isSamePerson = ({ identity }: Photo): boolean => identity === photo.identity;
    const others = photos.slice(index + 1).filter(isSamePerson);
    for (const { search } of others) found.different.push(compareCaptures(photo.search, search) ?? -1);
    for (const alter of ALTERATIONS) {
      addCorrelation(found.altered, photo.search, await findFace(await alter(sharp(photo.body)).toBuffer()));
    }
    if (photos.slice(0, index).filter(isSamePerson).length >= REPHOTOGRAPHED) continue;
    await compareRephotographs(photo, 100 * index + 7, findFace, found);
  }
  return found;
}

/** 95 % interval of a share (Wilson). */
function computeInterval(count: number, total: number): [low: number, high: number] {
  const z = 1.96;
  const share = count / total;
  const centre = share + (z * z) / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  return [Math.max(0, (centre - spread) / scale), (centre + spread) / scale];
}

function reportCorrelations(name: string, { different, ...copies }: Correlations): void {
  const alarms = different.filter((correlation) => correlation >= SAME_CAPTURE.session).length;
  const [low, high] = computeInterval(alarms, different.length);
  report(`captures: ${name}`, {
    differentPairs: different.length,
    differentMedian: roundTo(percentile(different, 0.5)),
    different99Percent: roundTo(percentile(different, 0.99)),
    differentMaximum: roundTo(Math.max(...different)),
    falseAlarms: `${alarms}, 95 %: ${roundTo(100 * low, 2)} to ${roundTo(100 * high, 2)} % of pairs`,
    ...Object.fromEntries(
      Object.entries(copies).map(([kind, values]) => [
        kind,
        `${values.length} copies, median ${roundTo(percentile(values, 0.5))}, 5 % below ${roundTo(percentile(values, 0.05))}, ` +
          `minimum ${roundTo(Math.min(...values))}, ` +
          `below ${SAME_CAPTURE.session}: ${values.filter((value) => value < SAME_CAPTURE.session).length}, ` +
          `below ${SAME_CAPTURE.earlier}: ${values.filter((value) => value < SAME_CAPTURE.earlier).length}`,
      ]),
    ),
  });
}

/**
 * Correlations of different photographs of one person, which are false alarms from the limit on, and of copies of a
 * photograph, which are missed below it: altered files, and simulated photographs of a display or print that shows it.
 * The limit was chosen with every second person in the order of names; the figures of the others are independent of it.
 *
 * @param labels columns file and identity
 */
export async function benchCaptures(labels: string, { modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const decoders = new DecoderPool(1);
  const networks = await Networks.load(modelsDir);
  const findFace: FindFace = async (body) => {
    const { raster } = await decoders.decode(toStoredFile(body), FACE_SIZE);
    const search = await searchFaces(networks, raster);
    return search.faces.length === 0 ? null : search;
  };
  const people = [...new Set(rows.map(({ identity = '' }) => identity))].sort();
  for (const [half, name] of ['people that the limit was chosen with', 'other people'].entries()) {
    const photos: Photo[] = [];
    for (const { file = '', identity = '' } of rows) {
      if (people.indexOf(identity) % 2 !== half) continue;
      const body = await readFile(resolve(folder, file));
      const search = await findFace(body);
      if (search !== null) photos.push({ identity, body, search });
    }
    reportCorrelations(name, await compareAll(photos, findFace));
    report(`captures: ${name}`, { processorMsPerComparison: roundTo(measureComparison(photos), 1) });
  }
  await decoders.close();
  await networks.release();
}
