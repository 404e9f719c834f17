import { getCalendarDays } from '../../domain/identity/calendar-days';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DecoderPool } from '../../activities/vision/decoding/pool';
import { readDocument } from '../../activities/vision/documents/read';
import { DOCUMENT_SIZE } from '../../activities/vision/engine';
import { Networks } from '../../activities/vision/inference/networks';
import { recordStages } from '../../activities/vision/inference/stages';
import type { Stage, StageRecorder } from '../../activities/vision/inference/stages';
import type { BenchmarkOptions } from '../benchmark';
import { readLabels } from '../labels';
import { readProcessorSeconds } from '../process-meters';
import { percentile, report, roundTo } from '../report';
import { toStoredFile } from './stored-file';

interface Use {
  elapsedMs: number;
  processorMs: number;
}

/** Time of each stage without the stages within it. */
class StageMeter implements StageRecorder {
  readonly uses = new Map<string, Use>();
  private readonly running: Stage[] = [];
  private since = { at: performance.now(), cpu: process.cpuUsage() };

  enter(stage: Stage): void {
    this.count();
    this.running.push(stage);
  }

  leave(): void {
    this.count();
    this.running.pop();
  }

  /** Adds the time since the last call to the innermost running stage. */
  private count(): void {
    const { user, system } = process.cpuUsage(this.since.cpu);
    const elapsedMs = performance.now() - this.since.at;
    this.since = { at: performance.now(), cpu: process.cpuUsage() };
    const stage = this.running.at(-1);
    if (stage !== undefined) this.add(stage, { elapsedMs, processorMs: (user + system) / 1000 });
  }

  add(stage: string, { elapsedMs, processorMs }: Use): void {
    const use = this.uses.get(stage) ?? { elapsedMs: 0, processorMs: 0 };
    this.uses.set(stage, { elapsedMs: use.elapsedMs + elapsedMs, processorMs: use.processorMs + processorMs });
  }
}

/** Decodes an image in the decoder process, whose processor time is counted, too. */
async function decode(decoders: DecoderPool, bytes: Buffer, meter: StageMeter) {
  const sumSeconds = (): number =>
    decoders.processIds().reduce((sum, pid) => sum + (readProcessorSeconds(pid) ?? 0), 0);
  const [before, started] = [sumSeconds(), performance.now()];
  const image = await decoders.examine(toStoredFile(bytes), DOCUMENT_SIZE);
  meter.add('decoding', {
    elapsedMs: performance.now() - started,
    processorMs: (sumSeconds() - before) * 1000,
  });
  return image;
}

/**
 * Reads each document in this process, except for the decoding, and prints the mean time of each stage.
 *
 * @param labels columns as of the benchmark mrz; only file is used
 */
export async function benchDocumentStages(labels: string, { modelsDir }: BenchmarkOptions): Promise<void> {
  const { folder, rows } = await readLabels(labels);
  const decoders = new DecoderPool(1);
  const networks = await Networks.load(modelsDir);
  const files = await Promise.all(rows.map(({ file = '' }) => readFile(resolve(folder, file))));
  const days = getCalendarDays(new Date());
  const [first] = files;
  // The first document is read once before, because processes and code are slower at their first use.
  if (first !== undefined) {
    await readDocument(networks, {
      front: await decoders.examine(toStoredFile(first), DOCUMENT_SIZE),
      back: null,
      days,
    });
  }
  const meter = new StageMeter();
  const totals: number[] = [];
  for (const bytes of files) {
    const front = await decode(decoders, bytes, meter);
    const before = process.cpuUsage();
    recordStages(meter);
    await readDocument(networks, { front, back: null, days });
    recordStages(null);
    const { user, system } = process.cpuUsage(before);
    totals.push((user + system) / 1000);
  }
  await decoders.close();
  await networks.release();
  const mean = (value: number): number => roundTo(value / files.length, 1);
  report('document-stages', {
    documents: files.length,
    ...Object.fromEntries(
      [...meter.uses].flatMap(([stage, { elapsedMs, processorMs }]) => [
        [`${stage}, ms`, mean(elapsedMs)],
        [`${stage}, processor ms`, mean(processorMs)],
      ]),
    ),
    'without decoding, processor ms': mean(totals.reduce((sum, value) => sum + value, 0)),
    'without decoding, processor ms median': roundTo(percentile(totals, 0.5), 1),
  });
}
