import { addProduct, createBusinessClient, getCreatedId, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

/** An inactive currency enters no new document of purchasing; what was ordered in it is received, billed and returned. */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let vendorId: number;
let productId: number;

beforeAll(async () => {
  client = await createBusinessClient('Inactive currency');
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd', currencyCode: 'USD' }));
  productId = await addProduct(client);
  expect((await client.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.9 })).status).toBe(201);
});
afterAll(closeTestPlatform);

const setActive = async (active: boolean): Promise<void> => {
  const [usd] = getRows(await client.get('/api/config/currencies?search=USD&active=all'));
  expect((await client.put(`/api/config/currencies/${String(usd?.['id'])}`, { active })).status).toBe(200);
};
let numbers = 0;
const record = (path: string, fields: object = {}): Promise<ApiResponse> => {
  const lines = [{ productId, quantity: 1, unitCost: 10 }];
  return client.post(path, { vendorId, number: `N-${(numbers += 1)}`, date: today, lines, ...fields });
};
const order = (fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/purchase-orders', { vendorId, lines: [{ productId, quantity: 1, unitCost: 10 }], ...fields });
const getErrors = ({ status, body }: ApiResponse) => [status, body['errors']];
const REFUSED = [400, ['currencyCode: is an inactive currency']];

test('new orders, bills and credit notes of vendors in it are refused', async () => {
  const draft = getCreatedId(await order({ draft: true }));
  await setActive(false);
  for (const response of [
    await order(),
    await order({ draft: true, currencyCode: 'USD' }),
    await client.post('/api/purchase-orders?dryRun=true', {
      vendorId,
      lines: [{ productId, quantity: 1, unitCost: 10 }],
    }),
    await record('/api/payables'),
    await record('/api/payables/credit-notes'),
    await client.put(`/api/purchase-orders/${draft}`, { lines: [{ productId, quantity: 2, unitCost: 10 }] }),
  ])
    expect(getErrors(response)).toEqual(REFUSED);
  expect((await client.put(`/api/purchase-orders/${draft}`, { currencyCode: 'EUR' })).status).toBe(200);
  expect((await order({ currencyCode: 'EUR' })).status).toBe(201);
  await setActive(true);
});

test('an order of before is received, billed, credited and paid', async () => {
  const id = getCreatedId(await order());
  await setActive(false);
  const received = await client.post(`/api/purchase-orders/${id}/receive`, {});
  expect(received.status).toBe(201);
  const { id: receiptId } = getData(received)['receipt'] as { id: number };
  const billId = getCreatedId(await record('/api/payables', { receiptIds: [receiptId] }));
  const note = { payableId: billId, lines: [{ description: 'Too much', quantity: 1, unitCost: 1 }] };
  expect((await record('/api/payables/credit-notes', note)).status).toBe(201);
  const { open } = getData(await client.get(`/api/payables/${billId}`)) as { open: number };
  const payment = { vendorId, currencyCode: 'USD', amount: open, allocations: [{ documentId: billId, amount: open }] };
  expect((await client.post('/api/payables/payments', payment)).status).toBe(201);
  await setActive(true);
});
