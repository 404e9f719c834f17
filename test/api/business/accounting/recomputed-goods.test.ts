import { findJournalDocuments } from '../../../support/business/accounting/journal-documents';
import { recomputeGoodsBooks } from '../../../support/business/accounting/recompute-goods';
import type { GoodsBooks } from '../../../support/business/accounting/recompute-goods';
import {
  addCustomer,
  addProduct,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { QUANTITY_PLACES, RATE_PLACES, toUnits, unitsToNumber } from '../../../support/business/year/money';
import { closeTestPlatform } from '../../../support/tenant';

/** A company that buys in dollars and sells goods in two currencies, whose books an independent program computes again. */

let client: BusinessClient;
let books: GoodsBooks;
let customerId: number;
let vendorId: number;
let lamps: number;
let shades: number;
/** The adjustment that adds a unit at a stated cost. */
let addition: number;

/** Dollars, each from its day on. */
const RATES: readonly (readonly [string, number])[] = [
  ['2025-09-01', 0.9],
  ['2025-09-15', 0.9217],
  ['2025-10-01', 0.8831],
  ['2025-10-06', 0.8907],
];

const create = async (path: string, body: object): Promise<number> => getCreatedId(await client.post(path, body));
const change = async (path: string, body: object): Promise<void> =>
  expect([path, (await client.post(path, body)).status]).toEqual([path, 200]);

async function buy(): Promise<void> {
  const order = await create('/api/purchase-orders', {
    vendorId,
    currencyCode: 'USD',
    orderDate: '2025-09-02',
    lines: [
      { productId: lamps, quantity: 30, unitCost: 4.113 },
      { productId: shades, quantity: 12, unitCost: 7.77 },
    ],
  });
  const receive = async (date: string, lines: object[]): Promise<number> => {
    const response = await client.post(`/api/purchase-orders/${order}/receive`, { date, lines });
    return (getData(response)['receipt'] as { id: number }).id;
  };
  const first = await receive('2025-09-03', [
    { lineId: 1, quantity: 20 },
    { lineId: 2, quantity: 12 },
  ]);
  const second = await receive('2025-09-16', [{ lineId: 1, quantity: 10 }]);
  const giveBack = (receiptId: number, date: string, lines: object[]) =>
    create('/api/vendor-returns', { receiptId, date, reason: 'Damaged', lines });
  await giveBack(second, '2025-09-17', [{ lineId: 1, quantity: 3.5 }]);
  const bill = await create('/api/payables', {
    vendorId,
    number: 'B-1',
    currencyCode: 'USD',
    date: '2025-10-02',
    receiptIds: [first, second],
    lines: [
      { productId: lamps, quantity: 26.5, unitCost: 4.25 },
      { productId: shades, quantity: 12, unitCost: 7.77 },
    ],
  });
  await giveBack(first, '2025-10-03', [{ lineId: 2, quantity: 2 }]);
  await create('/api/payables/payments', {
    vendorId,
    amount: 100,
    currencyCode: 'USD',
    date: '2025-10-06',
    allocations: [{ documentId: bill, amount: 100 }],
  });
}

async function sell(): Promise<void> {
  const issue = (issueDate: string, currencyCode: string, lines: object[]) =>
    create('/api/invoices', { customerId, issueDate, currencyCode, lines });
  const voided = await issue('2025-09-05', 'EUR', [{ productId: lamps, quantity: 7, unitPrice: 9.99 }]);
  const dollars = await issue('2025-09-06', 'USD', [
    { productId: lamps, quantity: 5.5, unitPrice: 12.37 },
    { productId: shades, quantity: 3, unitPrice: 19.9 },
  ]);
  await create('/api/inventory/adjustments', {
    warehouseId: 1,
    reason: 'Count',
    lines: [{ productId: lamps, quantityDelta: -2.5 }],
  });
  await change(`/api/invoices/${voided}/void`, { reason: 'Made in error' });
  addition = await create('/api/inventory/adjustments', {
    warehouseId: 1,
    reason: 'Found',
    lines: [{ productId: lamps, quantityDelta: 1, unitCost: 5 }],
  });
  await create('/api/credit-notes', {
    invoiceId: dollars,
    reason: 'Returned',
    restock: true,
    issueDate: '2025-09-10',
    lines: [{ invoiceLineId: 1, quantity: 1.5 }],
  });
  for (const [date, amount] of [
    ['2025-09-20', 50],
    ['2025-10-05', 31.07],
  ] as const)
    await create('/api/receivables/payments', {
      customerId,
      amount,
      currencyCode: 'USD',
      date,
      allocations: [{ documentId: dollars, amount }],
    });
  const order = await create('/api/sales-orders', { customerId, lines: [{ productId: lamps, quantity: 4 }] });
  await change(`/api/sales-orders/${order}/confirm`, {});
  await change(`/api/sales-orders/${order}/invoice`, { issueDate: '2025-10-07' });
  const { invoiceId } = getData(await client.get(`/api/sales-orders/${order}`));
  await change(`/api/invoices/${String(invoiceId)}/void`, { reason: 'Wrong day' });
  await change(`/api/sales-orders/${order}/invoice`, { issueDate: '2025-10-08' });
}

beforeAll(async () => {
  client = await createBusinessClient('Recomputed goods');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  const taxRateId = await create('/api/config/tax-rates', { name: 'Standard 19', category: 'S', percent: 19 });
  await client.put('/api/config/company', { defaultTaxRateId: taxRateId });
  for (const [date, rate] of RATES) await create('/api/config/exchange-rates', { currencyCode: 'USD', date, rate });
  lamps = await addProduct(client, { price: 10, taxRateId, initialStock: { quantity: 100, unitCost: 3.333 } });
  shades = await addProduct(client, { price: 20, taxRateId });
  customerId = await addCustomer(client);
  vendorId = await create('/api/vendors', { name: 'Supplies Ltd' });
  await buy();
  await sell();
  books = await recomputeGoodsBooks(client, {
    openingCosts: new Map([
      [lamps, 3_333_000n],
      [shades, 0n],
    ]),
    adjustmentCosts: new Map([[addition, 5_000_000n]]),
    rateOn: (currency, date) =>
      currency === 'EUR' ? 1_000_000n : toUnits(RATES.findLast(([from]) => from <= date)?.[1] ?? 0, RATE_PLACES),
  });
});
afterAll(closeTestPlatform);

test('the trial balance equals the balances that an independent program computes from the documents', async () => {
  const accounts = getData(await client.get('/api/reports/trial-balance'))['accounts'] as {
    number: string;
    closing: number;
  }[];
  const found = accounts.filter(({ closing }) => closing !== 0).map(({ number, closing }) => [number, closing]);
  const computed = [...books.accounts]
    .filter(([, cents]) => cents !== 0n)
    .map(([number, cents]) => [number, Number(cents) / 100]);
  expect(found.sort()).toEqual(computed.sort());
  for (const account of ['3980', '3950', '3960', '3200', '2150', '2660', '9000'])
    expect([account, books.accounts.has(account)]).toEqual([account, true]);
});

test('the valuation has the quantity and value of each product that it computes from the movements', async () => {
  const response = await client.get('/api/inventory/valuation');
  const found = getRows(response).map(({ productId, quantity, value }) => [productId, quantity, value]);
  const computed = books.shelves.map(({ productId, quantity, value }) => [
    productId,
    unitsToNumber(quantity, QUANTITY_PLACES),
    Number(value) / 100,
  ]);
  expect(found).toEqual(computed);
  expect((response.body['totals'] as { value: number }).value).toBe(Number(books.accounts.get('3980')) / 100);
});

test('every entry names its document: returns, receipts, allocations and movements of stock', async () => {
  const kinds = await findJournalDocuments(client);
  for (const kind of ['receipt_return vendor_return', 'receipt payable', 'allocation invoice', 'allocation payable'])
    expect(kinds).toContain(kind);
  for (const type of ['vendor_return', 'invoice', 'payable', 'product', 'adjustment'])
    expect(kinds).toContain(`stock ${type}`);
});

test('open amounts in both currencies are those that it computes, and no invariant is violated', async () => {
  for (const side of ['receivable', 'payable'] as const) {
    const aging = getData(await client.get(`/api/${side}s/aging`));
    const { total } = books.ledger.buildAgingReport(side, new Date().toISOString().slice(0, 10));
    expect([side, (aging['total'] as { net: number }).net]).toEqual([side, total['net']]);
  }
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
