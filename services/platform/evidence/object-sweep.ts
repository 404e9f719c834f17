import type { Platform } from '../platform';
import { DAY_MS } from '../../../domain/durations';

/** An upload that no record references after this time belongs to a transaction that did not commit. */
const ORPHANED_AFTER_MS = DAY_MS;
/** Objects that are listed and looked up at a time: as many as a response of the store has. */
const BATCH_SIZE = 1000;

/** Selects the object keys that a record references. */
export type FindReferencedKeys = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/** How far a sweep has come. */
export interface SweepPage {
  /** Number of objects removed. */
  removed: number;
  /** Key behind which the sweep goes on; null if nothing is left. */
  next: string | null;
}

/** Which part of a prefix is swept. */
export interface SweepRange {
  /** Only objects behind this key; null from the beginning. */
  after: string | null;
  /** Asked after each batch of listed objects; from then on the rest is left to the next call. */
  isTimeOver: () => boolean;
}

const WHOLE: SweepRange = { after: null, isTimeOver: () => false };

/** Removes objects under `prefix` that are older than 24 hours and not referenced by a record. */
export async function sweepObjects(
  platform: Platform,
  prefix: string,
  findReferencedKeys: FindReferencedKeys,
  { after, isTimeOver }: SweepRange = WHOLE,
): Promise<SweepPage> {
  const cutoffMs = platform.clock.now().getTime() - ORPHANED_AFTER_MS;
  let removed = 0;
  let listed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const referenced = await findReferencedKeys(batch);
    for (const key of batch.filter((candidate) => !referenced.has(candidate))) {
      await platform.objects.remove(key);
      removed += 1;
    }
    batch = [];
  };
  for await (const { key, lastModified } of platform.objects.list(prefix, after ?? undefined)) {
    listed += 1;
    if (lastModified.getTime() < cutoffMs) batch.push(key);
    if (listed % BATCH_SIZE !== 0) continue;
    await flush();
    if (isTimeOver()) return { removed, next: key };
  }
  await flush();
  return { removed, next: null };
}
