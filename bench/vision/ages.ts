import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createVisionEngine } from '../../activities/vision/engine';
import { AGE_BANDS, findAgeBand } from '../../domain/identity/biometrics/age';
import { percentile, readLabels, report, roundTo } from '../report';
import type { BenchInput } from '../report';

interface AgeEstimate {
  age: number;
  estimate: number;
  /** whether the interval of the answer holds the age */
  held: boolean;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const computeError = ({ age, estimate }: AgeEstimate): number => Math.abs(estimate - age);

/** Figures of the bands that people of the labels' ages lie in. */
function computeBandFigures(estimated: readonly AgeEstimate[]): Record<string, number> {
  return Object.fromEntries(
    AGE_BANDS.flatMap((band) => {
      const estimatesInBand = estimated.filter(({ age }) => findAgeBand(age) === band);
      const name = `from${band.from}${band.to === null ? 'Up' : `To${band.to}`}`;
      if (estimatesInBand.length === 0) return [];
      return [
        [`${name}Images`, estimatesInBand.length],
        [`${name}MeanError`, roundTo(mean(estimatesInBand.map(computeError)), 2)],
        [`${name}MakersMeanError`, band.meanAbsoluteError],
      ];
    }),
  );
}

/** Labels: columns file and age (years, when the picture was taken). Mean absolute error over all and by band. */
export async function benchAges({ files: [labels], rows: printRows, modelsDir }: BenchInput): Promise<void> {
  if (labels === undefined) throw new Error('Give a labels file with the columns file, age.');
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const estimated: AgeEstimate[] = [];
  const durations: number[] = [];
  for (const { file = '', age: labelledAge = '' } of rows) {
    const bytes = await readFile(resolve(folder, file));
    const started = performance.now();
    const { age: estimate, interval } = await engine.estimateAge(bytes, null);
    durations.push(performance.now() - started);
    if (printRows) console.log(JSON.stringify({ file, age: labelledAge, estimate, interval }));
    const age = Number(labelledAge);
    if (estimate === null || interval === null || labelledAge === '' || Number.isNaN(age)) continue;
    estimated.push({ age, estimate, held: age >= interval.low && age <= interval.high });
  }
  await engine.close();
  report('ages', {
    images: rows.length,
    estimated: estimated.length,
    meanAbsoluteError: roundTo(mean(estimated.map(computeError)), 2),
    meanError: roundTo(mean(estimated.map(({ age, estimate }) => estimate - age)), 2),
    heldByInterval: roundTo(estimated.filter(({ held }) => held).length / Math.max(1, estimated.length), 3),
    ...computeBandFigures(estimated),
    msMedian: Math.round(percentile(durations, 0.5)),
    msP95: Math.round(percentile(durations, 0.95)),
  });
}
