import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat } from '../../../support/business/reports';

/** Partial credit notes of invoices in another currency with several tax rates. All amounts are computed by hand. */

let client: BusinessClient;
let customerId: number;
let productId: number;
let standard: number;
let reduced: number;

beforeAll(async () => {
  client = await createBusinessClient('Teilgutschriften GmbH');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  const addRate = async (percent: number): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { name: `USt ${percent}`, category: 'S', percent }));
  standard = await addRate(19);
  reduced = await addRate(7);
  productId = await addService(client);
  customerId = await addCustomer(client);
  for (const date of ['2025-01-06', '2025-02-03', '2025-03-03'])
    expect((await client.post('/api/config/exchange-rates', { currencyCode: 'USD', date, rate: 1.1 })).status).toBe(
      201,
    );
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

const issue = async (issueDate: string, fields: object = {}): Promise<number> => {
  const lines = [standard, reduced].map((taxRateId) => ({ productId, quantity: 1, unitPrice: 10.05, taxRateId }));
  return getCreatedId(
    await client.post('/api/invoices', { customerId, issueDate, currencyCode: 'USD', lines, ...fields }),
  );
};
const credit = async (invoiceId: number, issueDate: string, lines?: object[]) => {
  const input = { invoiceId, reason: 'Returned', issueDate, ...(lines && { lines }) };
  return client.post('/api/credit-notes', input);
};
/** The accounts of revenue and tax, and receivables, that the days have changed. */
const readChanges = async (from: string, to: string): Promise<Record<string, unknown>> => {
  const report = getData(await client.get(`/api/reports/trial-balance?dateFrom=${from}&dateTo=${to}`));
  const accounts = report['accounts'] as { number: string; debit: number; credit: number }[];
  const changes = accounts.map(({ number, debit, credit: credited }) => [number, (debit - credited).toFixed(2)]);
  return Object.fromEntries(
    changes.filter(([, change]) => change !== '0.00' && change !== '-0.00'),
  ) as object as Record<string, unknown>;
};

test('the last credit note of an invoice in another currency leaves no net amount and no tax at any rate', async () => {
  const invoice = await issue('2025-01-06');
  // Both rates have 10.05 USD, 11.055 EUR, of which the first gets the cent of the total of 22.11 EUR.
  expect(await readVat(client, '2025-01-06')).toEqual([
    [19, 11.06, 2.1],
    [7, 11.05, 0.77],
  ]);
  const first = await credit(invoice, '2025-01-07', [{ invoiceLineId: 2, quantity: 1 }]);
  expect(getData(first)['base']).toMatchObject({ total: 11.05, taxTotal: 0.77, grandTotal: 11.82 });
  expect(await readVat(client, '2025-01-07')).toEqual([[7, -11.05, -0.77]]);
  const last = await credit(invoice, '2025-01-08');
  expect(getData(last)['base']).toMatchObject({ total: 11.06, taxTotal: 2.1, grandTotal: 13.16 });
  expect(await readVat(client, '2025-01-01', '2025-01-31')).toEqual([]);
  expect(await readChanges('2025-01-01', '2025-01-31')).toEqual({});
  expect(getData(await client.get(`/api/invoices/${invoice}`))).toMatchObject({ status: 'credited', open: 0 });
});

test('credit notes of parts of both rates, by amount, add up to the invoice at every rate', async () => {
  const invoice = await issue('2025-02-03');
  for (const [day, amounts] of [
    ['2025-02-04', [3.33, 1.01]],
    ['2025-02-05', [1.01, 3.33]],
    ['2025-02-06', [2.34, 0.37]],
  ] as const) {
    const lines = amounts.map((amount, index) => ({ invoiceLineId: index + 1, amount }));
    expect((await credit(invoice, day, lines)).status).toBe(201);
  }
  expect((await credit(invoice, '2025-02-07')).status).toBe(201);
  expect(await readVat(client, '2025-02-01', '2025-02-28')).toEqual([]);
  expect(await readChanges('2025-02-01', '2025-02-28')).toEqual({});
});

test('after a discount for early payment, partial credit notes leave nothing at any rate, either', async () => {
  const invoice = await issue('2025-03-03', { earlyPaymentDiscount: { percent: 3, days: 14 } });
  const { open } = getData(await client.get(`/api/invoices/${invoice}`)) as { open: number };
  // 3 % of 22.71 USD is 0.68.
  const amount = Number((open - 0.68).toFixed(2));
  const payment = { customerId, amount, date: '2025-03-03', currencyCode: 'USD' };
  expect((await client.post('/api/receivables/payments', payment)).status).toBe(201);
  const notes = [await credit(invoice, '2025-03-04', [{ invoiceLineId: 2, quantity: 1 }])];
  notes.push(await credit(invoice, '2025-03-05', [{ invoiceLineId: 1, amount: 4.44 }]));
  notes.push(await credit(invoice, '2025-03-06'));
  const credited = notes.map((note) => Number(getData(note)['grandTotal']));
  expect(credited.reduce((sum, each) => sum + each, 0)).toBeCloseTo(amount, 10);
  expect(await readVat(client, '2025-03-01', '2025-03-31')).toEqual([]);
});
