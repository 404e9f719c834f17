import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { createVisionEngine } from '../../activities/vision/engine';
import { SAME_CAPTURE } from '../../domain/identity/biometrics/capture';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { percentile, report, roundTo } from '../report';
import { toStoredFile } from './stored-file';

/** Changes that leave an image the same picture. */
const ALTERATIONS: readonly ((photo: sharp.Sharp) => sharp.Sharp)[] = [
  (photo) => photo.jpeg({ quality: 30 }),
  (photo) => photo.resize({ width: 125 }).jpeg({ quality: 80 }),
  (photo) => photo.modulate({ brightness: 1.25 }).linear(0.85, 10).jpeg({ quality: 80 }),
  (photo) => photo.rotate(6, { background: '#888' }).jpeg({ quality: 80 }),
  (photo) => photo.blur(1.5).jpeg({ quality: 60 }),
];

/**
 * Correlations of different photographs of one person, which are false alarms from the limit on, and of altered copies,
 * which are missed below it.
 *
 * @param labels columns file and identity
 */
export async function benchCaptures(labels: string, { modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const photos = await Promise.all(
    rows.map(async ({ file = '', identity = '' }) => ({ identity, body: await readFile(resolve(folder, file)) })),
  );
  const correlate = async (body: Buffer, others: readonly Buffer[]): Promise<number[]> =>
    (
      await engine.compareCaptures(
        toStoredFile(body),
        others.map((other) => ({ file: toStoredFile(other), onDocument: false })),
      )
    ).correlations.filter((correlation) => correlation !== null);
  const [different, copies]: [number[], number[]] = [[], []];
  for (const [index, { identity, body }] of photos.entries()) {
    const others = photos.slice(index + 1).filter((photo) => photo.identity === identity);
    different.push(
      ...(await correlate(
        body,
        others.map((photo) => photo.body),
      )),
    );
    copies.push(
      ...(await correlate(body, await Promise.all(ALTERATIONS.map((alter) => alter(sharp(body)).toBuffer())))),
    );
  }
  await engine.close();
  report('captures', {
    differentPairs: different.length,
    differentMedian: roundTo(percentile(different, 0.5)),
    differentMaximum: roundTo(Math.max(...different)),
    falseAlarms: different.filter((correlation) => correlation >= SAME_CAPTURE.session).length,
    copies: copies.length,
    copiesMinimum: roundTo(Math.min(...copies)),
    missed: copies.filter((correlation) => correlation < SAME_CAPTURE.session).length,
    missedAmongEarlier: copies.filter((correlation) => correlation < SAME_CAPTURE.earlier).length,
  });
}
