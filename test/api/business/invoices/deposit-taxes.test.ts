import { addCustomer, createBusinessClient, getCreatedId, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat } from '../../../support/business/reports';

/** Article 65 of the VAT directive: the tax of a deposit is due on receipt, for the amount that is received. */

let client: BusinessClient;
let customerId: number;
let taxRateId: number;

beforeAll(async () => {
  client = await createBusinessClient('Anzahlung GmbH');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  await client.put('/api/config/company', { writeOffLimit: 5 });
  taxRateId = getCreatedId(
    await client.post('/api/config/tax-rates', { name: 'Standard 19', category: 'S', percent: 19 }),
  );
  customerId = await addCustomer(client);
});

const requestDeposit = async (unitPrice: number, issueDate: string): Promise<number> =>
  getCreatedId(
    await client.post('/api/invoices', {
      customerId,
      deposit: true,
      issueDate,
      lines: [{ description: 'Deposit', quantity: 1, unitPrice, taxRateId }],
    }),
  );
const pay = async (documentId: number, amount: number, date: string): Promise<number> => {
  const allocations = [{ documentId, amount }];
  return getCreatedId(await client.post('/api/receivables/payments', { customerId, amount, date, allocations }));
};

const readBalance = async (account: string): Promise<number> => {
  const accounts = getData(await client.get('/api/reports/trial-balance'))['accounts'] as {
    number: string;
    closing: number;
  }[];
  return accounts.find(({ number }) => number === account)?.closing ?? 0;
};

afterAll(closeTestPlatform);
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});

test('the tax of a deposit is due on receipt, for each part, and no longer once its payment is void', async () => {
  const deposit = await requestDeposit(100, '2025-05-02');
  expect(await readVat(client, '2025-05-02')).toEqual([]);
  expect(await readBalance('1760')).toBe(-19);
  await pay(deposit, 50, '2025-05-05');
  const second = await pay(deposit, 69, '2025-05-06');
  expect(await readVat(client, '2025-05-05')).toEqual([[19, 42.02, 7.98]]);
  expect(await readVat(client, '2025-05-06')).toEqual([[19, 57.98, 11.02]]);
  expect([await readBalance('1760'), await readBalance('1776'), await readBalance('1710')]).toEqual([0, -19, -100]);
  const entries = getRows(await client.get('/api/journal?dateFrom=2025-05-06&dateTo=2025-05-06'));
  const allocation = entries.find(({ kind }) => kind === 'allocation');
  const lines = allocation?.['lines'] as { accountNumber: string; debit: number; credit: number }[];
  expect(lines.map(({ accountNumber, debit, credit }) => [accountNumber, debit - credit])).toEqual([
    ['1710', 57.98],
    ['1710', -57.98],
    ['1760', 11.02],
    ['1776', -11.02],
  ]);
  expect((await client.post(`/api/receivables/payments/${second}/void`, { reason: 'Returned' })).status).toBe(200);
  expect(await readVat(client, '2025-05-01', '2099-12-31')).toEqual([[19, 42.02, 7.98]]);
  expect([await readBalance('1760'), await readBalance('1776')]).toEqual([-11.02, -7.98]);
  await pay(deposit, 69, '2025-05-07');
  expect(await readBalance('1760')).toBe(0);
});

test('the last part makes the rest of every rate due, also if the parts before were rounded up', async () => {
  const reduced = getCreatedId(
    await client.post('/api/config/tax-rates', { name: 'Reduced 7', category: 'S', percent: 7 }),
  );
  const before = await readBalance('1760');
  const lines = [
    { description: 'Deposit', quantity: 1, unitPrice: 27.31, taxRateId },
    { description: 'Deposit of books', quantity: 1, unitPrice: 4.23, taxRateId: reduced },
  ];
  const body = { customerId, deposit: true, issueDate: '2025-05-20', lines };
  const deposit = getCreatedId(await client.post('/api/invoices', body));
  for (const amount of [35.18, 1.81, 0.03, 0.01]) await pay(deposit, amount, '2025-05-21');
  expect(getData(await client.get(`/api/invoices/${deposit}`))['status']).toBe('paid');
  expect(await readVat(client, '2025-05-21')).toEqual([
    [19, 27.31, 5.19],
    [7, 4.23, 0.3],
  ]);
  expect(await readBalance('1760')).toBe(before);
});

test('a credit note of a deposit takes back only the tax of what was received', async () => {
  const unpaid = await requestDeposit(200, '2025-06-02');
  const credit = (invoiceId: number, issueDate: string) =>
    client.post('/api/credit-notes', { invoiceId, reason: 'Cancelled', issueDate });
  expect((await credit(unpaid, '2025-06-03')).status).toBe(201);
  expect(await readVat(client, '2025-06-01', '2025-06-30')).toEqual([]);
  const paid = await requestDeposit(200, '2025-06-04');
  await pay(paid, 238, '2025-06-05');
  expect((await credit(paid, '2025-06-06')).status).toBe(201);
  expect([await readVat(client, '2025-06-05'), await readVat(client, '2025-06-06')]).toEqual([
    [[19, 200, 38]],
    [[19, -200, -38]],
  ]);
  expect(await readBalance('1760')).toBe(0);
});

test('no tax is due for the part of a deposit that is written off, nor for one that is void', async () => {
  const deposit = await requestDeposit(100, '2025-07-02');
  await pay(deposit, 118, '2025-07-03');
  const writeOff = { documentId: deposit, date: '2025-07-04', reason: 'Bank charges' };
  expect((await client.post('/api/receivables/write-offs', writeOff)).status).toBe(201);
  expect(await readVat(client, '2025-07-01', '2025-07-31')).toEqual([[19, 99.16, 18.84]]);
  const withdrawn = await requestDeposit(300, '2025-07-05');
  expect((await client.post(`/api/invoices/${withdrawn}/void`, { reason: 'Cancelled' })).status).toBe(200);
  expect(await readVat(client, '2025-07-04', '2025-07-31')).toEqual([]);
  expect(await readBalance('1760')).toBe(0);
});

test('a discount for early payment counts on what is due, also if the deposit exceeds the lines of its rate', async () => {
  const reduced = getCreatedId(
    await client.post('/api/config/tax-rates', { name: 'Books', category: 'S', percent: 7 }),
  );
  const deposit = await requestDeposit(100, '2025-08-04');
  await pay(deposit, 119, '2025-08-04');
  const invoice = await client.post('/api/invoices', {
    customerId,
    issueDate: '2025-08-05',
    depositInvoiceIds: [deposit],
    earlyPaymentDiscount: { percent: 2, days: 10 },
    lines: [{ description: 'Books', quantity: 1, unitPrice: 200, taxRateId: reduced }],
  });
  const id = getCreatedId(invoice);
  const { payable, amount } = getData(invoice)['earlyPaymentDiscount'] as { payable: number; amount: number };
  expect([payable, amount]).toEqual([93.1, 1.9]);
  await pay(id, payable, '2025-08-06');
  expect(getData(await client.get(`/api/invoices/${id}`))).toMatchObject({ status: 'paid', open: 0 });
});

describe('a deposit whose payment is returned after the final invoice has deducted it', () => {
  const voidPayment = async (id: number): Promise<void> => {
    expect((await client.post(`/api/receivables/payments/${id}/void`, { reason: 'Returned' })).status).toBe(200);
  };
  const readDue = async (): Promise<number[]> => {
    const [[, net = 0, tax = 0] = []] = await readVat(client, '2025-09-01', '2099-12-31');
    return [net, tax, await readBalance('1760')];
  };
  /** How much the taxable amount, the tax that is due and the tax that is not due have grown. */
  const readChange = async (before: readonly number[]): Promise<number[]> =>
    (await readDue()).map((value, index) => Math.round((value - (before[index] ?? 0)) * 100) / 100);
  const deduct = async (): Promise<{ deposit: number; payment: number; invoice: number }> => {
    const deposit = await requestDeposit(100, '2025-09-02');
    const payment = await pay(deposit, 119, '2025-09-02');
    const invoice = await client.post('/api/invoices', {
      customerId,
      issueDate: '2025-09-02',
      depositInvoiceIds: [deposit],
      lines: [{ description: 'Kitchen', quantity: 1, unitPrice: 200, taxRateId }],
    });
    return { deposit, payment, invoice: getCreatedId(invoice) };
  };

  test('leaves the tax due for what was supplied; paid again, no further tax is due', async () => {
    const before = await readDue();
    const { deposit, payment } = await deduct();
    expect(await readChange(before)).toEqual([200, 38, 0]);
    await voidPayment(payment);
    expect(await readChange(before)).toEqual([200, 38, 0]);
    expect(getData(await client.get(`/api/invoices/${deposit}`))).toMatchObject({ status: 'issued', open: 119 });
    const again = await pay(deposit, 50, '2025-09-05');
    expect(await readChange(before)).toEqual([200, 38, 0]);
    await voidPayment(again);
    await pay(deposit, 118, '2025-09-06');
    const writeOff = await client.post('/api/receivables/write-offs', { documentId: deposit, reason: 'Bank charges' });
    expect(writeOff.status).toBe(201);
    expect(await readChange(before)).toEqual([199.16, 37.84, 0]);
  });

  test('is not due any more when the final invoice is void, for the part that is not paid', async () => {
    const before = await readDue();
    const { deposit, payment, invoice } = await deduct();
    await voidPayment(payment);
    const part = await pay(deposit, 50, '2025-09-07');
    expect((await client.post(`/api/invoices/${invoice}/void`, { reason: 'Cancelled' })).status).toBe(200);
    expect(await readChange(before)).toEqual([42.02, 7.98, -11.02]);
    await voidPayment(part);
    expect(await readChange(before)).toEqual([0, 0, -19]);
    expect((await client.post(`/api/invoices/${deposit}/void`, { reason: 'Cancelled' })).status).toBe(200);
    expect(await readChange(before)).toEqual([0, 0, 0]);
  });
});
