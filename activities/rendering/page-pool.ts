import type { SupervisedBrowser } from './browser';
import { openPrintPage } from './print-page';
import type { PrintPage } from './print-page';

export interface PagePoolOptions {
  launch: () => Promise<SupervisedBrowser>;
  browsers: number;
  pagesPerBrowser: number;
  /** A browser is replaced after so many jobs … */
  maxJobsPerBrowser: number;
  /** … or when it and its children hold more than this, looked at every `memoryCheckEvery` jobs. */
  maxResidentBytes: number;
  memoryCheckEvery: number;
  /** Told of each browser that starts or ends, with the reason. */
  onEvent: (event: PoolEvent) => void;
}

export type RetireReason = 'jobs' | 'memory' | 'failure' | 'gone' | 'closing';

export type PoolEvent =
  | { kind: 'browser_started'; pid: number | undefined }
  | { kind: 'browser_retired'; pid: number | undefined; reason: RetireReason };

export interface PagePool {
  /** Runs a job on a page of its own; waits in line while all pages are busy. */
  withPage<T>(job: (page: PrintPage) => Promise<T>): Promise<T>;
  /** Process ids of the browsers in use. */
  pids(): number[];
  /** Waits for running jobs, then ends all browsers. */
  close(): Promise<void>;
}

/** A browser in its slot. It is retired once, takes no new job from then on, and ends when its last job does. */
interface Tenant {
  browser: SupervisedBrowser;
  idle: PrintPage[];
  busy: number;
  jobs: number;
  retired: boolean;
}

interface Slot {
  tenant: Promise<Tenant> | null;
  current: Tenant | null;
}

/** Keeps browsers apart from jobs: jobs come and go, browsers are started, watched and replaced between them. */
export function createPagePool(options: PagePoolOptions): PagePool {
  const slots: Slot[] = Array.from({ length: options.browsers }, () => ({ tenant: null, current: null }));
  // The first browser is filled before a second is started.
  const free: number[] = slots.flatMap((_, index) => Array.from({ length: options.pagesPerBrowser }, () => index));
  const waiting: ((slot: number) => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let closing = false;

  async function start(slot: Slot): Promise<Tenant> {
    const browser = await options.launch();
    const tenant: Tenant = { browser, idle: [], busy: 0, jobs: 0, retired: false };
    slot.current = tenant;
    options.onEvent({ kind: 'browser_started', pid: browser.pid });
    return tenant;
  }

  /** The living browser of a slot; one that is gone is replaced first. */
  async function tenantOf(slot: Slot): Promise<Tenant> {
    if (slot.current !== null && !slot.current.browser.connected()) await retire(slot, slot.current, 'gone');
    slot.tenant ??= start(slot).catch((error: unknown) => {
      slot.tenant = null;
      throw error;
    });
    return slot.tenant;
  }

  async function retire(slot: Slot, tenant: Tenant, reason: RetireReason): Promise<void> {
    if (tenant.retired) return;
    tenant.retired = true;
    if (slot.current === tenant) {
      slot.current = null;
      slot.tenant = null;
    }
    options.onEvent({ kind: 'browser_retired', pid: tenant.browser.pid, reason });
    if (tenant.busy === 0) await tenant.browser.close();
  }

  async function isWornOut(tenant: Tenant): Promise<'jobs' | 'memory' | null> {
    if (tenant.jobs >= options.maxJobsPerBrowser) return 'jobs';
    if (tenant.jobs % options.memoryCheckEvery !== 0) return null;
    const bytes = await tenant.browser.residentBytes();
    return bytes !== null && bytes > options.maxResidentBytes ? 'memory' : null;
  }

  async function runOn<T>(slot: Slot, job: (page: PrintPage) => Promise<T>): Promise<T> {
    const tenant = await tenantOf(slot);
    tenant.busy += 1;
    let page: PrintPage | undefined;
    try {
      page = tenant.idle.pop() ?? (await openPrintPage(tenant.browser));
      const result = await job(page);
      tenant.jobs += 1;
      tenant.idle.push(page);
      const reason = await isWornOut(tenant);
      if (reason !== null) await retire(slot, tenant, reason);
      return result;
    } catch (error) {
      // A page that failed once is not trusted again, nor is its browser; its other job may end first.
      await page?.dispose();
      await retire(slot, tenant, 'failure');
      throw error;
    } finally {
      tenant.busy -= 1;
      if (tenant.retired && tenant.busy === 0) await tenant.browser.close();
    }
  }

  const acquire = (): Promise<number> => {
    free.sort((a, b) => a - b);
    const slot = free.shift();
    return slot === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(slot);
  };

  const release = (slot: number): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(slot);
    else next(slot);
  };

  async function queued<T>(job: (page: PrintPage) => Promise<T>): Promise<T> {
    const index = await acquire();
    try {
      const slot = slots[index];
      if (slot === undefined) throw new RangeError('No such slot.');
      return await runOn(slot, job);
    } finally {
      release(index);
    }
  }

  return {
    async withPage(job) {
      if (closing) throw new Error('The renderer is closing.');
      const work = queued(job);
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    pids: () => slots.flatMap((slot) => slot.current?.browser.pid ?? []),
    async close() {
      closing = true;
      await Promise.allSettled(running);
      await Promise.all(
        slots.map((slot) => (slot.current === null ? undefined : retire(slot, slot.current, 'closing'))),
      );
    },
  };
}
