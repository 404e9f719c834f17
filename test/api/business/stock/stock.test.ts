import { Decimal, sum } from '../../../../domain/business/decimal';
import { fromDecimal128 } from '../../../../models/business/decimal128';
import { StockBalance, StockLedger, StockValue } from '../../../../models/business/stock/stock';
import { Warehouse } from '../../../../models/business/stock/warehouse';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

const SECOND_WAREHOUSE_ID = 77;

let client: BusinessClient;
let organisationId: string;
let customerId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Stock');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client);
  const now = new Date();
  await Warehouse.create([
    { organisationId, id: SECOND_WAREHOUSE_ID, code: 'SECOND', name: 'Second', createdAt: now, updatedAt: now },
  ]);
});
afterAll(closeTestPlatform);

const adjust = (lines: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/inventory/adjustments', { warehouseId: 1, reason: 'Stock-taking', lines, ...fields });
const transfer = (lines: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/inventory/transfers', { fromWarehouseId: 1, toWarehouseId: SECOND_WAREHOUSE_ID, lines, ...fields });
const sell = (productId: number, quantity: number): Promise<ApiResponse> =>
  client.post('/api/invoices', { customerId, lines: [{ productId, quantity }] });
const listLevels = async (productId: number, query = '') =>
  getRows(await client.get(`/api/inventory/stock?productId=${productId}${query}`)).map((row) => [
    row['warehouseId'],
    row['onHand'],
    row['averageCost'],
  ]);
const getStockValue = async (productId: number) =>
  fromDecimal128((await StockValue.findOne({ organisationId, productId }).orFail().lean()).value).toNumber();

/** Ledger, balances and value of a product say the same. */
async function expectAgreement(productId: number): Promise<void> {
  const rows = await StockLedger.find({ organisationId, productId }).sort({ sequence: 1 }).lean();
  const balances = await StockBalance.find({ organisationId, productId }).lean();
  const value = await StockValue.findOne({ organisationId, productId }).orFail().lean();
  const moved = (warehouseId: number) =>
    sum(rows.filter((row) => row.warehouseId === warehouseId).map((row) => fromDecimal128(row.quantity)));
  for (const { warehouseId, onHand } of balances)
    expect(fromDecimal128(onHand).toString()).toBe(moved(warehouseId).toString());
  expect(sum(rows.map((row) => fromDecimal128(row.value))).toString()).toBe(fromDecimal128(value.value).toString());
  expect(sum(balances.map(({ onHand }) => fromDecimal128(onHand))).toString()).toBe(
    fromDecimal128(value.quantity).toString(),
  );
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
}

test('8 at 10 and 4 at 16, of which 10 go: 24 is left; 2 more at 20 make 4 units worth 64', async () => {
  const productId = await addProduct(client, { price: 50 });
  const first = await adjust([{ productId, quantityDelta: 8, unitCost: 10 }]);
  expect(first.status).toBe(201);
  const { id } = getData(first);
  expect(getData(await client.get(`/api/inventory/adjustments/${String(id)}`))).toEqual(getData(first));
  expect(getRows(await client.get('/api/inventory/adjustments')).map((row) => row['id'])).toContain(id);
  expect((await adjust([{ productId, quantityDelta: 4, unitCost: 16 }])).status).toBe(201);
  expect((await sell(productId, 10)).status).toBe(201);
  expect(await getStockValue(productId)).toBe(24);
  const more = await adjust([{ productId, quantityDelta: 2, unitCost: 20 }]);
  expect(getData(more)).toMatchObject({ lines: [{ quantity: 2, value: 40 }] });
  expect(await getStockValue(productId)).toBe(64);
  await expectAgreement(productId);
});

test('3 units bought for 10.00 leave as 3.33, 3.34 and 3.33', async () => {
  const productId = await addProduct(client, { price: 50 });
  await adjust([{ productId, quantityDelta: 3, unitCost: 3.333333 }]);
  for (let count = 0; count < 3; count += 1) await sell(productId, 1);
  const rows = await StockLedger.find({ organisationId, productId, kind: 'invoice' }).sort({ sequence: 1 }).lean();
  expect(rows.map((row) => fromDecimal128(row.value).toFixed(2))).toEqual(['-3.33', '-3.34', '-3.33']);
});

test('a count sets the quantity on hand, upwards and downwards at the moving average; the same count changes nothing', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 10, unitCost: 2.5 } });
  expect(getData(await adjust([{ productId, countedQuantity: 12 }]))).toMatchObject({
    lines: [{ quantity: 2, value: 5 }],
  });
  expect(getData(await adjust([{ productId, countedQuantity: 7 }]))).toMatchObject({
    lines: [{ quantity: -5, value: -12.5 }],
  });
  expect(getData(await adjust([{ productId, countedQuantity: 7 }]))).toMatchObject({
    lines: [{ quantity: 0, value: 0 }],
  });
  expect(await listLevels(productId)).toEqual([[1, 7, 2.5]]);
  await expectAgreement(productId);
});

test('added units without a cost are valued at the average; without an average the cost is required, and 0 is accepted', async () => {
  const productId = await addProduct(client, { price: 50 });
  const required =
    'lines[0].unitCost: is required, because the stock of the product has no value to derive it from; 0 is accepted';
  for (const line of [{ quantityDelta: 5 }, { countedQuantity: 5 }]) {
    const rejected = await adjust([{ productId, ...line }]);
    expect([rejected.status, rejected.body['errors']]).toEqual([400, [required]]);
  }
  expect(await listLevels(productId)).toEqual([]);
  expect(getData(await adjust([{ productId, quantityDelta: 5, unitCost: 0 }]))).toMatchObject({
    lines: [{ value: 0 }],
  });
  expect((await adjust([{ productId, countedQuantity: 6 }])).status).toBe(400);
  expect(getData(await adjust([{ productId, quantityDelta: 5, unitCost: 4 }]))).toMatchObject({
    lines: [{ value: 20 }],
  });
  expect(getData(await adjust([{ productId, countedQuantity: 11 }]))).toMatchObject({ lines: [{ value: 2 }] });
  await expectAgreement(productId);
});

test('a cost is rejected where no units are added, because it would have no effect', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 10, unitCost: 5 } });
  for (const line of [{ countedQuantity: 10 }, { countedQuantity: 9 }, { quantityDelta: -1 }]) {
    const rejected = await adjust([{ productId, ...line, unitCost: 7 }]);
    expect(rejected.status).toBe(400);
    expect(rejected.body['errors']).toEqual([
      expect.stringMatching(/^lines\[0\]\.unitCost: is accepted only with added units/),
    ]);
  }
  expect(await listLevels(productId)).toEqual([[1, 10, 5]]);
});

test('the unit of a product can change until it has moved', async () => {
  const productId = await addProduct(client, { unit: 'C62' });
  const path = `/api/products/${productId}`;
  expect(getData(await client.put(path, { unit: 'KGM' }))).toMatchObject({ unit: 'KGM', stock: 0, averageCost: null });
  expect(getData(await adjust([{ productId, quantityDelta: 10, unitCost: 5 }]))).toMatchObject({
    lines: [{ value: 50 }],
  });
  const refused = await client.put(path, { unit: 'C62' });
  expect([refused.status, refused.body['code']]).toEqual([409, 'unit_in_use']);
  expect(refused.body['errors']).toEqual(['unit: cannot change: the product has stock movements']);
  // Goods that were all issued keep the movements that are in the unit.
  expect((await adjust([{ productId, countedQuantity: 0 }])).status).toBe(201);
  expect((await client.put(path, { unit: 'C62' })).status).toBe(409);
  expect(getData(await client.put(path, { unit: 'KGM', name: 'Sand' }))).toMatchObject({ unit: 'KGM', name: 'Sand' });
  await expectAgreement(productId);
});

test('a product can be sent back as it was read before a sale: stock, cost and category name of the request are ignored', async () => {
  const categoryId = getCreatedId(await client.post('/api/products/categories', { name: 'Read' }));
  const id = await addProduct(client, { categoryId, initialStock: { quantity: 2, unitCost: 1 } });
  const read = await client.get(`/api/products/${id}`);
  expect((await sell(id, 2)).status).toBe(201);
  expect((await client.put(`/api/products/categories/${categoryId}`, { name: 'Renamed' })).status).toBe(200);
  const sent = { ...getData(read), price: 12.5 };
  const headers = { 'if-match': read.headers.get('etag') ?? '' };
  const put = await client.put(`/api/products/${id}`, sent, headers);
  expect([put.status, getData(put)]).toMatchObject([
    200,
    { price: 12.5, stock: 0, averageCost: null, categoryName: 'Renamed' },
  ]);
});

test('the search distinguishes words that differ only after their sixteenth character', async () => {
  const [one, two] = ['CABLE.BLACK.100.200.A', 'CABLE.BLACK.100.200.B'];
  for (const code of [one, two]) await addProduct(client, { code, initialStock: { quantity: 1, unitCost: 1 } });
  const listCodes = async (path: string) =>
    getRows(await client.get(`${path}?search=${one}`)).map((row) => row['productCode'] ?? row['code']);
  expect(await listCodes('/api/products')).toEqual([one]);
  expect(await listCodes('/api/inventory/stock')).toEqual([one]);
});

test('a transfer moves all lines or none, and never changes the value', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 5, unitCost: 3.333333 } });
  const other = await addProduct(client, { initialStock: { quantity: 1 } });
  const rejected = await transfer([
    { productId, quantity: 2 },
    { productId: other, quantity: 2 },
  ]);
  expect([rejected.status, rejected.body['code']]).toEqual([409, 'insufficient_stock']);
  expect(await listLevels(productId)).toEqual([[1, 5, 3.334]]);
  const created = await transfer([{ productId, quantity: 2 }]);
  expect(created.status).toBe(201);
  expect(await listLevels(productId)).toEqual([
    [1, 3, 3.334],
    [SECOND_WAREHOUSE_ID, 2, 3.334],
  ]);
  expect(await getStockValue(productId)).toBe(16.67);
  await expectAgreement(productId);
  expect((await transfer([{ productId, quantity: 1 }], { toWarehouseId: 1 })).body['errors']).toEqual([
    'toWarehouseId: must differ from fromWarehouseId',
  ]);
  const { id } = getData(created);
  expect(getData(await client.get(`/api/inventory/transfers/${String(id)}`))).toEqual(getData(created));
  expect(getRows(await client.get('/api/inventory/transfers')).map((row) => row['id'])).toContain(id);
});

test('stock as of any time is the ledger up to it', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 5, unitCost: 2 } });
  const [first] = await StockLedger.find({ organisationId, productId }).lean();
  const before = new Date((first?.postedAt.getTime() ?? 0) + 1).toISOString();
  await sell(productId, 3);
  expect(await listLevels(productId)).toEqual([[1, 2, 2]]);
  expect(await listLevels(productId, `&asOf=${before}`)).toEqual([[1, 5, 2]]);
  expect(await listLevels(productId, '&asOf=2020-01-01')).toEqual([]);
});

test('of twenty concurrent issues of five units in two warehouses exactly five succeed, and all figures agree', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 3, unitCost: 1.11 } });
  await adjust([{ productId, quantityDelta: 2, unitCost: 2.22 }], { warehouseId: SECOND_WAREHOUSE_ID });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      adjust([{ productId, quantityDelta: -1 }], { warehouseId: index % 2 === 0 ? 1 : SECOND_WAREHOUSE_ID }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(15);
  await expectAgreement(productId);
  expect(await getStockValue(productId)).toBe(0);
});

test('wrong lines are named and nothing is written; a dry run writes nothing', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 5, unitCost: 2 } });
  const service = await addService(client);
  const wrong = await adjust(
    [
      { productId: 999_999, quantityDelta: 1 },
      { productId: service, quantityDelta: 1 },
    ],
    { warehouseId: 5 },
  );
  expect(wrong.body['errors']).toEqual([
    'warehouseId: is not an active warehouse of the company',
    'lines[0].productId: is not a product of the company',
    'lines[1].productId: is a service; it has no stock',
  ]);
  const both = await adjust([
    { productId, quantityDelta: 1, countedQuantity: 1 },
    { productId, quantityDelta: 0 },
  ]);
  expect(both.body['errors']).toEqual([
    'lines[0]: needs either quantityDelta or countedQuantity',
    'lines[1].quantityDelta: must not be 0',
  ]);
  const dryRun = await client.post('/api/inventory/adjustments?dryRun=true', {
    warehouseId: 1,
    reason: 'Trial',
    lines: [{ productId, quantityDelta: -5 }],
  });
  expect(getData(dryRun)).toMatchObject({ id: null, lines: [{ quantity: -5, value: -10 }] });
  expect(await listLevels(productId)).toEqual([[1, 5, 2]]);
  expect(getCreatedId(await adjust([{ productId, quantityDelta: new Decimal('0.5').toNumber() }]))).toBeGreaterThan(0);
});
