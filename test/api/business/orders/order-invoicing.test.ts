import { expectDocumented } from '../../../support/business/documented';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

/** What the invoice of an order states, what it deducts, and whether the customer may order at all. */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let customerId: number;
let productId: number;

beforeAll(async () => {
  client = await createBusinessClient('Order invoices');
  customerId = await addCustomer(client);
  productId = await addService(client, { price: 100 });
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

const order = async (fields: object = {}): Promise<number> =>
  getCreatedId(await client.post('/api/sales-orders', { customerId, lines: [{ productId, quantity: 1 }], ...fields }));
const confirm = (id: number): Promise<ApiResponse> => client.post(`/api/sales-orders/${id}/confirm`, undefined);
const invoice = (id: number, body: object = {}): Promise<ApiResponse> =>
  client.post(`/api/sales-orders/${id}/invoice`, body);
async function orderConfirmed(fields: object = {}): Promise<number> {
  const id = await order(fields);
  expect((await confirm(id)).status).toBe(200);
  return id;
}
const readInvoice = async (response: ApiResponse): Promise<Record<string, unknown>> =>
  getData(await client.get(`/api/invoices/${String(getData(response)['invoiceId'])}`));

test('the invoice of an order states what is sent with it, and else what the order states', async () => {
  const seriesId = getCreatedId(
    await client.post('/api/config/document-series', { documentType: 'invoice', prefix: 'ORD', padding: 4 }),
  );
  const fields = { reference: 'PO 4711', notes: 'From the order' };
  const head = {
    deliveryDate: '2026-03-02',
    reference: 'PO 4712',
    buyerReference: '991-12345-06',
    notes: 'From the invoice',
    language: 'de',
  };
  const earlyPaymentDiscount = { percent: 2, days: 10 };
  const adjustments = [{ type: 'charge', reason: 'Freight', amount: 5 }];
  const invoiced = await invoice(await orderConfirmed(fields), {
    ...head,
    seriesId,
    earlyPaymentDiscount,
    adjustments,
  });
  expectDocumented('post', '/api/sales-orders/:id/invoice', invoiced);
  const stated = await readInvoice(invoiced);
  expect(stated).toMatchObject({ ...head, total: 105, earlyPaymentDiscount });
  expect(String(stated['number'])).toMatch(/^ORD-\d{4}-0001$/);
  expect(await readInvoice(await invoice(await orderConfirmed(fields)))).toMatchObject({
    ...fields,
    deliveryDate: null,
  });
  const wrong = await invoice(await orderConfirmed(), { lines: [], deposit: true });
  expect([wrong.status, wrong.body['errors']]).toEqual([400, expect.arrayContaining([expect.stringMatching(/lines/)])]);
});

test('a company whose documents must be complete invoices an order with its date of supply', async () => {
  const complete = await createBusinessClient('Nordlicht GmbH');
  const address = { line1: 'Speicherstraße 14', postalCode: '20457', city: 'Hamburg', country: 'DE' };
  const buyer = await addCustomer(complete, { address: { line1: 'Allee 1', city: 'Kiel', country: 'DE' } });
  const lines = [{ productId: await addService(complete, { price: 1000 }), quantity: 1 }];
  await complete.put('/api/config/company', {
    completenessChecks: 'on',
    legalName: 'Nordlicht GmbH',
    address,
    taxId: 'DE123456788',
    taxNumber: '22/815/08150',
    registrationNumber: 'HRB 98765',
    registerName: 'Amtsgericht Hamburg',
    managingDirectors: ['Ada Nord'],
  });
  const id = getCreatedId(await complete.post('/api/sales-orders', { customerId: buyer, lines }));
  await complete.post(`/api/sales-orders/${id}/confirm`, undefined);
  const refused = await complete.post(`/api/sales-orders/${id}/invoice`, {});
  expect([refused.status, refused.body['details']]).toMatchObject([400, { rules: ['DE-SUPPLY-DATE'] }]);
  const deliveryPeriod = { start: '2026-02-01', end: '2026-02-28' };
  const invoiced = await complete.post(`/api/sales-orders/${id}/invoice`, { deliveryPeriod });
  expect(invoiced.status).toBe(200);
});

test('the invoice of an order deducts the deposit that was paid for it, and applies a payment', async () => {
  const line = { description: 'Deposit for order 1', quantity: 1, unitPrice: 40 };
  const depositId = getCreatedId(await client.post('/api/invoices', { customerId, deposit: true, lines: [line] }));
  const { grandTotal } = getData(await client.get(`/api/invoices/${depositId}`));
  const allocations = [{ documentId: depositId, amount: grandTotal }];
  await client.post('/api/receivables/payments', { customerId, amount: grandTotal, allocations });
  const paymentId = getCreatedId(
    await client.post('/api/receivables/payments', { customerId, amount: 10, allocations: [] }),
  );
  const prepaid = { depositInvoiceIds: [depositId], prepayments: [{ paymentId, amount: 10 }] };
  const stated = await readInvoice(await invoice(await orderConfirmed(), prepaid));
  const paid = Number(grandTotal) + 10;
  expect(stated['prepaid']).toMatchObject({ amount: paid, due: Number(stated['grandTotal']) - paid });
});

test('goods of a product that was deactivated after the order was confirmed are invoiced, but not sold otherwise', async () => {
  const goods = await addProduct(client, { price: 20, initialStock: { quantity: 5, unitCost: 2 } });
  const lines = [{ productId: goods, quantity: 3 }];
  const id = await orderConfirmed({ lines });
  expect((await client.delete(`/api/products/${goods}`)).status).toBe(200);
  const sold = await client.post('/api/invoices', { customerId, lines });
  expect([sold.status, sold.body['errors']]).toEqual([400, ['lines[0].productId: is an inactive product']]);
  expect((await invoice(id)).status).toBe(200);
});

test('an order is confirmed only within the credit limit of its customer, together with the open balance', async () => {
  const limited = await addCustomer(client, { creditLimit: 300 });
  const lines = [{ productId, quantity: 1 }];
  const owing = getData(await client.post('/api/invoices', { customerId: limited, lines }));
  const goods = await addProduct(client, { price: 200, initialStock: { quantity: 5, unitCost: 2 } });
  const id = await order({ customerId: limited, lines: [{ productId: goods, quantity: 1 }] });
  const refused = await confirm(id);
  expect([refused.status, refused.body['code']]).toEqual([409, 'credit_limit_exceeded']);
  expect(getData(await client.get(`/api/sales-orders/${id}`))).toMatchObject({ status: 'draft' });
  const amount = Number(owing['grandTotal']);
  const payment = { customerId: limited, amount, date: today, allocations: [{ documentId: owing['id'], amount }] };
  expect((await client.post('/api/receivables/payments', payment)).status).toBe(201);
  const confirmed = await confirm(id);
  expectDocumented('post', '/api/sales-orders/:id/confirm', confirmed);
  expect(confirmed.status).toBe(200);
});
