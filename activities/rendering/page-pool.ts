import { BrowserSlot } from './browser-slot';
import type { BrowserSlotOptions } from './browser-slot';
import type { PrintPage } from './print-page';

export interface PagePoolOptions extends BrowserSlotOptions {
  browsers: number;
  pagesPerBrowser: number;
}

export interface PagePool {
  /** Runs a job on a page of its own; waits while all pages are busy. */
  withPage<T>(job: (page: PrintPage) => Promise<T>): Promise<T>;
  /** Process ids of the running browsers. */
  pids(): number[];
  /** Waits for running jobs, then closes all browsers. */
  close(): Promise<void>;
}

/** Distributes the pages of all browsers to jobs in order of arrival. */
export function createPagePool(options: PagePoolOptions): PagePool {
  const slots = Array.from({ length: options.browsers }, () => new BrowserSlot(options));
  // One entry per page. All pages of the first browser are used before a second browser is started.
  const free = slots.flatMap((slot) => Array.from({ length: options.pagesPerBrowser }, () => slot));
  const waiting: ((slot: BrowserSlot) => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let closing = false;

  const acquire = (): Promise<BrowserSlot> => {
    const slot = free.shift();
    return slot === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(slot);
  };

  const release = (slot: BrowserSlot): void => {
    const next = waiting.shift();
    if (next !== undefined) {
      next(slot);
      return;
    }
    free.push(slot);
    free.sort((a, b) => slots.indexOf(a) - slots.indexOf(b));
  };

  async function runQueued<T>(job: (page: PrintPage) => Promise<T>): Promise<T> {
    const slot = await acquire();
    try {
      return await slot.runJob(job);
    } finally {
      release(slot);
    }
  }

  return {
    async withPage(job) {
      if (closing) throw new Error('The renderer is closing.');
      const work = runQueued(job);
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    pids: () => slots.flatMap((slot) => slot.pid ?? []),
    async close() {
      closing = true;
      await Promise.allSettled(running);
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}
