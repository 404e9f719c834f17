import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createVisionEngine } from '../../activities/vision/engine';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report, roundTo } from '../report';
import { toStoredFile } from './stored-file';

interface Outcome {
  validPrint: boolean;
  exact: boolean;
  verifies: boolean;
  repaired: boolean;
  found: boolean;
  characters: number;
  wrongCharacters: number;
}

const countDifferences = (a: readonly string[], b: readonly string[]): number =>
  a.reduce(
    (sum, line, index) => sum + [...line].filter((character, at) => character !== b[index]?.charAt(at)).length,
    0,
  );

/**
 * Reads each document completely, as the service does, on one thread.
 *
 * @param labels columns file, line1 to line3 and printed_check_digits_valid (yes or no)
 */
export async function benchMrz(labels: string, { rows: printRows, modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const today = new Date().toISOString().slice(0, 10);
  const outcomes: Outcome[] = [];
  const durations: number[] = [];
  const processorTimes: number[] = [];
  for (const { file = '', line1 = '', line2 = '', line3 = '', printed_check_digits_valid: valid = 'yes' } of rows) {
    const bytes = await readFile(resolve(folder, file));
    const processor = process.cpuUsage();
    const started = performance.now();
    const { mrz, risks, fields } = await engine.readDocument({ front: toStoredFile(bytes), today });
    const durationMs = Math.round(performance.now() - started);
    durations.push(durationMs);
    const { user, system } = process.cpuUsage(processor);
    processorTimes.push((user + system) / 1000);
    const expected = [line1, line2, line3].filter((line) => line !== '');
    const read = mrz?.lines ?? [];
    const outcome: Outcome = {
      validPrint: valid === 'yes',
      exact: expected.join() === read.join(),
      verifies: mrz?.valid ?? false,
      repaired: mrz?.repaired ?? false,
      found: mrz !== null,
      characters: expected.join('').length,
      wrongCharacters: countDifferences(expected, read),
    };
    outcomes.push(outcome);
    if (printRows) {
      const agreeing = fields.filter(({ source, agrees }) => source === 'mrz' && agrees === true).length;
      console.log(
        JSON.stringify({
          file,
          ...outcome,
          durationMs,
          expected,
          read,
          agreeing,
          risks: risks.map(({ code }) => code),
        }),
      );
    }
  }
  await engine.close();
  report('mrz', {
    ...computeAccuracy(outcomes),
    // Processor time without the decoder process: unlike elapsed time it hardly depends on other load.
    processorMsMedian: Math.round(percentile(processorTimes, 0.5)),
    processorMsP95: Math.round(percentile(processorTimes, 0.95)),
    msMedian: Math.round(percentile(durations, 0.5)),
    msP95: Math.round(percentile(durations, 0.95)),
    msMax: Math.round(Math.max(...durations)),
  });
}

function computeAccuracy(outcomes: readonly Outcome[]): Record<string, number> {
  const judged = outcomes.filter(({ validPrint }) => validPrint);
  const count = (test: (outcome: Outcome) => boolean): number => judged.filter(test).length;
  const sum = (getValue: (outcome: Outcome) => number): number =>
    judged.reduce((total, outcome) => total + getValue(outcome), 0);
  return {
    documents: outcomes.length,
    withValidPrintedDigits: judged.length,
    found: count(({ found }) => found),
    exact: count(({ exact }) => exact),
    exactRate: roundTo(count(({ exact }) => exact) / judged.length),
    verifies: count(({ verifies }) => verifies),
    verifyRate: roundTo(count(({ verifies }) => verifies) / judged.length),
    wrongThoughVerifying: count(({ verifies, exact }) => verifies && !exact),
    repaired: count(({ repaired }) => repaired),
    exactOnInvalidPrint: outcomes.filter(({ validPrint, exact }) => !validPrint && exact).length,
    invalidPrintAcceptedAsValid: outcomes.filter(({ validPrint, verifies }) => !validPrint && verifies).length,
    characterErrorRate: roundTo(sum(({ wrongCharacters }) => wrongCharacters) / sum(({ characters }) => characters), 5),
  };
}
