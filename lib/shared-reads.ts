import { settlesWithin } from './time-limits';

interface Read<T> {
  running: Promise<T>;
  /** The read that follows, for callers that have come since `running` began. */
  next: Promise<T> | null;
}

/** A read that takes longer does not hold up the next one: it may wait for a connection that was lost. */
const MAX_WAIT_MS = 1000;

/**
 * Reads records that many requests need at the same time, such as the company of an organisation. Callers that come while
 * a record is being read share one more read, which begins once the first has ended or takes long. So every caller gets
 * what was stored when it called or later, as with a read of its own, and any number of callers at once costs two reads.
 * A read that fails or hangs concerns only the callers that share it: the next one may succeed.
 *
 * Not for reads of a transaction. No caller may change what it gets, since others have the same object.
 */
export class SharedReads<T> {
  /** Reads in progress by key. */
  private readonly reads = new Map<string, Read<T>>();

  /**
   * @param load reads what belongs to a key
   * @param maxWaitMs after which a read does not hold up the next one @default a second
   */
  constructor(
    private readonly load: (key: string) => Promise<T>,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /** Reads what belongs to a key. Rejects with the error of a read that began after the call. */
  read(key: string): Promise<T> {
    const current = this.reads.get(key);
    if (current === undefined) return this.start(key);
    current.next ??= settlesWithin(current.running, this.maxWaitMs).then(() => this.start(key));
    return current.next;
  }

  private start(key: string): Promise<T> {
    const read: Read<T> = { running: this.load(key), next: null };
    this.reads.set(key, read);
    const forget = (): void => {
      if (read.next === null && this.reads.get(key) === read) this.reads.delete(key);
    };
    read.running.then(forget, forget);
    return read.running;
  }
}
