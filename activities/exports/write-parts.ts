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

/**
 * Continues an export after its last finished part, until its end or until `shouldStop` returns true after a part.
 * @returns whether everything is written
 * @throws AppError 409 `export_ended` if the export was cancelled
 */
export async function writeParts<T>(
  platform: Platform,
  exportId: string,
  source: PartSource<T>,
  shouldStop: () => boolean,
): Promise<boolean> {
  let record = await readWritableExport(exportId);
  if (record.written) return true;
  let encoder = source.createEncoder(record);
  let { lastKey } = record;
  let rows = 0;
  const save = async (last: boolean): Promise<void> => {
    const part = await encoder.end(last);
    record = await savePart(platform, record, { ...part, rows, lastKey, last });
    rows = 0;
  };
  // The next batch is read while the last one is written.
  for await (const batch of readAhead(source.read(record, lastKey))) {
    await encoder.add(batch.items);
    rows += batch.items.length;
    lastKey = batch.lastKey;
    if (encoder.size < PART_BYTES) continue;
    await save(false);
    if (shouldStop()) return false;
    encoder = source.createEncoder(record);
  }
  await save(true);
  return true;
}
