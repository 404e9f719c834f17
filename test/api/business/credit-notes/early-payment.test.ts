import { findChildren, findElement, findText, parseXml } from '../../../../lib/xml-tree';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat } from '../../../support/business/reports';

/** Credit notes for invoices whose discount for early payment the customer took. All amounts are computed by hand. */

const XML_LIMITS = { maxDepth: 20, maxNodes: 10_000, maxAttributes: 20 };
let client: BusinessClient;
let customerId: number;
let standard: number;
let reduced: number;
let productId: number;

beforeAll(async () => {
  client = await createBusinessClient('Skonto GmbH');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  const address = { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', country: 'DE' };
  const company = { taxId: 'DE123456789', email: 'billing@example.com', address };
  expect((await client.put('/api/config/company', company)).status).toBe(200);
  const addRate = async (percent: number): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { name: `USt ${percent}`, category: 'S', percent }));
  standard = await addRate(19);
  reduced = await addRate(7);
  productId = await addService(client);
  customerId = await addCustomer(client, { language: 'de', address });
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

const issue = async (issueDate: string, quantity: number, unitPrice: number, fields: object = {}): Promise<number> =>
  getCreatedId(
    await client.post('/api/invoices', {
      customerId,
      issueDate,
      earlyPaymentDiscount: { percent: 2, days: 14 },
      lines: [{ productId, quantity, unitPrice, taxRateId: standard }],
      ...fields,
    }),
  );
const pay = (amount: number, date: string, fields: object = {}) =>
  client.post('/api/receivables/payments', { customerId, amount, date, ...fields });
const credit = (invoiceId: number, issueDate: string, quantity?: number) =>
  client.post('/api/credit-notes', {
    invoiceId,
    reason: 'Returned',
    issueDate,
    ...(quantity === undefined ? {} : { lines: [{ invoiceLineId: 1, quantity }] }),
  });
const refund = (creditNoteId: number, amount: number, date: string) =>
  client.post('/api/receivables/refunds', { creditNoteId, amount, date });
const readInvoice = async (id: number) => getData(await client.get(`/api/invoices/${id}`));

const readReceivables = async (): Promise<unknown> => {
  const accounts = getData(await client.get('/api/reports/trial-balance'))['accounts'] as Record<string, unknown>[];
  return accounts.find(({ number }) => number === '1400')?.['closing'];
};

test('crediting everything gives back what was paid, and leaves no revenue and no tax at any rate', async () => {
  const lines = [
    { productId, quantity: 1, unitPrice: 100, taxRateId: standard },
    { productId, quantity: 2, unitPrice: 50, taxRateId: reduced },
  ];
  const invoice = await issue('2025-01-06', 1, 0, { lines });
  // 2 % of 226.00 is 4.52: 2.38 at 19 % and 2.14 at 7 %.
  await pay(221.48, '2025-01-10');
  const response = await credit(invoice, '2025-01-20');
  expectDocumented('post', '/api/credit-notes', response);
  const note = getData(response);
  expect(note).toMatchObject({
    total: 196,
    taxTotal: 25.48,
    grandTotal: 221.48,
    lines: [
      { net: 100, tax: 19 },
      { net: 100, tax: 7 },
    ],
    adjustments: [
      { adjustmentId: 1, type: 'discount', reason: 'Skonto', amount: 2, net: 2, tax: 0.38, taxPercent: 19 },
      { adjustmentId: 2, type: 'discount', reason: 'Skonto', amount: 2, net: 2, tax: 0.14, taxPercent: 7 },
    ],
    taxes: [
      { percent: 19, net: 98, tax: 18.62 },
      { percent: 7, net: 98, tax: 6.86 },
    ],
  });
  expect(await readVat(client, '2025-01-20')).toEqual([
    [19, -98, -18.62],
    [7, -98, -6.86],
  ]);
  const [entry] = getRows(await client.get('/api/journal?dateFrom=2025-01-20&dateTo=2025-01-20'));
  expect(entry).toMatchObject({ kind: 'credit_note' });
  expect(getData(await client.get('/api/receivables/aging?asOf=2025-01-20'))['total']).toMatchObject({
    net: -221.48,
    unappliedCredit: 221.48,
  });
  const again = await credit(invoice, '2025-01-20');
  expect([again.status, again.body['code']]).toEqual([409, 'credit_exceeds_invoice']);
  expect((await refund(Number(note['id']), 221.48, '2025-01-21')).status).toBe(201);
  expect(await readVat(client, '2025-01-01', '2025-01-31')).toEqual([]);
  expect(await readReceivables()).toBe(0);
  expect(getData(await client.get('/api/receivables/aging?asOf=2025-01-31'))['total']).toMatchObject({ net: 0 });
  const ubl = parseXml(
    (await client.get(`/api/credit-notes/${String(note['id'])}/pdf?format=ubl`)).bytes.toString('utf8'),
    XML_LIMITS,
  );
  const totals = findElement(ubl, 'LegalMonetaryTotal');
  const names = ['LineExtensionAmount', 'AllowanceTotalAmount', 'TaxExclusiveAmount', 'PayableAmount'];
  expect(names.map((name) => findText(totals, name))).toEqual(['200.00', '4.00', '196.00', '221.48']);
  expect(findChildren(ubl, 'AllowanceCharge').map((each) => findText(each, 'AllowanceChargeReason'))).toEqual([
    'Skonto',
    'Skonto',
  ]);
});

test('partial credits deduct their part of the discount, and add up to it', async () => {
  const invoice = await issue('2025-02-03', 3, 33.33);
  // 99.99 and 19.00; 2 % of 118.99 is 2.38, of which 0.38 is tax.
  await pay(116.61, '2025-02-05');
  const notes = [];
  for (const day of ['2025-02-06', '2025-02-07', '2025-02-08']) notes.push(getData(await credit(invoice, day, 1)));
  expect(notes.map(({ total, taxTotal, grandTotal }) => [total, taxTotal, grandTotal])).toEqual([
    [32.67, 6.2, 38.87],
    [32.66, 6.21, 38.87],
    [32.66, 6.21, 38.87],
  ]);
  expect(await readVat(client, '2025-02-01', '2025-02-28')).toEqual([]);
  for (const { id } of notes) expect((await refund(Number(id), 38.87, '2025-02-10')).status).toBe(201);
  expect(await readReceivables()).toBe(0);
});

test('what was credited before the payment keeps its price, and the discount is deducted from the rest', async () => {
  const invoice = await issue('2025-03-03', 2, 50);
  expect(getData(await credit(invoice, '2025-03-04', 1))).toMatchObject({ grandTotal: 59.5, adjustments: [] });
  await pay(58.31, '2025-03-05');
  const rest = getData(await credit(invoice, '2025-03-06'));
  expect(rest).toMatchObject({ total: 49, taxTotal: 9.31, grandTotal: 58.31, adjustments: [{ net: 1, tax: 0.19 }] });
  expect(await readVat(client, '2025-03-01', '2025-03-31')).toEqual([]);
  expect((await refund(Number(rest['id']), 58.31, '2025-03-07')).status).toBe(201);
  expect(await readReceivables()).toBe(0);
});

test('a credit note after the payment was returned gives back the discount that an earlier one had deducted', async () => {
  const invoice = await issue('2025-04-01', 2, 50);
  const payment = getCreatedId(await pay(116.62, '2025-04-02'));
  const first = getData(await credit(invoice, '2025-04-03', 1));
  expect(first).toMatchObject({ total: 49, taxTotal: 9.31, grandTotal: 58.31 });
  const returned = await client.post(`/api/receivables/payments/${payment}/void`, { reason: 'Returned' });
  expect(returned.status).toBe(200);
  const rest = getData(await credit(invoice, '2025-04-04'));
  expect(rest).toMatchObject({
    total: 51,
    taxTotal: 9.69,
    grandTotal: 60.69,
    adjustments: [{ type: 'charge', reason: 'Zurückgenommenes Skonto', amount: 1, net: 1, tax: 0.19 }],
  });
  const applied = { creditNoteId: first['id'], documentId: invoice, amount: 58.31 };
  expect((await client.post('/api/receivables/allocations', applied)).status).toBe(201);
  expect(await readInvoice(invoice)).toMatchObject({ status: 'credited', open: 0 });
  expect(await readVat(client, '2025-04-01', String(getData(returned)['voidedOn']))).toEqual([]);
  expect(await readReceivables()).toBe(0);
});

test('in another currency revenue and tax in base currency add up to nothing, too', async () => {
  const rate = { currencyCode: 'USD', date: '2025-05-05', rate: 0.9137 };
  expect((await client.post('/api/config/exchange-rates', rate)).status).toBe(201);
  const dollars = { currencyCode: 'USD' };
  const invoice = await issue('2025-05-05', 1, 100, dollars);
  await pay(116.62, '2025-05-05', dollars);
  // 91.37 and 17.36 EUR less the discount of 1.82 and 0.35 EUR.
  const note = getData(await credit(invoice, '2025-05-05'));
  expect(note).toMatchObject({
    grandTotal: 116.62,
    base: { currencyCode: 'EUR', total: 89.55, taxTotal: 17.01, grandTotal: 106.56 },
  });
  expect((await refund(Number(note['id']), 116.62, '2025-05-05')).status).toBe(201);
  expect(await readVat(client, '2025-05-05')).toEqual([]);
  expect(await readReceivables()).toBe(0);
});

test('an invoice grants its discount once: not again after another payment of it was returned', async () => {
  const documentId = await issue('2025-06-02', 1, 100);
  const part = getCreatedId(await pay(50, '2025-06-03', { allocations: [{ documentId, amount: 50 }] }));
  const closing = { allocations: [{ documentId, amount: 66.62, discount: 2.38 }] };
  expect((await pay(66.62, '2025-06-04', closing)).status).toBe(201);
  expect((await client.post(`/api/receivables/payments/${part}/void`, { reason: 'Returned' })).status).toBe(200);
  expect(await readInvoice(documentId)).toMatchObject({ status: 'partially_paid', open: 50 });
  const again = await pay(47.62, '2025-06-05', { allocations: [{ documentId, amount: 47.62, discount: 2.38 }] });
  expect([again.status, again.body['code']]).toEqual([409, 'discount_not_available']);
  expect(getData(await pay(47.62, '2025-06-05'))['allocations']).toMatchObject([{ amount: 47.62, discount: 0 }]);
  expect((await pay(2.38, '2025-06-06')).status).toBe(201);
  expect(await readInvoice(documentId)).toMatchObject({ status: 'paid', open: 0 });
});
