import { setTimeout as delay } from 'node:timers/promises';
import { Load } from '../../../bench/load/load';
import type { LoadIntervals } from '../../../bench/load/load';
import { RetryingClient, signIn } from '../../../bench/load/retrying-client';
import { loadConfig } from '../../../lib/config';
import { settlesWithin } from '../../../lib/time-limits';
import { makeDemoImages } from '../../../scripts/demo/images';
import { closePlatform, createPlatform } from '../../../services/platform/bootstrap';
import type { Platform } from '../../../services/platform/platform';
import { createFacelessImage } from '../identity/identity';
import { startReceiver } from '../receiver';
import type { Receiver } from '../receiver';
import type { SharedStack } from '../shared-stack';
import type { Accepted, Clients } from './checks';
import type { Fault } from './faults';
import { Probe } from './probe';
import type { Recovery } from './probe';
import { describeStack } from './stack-report';

const INITIAL_STOCK = 100_000;
/** Requests that are being processed when a fault begins. */
const AT_ONCE = 12;
/** A stack that has not recovered by then is described in the log of the test. */
const REPORT_AFTER_MS = 60_000;
const EVENTS = ['session.completed', 'session.declined', 'invoice.issued'];

export interface SuiteOptions {
  intervals: LoadIntervals;
  /** How long a fault lasts that has an end. */
  holdMs: number;
}

export interface FaultResult {
  fault: string;
  /** Null if something that was accepted failed. */
  recovery: Recovery | null;
  error: string | null;
}

/** Mixed load on a stack while one fault after another is injected. */
export class ChaosSuite {
  readonly results: FaultResult[] = [];

  private constructor(
    private readonly stack: SharedStack,
    private readonly options: SuiteOptions,
    readonly clients: Clients,
    readonly load: Load,
    private readonly probe: Probe,
    readonly receiver: Receiver,
  ) {}

  /** Signs in, subscribes a receiver to events, and creates what the load and the probe use. */
  static async prepare(stack: SharedStack, options: SuiteOptions): Promise<ChaosSuite> {
    const run = stack.run();
    process.env['CHROMIUM_PATH'] ??= run.environment['CHROMIUM_PATH'];
    const api = `http://127.0.0.1:${stack.proxies.api.port}`;
    const getApi = (): string => api;
    const identity = new RetryingClient({ api: getApi, signIn: () => ({ key: run.identityApiKey }) });
    const business = new RetryingClient({ api: getApi, signIn: () => signIn(api, run.admin) });
    const receiver = await startReceiver();
    await identity.expect([201], 'POST', '/v1/webhooks', { json: { url: receiver.url, events: EVENTS } });
    const images = await makeDemoImages();
    const { intervals } = options;
    const load = await Load.prepare({ identity, business, images, intervals, initialStock: INITIAL_STOCK });
    const probe = new Probe({
      api: getApi,
      business: await signIn(api, run.admin),
      identity: { key: run.identityApiKey },
      shop: load.shop,
      image: { body: await createFacelessImage() },
    });
    return new ChaosSuite(stack, options, { identity, business }, load, probe, receiver);
  }

  /** Runs the load, injects each fault, and lets everything that was begun end. */
  async run(faults: readonly Fault[]): Promise<void> {
    this.load.start();
    for (const fault of faults) {
      this.results.push(await this.inject(fault));
      printResult(this.results.at(-1));
      await this.stack.waitUntilReady();
    }
    await this.load.stop();
  }

  private async inject(fault: Fault): Promise<FaultResult> {
    const { name } = fault;
    const accepting = this.probe.sellAtOnce(AT_ONCE);
    // A failure is reported after the fault.
    accepting.catch(() => undefined);
    await fault.begin();
    if (fault.end !== undefined) {
      await (fault.accepts === true ? accepting : delay(this.options.holdMs));
      await fault.end();
    }
    try {
      const measuring = this.probe.measure();
      if (!(await settlesWithin(measuring, REPORT_AFTER_MS))) await this.report(name);
      const recovery = await measuring;
      await accepting;
      return { fault: name, recovery, error: null };
    } catch (error) {
      return { fault: name, recovery: null, error: String(error) };
    }
  }

  /** Prints what the stack is doing. */
  private async report(fault: string): Promise<void> {
    const state = await this.withPlatform((platform) => describeStack(this.stack, platform)).catch(String);
    process.stderr.write(`not recovered ${REPORT_AFTER_MS / 1000} s after ${fault}:\n${state}\n`);
  }

  /** Everything that load and probe were promised, for the comparison with what is stored. */
  get accepted(): Accepted {
    const { sessions, sales, shop } = this.load;
    const { organisationId } = this.stack.run();
    return { organisationId, sessions, sales: [...sales, ...this.probe.sales], shop };
  }

  /** Calls `use` with a platform that is connected to the engines of the stack. */
  async withPlatform<T>(use: (platform: Platform) => Promise<T>): Promise<T> {
    const config = { ...loadConfig({ ...process.env, ...this.stack.run().environment }), LOG_LEVEL: 'error' } as const;
    const platform = await createPlatform(config, { name: 'test', watch: false });
    try {
      return await use(platform);
    } finally {
      await closePlatform(platform);
    }
  }
}

/** Prints one line of the table; the runner shows only the standard error of tests. */
function printResult(result: FaultResult | undefined): void {
  if (result === undefined) return;
  const { fault, recovery, error } = result;
  const format = (seconds: number): string => `${seconds.toFixed(1).padStart(6)} s`;
  const figures =
    recovery === null ? String(error) : [recovery.accept, recovery.render, recovery.check].map(format).join(' ');
  process.stderr.write(`${fault.padEnd(24)} ${figures}\n`);
}

/** Seconds until the slowest part of the service served again; infinite if something failed. */
export const getRecoverySeconds = ({ recovery }: FaultResult): number =>
  recovery === null ? Infinity : Math.max(recovery.accept, recovery.render, recovery.check);

/** Prints the head of the table. */
export const printHead = (): void => {
  const columns = ['accepted', 'rendered', 'checked'].map((name) => name.padStart(8)).join(' ');
  process.stderr.write(`${'after the fault'.padEnd(24)} ${columns}\n`);
};
