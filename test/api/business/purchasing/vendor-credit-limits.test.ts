import { addProduct, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { daysFromToday } from '../../../support/days';

const today = daysFromToday(0);
let client: BusinessClient;
let vendorId: number;
let standard: number;
let reduced: number;
let numbers = 0;

beforeAll(async () => {
  client = await createBusinessClient('Vendor credits');
  const addRate = async (percent: number): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { name: `Rate ${percent}`, category: 'S', percent }));
  standard = await addRate(23);
  reduced = await addRate(7);
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

const nextNumber = (): string => `N-${(numbers += 1)}`;
const work = (unitCost: number, taxRateId = standard) => ({ description: 'Work', quantity: 1, unitCost, taxRateId });
const recordBill = async (lines: object[], fields: object = {}): Promise<number> =>
  getCreatedId(await client.post('/api/payables', { vendorId, number: nextNumber(), date: today, lines, ...fields }));
const credit = (payableId: number, lines: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/payables/credit-notes', {
    vendorId,
    number: nextNumber(),
    date: today,
    payableId,
    lines,
    ...fields,
  });
const expectExcess = (response: ApiResponse, left: number): void =>
  expect([response.status, response.body]).toMatchObject([409, { code: 'credit_exceeds_bill', details: { left } }]);

test('all credit notes of a bill together take back at most the bill, also if it is paid', async () => {
  const billId = await recordBill([work(100)]);
  const payment = { vendorId, amount: 123, allocations: [{ documentId: billId, amount: 123 }] };
  expect((await client.post('/api/payables/payments', payment)).status).toBe(201);
  expectExcess(await credit(billId, [work(500)]), 123);
  expectExcess(await credit(billId, [work(100.01)]), 123);
  expect((await credit(billId, [work(40)])).status).toBe(201);
  expectExcess(await credit(billId, [work(60.01)]), 73.8);
  expect((await credit(billId, [work(60)])).status).toBe(201);
  expectExcess(await credit(billId, [work(0.01)]), 0);
});

test('a vendor can credit more at a rate than it billed, as long as the bill is worth it', async () => {
  const billId = await recordBill([work(100), work(100, reduced)]);
  expect((await credit(billId, [work(150)])).status).toBe(201);
  expectExcess(await credit(billId, [work(50)]), 45.5);
});

test('a credit note is not dated before the bill that it names', async () => {
  const billId = await recordBill([work(100)]);
  const early = await credit(billId, [work(10)], { date: daysFromToday(-1) });
  expect([early.status, early.body['errors']]).toEqual([400, [`date: must not be before the bill, ${today}`]]);
  expect((await credit(billId, [work(10)])).status).toBe(201);
});

test('goods are not returned for more than their bill is worth, but completely after it was rounded', async () => {
  const productId = await addProduct(client);
  const line = { productId, quantity: 10, unitCost: 10, taxRateId: standard };
  const buy = async (fields: object = {}): Promise<{ receiptId: number; billId: number }> => {
    const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines: [line] }));
    const received = await client.post(`/api/purchase-orders/${order}/receive`, {});
    const { id: receiptId } = getData(received)['receipt'] as { id: number };
    return { receiptId, billId: await recordBill([line], { receiptIds: [receiptId], ...fields }) };
  };
  const giveBack = (receiptId: number, fields: object = {}): Promise<ApiResponse> =>
    client.post('/api/vendor-returns', { receiptId, reason: 'Broken', ...fields });
  const rounded = await buy({ total: 99.98 });
  expect((await giveBack(rounded.receiptId)).status).toBe(201);
  const { receiptId, billId } = await buy();
  expect((await credit(billId, [work(50)])).status).toBe(201);
  expectExcess(await giveBack(receiptId), 61.5);
  expect((await giveBack(receiptId, { lines: [{ lineId: 1, quantity: 10, unitCost: 5 }] })).status).toBe(201);
});
