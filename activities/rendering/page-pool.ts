import { BrowserSlot } from './browser-slot';
import type { BrowserSlotOptions } from './browser-slot';
import type { PrintPage } from './print-page';

export interface PagePoolOptions extends BrowserSlotOptions {
  browsers: number;
  pagesPerBrowser: number;
}

/** `single`: a document that was requested by itself; `bulk`: one of an archive. */
export type PrintPriority = 'single' | 'bulk';

export interface PagePool {
  /**
   * Runs a job on a page of its own; waits while all pages are busy. A single document gets the next free page before
   * any document of an archive.
   */
  withPage<T>(job: (page: PrintPage) => Promise<T>, priority?: PrintPriority): Promise<T>;
  /** Process ids of the running browsers. */
  pids(): number[];
  /** Waits for running jobs, then closes all browsers. */
  close(): Promise<void>;
}

/** Distributes the pages of all browsers: to single documents in order of arrival, then to those of archives. */
export function createPagePool(options: PagePoolOptions): PagePool {
  const slots = Array.from({ length: options.browsers }, () => new BrowserSlot(options));
  // One entry per page. All pages of the first browser are used before a second browser is started.
  const free = slots.flatMap((slot) => Array.from({ length: options.pagesPerBrowser }, () => slot));
  const waiting: Record<PrintPriority, ((slot: BrowserSlot) => void)[]> = { single: [], bulk: [] };
  const running = new Set<Promise<unknown>>();
  let closing = false;

  const acquire = (priority: PrintPriority): Promise<BrowserSlot> => {
    const slot = free.shift();
    return slot === undefined ? new Promise((resolve) => waiting[priority].push(resolve)) : Promise.resolve(slot);
  };

  const release = (slot: BrowserSlot): void => {
    const next = waiting.single.shift() ?? waiting.bulk.shift();
    if (next !== undefined) {
      next(slot);
      return;
    }
    free.push(slot);
    free.sort((a, b) => slots.indexOf(a) - slots.indexOf(b));
  };

  async function runQueued<T>(job: (page: PrintPage) => Promise<T>, priority: PrintPriority): Promise<T> {
    const slot = await acquire(priority);
    try {
      return await slot.runJob(job);
    } finally {
      release(slot);
    }
  }

  return {
    async withPage(job, priority = 'single') {
      if (closing) throw new Error('The renderer is closing.');
      const work = runQueued(job, priority);
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
