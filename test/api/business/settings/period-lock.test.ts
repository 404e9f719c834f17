import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { daysFromToday } from '../../../support/days';

const [today, yesterday] = [daysFromToday(0), daysFromToday(-1)];

let client: BusinessClient;
let ids: Record<'customer' | 'vendor' | 'service' | 'goods' | 'invoice' | 'order' | 'payment' | 'allocation', number>;

/** Something of every kind, from before the lock. */
beforeAll(async () => {
  client = await createBusinessClient('Locked');
  const [customer, service, goods] = await Promise.all([addCustomer(client), addService(client), addProduct(client)]);
  const vendor = getCreatedId(await client.post('/api/vendors', { name: 'Supplies' }));
  const sale = { customerId: customer, issueDate: yesterday, lines: [{ productId: service, quantity: 1 }] };
  const invoice = getCreatedId(await client.post('/api/invoices', sale));
  const buy = { vendorId: vendor, orderDate: yesterday, lines: [{ productId: goods, quantity: 1, unitCost: 1 }] };
  const order = getCreatedId(await client.post('/api/purchase-orders', buy));
  const paid = { customerId: customer, amount: 20, method: 'cash', date: yesterday };
  const payment = await client.post('/api/receivables/payments', paid);
  const [allocation] = getData(payment)['allocations'] as { id: number }[];
  ids = {
    customer,
    vendor,
    service,
    goods,
    invoice,
    order,
    payment: getCreatedId(payment),
    allocation: allocation?.id ?? 0,
  };
  expect((await client.put('/api/config/period-lock', { lockedThrough: today })).status).toBe(200);
});
afterAll(closeTestPlatform);

const POSTINGS: [string, () => Promise<ApiResponse>][] = [
  [
    'an invoice',
    () => client.post('/api/invoices', { customerId: ids.customer, lines: [{ productId: ids.service, quantity: 1 }] }),
  ],
  ['a credit note', () => client.post('/api/credit-notes', { invoiceId: ids.invoice, reason: 'Returned' })],
  ['a void', () => client.post(`/api/invoices/${ids.invoice}/void`, { reason: 'Wrong' })],
  [
    'a collection',
    () => client.post('/api/receivables/payments', { customerId: ids.customer, amount: 5, method: 'cash' }),
  ],
  [
    'the void of a collection',
    () => client.post(`/api/receivables/payments/${ids.payment}/void`, { reason: 'Bounced' }),
  ],
  ['a reversal', () => client.post(`/api/receivables/allocations/${ids.allocation}/reverse`, { reason: 'Wrong' })],
  [
    'the use of credit',
    () => client.post('/api/receivables/allocations', { paymentId: ids.payment, documentId: ids.invoice, amount: 1 }),
  ],
  ['a refund', () => client.post('/api/receivables/refunds', { paymentId: ids.payment, amount: 1, method: 'cash' })],
  ['a receipt of goods', () => client.post(`/api/purchase-orders/${ids.order}/receive`, {})],
  [
    'a bill',
    () =>
      client.post('/api/payables', {
        vendorId: ids.vendor,
        number: 'B-1',
        date: today,
        lines: [{ description: 'Work', quantity: 1, unitCost: 1 }],
      }),
  ],
  [
    'a payment to a vendor',
    () => client.post('/api/payables/payments', { vendorId: ids.vendor, amount: 1, method: 'cash' }),
  ],
  [
    'an adjustment of stock',
    () =>
      client.post('/api/inventory/adjustments', {
        warehouseId: 1,
        reason: 'Count',
        lines: [{ productId: ids.goods, quantityDelta: 1, unitCost: 1 }],
      }),
  ],
  [
    'a trial of it',
    () =>
      client.post('/api/inventory/adjustments?dryRun=true', {
        warehouseId: 1,
        reason: 'Count',
        lines: [{ productId: ids.goods, quantityDelta: 1, unitCost: 1 }],
      }),
  ],
  [
    'opening stock',
    () => client.post('/api/products', { name: 'New', price: 1, initialStock: { quantity: 1, unitCost: 1 } }),
  ],
];

test.each(POSTINGS)('%s is rejected while its day is locked, and changes nothing', async (_, post) => {
  const response = await post();
  expect([response.status, response.body['code']]).toEqual([409, 'period_locked']);
  expect(getData(await client.get(`/api/invoices/${ids.invoice}`))).toMatchObject({ status: 'paid' });
  expect(getData(await client.get(`/api/products/${ids.goods}`))).toMatchObject({ stock: 0 });
  expect(getData(await client.get(`/api/customers/${ids.customer}/balance`))).toMatchObject({ credit: 8 });
});

test('operations without postings still work: products without stock, orders', async () => {
  expect((await client.post('/api/products', { name: 'Without stock', price: 1 })).status).toBe(201);
  const lines = [{ productId: ids.goods, quantity: 1, unitCost: 1 }];
  expect((await client.post('/api/purchase-orders', { vendorId: ids.vendor, lines })).status).toBe(201);
});
