import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createVisionEngine } from '../../activities/vision/engine';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report } from '../report';
import { toStoredFile } from './stored-file';

/**
 * Counts the outcomes at the default thresholds.
 *
 * @param labels columns file and label (real or spoof)
 */
export async function benchLiveness(labels: string, { rows: printRows, modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const outcomes: { live: boolean; status: string }[] = [];
  const durations: number[] = [];
  for (const { file = '', label = 'real' } of rows) {
    const bytes = await readFile(resolve(folder, file));
    const started = performance.now();
    const { score, parts, risks, quality, thresholds } = (await engine.analyseLiveness(toStoredFile(bytes))).result;
    durations.push(performance.now() - started);
    const status =
      score === null
        ? 'noFace'
        : score < thresholds.decline
          ? 'refused'
          : score < thresholds.review
            ? 'review'
            : 'accepted';
    outcomes.push({ live: label !== 'spoof', status });
    if (printRows)
      console.log(JSON.stringify({ file, label, score, status, parts, quality, risks: risks.map(({ code }) => code) }));
  }
  await engine.close();
  const count = (live: boolean, status: string): number =>
    outcomes.filter((outcome) => outcome.live === live && outcome.status === status).length;
  report('liveness', {
    live: outcomes.filter(({ live }) => live).length,
    liveAccepted: count(true, 'accepted'),
    liveReview: count(true, 'review'),
    liveRefused: count(true, 'refused') + count(true, 'noFace'),
    attacks: outcomes.filter(({ live }) => !live).length,
    attacksRefused: count(false, 'refused') + count(false, 'noFace'),
    attacksReview: count(false, 'review'),
    attacksAccepted: count(false, 'accepted'),
    msMedian: Math.round(percentile(durations, 0.5)),
    msP95: Math.round(percentile(durations, 0.95)),
  });
}
