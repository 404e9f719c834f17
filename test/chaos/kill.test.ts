import { readdirSync, readFileSync } from 'node:fs';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { call } from '../support/client';
import { startReceiver } from '../support/receiver';
import type { Receiver } from '../support/receiver';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import { RetryingClient, EXPECTED_OUTCOMES, issueInvoice, verifySession } from './load';
import type { SessionPlan } from './load';
import { printRecoveryTimes } from './recovery-times';

const SESSION_COUNT = 20;
const AT_ONCE = 4;
const INITIAL_STOCK = 100;
/** Processes killed one after another while requests continue. */
const VICTIMS = ['api', 'worker', 'mongod', 'temporal', 's3', 'chromium'] as const;
const PLANS: readonly SessionPlan[] = ['holder', 'another_person', 'reviewed', 'holder'];

const selectPlan = (index: number): SessionPlan => PLANS[index % PLANS.length] ?? 'holder';

/** Finds Chromium by its command line among the child processes of the worker. */
function findChromiumPid(workerPid: number): number | null {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent === workerPid && readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes('--headless'))
        return Number(entry);
    } catch {
      // The process has ended in the meantime.
    }
  }
  return null;
}

async function killAndRecover(stack: SharedStack, victim: (typeof VICTIMS)[number]): Promise<void> {
  if (victim === 'chromium') {
    const pid = findChromiumPid(stack.run().pids['worker'] ?? 0);
    if (pid === null) throw new Error('Chromium is not running.');
    process.kill(pid, 'SIGKILL');
  } else stack.kill(victim);
  await stack.waitUntilReady();
}

/** Runs at most AT_ONCE jobs concurrently and resolves waiters by the number of completed jobs. */
class WorkQueue {
  private done = 0;
  private readonly watchers: { count: number; wake: () => void }[] = [];

  async run(count: number, job: (index: number) => Promise<void>): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < count) {
          const index = next;
          next += 1;
          await job(index);
          this.done += 1;
          this.watchers.filter((watcher) => watcher.count <= this.done).forEach(({ wake }) => wake());
        }
      }),
    );
  }

  waitForCount(count: number): Promise<void> {
    return this.done >= count ? Promise.resolve() : new Promise((wake) => this.watchers.push({ count, wake }));
  }
}

describe('sessions and invoices while every process is killed', () => {
  let stack: SharedStack;
  let images: DemoImages;
  let receiver: Receiver;
  let identity: RetryingClient;
  let business: RetryingClient;
  const sessions = new Map<string, SessionPlan>();
  const numbers: string[] = [];
  let customerId = 0;
  let productId = 0;
  const recoveryTimes: [fault: string, milliseconds: number][] = [];

  beforeAll(async () => {
    stack = await shareOwnStack();
    const run = stack.run();
    process.env['CHROMIUM_PATH'] ??= run.environment['CHROMIUM_PATH'];
    images = await makeDemoImages();
    receiver = await startReceiver();
    identity = new RetryingClient(stack, { key: run.identityApiKey });
    await identity.requestWithRetries('POST', '/v1/webhooks', {
      json: { url: `${receiver.url}/kill`, events: ['session.completed', 'session.declined'] },
    });
    const login = await call('POST', '/api/auth/login', { api: run.api, json: run.admin });
    business = new RetryingClient(stack, { token: (login.body as { data: { token: string } }).data.token });
    const product = {
      code: 'KILL',
      name: 'Sturdy goods',
      type: 'goods',
      price: 19.9,
      initialStock: { quantity: INITIAL_STOCK, unitCost: 10 },
    };
    const getId = (body: Record<string, unknown>): number => (body as { data: { id: number } }).data.id;
    productId = getId((await business.requestWithRetries('POST', '/api/products', { json: product })).body);
    customerId = getId(
      (await business.requestWithRetries('POST', '/api/customers', { json: { name: 'Patient Customer' } })).body,
    );

    const work = new WorkQueue();
    const killing = (async () => {
      for (const [index, victim] of VICTIMS.entries()) {
        await work.waitForCount(1 + index * 3);
        const killedAt = performance.now();
        await killAndRecover(stack, victim);
        recoveryTimes.push([`kill -9 ${victim}: ready`, performance.now() - killedAt]);
      }
    })();
    const working = work.run(SESSION_COUNT, async (index) => {
      const plan = selectPlan(index);
      const [sessionId, number] = await Promise.all([
        verifySession(identity, plan, images),
        issueInvoice(business, customerId, productId),
      ]);
      sessions.set(sessionId, plan);
      numbers.push(number);
    });
    await Promise.all([killing, working]);
  }, 600_000);

  afterAll(async () => {
    printRecoveryTimes(recoveryTimes);
    await receiver?.close();
  }, 120_000);

  test('every session has the expected outcome, with each reviewer’s decision exactly once', async () => {
    expect(sessions.size).toBe(SESSION_COUNT);
    for (const [id, plan] of sessions) {
      const { body } = await identity.requestWithRetries('GET', `/v1/sessions/${id}`);
      const { session } = body as { session: { status: string; reviews: unknown[] } };
      expect({ plan, status: session.status, reviews: session.reviews.length }).toEqual({
        plan,
        status: EXPECTED_OUTCOMES[plan].status,
        reviews: plan === 'reviewed' ? 1 : 0,
      });
    }
  });

  test('every decision is delivered at least once, always with the same webhook-id', async () => {
    for (const [id, plan] of sessions) {
      const matches = (request: { body: string }): boolean => request.body.includes(id);
      await receiver.waitFor(matches, 180_000);
      const matchingEvents = receiver.requests.filter(matches);
      expect(new Set(matchingEvents.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      for (const { body } of matchingEvents)
        expect((JSON.parse(body) as { type: string }).type).toBe(EXPECTED_OUTCOMES[plan].event);
    }
  }, 400_000);

  test('invoice numbers have no gaps and no duplicates, and the stock equals the unsold quantity', async () => {
    const sequences = numbers.map((number) => Number(/(\d+)$/.exec(number)?.[1])).sort((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: SESSION_COUNT }, (_, index) => index + 1));
    const list = (await business.requestWithRetries('GET', '/api/invoices?pageSize=100')).body as {
      totalCount: number;
      data: unknown[];
    };
    expect(list).toMatchObject({ totalCount: SESSION_COUNT });
    expect(list.data).toHaveLength(SESSION_COUNT);
    const product = (await business.requestWithRetries('GET', `/api/products/${productId}`)).body as {
      data: { stock: number };
    };
    expect(product.data.stock).toBe(INITIAL_STOCK - 2 * SESSION_COUNT);
  });
});
