interface Read<T> {
  running: Promise<T>;
  /** The read that follows, for callers that have come since `running` began. */
  next: Promise<T> | null;
}

/**
 * Reads records that many requests need at the same time, such as the company of an organisation. Callers that come while
 * a record is being read share one more read, which begins once the first has ended. So every caller gets what was stored
 * when it called or later, as with a read of its own, and any number of callers at once costs two reads.
 *
 * Not for reads of a transaction. No caller may change what it gets, since others have the same object.
 */
export class SharedReads<T> {
  /** Reads in progress by key. */
  private readonly reads = new Map<string, Read<T>>();

  /** @param load reads what belongs to a key */
  constructor(private readonly load: (key: string) => Promise<T>) {}

  /** Reads what belongs to a key. Rejects with the error of `load`; callers that wait for their read get it, too. */
  read(key: string): Promise<T> {
    const current = this.reads.get(key);
    if (current === undefined) return this.start(key);
    current.next ??= current.running.then(() => this.start(key));
    return current.next;
  }

  private start(key: string): Promise<T> {
    const read: Read<T> = { running: this.load(key), next: null };
    this.reads.set(key, read);
    const forget = (): void => {
      this.reads.delete(key);
    };
    read.running.then(() => {
      if (read.next === null) forget();
    }, forget);
    return read.running;
  }
}
