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
interface Tenant {
  browser: SupervisedBrowser;
  idle: PrintPage[];
  busy: number;
  jobs: number;
  retired: boolean;
}

/** The place of one browser: starts it when the first job comes, watches it, and replaces it between jobs. */
export class BrowserSlot {
  private current: Tenant | null = null;
  private starting: Promise<Tenant> | null = null;

  constructor(private readonly options: BrowserSlotOptions) {}

  get pid(): number | undefined {
    return this.current?.browser.pid;
  }

  /** Runs a job on a page that no other job has. */
  async run<T>(job: (page: PrintPage) => Promise<T>): Promise<T> {
    const tenant = await this.tenant();
    tenant.busy += 1;
    let page: PrintPage | undefined;
    try {
      page = tenant.idle.pop() ?? (await openPrintPage(tenant.browser));
      const result = await job(page);
      tenant.jobs += 1;
      tenant.idle.push(page);
      const reason = await this.wornOut(tenant);
      if (reason !== null) await this.retire(tenant, reason);
      return result;
    } catch (error) {
      // A page that failed once is not trusted again, nor is its browser; its other jobs may end first.
      await page?.dispose();
      await this.retire(tenant, 'failure');
      throw error;
    } finally {
      tenant.busy -= 1;
      if (tenant.retired && tenant.busy === 0) await tenant.browser.close();
    }
  }

  async close(): Promise<void> {
    if (this.current !== null) await this.retire(this.current, 'closing');
  }

  /** The living browser; one that is gone is replaced first, and one that is starting is waited for. */
  private async tenant(): Promise<Tenant> {
    if (this.current !== null && !this.current.browser.connected()) await this.retire(this.current, 'gone');
    if (this.current !== null) return this.current;
    this.starting ??= this.start().finally(() => {
      this.starting = null;
    });
    return this.starting;
  }

  private async start(): Promise<Tenant> {
    const browser = await this.options.launch();
    const tenant: Tenant = { browser, idle: [], busy: 0, jobs: 0, retired: false };
    this.current = tenant;
    this.options.onEvent({ kind: 'browser_started', pid: browser.pid });
    return tenant;
  }

  private async retire(tenant: Tenant, reason: RetireReason): Promise<void> {
    if (tenant.retired) return;
    tenant.retired = true;
    if (this.current === tenant) this.current = null;
    this.options.onEvent({ kind: 'browser_retired', pid: tenant.browser.pid, reason });
    if (tenant.busy === 0) await tenant.browser.close();
  }

  private async wornOut(tenant: Tenant): Promise<'jobs' | 'memory' | null> {
    const { maxJobsPerBrowser, memoryCheckEvery, maxResidentBytes } = this.options;
    if (tenant.jobs >= maxJobsPerBrowser) return 'jobs';
    if (tenant.jobs % memoryCheckEvery !== 0) return null;
    const bytes = await tenant.browser.residentBytes();
    return bytes !== null && bytes > maxResidentBytes ? 'memory' : null;
  }
}
