import { settlesWithin } from './time-limits';

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
    if (previous !== undefined) await (maxWaitMs === undefined ? previous : settlesWithin(previous, maxWaitMs));
    try {
      return await work();
    } finally {
      release();
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
