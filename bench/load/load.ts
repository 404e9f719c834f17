import { setTimeout as delay } from 'node:timers/promises';
import type { DemoImages } from '../../scripts/demo/images';
import { downloadInvoice, exportInvoices, issueInvoice, openShop, payInvoice, verifySession } from './operations';
import type { Sale, SessionPlan, Shop } from './operations';
import type { RetryingClient } from './retrying-client';

/** Seconds between two operations of one kind; the next one begins only after the previous one has ended. */
export interface LoadIntervals {
  session: number;
  sale: number;
  export: number;
}

const PLANS: readonly SessionPlan[] = ['holder', 'another_person', 'reviewed', 'holder'];
/** Every third invoice stays unpaid. */
const PAID_OF_THREE = 2;
const POLL_MS = 50;

export interface LoadOptions {
  identity: RetryingClient;
  business: RetryingClient;
  images: DemoImages;
  intervals: LoadIntervals;
  initialStock: number;
}

/** Mixed requests of both APIs until it is stopped, with a record of everything that was accepted. */
export class Load {
  readonly sessions = new Map<string, SessionPlan>();
  readonly sales: Sale[] = [];
  exports = 0;
  readonly errors: Error[] = [];
  private readonly ending = new AbortController();
  private readonly loops: Promise<void>[] = [];

  private constructor(
    private readonly options: LoadOptions,
    readonly shop: Shop,
  ) {}

  /** Creates the records that the load uses. */
  static async prepare(options: LoadOptions): Promise<Load> {
    return new Load(options, await openShop(options.business, options.initialStock));
  }

  /** Begins one loop for each kind of operation, all of which run until the load is stopped. */
  start(): void {
    const { session, sale, export: exports } = this.options.intervals;
    this.loops.push(
      this.repeat(session, (index) => this.verify(index)),
      this.repeat(sale, (index) => this.sell(index)),
      this.repeat(exports, () => this.export()),
    );
  }

  private async repeat(seconds: number, operation: (index: number) => Promise<void>): Promise<void> {
    const { signal } = this.ending;
    for (let index = 0; !signal.aborted; index += 1) {
      const pause = delay(seconds * 1000, undefined, { signal }).catch(() => undefined);
      await operation(index).catch((error: unknown) => {
        this.errors.push(error instanceof Error ? error : new Error(String(error)));
      });
      await pause;
    }
  }

  private async verify(index: number): Promise<void> {
    const plan = PLANS[index % PLANS.length] ?? 'holder';
    this.sessions.set(await verifySession(this.options.identity, plan, this.options.images), plan);
  }

  private async sell(index: number): Promise<void> {
    const { business } = this.options;
    const sale = await issueInvoice(business, this.shop);
    this.sales.push(sale);
    await downloadInvoice(business, sale);
    if (index % 3 < PAID_OF_THREE) await payInvoice(business, this.shop, sale);
  }

  /** Exports the invoices, which contain every sale that was accepted before. */
  private async export(): Promise<void> {
    const before = this.sales.map(({ number }) => number);
    const numbers = await exportInvoices(this.options.business);
    const missing = before.filter((number) => !numbers.has(number));
    if (missing.length > 0) throw new Error(`An export lacks ${missing.join(', ')}.`);
    this.exports += 1;
  }

  /** Resolves when one more invoice was sold. */
  async afterNextSale(): Promise<void> {
    const { length } = this.sales;
    while (this.sales.length === length) await delay(POLL_MS);
  }

  /** Lets the operations that have begun end. */
  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.loops);
  }
}
