import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DecoderPool } from '../../activities/vision/decoding/pool';
import { FACE_SIZE } from '../../activities/vision/engine';
import { cosineSimilarity } from '../../activities/vision/faces/embedding';
import { assessFace } from '../../activities/vision/faces/quality';
import { searchFaces } from '../../activities/vision/faces/search';
import type { FaceSearch } from '../../activities/vision/faces/search';
import { Networks } from '../../activities/vision/inference/networks';
import { FACE_MATCH } from '../../domain/identity/biometrics/thresholds';
import { computeAreaUnderCurve } from '../area-under-curve';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report, roundTo } from '../report';
import { COVERS, drawCover } from './drawn-covers';
import type { Cover } from './drawn-covers';
import { estimateFalseMatches } from './false-matches';
import type { DifferentPair } from './false-matches';
import { toStoredFile } from './stored-file';

interface Pair {
  same: boolean;
  similarity: number;
}

/** True accept rate at the lowest threshold whose false accept rate is at most `rate`. */
function computeAcceptRate(pairs: readonly Pair[], rate: number): { threshold: number; accepts: number } {
  const different = pairs.filter(({ same }) => !same).map(({ similarity }) => similarity);
  const same = pairs.filter((pair) => pair.same);
  different.sort((a, b) => b - a);
  const threshold = different[Math.floor(rate * different.length)] ?? -1;
  return { threshold, accepts: same.filter(({ similarity }) => similarity > threshold).length / same.length };
}

interface LabelledFace {
  file: string;
  identity: string;
  embedding: Float32Array;
  /** Embeddings of the same image with something drawn over the face; null where no face was found. */
  covered: Record<Cover, Float32Array | null>;
}

async function embedCovered(networks: Networks, search: FaceSearch): Promise<LabelledFace['covered']> {
  const [face] = search.faces;
  const covered: LabelledFace['covered'] = { 'surgical mask': null, 'black mask': null, sunglasses: null };
  if (face === undefined) return covered;
  for (const cover of COVERS) {
    const found = await searchFaces(networks, drawCover(search.image.raster, face, cover), { turns: [0] });
    covered[cover] = found.embedding?.values ?? null;
  }
  return covered;
}

/** Share of pairs of one covered and one uncovered face that reach the threshold. */
function computeCoveredRate(faces: readonly LabelledFace[], cover: Cover, same: boolean): number {
  const similarities = faces.flatMap((face) => {
    const embedding = face.covered[cover];
    const others = faces.filter((other) => other !== face && (other.identity === face.identity) === same);
    return embedding === null
      ? others.map(() => -1)
      : others.map((other) => cosineSimilarity(embedding, other.embedding));
  });
  return similarities.filter((similarity) => similarity >= FACE_MATCH.match).length / similarities.length;
}

/** Thresholds of which the table of false matches is printed. */
const TABLE = [0.2, 0.25, FACE_MATCH.review, 0.31, 0.33, 0.35, FACE_MATCH.match, 0.4, 0.45] as const;

const toPercent = (rate: number): string => `${Number((100 * rate).toPrecision(3))} %`;

function reportFalseMatches(pairs: readonly (Pair & DifferentPair)[], peopleCount: number): void {
  const different = pairs.filter(({ same }) => !same);
  const same = pairs.filter((pair) => pair.same);
  const rows = estimateFalseMatches(different, peopleCount, [...new Set(TABLE)]);
  report(
    `faces: false matches of ${different.length} pairs of ${peopleCount} people`,
    Object.fromEntries(
      rows.map(({ threshold, observed, fitted, interval }) => [
        `at ${threshold}`,
        `observed ${toPercent(observed)}, fitted ${toPercent(fitted)} (95 %: ${interval.map(toPercent).join(' to ')}), ` +
          `true accepts ${toPercent(same.filter(({ similarity }) => similarity >= threshold).length / same.length)}`,
      ]),
    ),
  );
}

/** The faces of all images, and the processor milliseconds of finding and embedding each one. */
async function embedFaces(labels: string, { rows: printRows, modelsDir }: BenchmarkOptions) {
  const { folder, rows } = await readLabels(labels);
  const decoders = new DecoderPool(1);
  const networks = await Networks.load(modelsDir);
  const [faces, durations]: [LabelledFace[], number[]] = [[], []];
  for (const { file = '', identity = '' } of rows) {
    const { raster } = await decoders.decode(toStoredFile(await readFile(resolve(folder, file))), FACE_SIZE);
    const before = process.cpuUsage();
    const search = await searchFaces(networks, raster);
    const [largest] = search.faces;
    const quality = largest === undefined ? null : await assessFace(networks, search.image, largest, 1);
    const { user, system } = process.cpuUsage(before);
    durations.push((user + system) / 1000);
    if (printRows) console.log(JSON.stringify({ file, identity, rotation: search.turn, quality }));
    if (search.embedding === null) continue;
    faces.push({ file, identity, embedding: search.embedding.values, covered: await embedCovered(networks, search) });
  }
  await decoders.close();
  await networks.release();
  return { images: rows.length, faces, durations };
}

/**
 * Compares every pair of detected faces.
 *
 * @param labels columns file and identity
 */
export async function benchFaces(labels: string, options: BenchmarkOptions): Promise<void> {
  const { images, faces, durations } = await embedFaces(labels, options);
  const people = [...new Set(faces.map(({ identity }) => identity))];
  const pairs = faces.flatMap((a, index) =>
    faces.slice(index + 1).map((b): Pair & DifferentPair => ({
      same: a.identity === b.identity,
      people: [people.indexOf(a.identity), people.indexOf(b.identity)],
      similarity: cosineSimilarity(a.embedding, b.embedding),
    })),
  );
  const different = pairs.filter(({ same }) => !same);
  const same = pairs.filter((pair) => pair.same);
  const atOnePercent = computeAcceptRate(pairs, 0.01);
  const atTenthPercent = computeAcceptRate(pairs, 0.001);
  report('faces', {
    images,
    facesFound: faces.length,
    people: people.length,
    samePairs: same.length,
    differentPairs: different.length,
    areaUnderCurve: roundTo(
      computeAreaUnderCurve(pairs.map((pair) => ({ isMatch: pair.same, score: pair.similarity }))),
    ),
    trueAcceptAtFar1Percent: roundTo(atOnePercent.accepts),
    thresholdAtFar1Percent: roundTo(atOnePercent.threshold),
    trueAcceptAtFar01Percent: roundTo(atTenthPercent.accepts),
    thresholdAtFar01Percent: roundTo(atTenthPercent.threshold),
    highestDifferent: roundTo(Math.max(...different.map(({ similarity }) => similarity))),
    lowestSame: roundTo(Math.min(...same.map(({ similarity }) => similarity))),
    processorMsMedian: roundTo(percentile(durations, 0.5), 1),
    processorMsP95: roundTo(percentile(durations, 0.95), 1),
  });
  reportFalseMatches(pairs, people.length);
  report(
    `faces: one of both covered, at ${FACE_MATCH.match}`,
    Object.fromEntries(
      COVERS.map((cover) => [
        cover,
        `true accepts ${toPercent(computeCoveredRate(faces, cover, true))}, ` +
          `false accepts ${toPercent(computeCoveredRate(faces, cover, false))}`,
      ]),
    ),
  );
}
