import { randomUUID } from 'node:crypto';
import { addDays, getDayBounds, toCalendarDate } from '../../../../domain/business/calendar';
import { getStockValuationPlan } from '../../../support/business/valuation-plan';
import { StockLedger } from '../../../../models/business/stock/stock';
import { expectDocumented } from '../../../support/business/documented';
import { createAndDownloadExport, parseCsvRows } from '../../../support/business/exports';
import { addCustomer, addProduct, createBusinessClient, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

/** The account of inventory in the preset charts. */
const INVENTORY_NAMES = ['Inventory', 'Waren (Bestand)'];
const SECOND = { name: 'Second', code: 'SECOND' };

let client: BusinessClient;
let organisationId: string;
let second: number;
let today: string;
let zone: string;
const products: number[] = [];

/** Movements are posted today; the test moves the first of them to earlier days. */
async function backdate(productId: number, sequence: number, days: number): Promise<void> {
  const postedAt = new Date(getDayBounds(addDays(today, -days), zone).from.getTime() + sequence);
  await StockLedger.updateOne({ organisationId, productId, sequence }, { $set: { postedAt } });
}

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Valuation');
  organisationId = client.tenant.organisationId;
  const company = getData(await client.get('/api/config/company'));
  zone = String(company['timeZone']);
  today = toCalendarDate(new Date(), zone);
  second = Number(getData(await client.post('/api/inventory/warehouses', SECOND))['id']);
  const customerId = await addCustomer(client);
  for (const [quantity, unitCost] of [
    [10, 3.333333],
    [7, 1.01],
    [3, 100],
  ]) {
    const productId = await addProduct(client, { price: 5, initialStock: { quantity, unitCost } });
    products.push(productId);
    const moved = await client.post('/api/inventory/transfers', {
      fromWarehouseId: 1,
      toWarehouseId: second,
      lines: [{ productId, quantity: 2 }],
    });
    expect(moved.status).toBe(201);
    expect((await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] })).status).toBe(201);
  }
  const [first = 0, other = 0] = products;
  await backdate(first, 1, 20);
  await backdate(first, 2, 10);
  await backdate(first, 3, 9);
  await backdate(other, 1, 10);
  await backdate(other, 2, 5);
});
afterAll(closeTestPlatform);

interface Valuation {
  rows: Record<string, unknown>[];
  value: number;
  warehouses: Record<string, unknown>[];
}

async function readValuation(query = ''): Promise<Valuation> {
  const response = await client.get(`/api/inventory/valuation?pageSize=100${query}`);
  expectDocumented('get', '/api/inventory/valuation', response);
  const totals = response.body['totals'] as { value: number; warehouses: Record<string, unknown>[] };
  return { rows: getRows(response), value: totals.value, warehouses: totals.warehouses };
}

const sumCents = (rows: readonly Record<string, unknown>[], field: string): number =>
  rows.reduce((total, row) => total + Math.round(Number(row[field]) * 100), 0);

const readInventoryAccount = async (day: string): Promise<number> => {
  const response = await client.get(`/api/reports/trial-balance?dateFrom=${day}&dateTo=${day}`);
  const accounts = getData(response)['accounts'] as { name: string; closing: number }[];
  return accounts.find(({ name }) => INVENTORY_NAMES.includes(name))?.closing ?? 0;
};

test('the value of stock at the end of any day is the balance of the inventory account in the journal', async () => {
  for (const days of [30, 20, 15, 10, 9, 5, 1, 0]) {
    const day = addDays(today, -days);
    const { rows, value, warehouses } = await readValuation(`&asOf=${day}`);
    expect([day, value]).toEqual([day, await readInventoryAccount(day)]);
    expect(sumCents(rows, 'value')).toBe(Math.round(value * 100));
    expect(sumCents(warehouses, 'value')).toBe(Math.round(value * 100));
  }
  const now = await readValuation();
  expect(now).toEqual(await readValuation(`&asOf=${today}`));
});

test('the values of the warehouses of a product add up to its value; filters and pages keep the totals', async () => {
  const [first = 0] = products;
  const { rows } = await readValuation(`&productId=${first}`);
  // 10 at 3.333333 are 33.33; one was sold for 3.33. 7 ÷ 9 of 30.00 are in the main warehouse.
  expect(rows.map((row) => [row['warehouseId'], row['quantity'], row['unitCost'], row['value']])).toEqual([
    [1, 7, 3.333333, 23.33],
    [second, 2, 3.333333, 6.67],
  ]);
  const inSecond = await readValuation(`&warehouseId=${second}`);
  expect(inSecond.warehouses).toHaveLength(1);
  expect(await readValuation(`&warehouseId=1,${second}`)).toEqual(await readValuation());
  const page = await client.get(`/api/inventory/valuation?warehouseId=${second}&pageSize=1&page=2`);
  expect([getRows(page).length, page.body['totalCount']]).toEqual([1, 3]);
  expect(page.body['totals']).toMatchObject({ value: inSecond.value });
  expect((await client.get('/api/inventory/valuation?asOf=yesterday')).status).toBe(400);
});

test('the stock list has the same values, now and at a time', async () => {
  for (const query of ['', `&asOf=${addDays(today, -9)}`]) {
    const listed = getRows(await client.get(`/api/inventory/stock?pageSize=100${query}`));
    const { rows } = await readValuation(query);
    const pick = (row: Record<string, unknown>) => [row['productId'], row['warehouseId'], row['value']];
    expect(listed.filter((row) => row['onHand'] !== 0).map(pick)).toEqual(rows.map(pick));
  }
});

test('exports of stock and of its valuation at a time have unit cost and value in every format', async () => {
  const asOf = addDays(today, -9);
  const { value } = await readValuation(`&asOf=${asOf}`);
  const resource = 'stock-valuation';
  const { file: csv } = await createAndDownloadExport(client, { resource, format: 'csv', filters: { asOf } });
  const rows = parseCsvRows(csv.bytes);
  expect(sumCents(rows, 'value')).toBe(Math.round(value * 100));
  expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(['unitCost', 'value']));
  const { file: json } = await createAndDownloadExport(client, { resource, format: 'json', filters: { asOf } });
  expect(json.body).toHaveLength(rows.length);
  const { file: xlsx } = await createAndDownloadExport(client, { resource, format: 'xlsx' });
  expect(xlsx.status).toBe(200);
  const { file: stock } = await createAndDownloadExport(client, { resource: 'stock', format: 'json' });
  expect(sumCents(stock.body as unknown as Record<string, unknown>[], 'value')).toBe(
    Math.round((await readValuation()).value * 100),
  );
  const refused = await client.post('/api/exports', { resource, format: 'csv', filters: { asOf: 'yesterday' } });
  expect(refused.status).toBe(400);
});

test('a valuation reads indexes only: movements of the period by time, of a product by its id', async () => {
  expect(await getStockValuationPlan({ organisationId, asOf: getDayBounds(today, zone).from })).toEqual({
    indexes: ['organisationId_1_postedAt_1'],
    scans: 0,
  });
  const { indexes, scans } = await getStockValuationPlan({ organisationId, productId: { $in: products } });
  expect([indexes.every((name) => name.startsWith('organisationId_1_productId_1')), scans]).toEqual([true, 0]);
});

async function readLedger(query: string): Promise<ApiResponse> {
  const response = await client.get(`/api/inventory/ledger?${query}`);
  expectDocumented('get', '/api/inventory/ledger', response);
  return response;
}

describe('stock ledger', () => {
  test('lists the movements with quantity and value after each, and the stock before the first', async () => {
    const [first = 0] = products;
    const all = await readLedger(`productId=${first}`);
    expect(all.body['opening']).toEqual({ quantity: 0, value: 0 });
    const pick = (row: Record<string, unknown>) => [
      row['kind'],
      row['warehouseId'],
      row['quantity'],
      row['value'],
      row['quantityAfter'],
      row['valueAfter'],
      row['warehouseQuantityAfter'],
      row['warehouseValueAfter'],
    ];
    expect(getRows(all).map(pick)).toEqual([
      ['opening', 1, 10, 33.33, 10, 33.33, 10, 33.33],
      ['transfer', 1, -2, 0, 8, 33.33, 8, 33.33],
      ['transfer', second, 2, 0, 10, 33.33, 2, 6.67],
      ['invoice', 1, -1, -3.33, 9, 30, 7, 23.33],
    ]);
    expect(getRows(all).map((row) => (row['source'] as { type: string }).type)).toEqual([
      'product',
      'transfer',
      'transfer',
      'invoice',
    ]);
    const from = addDays(today, -9);
    const later = await readLedger(`productId=${first}&dateFrom=${from}`);
    expect(later.body['opening']).toEqual({ quantity: 8, value: 33.33 });
    expect(getRows(later)).toEqual(getRows(all).slice(2));
    const inSecond = await readLedger(`productId=${first}&dateFrom=${today}&warehouseId=${second}`);
    expect([inSecond.body['opening'], getRows(inSecond)]).toEqual([{ quantity: 2, value: 6.67 }, []]);
    expect(getRows(await readLedger(`productId=${first}&dateTo=9999-12-31`))).toEqual(getRows(all));
    expect((await readValuation('&asOf=9999-12-31')).value).toBe((await readValuation()).value);
    const until = await readLedger(`productId=${first}&dateTo=${addDays(today, -10)}`);
    expect(getRows(until)).toEqual(getRows(all).slice(0, 2));
  });

  test('its last row agrees with the valuation, and its sources are routes that answer', async () => {
    for (const productId of products) {
      const rows = getRows(await readLedger(`productId=${productId}`));
      const { rows: valued } = await readValuation(`&productId=${productId}`);
      const last = rows.at(-1) ?? {};
      expect(last['valueAfter']).toBe(sumCents(valued, 'value') / 100);
      const own = valued.find((row) => row['warehouseId'] === last['warehouseId']);
      expect([last['warehouseQuantityAfter'], last['warehouseValueAfter']]).toEqual([
        own?.['quantity'] ?? 0,
        own?.['value'] ?? 0,
      ]);
      for (const row of rows) {
        const { path, type, number } = row['source'] as { path: string; type: string; number: string | null };
        const source = await client.get(path);
        expect([path, source.status]).toEqual([path, 200]);
        if (type === 'invoice') expect(getData(source)['number']).toBe(number);
      }
    }
  });

  /** The movements of a product, read page by page. */
  async function readLedgerPages(productId: number, pageSize: number): Promise<Record<string, unknown>[]> {
    const paged: Record<string, unknown>[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await readLedger(`productId=${productId}&pageSize=${pageSize}${query}`);
      paged.push(...getRows(page));
      cursor = page.body['nextCursor'] as string | null;
    }
    return paged;
  }

  test('pages by cursor and filters by kind and warehouse without changing the figures', async () => {
    const [first = 0] = products;
    const all = getRows(await readLedger(`productId=${first}`));
    expect(await readLedgerPages(first, 1)).toEqual(all);
    const sold = getRows(await readLedger(`productId=${first}&kind=invoice`));
    expect(sold).toEqual(all.filter((row) => row['kind'] === 'invoice'));
    const inSecond = getRows(await readLedger(`productId=${first}&warehouseId=${second}`));
    expect(inSecond).toEqual(all.filter((row) => row['warehouseId'] === second));
  });

  test('pages by cursor also where more warehouses hold a product than a cursor has room for', async () => {
    const productId = await addProduct(client, {});
    const receive = async (_: unknown, index: number): Promise<void> => {
      const warehouse = { name: `Branch ${index}`, code: `BRANCH-${index}` };
      const warehouseId = getData(await client.post('/api/inventory/warehouses', warehouse))['id'];
      const lines = [{ productId, quantityDelta: index + 1, unitCost: 2 }];
      const posted = await client.post('/api/inventory/adjustments', { warehouseId, reason: 'Opened', lines });
      expect(posted.status).toBe(201);
    };
    await Promise.all(Array.from({ length: 104 }, receive));
    const all = getRows(await readLedger(`productId=${productId}&pageSize=100`));
    const paged = await readLedgerPages(productId, 51);
    expect(paged).toHaveLength(104);
    expect(paged.slice(0, 100)).toEqual(all);
    expect(paged.at(-1)).toMatchObject({ sequence: 104, quantityAfter: 5460, valueAfter: 10_920 });
  });

  test('names a malformed cursor, a missing product and an unknown kind', async () => {
    const [first = 0] = products;
    const errors = async (query: string) => {
      const { status, body } = await client.get(`/api/inventory/ledger?${query}`);
      return [status, (body['errors'] as string[])[0]];
    };
    expect(await errors(`productId=${first}&cursor=${randomUUID()}`)).toEqual([
      400,
      'cursor: accepts the nextCursor of the previous page',
    ]);
    expect(await errors('')).toEqual([400, 'productId: is required; must be the number of a product']);
    expect((await client.get('/api/inventory/ledger?productId=999999')).status).toBe(404);
    expect((await errors(`productId=${first}&kind=theft`))[0]).toBe(400);
  });
});
