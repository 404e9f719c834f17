import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createVisionEngine } from '../../activities/vision/engine';
import { FACE_MATCH } from '../../domain/identity/biometrics/thresholds';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report, roundTo } from '../report';
import { toStoredFile } from './stored-file';

interface Pair {
  same: boolean;
  similarity: number;
}

const computeCosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Area under the ROC curve: share of same-person pairs ranked above different-person pairs. */
function computeAreaUnderCurve(pairs: readonly Pair[]): number {
  const sorted = [...pairs].sort((a, b) => a.similarity - b.similarity);
  let ranks = 0;
  sorted.forEach(({ same }, index) => (ranks += same ? index + 1 : 0));
  const positives = pairs.filter(({ same }) => same).length;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (pairs.length - positives));
}

/** True accept rate at the lowest threshold whose false accept rate is at most `rate`. */
function computeAcceptRate(pairs: readonly Pair[], rate: number): { threshold: number; accepts: number } {
  const different = pairs.filter(({ same }) => !same).map(({ similarity }) => similarity);
  const same = pairs.filter((pair) => pair.same);
  different.sort((a, b) => b - a);
  const threshold = different[Math.floor(rate * different.length)] ?? -1;
  return { threshold, accepts: same.filter(({ similarity }) => similarity > threshold).length / same.length };
}

/**
 * Compares every pair of detected faces.
 *
 * @param labels columns file and identity
 */
export async function benchFaces(labels: string, { rows: printRows, modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const faces: { file: string; identity: string; embedding: number[] }[] = [];
  const durations: number[] = [];
  for (const { file = '', identity = '' } of rows) {
    const bytes = await readFile(resolve(folder, file));
    const started = performance.now();
    const { embedding, image } = await engine.embed(toStoredFile(bytes));
    durations.push(performance.now() - started);
    if (embedding !== null) faces.push({ file, identity, embedding });
    if (printRows) console.log(JSON.stringify({ file, identity, ...image }));
  }
  await engine.close();
  const pairs = faces.flatMap((a, index) =>
    faces.slice(index + 1).map((b): Pair & { files: string[] } => ({
      same: a.identity === b.identity,
      similarity: computeCosine(a.embedding, b.embedding),
      files: [a.file, b.file],
    })),
  );
  const different = pairs.filter(({ same }) => !same);
  const computeFalseMatchRate = (threshold: number): number =>
    different.filter(({ similarity }) => similarity >= threshold).length / different.length;
  const atOnePercent = computeAcceptRate(pairs, 0.01);
  const atTenthPercent = computeAcceptRate(pairs, 0.001);
  const same = pairs.filter((pair) => pair.same);
  report('faces', {
    images: rows.length,
    facesFound: faces.length,
    samePairs: same.length,
    differentPairs: different.length,
    areaUnderCurve: roundTo(computeAreaUnderCurve(pairs)),
    trueAcceptAtFar1Percent: roundTo(atOnePercent.accepts),
    thresholdAtFar1Percent: roundTo(atOnePercent.threshold),
    trueAcceptAtFar01Percent: roundTo(atTenthPercent.accepts),
    thresholdAtFar01Percent: roundTo(atTenthPercent.threshold),
    trueAcceptAtMatchThreshold: roundTo(
      same.filter(({ similarity }) => similarity >= FACE_MATCH.match).length / same.length,
    ),
    ...Object.fromEntries(
      [0.2, 0.25, FACE_MATCH.match, 0.35, 0.4, 0.5].map((at) => [
        `falseMatchRateAt${at}`,
        roundTo(computeFalseMatchRate(at), 5),
      ]),
    ),
    highestDifferent: roundTo(Math.max(...different.map(({ similarity }) => similarity))),
    lowestSame: roundTo(Math.min(...same.map(({ similarity }) => similarity))),
    msMedian: Math.round(percentile(durations, 0.5)),
    msP95: Math.round(percentile(durations, 0.95)),
  });
}
