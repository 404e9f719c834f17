import mongoose from 'mongoose';
import { summariseError } from './logger';
import type { Logger } from './logger';

/** Notifies waiting requests of changed documents, so that they need not poll MongoDB frequently. */
export interface ChangeFeed {
  /**
   * Calls `read` immediately, after every change of the document and once a second.
   * @returns the first value other than null; null after `timeoutMs`
   */
  waitFor<T>(collection: string, id: string, timeoutMs: number, read: () => Promise<T | null>): Promise<T | null>;
  /** Ends every wait, present and future, as if its time had passed: the process is shutting down. */
  endWaits(): void;
  close(): Promise<void>;
}

/** Maximum delay if the stream is interrupted or a change precedes the wait. */
const FALLBACK_MS = 1000;
const REOPEN_MS = 1000;

type Stream = mongoose.mongo.ChangeStream;

/** Watches the given collections with one change stream per process; ids must be strings. */
export function createChangeFeed(collections: readonly string[], logger: Logger): ChangeFeed {
  const waits: Waits = { listeners: new Map(), ended: false };
  let stream: Stream | undefined;
  let closed = false;
  let reopening: NodeJS.Timeout | undefined;

  const notify = (key: string): void => waits.listeners.get(key)?.forEach((wake) => wake());

  const reopen = (): void => {
    if (closed || reopening !== undefined) return;
    reopening = setTimeout(() => {
      reopening = undefined;
      open();
    }, REOPEN_MS);
    reopening.unref();
  };

  const open = (): void => {
    const database = mongoose.connection.db;
    if (closed || collections.length === 0 || database === undefined) return;
    const opened = database.watch([
      // Nothing waits for a document that does not exist yet.
      { $match: { 'ns.coll': { $in: [...collections] }, operationType: { $in: ['update', 'replace'] } } },
      { $project: { 'ns.coll': 1, documentKey: 1, operationType: 1 } },
    ]);
    stream = opened;
    opened.on('change', (change) => {
      if ('documentKey' in change && 'ns' in change) {
        const ns = change.ns as { coll?: string };
        notify(`${ns.coll ?? ''}/${String(change.documentKey._id)}`);
      }
    });
    opened.on('error', (error) => {
      logger.warn({ reason: summariseError(error) }, 'The change stream was interrupted; it will be reopened');
      void opened.close().catch(() => undefined);
      reopen();
    });
  };
  open();

  return {
    waitFor: (collection, id, timeoutMs, read) => waitForChange(waits, `${collection}/${id}`, timeoutMs, read),
    endWaits() {
      waits.ended = true;
      for (const pending of waits.listeners.values()) pending.forEach((wake) => wake());
    },
    async close() {
      closed = true;
      clearTimeout(reopening);
      await stream?.close();
    },
  };
}

/** The waits of a process: what wakes those for each document. */
export interface Waits {
  /** By `collection/id`. */
  listeners: Map<string, Set<() => void>>;
  ended: boolean;
}

/** {@link ChangeFeed.waitFor}, which leaves nothing among the waits however it ends. */
export async function waitForChange<T>(
  waits: Readonly<Waits>,
  key: string,
  timeoutMs: number,
  read: () => Promise<T | null>,
): Promise<T | null> {
  const deadline = Date.now() + timeoutMs;
  const pending = waits.listeners.get(key) ?? new Set();
  waits.listeners.set(key, pending);
  let wake = (): void => undefined;
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      pending.add(wake);
      const value = await read();
      const remainingMs = deadline - Date.now();
      if (value !== null || remainingMs <= 0 || waits.ended) return value;
      const timer = setTimeout(wake, Math.min(FALLBACK_MS, remainingMs));
      await changed;
      clearTimeout(timer);
      pending.delete(wake);
    }
  } finally {
    pending.delete(wake);
    if (pending.size === 0) waits.listeners.delete(key);
  }
}
