interface Waiter {
  admit: () => void;
}

const OWNER_SHARE = 0.5;

/** Bytes that a process may hold at once. One owner may hold half of them, so that others always find room. */
export class ByteBudget {
  private used = 0;
  private readonly usedByOwner = new Map<string, number>();
  private waiters: Waiter[] = [];

  constructor(private readonly limit: number) {}

  /**
   * Takes bytes if they are free.
   * @param share part of the budget that uses of this kind may fill @default 1
   */
  tryTake(owner: string, bytes: number, share = 1): boolean {
    if (!this.fits(owner, bytes, share)) return false;
    this.used += bytes;
    this.usedByOwner.set(owner, (this.usedByOwner.get(owner) ?? 0) + bytes);
    return true;
  }

  /** Takes bytes, waiting for others to be given back. @returns false if too few were free in time */
  take(owner: string, bytes: number, share: number, maxWaitMs: number): Promise<boolean> {
    if (this.tryTake(owner, bytes, share)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        admit: () => {
          if (!this.tryTake(owner, bytes, share)) return;
          this.remove(waiter);
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.remove(waiter);
        resolve(false);
      }, maxWaitMs);
      this.waiters.push(waiter);
    });
  }

  /** Gives bytes back, to those who have waited longest first. */
  give(owner: string, bytes: number): void {
    const left = (this.usedByOwner.get(owner) ?? 0) - bytes;
    if (left > 0) this.usedByOwner.set(owner, left);
    else this.usedByOwner.delete(owner);
    this.used -= bytes;
    for (const waiter of [...this.waiters]) waiter.admit();
  }

  private remove(waiter: Waiter): void {
    this.waiters = this.waiters.filter((each) => each !== waiter);
  }

  private fits(owner: string, bytes: number, share: number): boolean {
    return (
      this.used + bytes <= this.limit * share && (this.usedByOwner.get(owner) ?? 0) + bytes <= this.limit * OWNER_SHARE
    );
  }
}
