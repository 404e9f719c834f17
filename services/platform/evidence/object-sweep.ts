import type { Platform } from '../platform';
import { DAY_MS } from '../../../domain/durations';

/** An upload that no record references after this time belongs to a transaction that did not commit. */
const ORPHANED_AFTER_MS = DAY_MS;
const BATCH_SIZE = 500;

/** Selects the object keys that a record references. */
export type FindReferencedKeys = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Removes objects under `prefix` that are older than 24 hours and not referenced by a record.
 * @returns the number of objects removed
 */
export async function sweepObjects(
  platform: Platform,
  prefix: string,
  findReferencedKeys: FindReferencedKeys,
): Promise<number> {
  const cutoffMs = platform.clock.now().getTime() - ORPHANED_AFTER_MS;
  let removed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    const referenced = await findReferencedKeys(batch);
    for (const key of batch.filter((candidate) => !referenced.has(candidate))) {
      await platform.objects.remove(key);
      removed += 1;
    }
    batch = [];
  };
  for await (const { key, lastModified } of platform.objects.list(prefix)) {
    if (lastModified.getTime() < cutoffMs) batch.push(key);
    if (batch.length >= BATCH_SIZE) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}
