import { MIN_PART_BYTES } from '../../lib/object-store';
import { readAhead } from '../../lib/read-ahead';
import type { ExportKey } from '../../models/business/exports/export';
import { readWritableExport, savePart } from '../../services/business/exports/progress';
import type { RunningExport } from '../../services/business/exports/progress';
import type { Batch } from '../../services/business/exports/source';
import type { Platform } from '../../services/platform/platform';
import type { PartEncoder } from './part-encoder';

/**
 * Slightly more than the minimum part size of the object store, which limits memory and the work lost with a killed
 * worker.
 */
const PART_BYTES = MIN_PART_BYTES + 512 * 1024;

/** How rows or documents are read and written as parts. */
export interface PartSource<T> {
  read(record: RunningExport, after: ExportKey | null): AsyncGenerator<Batch<T>>;
  createEncoder(record: RunningExport): PartEncoder<T>;
}

/** Why an attempt stopped writing: everything is written, its time is over, or another attempt has written a part. */
type End = 'written' | 'stopped' | 'overtaken';

/** Writes parts after the last one that is recorded. */
async function continueParts<T>(
  platform: Platform,
  start: RunningExport,
  source: PartSource<T>,
  shouldStop: () => boolean,
): Promise<End> {
  let record = start;
  let encoder = source.createEncoder(record);
  let { lastKey } = record;
  let rows = 0;
  /** @returns whether the part was recorded */
  const save = async (last: boolean): Promise<boolean> => {
    const part = await encoder.end(last);
    const saved = await savePart(platform, record, { ...part, rows, lastKey, last });
    if (saved === null) return false;
    record = saved;
    rows = 0;
    return true;
  };
  // The next batch is read while the last one is written.
  for await (const batch of readAhead(source.read(record, lastKey))) {
    await encoder.add(batch.items);
    rows += batch.items.length;
    lastKey = batch.lastKey;
    if (encoder.size < PART_BYTES) continue;
    if (!(await save(false))) return 'overtaken';
    if (shouldStop()) return 'stopped';
    encoder = source.createEncoder(record);
  }
  return (await save(true)) ? 'written' : 'overtaken';
}

/**
 * Continues an export after its last finished part, until its end or until `shouldStop` returns true after a part. Where
 * another attempt was first, it continues after the part of that one: only one of the two still reports to Temporal, and
 * neither knows which. Each part is recorded once.
 * @returns whether everything is written
 * @throws AppError 409 `export_ended` if the export was cancelled
 */
export async function writeParts<T>(
  platform: Platform,
  exportId: string,
  source: PartSource<T>,
  shouldStop: () => boolean,
): Promise<boolean> {
  for (;;) {
    const record = await readWritableExport(exportId);
    if (record.written) return true;
    const end = await continueParts(platform, record, source, shouldStop);
    if (end === 'written') return true;
    if (end === 'stopped' || shouldStop()) return false;
  }
}
