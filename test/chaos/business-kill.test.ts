import { call } from '../support/client';
import type { ApiResponse } from '../support/client';
import { startReceiver } from '../support/receiver';
import type { Receiver } from '../support/receiver';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import { RetryingClient } from './load';
import { printRecoveryTimes } from './recovery-times';

const KILLED_COUNT = 200;
/** Invoices issued at once while Temporal does not respond. */
const OUTAGE_COUNT = 40;
const INVOICE_COUNT = KILLED_COUNT + OUTAGE_COUNT;
const UNITS_PER_INVOICE = 3;
/** Process to kill after a number of responses. */
const KILLS: readonly [number, string][] = [
  [10, 'api'],
  [60, 'mongod'],
  [120, 'api'],
];

interface Issued {
  id: number;
  number: string;
  grandTotal: number;
}
const parseIssued = (response: ApiResponse): Issued => {
  if (response.status !== 201)
    throw new Error(`Unexpected status ${response.status}: ${response.bytes.toString('utf8')}`);
  return response.body['data'] as Issued;
};
/** The number of the document that an event is about. */
const readNumber = (text: string): string | undefined =>
  (JSON.parse(text) as { data: { number?: string } }).data.number;
const getId = (response: ApiResponse): number => (response.body['data'] as { id: number }).id;

/** Counts responses and resolves waiters at their count. */
class Progress {
  private done = 0;
  private readonly waiting: { count: number; wake: () => void }[] = [];

  countResponse(): void {
    this.done += 1;
    this.waiting.filter(({ count }) => count <= this.done).forEach(({ wake }) => wake());
  }

  get count(): number {
    return this.done;
  }

  waitForCount(count: number): Promise<void> {
    return this.done >= count ? Promise.resolve() : new Promise((wake) => this.waiting.push({ count, wake }));
  }
}

describe('invoices with a webhook while the API and the database are killed and Temporal does not respond', () => {
  let stack: SharedStack;
  let client: RetryingClient;
  let body: object;
  let productId: number;
  let receiver: Receiver;
  const recoveries: [string, number][] = [];
  /** Statuses of the requests that were sent once while Temporal did not respond. */
  let outageStatuses: number[];
  /** Responses by Idempotency-Key. */
  const issued = new Map<string, Issued>();

  beforeAll(async () => {
    stack = await shareOwnStack();
    const run = stack.run();
    const login = await call('POST', '/api/auth/login', { api: run.api, json: run.admin });
    client = new RetryingClient(stack, { token: (login.body as { data: { token: string } }).data.token });
    const goods = {
      name: 'Goods',
      price: 9.99,
      initialStock: { quantity: INVOICE_COUNT * UNITS_PER_INVOICE, unitCost: 3.33 },
    };
    productId = getId(await client.requestWithRetries('POST', '/api/products', { json: goods }));
    const customerId = getId(
      await client.requestWithRetries('POST', '/api/customers', { json: { name: 'Many Orders Ltd' } }),
    );
    body = { customerId, lines: [{ productId, quantity: UNITS_PER_INVOICE }] };
    receiver = await startReceiver();
    const identity = new RetryingClient(stack, { key: run.identityApiKey });
    await identity.requestWithRetries('POST', '/v1/webhooks', { json: { url: receiver.url, events: ['*'] } });

    const progress = new Progress();
    const killing = (async () => {
      for (const [count, role] of KILLS) {
        await progress.waitForCount(count);
        stack.kill(role);
        const killedAt = performance.now();
        const { count: before } = progress;
        await progress.waitForCount(before + 1);
        recoveries.push([`kill -9 ${role}: next invoice`, performance.now() - killedAt]);
        await stack.waitUntilReady();
      }
    })();
    const requests = Array.from({ length: KILLED_COUNT }, async (_, index) => {
      const key = `order-${index}`;
      const response = await client.requestWithRetries('POST', '/api/invoices', {
        json: body,
        headers: { 'idempotency-key': key },
      });
      issued.set(key, parseIssued(response));
      progress.countResponse();
    });
    await Promise.all([killing, ...requests]);

    const { api } = stack.run();
    const token = await client.requestWithRetries('POST', '/api/auth/login', { json: run.admin });
    const credential = { api, token: (token.body as { data: { token: string } }).data.token, json: body };
    stack.kill('temporal', 'SIGSTOP');
    const stoppedAt = performance.now();
    const responses = await Promise.all(
      Array.from({ length: OUTAGE_COUNT }, (_, index) =>
        call('POST', '/api/invoices', { ...credential, headers: { 'idempotency-key': `outage-${index}` } }),
      ),
    );
    recoveries.push([`SIGSTOP temporal: ${OUTAGE_COUNT} invoices at once`, performance.now() - stoppedAt]);
    stack.kill('temporal', 'SIGCONT');
    const continuedAt = performance.now();
    outageStatuses = responses.map(({ status }) => status);
    responses.forEach((response, index) => issued.set(`outage-${index}`, parseIssued(response)));
    const outageNumbers = new Set(responses.map((response) => parseIssued(response).number));
    await receiver.waitForCount(OUTAGE_COUNT, ({ body: text }) => outageNumbers.has(readNumber(text) ?? ''), 180_000);
    recoveries.push([`SIGCONT temporal: ${OUTAGE_COUNT} webhooks delivered`, performance.now() - continuedAt]);
  }, 480_000);

  afterAll(async () => {
    printRecoveryTimes(recoveries);
    await receiver?.close();
  }, 120_000);

  test('every request is accepted at once while Temporal does not respond', () => {
    expect(outageStatuses).toEqual(Array.from({ length: OUTAGE_COUNT }, () => 201));
  });

  test('every invoice is announced to the webhook, always with the same webhook-id', async () => {
    const idsByNumber = new Map<string, Set<string>>();
    for (const { number } of issued.values()) {
      await receiver.waitFor(({ body: text }) => readNumber(text) === number, 180_000);
      const matching = receiver.requests.filter(({ body: text }) => readNumber(text) === number);
      idsByNumber.set(number, new Set(matching.map(({ headers }) => headers['webhook-id'] ?? '')));
    }
    expect([...idsByNumber.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(idsByNumber.size).toBe(INVOICE_COUNT);
  }, 400_000);

  test('numbers have no gaps and no duplicates', () => {
    const sequences = [...issued.values()].map(({ number }) => Number(/(\d+)$/.exec(number)?.[1]));
    expect(sequences.sort((a, b) => a - b)).toEqual(Array.from({ length: INVOICE_COUNT }, (_, index) => index + 1));
    expect(new Set([...issued.values()].map(({ id }) => id)).size).toBe(INVOICE_COUNT);
  });

  test('exactly the invoices that were returned exist, unchanged', async () => {
    const found: Issued[] = [];
    for (let page = 1; page <= Math.ceil(INVOICE_COUNT / 100); page += 1) {
      const { body: list } = await client.requestWithRetries(
        'GET',
        `/api/invoices?pageSize=100&page=${page}&sortBy=id&sortDir=asc`,
      );
      expect(list['totalCount']).toBe(INVOICE_COUNT);
      found.push(...(list['data'] as Issued[]));
    }
    const sortedIssued = [...issued.values()].sort((a, b) => a.id - b.id);
    expect(found.map(({ id, number, grandTotal }) => ({ id, number, grandTotal }))).toEqual(
      sortedIssued.map(({ id, number, grandTotal }) => ({ id, number, grandTotal })),
    );
  });

  test('a repeated Idempotency-Key returns the same invoice', async () => {
    for (const [key, { number }] of [...issued].slice(0, 20)) {
      const again = await client.requestWithRetries('POST', '/api/invoices', {
        json: body,
        headers: { 'idempotency-key': key },
      });
      expect(parseIssued(again).number).toBe(number);
    }
  });

  test('every unit was sold once, and no invariant is violated', async () => {
    const product = (await client.requestWithRetries('GET', `/api/products/${productId}`)).body['data'];
    expect(product).toMatchObject({ stock: 0 });
    const { status, body: checkBody } = await client.requestWithRetries('POST', '/api/admin/invariants');
    expect(status).toBe(200);
    const { invariants } = checkBody['data'] as { invariants: { violations: number; checked: number }[] };
    expect(invariants.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(invariants.length).toBeGreaterThan(8);
  });
});
