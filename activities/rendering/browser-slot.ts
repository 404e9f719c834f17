import type { SupervisedBrowser } from './browser';
import { openPrintPage } from './print-page';
import type { PrintPage } from './print-page';

export interface BrowserSlotOptions {
  launch: () => Promise<SupervisedBrowser>;
  /** A browser is replaced after so many jobs … */
  maxJobsPerBrowser: number;
  /** … or when it and its children hold more than this, looked at every `memoryCheckEvery` jobs. */
  maxResidentBytes: number;
  memoryCheckEvery: number;
  /** Told of each browser that starts or is replaced, with the reason. */
  onEvent: (event: BrowserEvent) => void;
}

export type RetireReason = 'jobs' | 'memory' | 'failure' | 'gone' | 'closing';

export type BrowserEvent =
  | { kind: 'sandbox_unavailable'; pid: number | undefined }
  | { kind: 'browser_started'; pid: number | undefined }
  | { kind: 'browser_retired'; pid: number | undefined; reason: RetireReason };

/** A browser in its slot. It is retired once, takes no new job from then on, and ends when its last job does. */
interface BrowserInstance {
  browser: SupervisedBrowser;
  idle: PrintPage[];
  busy: number;
  jobs: number;
  retired: boolean;
}

/** The place of one browser: starts it when the first job comes, watches it, and replaces it between jobs. */
export class BrowserSlot {
  private current: BrowserInstance | null = null;
  private starting: Promise<BrowserInstance> | null = null;

  constructor(private readonly options: BrowserSlotOptions) {}

  get pid(): number | undefined {
    return this.current?.browser.pid;
  }

  /** Runs a job on a page that no other job has. */
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
      // A page that failed once is not trusted again, nor is its browser; its other jobs may end first.
      await page?.dispose();
      await this.retire(instance, 'failure');
      throw error;
    } finally {
      instance.busy -= 1;
      if (instance.retired && instance.busy === 0) await instance.browser.close();
    }
  }

  async close(): Promise<void> {
    if (this.current !== null) await this.retire(this.current, 'closing');
  }

  /** The living browser; one that is gone is replaced first, and one that is starting is waited for. */
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
