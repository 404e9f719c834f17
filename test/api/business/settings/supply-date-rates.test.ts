import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { closeTestPlatform } from '../../../support/tenant';

/** A tax rate that was replaced on 1 July 2026: documents have the rate of the day of supply, not of their own date. */

let client: BusinessClient;
let customerId: number;
let vendorId: number;
let productId: number;
let former: number;
let current: number;

beforeAll(async () => {
  client = await createBusinessClient('Supply dates');
  const addRate = async (percent: number, fields: object): Promise<number> =>
    getCreatedId(
      await client.post('/api/config/tax-rates', { name: `Rate ${percent}`, category: 'S', percent, ...fields }),
    );
  current = await addRate(16, { validFrom: '2026-07-01' });
  former = await addRate(19, { validTo: '2026-06-30', successorId: current });
  customerId = await addCustomer(client);
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
  productId = await addService(client, { price: 100 });
});
afterAll(closeTestPlatform);

const JULY = '2026-07-03';
const JUNE = '2026-06-15';
const sold = (fields: object = {}) => ({ productId, quantity: 1, taxRateId: former, ...fields });
const issue = async (fields: object, line: object = {}) =>
  getData(await client.post('/api/invoices', { customerId, issueDate: JULY, lines: [sold(line)], ...fields }));

test.each([
  ['the issue date, if nothing else is stated', {}, {}, 16],
  ['the delivery date of the invoice', { deliveryDate: JUNE }, {}, 19],
  ['the last day of its period', { deliveryPeriod: { start: '2026-06-01', end: '2026-06-30' } }, {}, 19],
  ['the last day of a period that ends later', { deliveryPeriod: { start: '2026-06-01', end: '2026-07-01' } }, {}, 16],
  ['the delivery date of the line', { deliveryDate: JULY }, { deliveryDate: JUNE }, 19],
])('an invoice has the rate of %s', async (_, fields, line, tax) => {
  expect(await issue(fields, line)).toMatchObject({ taxTotal: tax });
});

test('a draft, a dry run, the invoice of an order and a charge have the rate of the day of supply, too', async () => {
  const body = { customerId, issueDate: JULY, deliveryDate: JUNE, lines: [sold()] };
  const dry = await client.post('/api/invoices?dryRun=true', body);
  expect(getData(dry)).toMatchObject({ taxTotal: 19 });
  const draft = await client.post('/api/invoices', { ...body, draft: true });
  expect(getData(draft)).toMatchObject({ taxTotal: 19 });
  const issued = await client.post(`/api/invoices/${getCreatedId(draft)}/issue`, {});
  expect(getData(issued)).toMatchObject({ taxTotal: 19 });
  const adjustments = [{ type: 'charge', reason: 'Freight', amount: 10, taxRateId: former }];
  expect(await issue({ deliveryDate: JUNE, adjustments })).toMatchObject({ taxTotal: 20.9 });
  const ordered = { customerId, orderDate: JUNE, lines: [sold()] };
  const order = getCreatedId(await client.post('/api/sales-orders', ordered));
  await client.post(`/api/sales-orders/${order}/confirm`, undefined);
  const invoicing = { issueDate: JULY, deliveryDate: JUNE };
  const { invoiceId } = getData(await client.post(`/api/sales-orders/${order}/invoice`, invoicing));
  expect(getData(await client.get(`/api/invoices/${String(invoiceId)}`))).toMatchObject({ taxTotal: 19 });
});

describe('a bill of a vendor', () => {
  const bought = { description: 'Work', quantity: 1, unitCost: 100 };
  const record = (path: string, number: string, fields: object = {}, date = JULY) =>
    client.post(path, { vendorId, number, date, lines: [{ ...bought, taxRateId: former }], ...fields });

  test('has the rate of its supply date, and its credit note that of the bill', async () => {
    expect(getData(await record('/api/payables', 'B-1'))).toMatchObject({ supplyDate: JULY, taxTotal: 16 });
    const bill = await record('/api/payables', 'B-2', { supplyDate: JUNE });
    expectDocumented('post', '/api/payables', bill);
    expect(getData(bill)).toMatchObject({ date: JULY, supplyDate: JUNE, taxTotal: 19 });
    const payableId = getCreatedId(bill);
    const note = await record('/api/payables/credit-notes', 'C-1', { payableId }, '2026-08-01');
    expectDocumented('post', '/api/payables/credit-notes', note);
    expect(getData(note)).toMatchObject({ supplyDate: JUNE, taxTotal: 19 });
  });

  test('has the rate of the day of its receipt, also if the rate is inactive by then', async () => {
    const lines = [{ productId, quantity: 1, unitCost: 100, taxRateId: former }];
    const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, orderDate: JUNE, lines }));
    const received = await client.post(`/api/purchase-orders/${order}/receive`, { date: JUNE });
    const { id: receiptId } = getData(received)['receipt'] as { id: number };
    expect((await client.put(`/api/config/tax-rates/${former}`, { active: false })).status).toBe(200);
    const bill = await record('/api/payables', 'B-3', { receiptIds: [receiptId], lines });
    expect(getData(bill)).toMatchObject({ supplyDate: JUNE, taxTotal: 19 });
    const refused = await record('/api/payables', 'B-4', { supplyDate: JUNE });
    expect([refused.status, refused.body['errors']]).toEqual([400, ['lines[0].taxRateId: is an inactive tax rate']]);
    await client.put(`/api/config/tax-rates/${former}`, { active: true });
  });
});
