import type { Platform } from '../platform';
import { DAY_MS } from '../../../domain/durations';

/** An upload not named by a record within this time belongs to a transaction that never committed. */
const ORPHANED_AFTER_MS = DAY_MS;
const BATCH_SIZE = 500;

/** Answers which of these object keys a record names. */
export type FindReferencedKeys = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Removes objects under `prefix` that no record has named for 24 hours.
 * @returns how many were removed.
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
