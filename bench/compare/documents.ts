import { getCalendarDays } from '../../domain/identity/calendar-days';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createVisionEngine } from '../../activities/vision/engine';
import type { VisionEngine } from '../../activities/vision/engine';
import { readLabels } from '../labels';
import { readTreeSeconds } from '../process-meters';
import { percentile, roundTo } from '../report';
import { compareZone, computeZoneAccuracy, readZoneLabel } from '../vision/mrz-accuracy';
import type { ZoneLabel, ZoneOutcome } from '../vision/mrz-accuracy';
import { toStoredFile } from '../vision/stored-file';
import type { Figures } from './figures';
import { runPython } from './python';

const SCRIPT = 'bench/compare/read-documents.py';
const documentSchema = z.object({ lines: z.array(z.string()), valid: z.boolean(), processorMs: z.number() });
const readerSchema = z.union([
  z.object({ missing: z.string() }),
  z.object({ version: z.string(), documents: z.array(documentSchema) }),
]);
type Reader = z.infer<typeof readerSchema>;
const repliesSchema = z.record(z.string(), readerSchema);

/** The counts that are compared, and the processor time of a document. */
function describeReader(outcomes: readonly ZoneOutcome[], processorMs: readonly number[]): Record<string, number> {
  const {
    found = 0,
    exact = 0,
    wrongThoughVerifying = 0,
    invalidPrintAcceptedAsValid = 0,
  } = computeZoneAccuracy(outcomes);
  const total = processorMs.reduce((sum, each) => sum + each, 0);
  return {
    found,
    exact,
    wrongThoughVerifying,
    invalidPrintAcceptedAsValid,
    processorMsMean: roundTo(total / Math.max(1, processorMs.length), 0),
    processorMsMedian: roundTo(percentile(processorMs, 0.5), 0),
  };
}

/** Reads each document completely, with portrait, printed texts and all other results, on one thread. */
async function readOurselves(folder: string, labels: readonly ZoneLabel[], engine: VisionEngine) {
  const days = getCalendarDays(new Date());
  const read = async ({ file }: ZoneLabel) =>
    engine.readDocument({ front: toStoredFile(await readFile(path.resolve(folder, file))), days });
  // The first document loads what is loaded once.
  if (labels[0] !== undefined) await read(labels[0]);
  const [outcomes, processorMs]: [ZoneOutcome[], number[]] = [[], []];
  for (const label of labels) {
    const before = readTreeSeconds(process.pid);
    const { mrz } = await read(label);
    processorMs.push((readTreeSeconds(process.pid) - before) * 1000);
    outcomes.push(
      compareZone(label, mrz?.lines ?? [], { verifies: mrz?.valid ?? false, repaired: mrz?.repaired ?? false }),
    );
  }
  return describeReader(outcomes, processorMs);
}

/** The figures of another reader, or why it has none. */
function describeOther(name: string, reader: Reader, labels: readonly ZoneLabel[], ourMs: number): Figures {
  if ('missing' in reader) return { [name]: `not measured: ${reader.missing}` };
  const outcomes = labels.map((label, index) => {
    const { lines = [], valid = false } = reader.documents[index] ?? {};
    return compareZone(label, lines, { verifies: valid, repaired: false });
  });
  const figures = describeReader(
    outcomes,
    reader.documents.map(({ processorMs }) => processorMs),
  );
  return {
    [`${name}Version`]: reader.version,
    ...addPrefix(name, figures),
    [`${name}TimePerOurs`]: roundTo((figures['processorMsMean'] ?? 0) / ourMs, 2),
  };
}

const addPrefix = (name: string, figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [`${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`, value]),
  );

/**
 * Machine-readable zones read by this service, fastmrz and PassportEye from the same images.
 * @param labels file as for the benchmark `mrz`
 */
export async function compareDocuments(labels: string, modelsDir: string): Promise<Figures> {
  const { folder, rows } = await readLabels(labels);
  const documents = rows.map(readZoneLabel);
  const engine = await createVisionEngine({ modelsDir, threads: 1 });
  const ours = await readOurselves(folder, documents, engine);
  await engine.close();
  const files = documents.map(({ file }) => path.resolve(folder, file));
  const others = await runPython(SCRIPT, files, repliesSchema);
  return {
    documents: documents.length,
    withValidPrintedDigits: documents.filter(({ validPrint }) => validPrint).length,
    ...ours,
    ...Object.fromEntries(
      Object.entries(others).flatMap(([name, reader]) =>
        Object.entries(describeOther(name, reader, documents, ours['processorMsMean'] ?? 1)),
      ),
    ),
  };
}
