import { OpenItem } from '../../../../models/business/payments/open-item';
import { MIGRATIONS } from '../../../../services/migrations';
import { addProduct, createBusinessClient, getCreatedId, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { runMigration } from '../../../support/migrations';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

/** Receipts of which a part is returned, paid or billed. */
let client: BusinessClient;
let vendorId: number;
beforeEach(async () => {
  client = await createBusinessClient('Parts of receipts');
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterAll(closeTestPlatform);

/** A received order. @returns the id of the receipt */
async function receive(line: object, fields: object = {}, date?: string): Promise<number> {
  const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines: [line], ...fields }));
  const received = await client.post(`/api/purchase-orders/${order}/receive`, date === undefined ? {} : { date });
  expect(received.status).toBe(201);
  return (getData(received)['receipt'] as { id: number }).id;
}

async function giveBack(receiptId: number, quantity: number, fields: object = {}): Promise<void> {
  const lines = [{ lineId: 1, quantity }];
  const returned = await client.post('/api/vendor-returns', { receiptId, reason: 'Broken', lines, ...fields });
  expect(returned.status).toBe(201);
}

const readState = async (receiptId: number): Promise<unknown> =>
  getRows(await client.get('/api/payables?state=all')).find(({ id }) => id === receiptId)?.['state'];

async function expectNoViolations(): Promise<void> {
  const { violations, invariants } = getData(await client.post('/api/admin/invariants', undefined)) as {
    violations: number;
    invariants: { violations: number }[];
  };
  expect([violations, invariants.filter((each) => each.violations > 0)]).toEqual([0, []]);
}

/** Accounts that do not end at zero, by name. */
async function readBalances(): Promise<Record<string, number>> {
  const accounts = getData(await client.get('/api/reports/trial-balance'))['accounts'] as {
    name: string;
    closing: number;
  }[];
  return Object.fromEntries(
    accounts.filter(({ closing }) => closing !== 0).map(({ name, closing }) => [name, closing]),
  );
}

test('a receipt that is paid in part and returned for the rest is settled, and void once the payment is taken back', async () => {
  const receiptId = await receive({ productId: await addProduct(client), quantity: 10, unitCost: 10 });
  const allocations = [{ documentId: receiptId, amount: 60 }];
  const paid = getData(await client.post('/api/payables/payments', { vendorId, amount: 60, allocations }));
  await giveBack(receiptId, 5);
  expect(await readState(receiptId)).toBe('settled');
  await expectNoViolations();

  const [allocation] = paid['allocations'] as { id: number }[];
  const path = `/api/payables/allocations/${String(allocation?.id)}/reverse`;
  expect((await client.post(path, { reason: 'Paid in error' })).status).toBe(200);
  expect(await readState(receiptId)).toBe('open');
  await giveBack(receiptId, 5);
  expect(await readState(receiptId)).toBe('void');
  await expectNoViolations();
});

test('a receipt that an earlier version recorded as void although a part of it was paid is settled by a migration', async () => {
  const platform = await getTestPlatform();
  const migration = MIGRATIONS.find(({ name }) => name === 'receipt-states');
  if (migration === undefined) throw new Error('there is no such migration');
  const receiptIds: number[] = [];
  for (const paid of [60, 0]) {
    const receiptId = await receive({ productId: await addProduct(client), quantity: 10, unitCost: 10 });
    const allocations = [{ documentId: receiptId, amount: paid }];
    if (paid > 0)
      expect((await client.post('/api/payables/payments', { vendorId, amount: paid, allocations })).status).toBe(201);
    await giveBack(receiptId, paid > 0 ? 5 : 10);
    receiptIds.push(receiptId);
  }
  const readStates = () => Promise.all(receiptIds.map(readState));
  expect(await readStates()).toEqual(['settled', 'void']);

  const { organisationId } = client.tenant;
  const item = { organisationId, side: 'payable', kind: 'receipt', id: receiptIds[0] ?? 0 } as const;
  await OpenItem.updateOne(item, { $set: { state: 'void' } });
  const { version } = await OpenItem.findOne(item).orFail().lean();
  expect(await readStates()).toEqual(['void', 'void']);
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 1 });

  await runMigration(platform, migration);
  expect(await readStates()).toEqual(['settled', 'void']);
  await expectNoViolations();
  await runMigration(platform, migration);
  expect(await OpenItem.findOne(item).orFail().lean()).toMatchObject({ state: 'settled', version: version + 1 });
});

test('a return of a part of a receipt of free goods leaves the receipt as it is', async () => {
  const receiptId = await receive({ productId: await addProduct(client), quantity: 10, unitCost: 0 });
  await giveBack(receiptId, 4);
  await expectNoViolations();
  await giveBack(receiptId, 6);
  await expectNoViolations();
});

test('a foreign receipt that is returned in parts leaves nothing on any account but the price of the goods', async () => {
  expect(
    (await client.post('/api/config/exchange-rates', { currencyCode: 'USD', date: '2026-11-02', rate: 0.9 })).status,
  ).toBe(201);
  const productId = await addProduct(client);
  const line = { productId, quantity: 2, unitCost: 0.25 };
  // Tax of 0.05 for each unit is 0.05 in base currency, but that of both, 0.10, is 0.09.
  const receiptId = await receive(line, { currencyCode: 'USD', orderDate: '2026-11-02' }, '2026-11-02');
  await giveBack(receiptId, 1, { date: '2026-11-03' });
  await giveBack(receiptId, 1, { date: '2026-11-04' });
  expect(await readBalances()).toEqual({});
  await expectNoViolations();
});

test('a foreign bill whose goods are returned in parts leaves neither input tax nor an exchange difference', async () => {
  const rate = { currencyCode: 'USD', date: '2026-11-02', rate: 0.9 };
  expect((await client.post('/api/config/exchange-rates', rate)).status).toBe(201);
  const productId = await addProduct(client);
  const line = { productId, quantity: 2, unitCost: 0.25 };
  const receiptId = await receive(line, { currencyCode: 'USD', orderDate: '2026-11-02' }, '2026-11-02');
  const bill = { vendorId, number: 'B-1', date: '2026-11-03', currencyCode: 'USD', receiptIds: [receiptId] };
  expect((await client.post('/api/payables', { ...bill, lines: [line] })).status).toBe(201);
  await giveBack(receiptId, 1, { date: '2026-11-04' });
  await giveBack(receiptId, 1, { date: '2026-11-05' });
  expect(await readBalances()).toEqual({});
  const vat = getData(await client.get('/api/reports/vat?dateFrom=2026-11-01&dateTo=2026-11-30'));
  expect(vat['periods']).toMatchObject([{ inputTax: 0, rows: [{ net: 0, tax: 0 }] }]);
  await expectNoViolations();
});

test.each([
  ['free of charge', 0],
  ['at a cost whose tax is rounded', 0.03],
])('goods that were received %s and billed at a price are credited with the tax of their rate', async (_, unitCost) => {
  const productId = await addProduct(client);
  const receiptId = await receive({ productId, quantity: 1, unitCost });
  const lines = [{ productId, quantity: 1, unitCost: 50 }];
  const bill = { vendorId, number: 'B-1', date: new Date().toISOString().slice(0, 10), receiptIds: [receiptId], lines };
  expect((await client.post('/api/payables', bill)).status).toBe(201);
  await giveBack(receiptId, 1, { lines: [{ lineId: 1, quantity: 1, unitCost: 50 }] });
  const [returned] = getRows(await client.get('/api/vendor-returns'));
  expect(returned).toMatchObject({ total: 50, taxTotal: 10, lines: [{ net: 50, tax: 10 }] });
  expect((await readBalances())['Input tax']).toBeUndefined();
  await expectNoViolations();
});
