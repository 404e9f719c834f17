import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Setup');
});
afterAll(closeTestPlatform);

async function readSteps(): Promise<Record<string, boolean>> {
  const { steps } = getData(await client.get('/api/setup')) as { steps: { step: string; done: boolean }[] };
  return Object.fromEntries(steps.map(({ step, done }) => [step, done]));
}

test('getBusinessSetup follows the organisation from an empty company to a paid invoice', async () => {
  expect(await readSteps()).toEqual({
    company_described: false,
    // The company of the tests has a rate.
    tax_rates_chosen: true,
    customer_created: false,
    product_created: false,
    invoice_issued: false,
    payment_registered: false,
  });
  const company = getData(await client.get('/api/config/company'));
  const address = { line1: 'Hauptstrasse 1', city: 'Berlin', postalCode: '10115', country: 'DE' };
  await client.put('/api/config/company', { address, version: company['version'] });
  const customerId = await addCustomer(client);
  const stocked = { initialStock: { quantity: 10, unitCost: 1 }, reorderLevel: 8, taxRateId: undefined };
  const productId = await addProduct(client, stocked);
  await addProduct(client, { ...stocked, reorderLevel: 2 });
  const line = { productId, quantity: 4, unitPrice: 50 };
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines: [line] }));
  expect(await readSteps()).toMatchObject({ company_described: true, invoice_issued: true, payment_registered: false });
  const invoice = getData(await client.get(`/api/invoices/${invoiceId}`));
  await client.post('/api/receivables/payments', { customerId, amount: 10, currencyCode: invoice['currencyCode'] });
  expect(await readSteps()).toMatchObject({ payment_registered: true });

  // What the home page shows of the same records.
  const totals = getData(await client.get('/api/receivables/aging/totals'));
  const report = getData(await client.get('/api/receivables/aging'));
  expect(totals).toMatchObject({ asOf: report['asOf'], baseCurrencyCode: report['baseCurrencyCode'], documents: 1 });
  expect(totals['total']).toEqual(report['total']);
  expect(getRows(await client.get('/api/inventory/low-stock'))).toEqual([
    expect.objectContaining({ productId, onHand: 6, reorderLevel: 8 }),
  ]);
});

test.each([
  ['receivables', 'customers', 'customerId'],
  ['payables', 'vendors', 'vendorId'],
])('totals of %s by age deduct the credit that is not applied, as the report does', async (side, parties, field) => {
  const own = await createBusinessClient('Totals');
  const partyId = getCreatedId(await own.post(`/api/${parties}`, { name: 'Settled Later' }));
  const payment = { [field]: partyId, amount: 30, allocations: [], date: '2025-03-01' };
  expect((await own.post(`/api/${side}/payments`, payment)).status).toBe(201);
  const line = { quantity: 1, taxRateId: undefined };
  const documents = [
    ['2025-03-10', '2025-03-31', 100],
    ['2025-03-11', '2099-03-31', 50],
  ] as const;
  const productId = await addProduct(own, { type: 'service' });
  for (const [date, dueDate, amount] of documents) {
    const created =
      side === 'receivables'
        ? await own.post('/api/invoices', {
            customerId: partyId,
            issueDate: date,
            dueDate,
            lines: [{ ...line, productId, unitPrice: amount }],
          })
        : await own.post('/api/payables', {
            vendorId: partyId,
            number: `T-${date}`,
            date,
            dueDate,
            lines: [{ ...line, description: 'Work', unitCost: amount }],
          });
    expect([created.status, getData(created)['grandTotal']]).toEqual([201, amount * 1.2]);
  }
  const totals = getData(await own.get(`/api/${side}/aging/totals`));
  // Two documents of 120 and 60 with tax, and a credit of 30.
  expect(totals).toMatchObject({ documents: 2, total: { net: 150 } });
  const report = getData(await own.get(`/api/${side}/aging`));
  expect(totals['total']).toEqual(report['total']);
});

test('getPayableAgingTotals has nothing without bills, and listLowStock nothing of another company', async () => {
  const other = await createBusinessClient('Other setup');
  expect(getData(await other.get('/api/payables/aging/totals'))).toMatchObject({ documents: 0, total: { net: 0 } });
  expect((await other.get('/api/inventory/low-stock')).body).toMatchObject({ data: [], totalCount: 0 });
});

test('a business key sees only the steps that its permissions read', async () => {
  const key = await client.tenant.createBusinessKey(['products:read']);
  const { body } = await call('GET', '/api/setup', { key });
  expect(body['data']).toEqual({ steps: [{ step: 'product_created', done: true }] });
});
