import { bookDatevRows, readDatevBatch } from '../../../support/business/accounting/datev';
import { createAndDownloadExport } from '../../../support/business/exports';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat } from '../../../support/business/reports';

/**
 * Write-offs of more than a document still charges, since a credit note of it was paid out. All amounts are computed by
 * hand: they correct the tax that is charged, and what exceeds it is a loss without tax.
 */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let customerId: number;
let vendorId: number;
let standard: number;

beforeAll(async () => {
  client = await createBusinessClient('Written off twice');
  const datev = { datevConsultantNumber: 29_098, datevClientNumber: 55_003 };
  await client.put('/api/config/accounting', { preset: 'skr03', ...datev });
  await client.put('/api/config/company', { writeOffLimit: 50 });
  const rate = { name: 'Rate 19', category: 'S', percent: 19 };
  standard = getCreatedId(await client.post('/api/config/tax-rates', rate));
  customerId = await addCustomer(client);
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

const expectStatus = async (response: Promise<{ status: number; bytes: Buffer }>, status: number): Promise<void> => {
  const { status: actual, bytes } = await response;
  expect([actual, bytes.toString('utf8')]).toEqual([status, expect.anything()]);
};

async function issue(fields: object = {}): Promise<number> {
  const lines = [{ productId: await addService(client), quantity: 2, unitPrice: 10, taxRateId: standard }];
  return getCreatedId(await client.post('/api/invoices', { customerId, lines, ...fields }));
}

/** An invoice of 20.00 + 3.80, paid, of which a half is credited and paid out. */
async function issueAndRefundHalf(fields: object = {}): Promise<{ invoiceId: number; paymentId: number }> {
  const invoiceId = await issue(fields);
  const { currencyCode } = getData(await client.get(`/api/invoices/${invoiceId}`));
  const allocations = [{ documentId: invoiceId, amount: 23.8 }];
  const payment = { customerId, amount: 23.8, currencyCode, allocations };
  const paymentId = getCreatedId(await client.post('/api/receivables/payments', payment));
  const half = { invoiceId, reason: 'Too much', lines: [{ invoiceLineId: 1, quantity: 1 }] };
  const creditNoteId = getCreatedId(await client.post('/api/credit-notes', half));
  await expectStatus(client.post('/api/receivables/refunds', { creditNoteId, amount: 11.9 }), 201);
  return { invoiceId, paymentId };
}

const voidPayment = (id: number, side = 'receivables') =>
  expectStatus(client.post(`/api/${side}/payments/${id}/void`, { reason: 'Returned by the bank' }), 200);

const writeOff = async (documentId: number, fields: object = {}, side = 'receivables') => {
  const response = await client.post(`/api/${side}/write-offs`, { documentId, reason: 'Not paid', ...fields });
  expect([response.status, response.body['code']]).toEqual([201, undefined]);
  return getData(response);
};

const voidWriteOff = (id: unknown, side = 'receivables') =>
  expectStatus(client.post(`/api/${side}/write-offs/${String(id)}/void`, { reason: 'Paid' }), 200);

const readEntry = async (id: string): Promise<unknown[]> => {
  const entries = (await client.get(`/api/journal?pageSize=100&dateFrom=${today}`)).body['data'] as {
    id: string;
    lines: { accountNumber: string; debit: number; credit: number }[];
  }[];
  const entry = entries.find((each) => each.id === id);
  return (entry?.lines ?? []).map(({ accountNumber, debit, credit }) => [accountNumber, debit - credit]);
};

test('a write-off after a returned payment corrects what the invoice still charges, and no more', async () => {
  const before = await readVat(client);
  const { invoiceId, paymentId } = await issueAndRefundHalf();
  await voidPayment(paymentId);
  const { id, amount, taxBase } = await writeOff(invoiceId);
  expect([amount, taxBase]).toEqual([23.8, 1.9]);
  expect(await readEntry(`write_off:receivable:${String(id)}`)).toEqual([
    ['1400', -23.8],
    ['2400', 10],
    ['1776', 1.9],
    ['2400', 11.9],
  ]);
  expect(await readVat(client)).toEqual(before);
  await voidWriteOff(id);
  expect(await readVat(client)).toEqual([...before, [19, 10, 1.9]]);
  await writeOff(invoiceId);
  expect(await readVat(client)).toEqual(before);
});

test('the same in several write-offs, of which the last has nothing left to correct', async () => {
  const before = await readVat(client);
  const { invoiceId, paymentId } = await issueAndRefundHalf();
  await voidPayment(paymentId);
  const taxes = [];
  for (const amount of [5.95, 11.9, 5.95]) taxes.push((await writeOff(invoiceId, { amount }))['taxBase']);
  expect(taxes).toEqual([0.95, 0.95, 0]);
  expect(await readVat(client)).toEqual(before);
});

test('the same after the credit note of the invoice was withdrawn from it and refunded', async () => {
  const before = await readVat(client);
  const invoiceId = await issue();
  const note = { invoiceId, reason: 'Too much', lines: [{ invoiceLineId: 1, quantity: 1 }] };
  const creditNoteId = getCreatedId(await client.post('/api/credit-notes', note));
  const allocations = await client.get(`/api/receivables/allocations?creditNoteId=${creditNoteId}`);
  const [allocation] = allocations.body['data'] as { id: number }[];
  await expectStatus(
    client.post(`/api/receivables/allocations/${String(allocation?.id)}/reverse`, { reason: 'Paid out' }),
    200,
  );
  expect((await writeOff(invoiceId))['taxBase']).toBe(1.9);
  expect(await readVat(client)).toEqual(before);
});

test('the same in another currency', async () => {
  await client.post('/api/config/exchange-rates', { currencyCode: 'USD', date: today, rate: 1.1 });
  const before = await readVat(client);
  const { invoiceId, paymentId } = await issueAndRefundHalf({ currencyCode: 'USD' });
  await voidPayment(paymentId);
  const { id, amountBase, taxBase } = await writeOff(invoiceId);
  expect([amountBase, taxBase]).toEqual([26.18, 2.09]);
  expect(await readEntry(`write_off:receivable:${String(id)}`)).toEqual([
    ['1400', -26.18],
    ['2400', 11],
    ['1776', 2.09],
    ['2400', 13.09],
  ]);
  expect(await readVat(client)).toEqual(before);
});

const work = (unitCost: number) => ({ description: 'Work', quantity: 1, unitCost, taxRateId: standard });
const recordPayable = async (path: string, number: string, fields: object): Promise<number> =>
  getCreatedId(await client.post(path, { vendorId, number, date: today, ...fields }));
const payBill = async (documentId: number, amount: number): Promise<number> => {
  const allocations = [{ documentId, amount }];
  return getCreatedId(await client.post('/api/payables/payments', { vendorId, amount, allocations }));
};

test('a write-off of a bill corrects the input tax that it still charges, and no more', async () => {
  const before = await readVat(client);
  const billId = await recordPayable('/api/payables', 'B-1', { lines: [work(20)] });
  const paymentId = await payBill(billId, 23.8);
  const noteId = await recordPayable('/api/payables/credit-notes', 'C-1', { lines: [work(10)], payableId: billId });
  await expectStatus(client.post('/api/payables/refunds', { creditNoteId: noteId, amount: 11.9 }), 201);
  await voidPayment(paymentId, 'payables');
  const { id, taxBase } = await writeOff(billId, {}, 'payables');
  expect(taxBase).toBe(1.9);
  expect(await readEntry(`write_off:payable:${String(id)}`)).toEqual([
    ['1600', 23.8],
    ['2709', -10],
    ['1576', -1.9],
    ['2709', -11.9],
  ]);
  expect(await readVat(client)).toEqual(before);
});

test('a credit of the vendor that settles several bills reduces the tax of each by the part that settles it', async () => {
  const first = await recordPayable('/api/payables', 'B-2', { lines: [work(20)] });
  const second = await recordPayable('/api/payables', 'B-3', { lines: [work(20)] });
  const creditNoteId = await recordPayable('/api/payables/credit-notes', 'C-2', { lines: [work(20)] });
  for (const documentId of [first, second]) {
    const use = { creditNoteId, documentId, amount: 11.9 };
    await expectStatus(client.post('/api/payables/allocations', use), 201);
  }
  for (const billId of [first, second]) expect((await writeOff(billId, {}, 'payables'))['taxBase']).toBe(1.9);
});

test('a DATEV batch of these entries gives the balances of the journal', async () => {
  const filters = { dateFrom: today, dateTo: today };
  const { file } = await createAndDownloadExport(client, { resource: 'journal', format: 'datev', filters });
  const balances = await client.get(`/api/reports/trial-balance?dateFrom=${today}&dateTo=${today}`);
  const accounts = getData(balances)['accounts'] as { number: string; closing: number }[];
  const closing = accounts.filter((account) => account.closing !== 0).map((each) => [each.number, each.closing]);
  expect(bookDatevRows(readDatevBatch(file.bytes).rows)).toEqual(Object.fromEntries(closing));
});
