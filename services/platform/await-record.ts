import type { Platform } from './platform';

interface RecordWait<T> {
  collection: string;
  id: string;
  waitMs: number;
  /** Reads the current state; called at once (see `unfinishedAt`), after every change of the document and once a second. */
  read: () => Promise<T>;
  isFinished: (record: T) => boolean;
  /** `performance.now()` before the record was read or written, if it was unfinished then; saves the first read. */
  unfinishedAt?: number | undefined;
}

/**
 * Waits up to `waitMs` for a record to finish.
 * @returns the record as it was last read; unfinished if it did not finish in time
 */
export async function awaitRecord<T>(
  platform: Platform,
  { collection, id, waitMs, read, isFinished, unfinishedAt }: RecordWait<T>,
): Promise<T> {
  let latest: { record: T } | undefined;
  const readUnlessFinished = async () => {
    latest = { record: await read() };
    return isFinished(latest.record) ? latest : null;
  };
  await platform.changes.waitFor(collection, id, waitMs, readUnlessFinished, unfinishedAt);
  return latest === undefined ? read() : latest.record;
}
