import { setTimeout as delay } from 'node:timers/promises';
import { INVARIANT_NAMES } from '../../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../../domain/business/invariants/invariants';
import { StockBalance, StockValue } from '../../../../models/business/stock/stock';
import { closeTestPlatform, testPlatform } from '../../../support/tenant';
import type { Answer } from '../../../support/client';
import { call } from '../../../support/client';
import { CORRUPTIONS, minusOne, one } from '../../../support/business/corruptions';
import {
  addCustomer,
  addProduct,
  addService,
  businessClient,
  clientWith,
  dataOf,
  idOf,
  rowsOf,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { startOwnApi } from '../../../support/business/own-api';

const PATH = '/api/admin/invariants';
const TOKEN = 'a-token-of-this-test-alone';
const today = new Date().toISOString().slice(0, 10);

interface Found {
  checkedAt: string | null;
  running: boolean;
  violations: number;
  invariants: {
    invariant: InvariantName;
    checked: number;
    violations: number;
    examples: { subject: string; what: string; expected: string; found: string }[];
  }[];
}
const foundIn = (answer: Answer): Found => dataOf(answer) as unknown as Found;
const look = async (client: BusinessClient): Promise<Found> => {
  const answer = await client.post(PATH, undefined);
  expect(answer.status).toBe(200);
  return foundIn(answer);
};
const broken = ({ invariants }: Found) => invariants.filter(({ violations }) => violations > 0);

/** A company with at least one record of every kind that an invariant is about. Ids are 1, 2, 3 … in this order. */
async function live(client: BusinessClient): Promise<void> {
  const productId = await addProduct(client, { initialStock: { quantity: 40, unitCost: 3.33 } });
  const serviceId = await addService(client);
  const customerId = await addCustomer(client);
  const other = idOf(await client.post('/api/inventory/warehouses', { code: 'EAST', name: 'East' }));
  const transfer = { fromWarehouseId: 1, toWarehouseId: other, lines: [{ productId, quantity: 5 }] };
  idOf(await client.post('/api/inventory/transfers', transfer));
  const adjusted = { warehouseId: other, reason: 'Counted', lines: [{ productId, countedQuantity: 4 }] };
  idOf(await client.post('/api/inventory/adjustments', adjusted));
  const invoice = (quantity: number) =>
    client.post('/api/invoices', {
      customerId,
      lines: [
        { productId, quantity },
        { productId: serviceId, quantity: 1 },
      ],
    });
  const [first, second, third] = [idOf(await invoice(3)), idOf(await invoice(7)), idOf(await invoice(1))];
  idOf(await client.post('/api/invoices', { customerId, draft: true, lines: [{ productId, quantity: 1 }] }));
  const paid = { customerId, amount: 50, method: 'bank_transfer', allocations: [{ documentId: first, amount: 30 }] };
  const paymentId = idOf(await client.post('/api/receivables/payments', paid));
  idOf(await client.post('/api/receivables/refunds', { paymentId, amount: 5, method: 'bank_transfer' }));
  const credit = { invoiceId: second, reason: 'Damaged', restock: true, lines: [{ invoiceLineId: 1, quantity: 2 }] };
  idOf(await client.post('/api/credit-notes', credit));
  expect((await client.post(`/api/invoices/${third}/void`, { reason: 'Twice' })).status).toBe(200);
  const vendorId = idOf(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const lines = [{ productId, quantity: 6, unitCost: 4 }];
  const order = idOf(await client.post('/api/purchase-orders', { vendorId, lines }));
  const receive = (quantity: number) =>
    client.post(`/api/purchase-orders/${order}/receive`, { lines: [{ lineId: 1, quantity }] });
  const received = dataOf(await receive(2))['receipt'] as { id: number };
  expect((await receive(1)).status).toBe(201);
  const bill = { vendorId, number: 'B-1', date: today, lines: [{ productId, quantity: 2, unitCost: 4.5 }] };
  const billed = await client.post('/api/payables', { ...bill, receiptIds: [received.id] });
  expect(billed.status).toBe(201);
  idOf(await client.post('/api/payables/payments', { vendorId, amount: 4, method: 'bank_transfer' }));
}

let client: BusinessClient;
beforeAll(async () => {
  await testPlatform();
  client = await businessClient('Invariants');
  await live(client);
});
afterAll(closeTestPlatform);

test('a company that has traded breaks no invariant, and every one of them had something to compare', async () => {
  const before = await client.get(PATH);
  expectDocumented('get', PATH, before);
  expect(foundIn(before)).toMatchObject({ checkedAt: null, violations: 0, invariants: [] });
  const answer = await client.post(PATH, undefined);
  expectDocumented('post', PATH, answer);
  const found = foundIn(answer);
  expect(broken(found)).toEqual([]);
  expect(found.invariants.map(({ invariant }) => invariant)).toEqual([...INVARIANT_NAMES]);
  expect(found.invariants.filter(({ checked }) => checked === 0)).toEqual([]);
  const after = await client.get(PATH);
  expectDocumented('get', PATH, after);
  expect(foundIn(after)).toEqual(found);
});

describe('the alarm', () => {
  test('has a corrupted fixture for every invariant', () => {
    expect([...new Set(CORRUPTIONS.map(([invariant]) => invariant))].sort()).toEqual([...INVARIANT_NAMES].sort());
  });

  test.each(CORRUPTIONS)(
    '%s rings for %s, naming %s, until it is put right',
    async (invariant, _, subject, corrupt) => {
      const repair = await corrupt(client.tenant.organisationId);
      try {
        const rung = broken(await look(client)).find((each) => each.invariant === invariant);
        expect(rung?.examples.map((example) => example.subject)).toContain(subject);
        for (const { expected, found } of rung?.examples ?? []) expect(found).not.toBe(expected);
      } finally {
        await repair();
      }
      expect(broken(await look(client))).toEqual([]);
    },
  );

  test('names at most twenty records of an invariant and counts all', async () => {
    const { organisationId } = client.tenant;
    const rows = Array.from({ length: 25 }, (_, index) => ({
      organisationId,
      productId: 1000 + index,
      warehouseId: 1,
      onHand: one,
    }));
    await StockBalance.insertMany(rows);
    const rung = broken(await look(client)).find((each) => each.invariant === 'stock_balances');
    await StockBalance.deleteMany({ organisationId, productId: { $gte: 1000 } });
    expect(rung?.violations).toBe(25);
    expect(rung?.examples).toHaveLength(20);
  });

  test('does not ring while invoices, payments, voids and goods are posted at the same time', async () => {
    const busy = await businessClient('Busy');
    await live(busy);
    const [customerId, productId] = [1, 1];
    let posting = true;
    const write = async (worker: number): Promise<number> => {
      let written = 0;
      for (; posting; written += 1) {
        const invoice = await busy.post('/api/invoices', { customerId, lines: [{ productId: 2, quantity: 1 }] });
        expect(invoice.status).toBe(201);
        const adjust = {
          warehouseId: 1,
          reason: 'Found',
          lines: [{ productId, quantityDelta: 1, unitCost: worker + 1 }],
        };
        await busy.post('/api/inventory/adjustments', adjust);
        if (written % 3 === 0) await busy.post(`/api/invoices/${idOf(invoice)}/void`, { reason: 'Test' });
        else await busy.post('/api/receivables/payments', { customerId, amount: 7, method: 'cash' });
      }
      return written;
    };
    const writers = [0, 1, 2, 3].map(write);
    const looks: Found[] = [];
    while (looks.length < 12) looks.push(await look(busy));
    posting = false;
    const written = await Promise.all(writers);
    expect(looks.flatMap(broken)).toEqual([]);
    // Postings did come between the looks.
    const seen = new Set(looks.map(({ invariants }) => invariants.reduce((sum, { checked }) => sum + checked, 0)));
    expect(seen.size).toBeGreaterThan(6);
    expect(written.every((count) => count > 0)).toBe(true);
    expect(broken(await look(busy))).toEqual([]);
  }, 120_000);
});

test('requests at once share one look', async () => {
  const { organisationId } = client.tenant;
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(PATH, undefined)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const asked = rowsOf(await client.get('/api/admin/audit-log?action=invariants.checked&pageSize=100'));
  const times = asked.map((row) => row['at']);
  expect(new Set(times).size).toBe(times.length);
  expect(answers.every((answer) => foundIn(answer).violations === 0)).toBe(true);
  expect(asked.every((row) => row['subject'] === organisationId)).toBe(true);
});

test('reading needs admin:read, a look admin:update', async () => {
  const reader = clientWith(client.tenant, client.token);
  const key = await client.tenant.businessKeyWith(['admin:read']);
  const none = await client.tenant.businessKeyWith(['invoices:read']);
  expect((await call('GET', PATH, { key })).status).toBe(200);
  expect((await call('POST', PATH, { key })).status).toBe(403);
  expect((await call('GET', PATH, { key: none })).status).toBe(403);
  expect((await reader.get(PATH)).status).toBe(200);
});

test('the Schedule looks at companies by itself', async () => {
  const own = await businessClient('Scheduled');
  await addProduct(own, { initialStock: { quantity: 1, unitCost: 1 } });
  const { temporal } = await testPlatform();
  await temporal.schedule.getHandle('check-invariants').trigger();
  const deadline = Date.now() + 60_000;
  let found = foundIn(await own.get(PATH));
  while (found.checkedAt === null && Date.now() < deadline) {
    await delay(200);
    found = foundIn(await own.get(PATH));
  }
  expect(found.checkedAt).not.toBeNull();
  expect(found.violations).toBe(0);
}, 70_000);

describe('/metrics', () => {
  const figure = (text: string, invariant: InvariantName): number =>
    Number(new RegExp(`^vouch_invariant_violations\\{invariant="${invariant}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  const scrape = async (url: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/metrics`, { headers });
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  };

  test('shows a violation above 0 and only to the bearer of the token', async () => {
    const own = await startOwnApi({ metricsToken: TOKEN });
    const without = await startOwnApi({ metricsToken: undefined });
    try {
      expect((await scrape(own.url)).status).toBe(401);
      expect((await scrape(own.url, 'another-token')).status).toBe(401);
      expect((await scrape(without.url, TOKEN)).status).toBe(404);
      await look(client);
      const before = await scrape(own.url, TOKEN);
      expect(before).toMatchObject({ status: 200 });
      expect(before.type).toContain('text/plain');
      for (const name of INVARIANT_NAMES) expect(figure(before.text, name)).toBeGreaterThanOrEqual(0);
      expect(before.text).not.toContain(client.tenant.organisationId);
      const { organisationId } = client.tenant;
      const key = { organisationId, productId: 1 };
      await StockValue.updateOne(key, { $inc: { value: one } });
      await look(client);
      const rung = await scrape(own.url, TOKEN);
      await StockValue.updateOne(key, { $inc: { value: minusOne } });
      expect(figure(rung.text, 'stock_values')).toBe(figure(before.text, 'stock_values') + 1);
      await look(client);
      expect(figure((await scrape(own.url, TOKEN)).text, 'stock_values')).toBe(figure(before.text, 'stock_values'));
      expect(rung.text).toMatch(/^vouch_invariant_oldest_check_timestamp_seconds \d{10}/m);
    } finally {
      await Promise.all([own.close(), without.close()]);
    }
  });
});
