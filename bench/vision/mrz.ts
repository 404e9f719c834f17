import { getCalendarDays } from '../../domain/identity/calendar-days';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createVisionEngine } from '../../activities/vision/engine';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report } from '../report';
import { compareZone, computeZoneAccuracy, readZoneLabel } from './mrz-accuracy';
import type { ZoneOutcome } from './mrz-accuracy';
import { toStoredFile } from './stored-file';

/**
 * Reads each document completely, as the service does, on one thread.
 *
 * @param labels columns file, line1 to line3 and printed_check_digits_valid (yes or no)
 */
export async function benchMrz(labels: string, { rows: printRows, modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const days = getCalendarDays(new Date());
  const outcomes: ZoneOutcome[] = [];
  const durations: number[] = [];
  const processorTimes: number[] = [];
  for (const label of rows.map(readZoneLabel)) {
    const bytes = await readFile(resolve(folder, label.file));
    const processor = process.cpuUsage();
    const started = performance.now();
    const { mrz, risks, fields } = await engine.readDocument({ front: toStoredFile(bytes), days });
    const durationMs = Math.round(performance.now() - started);
    durations.push(durationMs);
    const { user, system } = process.cpuUsage(processor);
    processorTimes.push((user + system) / 1000);
    const read = mrz?.lines ?? [];
    const outcome = compareZone(label, read, { verifies: mrz?.valid ?? false, repaired: mrz?.repaired ?? false });
    outcomes.push(outcome);
    if (printRows) {
      const { file, expected } = label;
      const agreeing = fields.filter(({ source, agrees }) => source === 'mrz' && agrees === true).length;
      const codes = risks.map(({ code }) => code);
      console.log(JSON.stringify({ file, ...outcome, durationMs, expected, read, agreeing, risks: codes }));
    }
  }
  await engine.close();
  report('mrz', {
    ...computeZoneAccuracy(outcomes),
    // Processor time without the decoder process: unlike elapsed time it hardly depends on other load.
    processorMsMedian: Math.round(percentile(processorTimes, 0.5)),
    processorMsP95: Math.round(percentile(processorTimes, 0.95)),
    msMedian: Math.round(percentile(durations, 0.5)),
    msP95: Math.round(percentile(durations, 0.95)),
    msMax: Math.round(Math.max(...durations)),
  });
}
