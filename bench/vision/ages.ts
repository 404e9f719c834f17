import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createVisionEngine } from '../../activities/vision/engine';
import { AGE_BANDS, findAgeBand } from '../../domain/identity/biometrics/age';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report, roundTo } from '../report';
import { toStoredFile } from './stored-file';

interface AgeEstimate {
  age: number;
  estimate: number;
  /** Whether the interval of the estimate contains the age. */
  withinInterval: boolean;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const computeError = ({ age, estimate }: AgeEstimate): number => Math.abs(estimate - age);

/** Figures by age band of the labelled ages. */
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

/** @param labels columns file and age (years, when the photograph was taken) */
export async function benchAges(labels: string, { rows: printRows, modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const estimated: AgeEstimate[] = [];
  const durations: number[] = [];
  for (const { file = '', age: labelledAge = '' } of rows) {
    const bytes = await readFile(resolve(folder, file));
    const started = performance.now();
    const { age: estimate, interval } = await engine.estimateAge(toStoredFile(bytes), null);
    durations.push(performance.now() - started);
    if (printRows) console.log(JSON.stringify({ file, age: labelledAge, estimate, interval }));
    const age = Number(labelledAge);
    if (estimate === null || interval === null || labelledAge === '' || Number.isNaN(age)) continue;
    estimated.push({ age, estimate, withinInterval: age >= interval.low && age <= interval.high });
  }
  await engine.close();
  report('ages', {
    images: rows.length,
    estimated: estimated.length,
    meanAbsoluteError: roundTo(mean(estimated.map(computeError)), 2),
    meanError: roundTo(mean(estimated.map(({ age, estimate }) => estimate - age)), 2),
    heldByInterval: roundTo(
      estimated.filter(({ withinInterval }) => withinInterval).length / Math.max(1, estimated.length),
      3,
    ),
    ...computeBandFigures(estimated),
    msMedian: Math.round(percentile(durations, 0.5)),
    msP95: Math.round(percentile(durations, 0.95)),
  });
}
