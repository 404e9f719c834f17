import type { SupervisedBrowser } from './browser';
import { openPrintPage } from './print-page';
import type { PrintPage } from './print-page';

export interface BrowserSlotOptions {
  launch: () => Promise<SupervisedBrowser>;
  /** A browser is replaced after this many jobs. */
  maxJobsPerBrowser: number;
  /** A browser is replaced if it and its children use more memory than this, checked every `memoryCheckEvery` jobs. */
  maxResidentBytes: number;
  memoryCheckEvery: number;
  /** Called for each browser that starts or is replaced, with the reason. */
  onEvent: (event: BrowserEvent) => void;
}

export type RetireReason = 'jobs' | 'memory' | 'failure' | 'gone' | 'closing';

export type BrowserEvent =
  | { kind: 'browser_started'; pid: number | undefined }
  | { kind: 'browser_retired'; pid: number | undefined; reason: RetireReason };

/** A browser in its slot. Once retired, it takes no new job and is closed when its last job ends. */
interface BrowserInstance {
  browser: SupervisedBrowser;
  idle: PrintPage[];
  busy: number;
  jobs: number;
  retired: boolean;
}

/** Slot of one browser: starts it with the first job, supervises it, and replaces it between jobs. */
export class BrowserSlot {
  private current: BrowserInstance | null = null;
  private starting: Promise<BrowserInstance> | null = null;

  constructor(private readonly options: BrowserSlotOptions) {}

  /** Process id of the browser; undefined while none is running. */
  get pid(): number | undefined {
    return this.current?.browser.pid;
  }

  /** Runs a job on a page that no other job uses. */
  async runJob<T>(job: (page: PrintPage) => Promise<T>): Promise<T> {
    const instance = await this.acquireInstance();
    instance.busy += 1;
    let page: PrintPage | undefined;
    try {
      page = instance.idle.pop() ?? (await openPrintPage(instance.browser));
      const result = await job(page);
      instance.jobs += 1;
      instance.idle.push(page);
      const reason = await this.findRetireReason(instance);
      if (reason !== null) await this.retire(instance, reason);
      return result;
    } catch (error) {
      // After a failed page, the page and its browser are not used again; other jobs of the browser may finish.
      await page?.dispose();
      await this.retire(instance, 'failure');
      throw error;
    } finally {
      instance.busy -= 1;
      if (instance.retired && instance.busy === 0) await instance.browser.close();
    }
  }

  /** Closes the browser once its last job has ended; the next job would start another one. */
  async close(): Promise<void> {
    if (this.current !== null) await this.retire(this.current, 'closing');
  }

  /** Returns the running browser; starts a new one if it has ended, and waits for one that is starting. */
  private async acquireInstance(): Promise<BrowserInstance> {
    if (this.current !== null && !this.current.browser.connected()) await this.retire(this.current, 'gone');
    if (this.current !== null) return this.current;
    this.starting ??= this.startInstance().finally(() => {
      this.starting = null;
    });
    return this.starting;
  }

  private async startInstance(): Promise<BrowserInstance> {
    const browser = await this.options.launch();
    const instance: BrowserInstance = { browser, idle: [], busy: 0, jobs: 0, retired: false };
    this.current = instance;
    this.options.onEvent({ kind: 'browser_started', pid: browser.pid });
    return instance;
  }

  private async retire(instance: BrowserInstance, reason: RetireReason): Promise<void> {
    if (instance.retired) return;
    instance.retired = true;
    if (this.current === instance) this.current = null;
    this.options.onEvent({ kind: 'browser_retired', pid: instance.browser.pid, reason });
    if (instance.busy === 0) await instance.browser.close();
  }

  private async findRetireReason(instance: BrowserInstance): Promise<'jobs' | 'memory' | null> {
    const { maxJobsPerBrowser, memoryCheckEvery, maxResidentBytes } = this.options;
    if (instance.jobs >= maxJobsPerBrowser) return 'jobs';
    if (instance.jobs % memoryCheckEvery !== 0) return null;
    const bytes = await instance.browser.residentBytes();
    return bytes !== null && bytes > maxResidentBytes ? 'memory' : null;
  }
}
