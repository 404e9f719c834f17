import { LRUCache } from 'lru-cache';
import mongoose from 'mongoose';
import { summariseError } from './logger';
import type { Logger } from './logger';

/** Notifies waiting requests of changed documents, so that they need not poll MongoDB frequently. */
export interface ChangeFeed {
  /**
   * Calls `read` immediately, after every change of the document and once a second.
   * @param unfinishedAt `performance.now()` before the caller read or wrote the document, for which `read` would have
   * returned null: then it is called immediately only if the document has changed since
   * @returns the first value other than null; null after `timeoutMs`
   */
  waitFor<T>(
    collection: string,
    id: string,
    timeoutMs: number,
    read: () => Promise<T | null>,
    unfinishedAt?: number,
  ): Promise<T | null>;
  /** Ends every wait, present and future, as if its time had passed: the process is shutting down. */
  endWaits(): void;
  close(): Promise<void>;
}

/** Maximum delay if the stream is interrupted or a change precedes the wait. */
const FALLBACK_MS = 1000;
const REOPEN_MS = 1000;
/** Changes that are remembered: far more than in the moment between a write of a request and its wait. */
const MAX_CHANGES = 10_000;

type Stream = mongoose.mongo.ChangeStream;
type StreamEvent = mongoose.mongo.ChangeStreamDocument;

/** Opens a change stream, and again after each interruption, until it is closed. */
function keepStreamOpen(
  watch: (database: mongoose.mongo.Db) => Stream,
  onEvent: (event: StreamEvent) => void,
  logger: Logger,
): { close(): Promise<void> } {
  let stream: Stream | undefined;
  let closed = false;
  let reopening: NodeJS.Timeout | undefined;

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
    if (closed || database === undefined) return;
    const opened = watch(database);
    stream = opened;
    opened.on('change', onEvent);
    opened.on('error', (error) => {
      logger.warn({ reason: summariseError(error) }, 'The change stream was interrupted; it will be reopened');
      void opened.close().catch(() => undefined);
      reopen();
    });
  };
  open();

  return {
    async close() {
      closed = true;
      clearTimeout(reopening);
      await stream?.close();
    },
  };
}

const createFeed = (waits: Waits, close: () => Promise<void>): ChangeFeed => ({
  waitFor: (collection, id, timeoutMs, read, unfinishedAt) =>
    waitForChange(waits, `${collection}/${id}`, timeoutMs, read, unfinishedAt),
  endWaits() {
    waits.ended = true;
    for (const pending of waits.listeners.values()) pending.forEach((wake) => wake());
  },
  close,
});

/** Watches the given collections with one change stream per process; ids must be strings. */
export function createChangeFeed(collections: readonly string[], logger: Logger): ChangeFeed {
  const waits = createWaits();
  if (collections.length === 0) return createFeed(waits, () => Promise.resolve());
  const pipeline = [
    // Nothing waits for a document that does not exist yet.
    { $match: { 'ns.coll': { $in: [...collections] }, operationType: { $in: ['update', 'replace'] } } },
    { $project: { 'ns.coll': 1, documentKey: 1, operationType: 1 } },
  ];
  const noteEvent = (event: StreamEvent): void => {
    if (!('documentKey' in event) || !('ns' in event)) return;
    const ns = event.ns as { coll?: string };
    noteChange(waits, `${ns.coll ?? ''}/${String(event.documentKey._id)}`);
  };
  const stream = keepStreamOpen((database) => database.watch(pipeline), noteEvent, logger);
  return createFeed(waits, () => stream.close());
}

/**
 * Watches a collection for new documents.
 * @param field its string is what a wait names instead of the id of a document
 */
export function createInsertFeed(collection: string, field: string, logger: Logger): ChangeFeed {
  const waits = createWaits();
  const pipeline = [
    { $match: { operationType: 'insert' } },
    { $project: { operationType: 1, [`fullDocument.${field}`]: 1 } },
  ];
  const noteEvent = (event: StreamEvent): void => {
    if (event.operationType === 'insert') noteChange(waits, `${collection}/${String(event.fullDocument[field])}`);
  };
  const stream = keepStreamOpen((database) => database.collection(collection).watch(pipeline), noteEvent, logger);
  return createFeed(waits, () => stream.close());
}

/** The waits of a process: what wakes those for each document. */
export interface Waits {
  /** By `collection/id`. */
  listeners: Map<string, Set<() => void>>;
  /** When each of the latest documents to change was reported, by `collection/id`. */
  changes: LRUCache<string, number>;
  ended: boolean;
}

export const createWaits = (): Waits => ({
  listeners: new Map(),
  changes: new LRUCache({ max: MAX_CHANGES }),
  ended: false,
});

/** Wakes the waits for a document. */
export function noteChange(waits: Waits, key: string): void {
  waits.changes.set(key, performance.now());
  waits.listeners.get(key)?.forEach((wake) => wake());
}

/** {@link ChangeFeed.waitFor}, which leaves nothing among the waits however it ends. */
export async function waitForChange<T>(
  waits: Readonly<Waits>,
  key: string,
  timeoutMs: number,
  read: () => Promise<T | null>,
  unfinishedAt?: number,
): Promise<T | null> {
  const deadline = Date.now() + timeoutMs;
  let isUnfinished = unfinishedAt !== undefined && (waits.changes.get(key) ?? -Infinity) < unfinishedAt;
  const pending = waits.listeners.get(key) ?? new Set();
  waits.listeners.set(key, pending);
  let wake = (): void => undefined;
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      pending.add(wake);
      const value = isUnfinished ? null : await read();
      isUnfinished = false;
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
