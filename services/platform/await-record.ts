import type { Platform } from './platform';

interface RecordWait<T> {
  collection: string;
  id: string;
  waitMs: number;
  /** Reads the current state; called at once, after every change of the document and once a second. */
  read: () => Promise<T>;
  isFinished: (record: T) => boolean;
}

/**
 * Waits up to `waitMs` for a record to finish.
 * @returns the record as it was last read; unfinished if it did not finish in time
 */
export async function awaitRecord<T>(
  platform: Platform,
  { collection, id, waitMs, read, isFinished }: RecordWait<T>,
): Promise<T> {
  let latest: { record: T } | undefined;
  await platform.changes.waitFor(collection, id, waitMs, async () => {
    latest = { record: await read() };
    return isFinished(latest.record) ? latest : null;
  });
  return latest === undefined ? read() : latest.record;
}
