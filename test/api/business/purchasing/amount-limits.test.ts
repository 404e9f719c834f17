import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addProduct, createBusinessClient, getData, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

const MAX_AMOUNT = 999_999_999_999.99;
const TOO_MUCH_MESSAGE = /above 999999999999\.99|more than 999999999999\.99/;

let client: BusinessClient;
let vendorId: number;
let productId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Limits');
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies' }));
  productId = await addProduct(client);
});
afterAll(closeTestPlatform);

const today = new Date().toISOString().slice(0, 10);

/** Refused by name, and nothing of it is kept. */
async function expectRejected(response: ApiResponse): Promise<void> {
  expect([response.status, response.body['code']]).toEqual([400, 'invalid_request']);
  expect(String(response.body['message'])).toMatch(TOO_MUCH_MESSAGE);
  expect(getData(await client.get(`/api/products/${productId}`))).toMatchObject({ stock: 0, averageCost: null });
  expect(getData(await client.get(`/api/vendors/${vendorId}/balance`))).toMatchObject({ balance: 0 });
}

const adjust = (line: object): Promise<ApiResponse> =>
  client.post('/api/inventory/adjustments', { warehouseId: 1, reason: 'Count', lines: [{ productId, ...line }] });

test('the value of stock never exceeds the maximum amount', async () => {
  await expectRejected(await adjust({ quantityDelta: 1_000_000, unitCost: MAX_AMOUNT }));
  await expectRejected(await adjust({ countedQuantity: 2, unitCost: MAX_AMOUNT }));
  const goods = { name: 'Gold', price: 1, initialStock: { quantity: 2, unitCost: MAX_AMOUNT } };
  const opened = await client.post('/api/products', goods);
  expect([opened.status, String(opened.body['message'])]).toEqual([400, expect.stringMatching(TOO_MUCH_MESSAGE)]);
});

test('a receipt at another cost than ordered does not exceed the maximum amount', async () => {
  const lines = [{ productId, quantity: 1000, unitCost: 1 }];
  const id = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines }));
  const receive = (unitCost: number) =>
    client.post(`/api/purchase-orders/${id}/receive`, { lines: [{ lineId: 1, quantity: 1000, unitCost }] });
  await expectRejected(await receive(MAX_AMOUNT));
  await expectRejected(await receive(999_999_999));
  expect(getData(await client.get(`/api/purchase-orders/${id}`))).toMatchObject({ status: 'ordered' });
});

test('a bill in another currency does not exceed the maximum amount in the base currency', async () => {
  await client.post('/api/config/exchange-rates', { currencyCode: 'KWD', date: today, rate: 999_999_999 });
  const bill = { vendorId, number: 'B-1', date: today, currencyCode: 'KWD' };
  const lines = [{ description: 'Work', quantity: 1, unitCost: 999_999_999 }];
  await expectRejected(await client.post('/api/payables', { ...bill, lines }));
  await expectRejected(await client.post('/api/payables/credit-notes', { ...bill, lines }));
});
