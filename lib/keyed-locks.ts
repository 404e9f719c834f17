import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when `promise` does, or after `ms`. */
async function waitAtMost(promise: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([promise, delay(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}

/** One lock for each key within this process, acquired in the order of the calls. */
export class KeyedLocks {
  /** Settles when the last holder or waiter of a key has released its lock. */
  private readonly tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` while holding the lock of a key.
   * @param maxWaitMs afterwards `work` runs without the lock, where that only costs time @default waits for the lock
   */
  async run<T>(key: string, work: () => Promise<T>, maxWaitMs?: number): Promise<T> {
    const previous = this.tails.get(key);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const tail = (previous ?? Promise.resolve()).then(() => held);
    this.tails.set(key, tail);
    if (previous !== undefined) await (maxWaitMs === undefined ? previous : waitAtMost(previous, maxWaitMs));
    try {
      return await work();
    } finally {
      release();
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
