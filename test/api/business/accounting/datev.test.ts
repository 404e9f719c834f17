import { bookDatevRows, readDatevBatch } from '../../../support/business/accounting/datev';
import type { DatevRow } from '../../../support/business/accounting/datev';
import { addCustomer, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport, requestExport, waitForExport } from '../../../support/business/exports';
import { closeTestPlatform } from '../../../support/tenant';
import { readBalances } from '../../../support/business/reports';

const DAY = '2026-01-15';

afterAll(closeTestPlatform);

async function createCompany(): Promise<{ client: BusinessClient; customerId: number; taxRateId: number }> {
  const client = await createBusinessClient('Hand-over');
  const settings = { preset: 'skr03', datevConsultantNumber: 29_098, datevClientNumber: 55_003 };
  expect((await client.put('/api/config/accounting', settings)).status).toBe(200);
  const rate = { name: 'Standard', category: 'S', percent: 19 };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  return { client, customerId: await addCustomer(client), taxRateId };
}

async function exportRows(client: BusinessClient, dateFrom: string, dateTo: string): Promise<DatevRow[]> {
  const request = { resource: 'journal', format: 'datev', filters: { dateFrom, dateTo } };
  return readDatevBatch((await createAndDownloadExport(client, request)).file.bytes).rows;
}

test('the counter-entry of a document keeps the accounts and tax keys of the chart of its day', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const lines = [{ description: 'Consulting', quantity: 1, unitPrice: 100, taxRateId }];
  const id = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: DAY, lines }));
  const voided = getData(await client.post(`/api/invoices/${id}/void`, { reason: 'Made in error' }));
  const voidedOn = String(voided['voidedOn']);
  expect((await client.put('/api/config/period-lock', { lockedThrough: DAY })).status).toBe(200);
  const { taxes } = getData(await client.get('/api/config/accounting')) as { taxes: { revenue: { number: string } }[] };
  const renamed = taxes.map((tax) =>
    tax.revenue.number === '8400' ? { ...tax, revenue: { number: '8401', name: 'Erlöse 19 % USt neu' } } : tax,
  );
  const accounts = [{ purpose: 'receivables', number: '1410', name: 'Forderungen neu' }];
  expect((await client.put('/api/config/accounting', { accounts, taxes: renamed })).status).toBe(200);
  const rows = await exportRows(client, voidedOn, voidedOn);
  const fields = rows.map(({ amount, side, account, contraAccount }) => [
    amount.toFixed(2),
    side,
    account,
    contraAccount,
  ]);
  expect(fields).toEqual([['119.00', 'S', '8400', '10001']]);
});

test('cents by which DATEV computes a tax differently are posted to the account of the tax', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const rate = { currencyCode: 'USD', date: DAY, rate: 0.9 };
  expect((await client.post('/api/config/exchange-rates', rate)).status).toBe(201);
  // 1.08 and 0.21 USD are 0.97 and 0.19 EUR, but 19 % of 0.97 are 0.18.
  const lines = [{ description: 'Consulting', quantity: 1, unitPrice: 1.08, taxRateId }];
  const invoice = { customerId, issueDate: DAY, currencyCode: 'USD', lines };
  getCreatedId(await client.post('/api/invoices', invoice));
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const bill = { vendorId, number: 'B-1', date: DAY, currencyCode: 'USD' };
  const billed = [{ description: 'Paper', quantity: 1, unitCost: 1.08, taxRateId }];
  getCreatedId(await client.post('/api/payables', { ...bill, lines: billed }));
  const rows = await exportRows(client, DAY, DAY);
  const fields = rows.map(({ amount, side, account, contraAccount, taxKey, information }) =>
    [amount.toFixed(2), side, account, contraAccount, taxKey, information].join(' '),
  );
  expect(fields).toEqual([
    '1.15 H 8400 10001  USD 1.29',
    '0.01 H 1776 10001  ',
    '1.15 S 3200 70001 0009 USD 1.29',
    '0.01 S 1576 70001  ',
  ]);
  expect(bookDatevRows(rows)).toEqual(await readBalances(client, DAY, DAY));
});

test('accounts of an earlier chart that are longer than the accounts of the batch are named before the export', async () => {
  const { client } = await createCompany();
  const long = [{ purpose: 'bank', number: '12000001', name: 'Sparkasse' }];
  const first = await client.put('/api/config/accounting', { datevAccountLength: 8, accounts: long });
  expect(first.status).toBe(200);
  expect((await client.put('/api/config/period-lock', { lockedThrough: DAY })).status).toBe(200);
  const accounts = [{ purpose: 'bank', number: '1200', name: 'Bank' }];
  expect((await client.put('/api/config/accounting', { datevAccountLength: 4, accounts })).status).toBe(200);
  const filters = { dateFrom: DAY, dateTo: DAY };
  const refused = await client.post('/api/exports', { resource: 'journal', format: 'datev', filters });
  expect([refused.status, refused.body['errors']]).toEqual([
    400,
    ['format: datev needs accounts of at most 4 digits (datevAccountLength), unlike 12000001'],
  ]);
});

test('rows of a payment carry the numbers of the documents that it settles, so that DATEV clears their open items', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const issue = async (unitPrice: number): Promise<{ id: number; number: string }> => {
    const lines = [{ description: 'Consulting', quantity: 1, unitPrice, taxRateId }];
    const id = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: DAY, lines }));
    return { id, number: String(getData(await client.get(`/api/invoices/${id}`))['number']) };
  };
  const [first, second] = [await issue(100), await issue(200)];
  const payment = { customerId, amount: 200, date: DAY, reference: 'Transfer 7' };
  const allocations = [
    { documentId: first.id, amount: 119 },
    { documentId: second.id, amount: 50 },
  ];
  const paymentId = getCreatedId(await client.post('/api/receivables/payments', { ...payment, allocations }));
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const billed = [{ description: 'Paper', quantity: 1, unitCost: 100, taxRateId }];
  const bill = { vendorId, number: 'B-77', date: DAY, lines: billed };
  const billId = getCreatedId(await client.post('/api/payables', bill));
  const paid = { vendorId, amount: 119, date: DAY, allocations: [{ documentId: billId, amount: 119 }] };
  expect((await client.post('/api/payables/payments', paid)).status).toBe(201);
  const rows = await exportRows(client, DAY, DAY);
  const money = rows.filter(({ account }) => account === '1200');
  expect(money.map(({ amount, side, document }) => [amount.toFixed(2), side, document])).toEqual([
    ['119.00', 'H', 'B-77'],
    ['119.00', 'S', first.number],
    ['50.00', 'S', second.number],
    ['31.00', 'S', `PAY-${paymentId}`],
  ]);
  expect(bookDatevRows(rows)).toEqual(await readBalances(client, DAY, DAY));

  // A void has the rows of its payment on the other side.
  const voided = await client.post(`/api/receivables/payments/${paymentId}/void`, { reason: 'Returned' });
  const { voidedOn } = getData(voided) as { voidedOn: string };
  const undone = (await exportRows(client, voidedOn, voidedOn)).filter(({ account }) => account === '1200');
  expect(undone.map(({ amount, side, document }) => [amount.toFixed(2), side, document])).toEqual([
    ['119.00', 'H', first.number],
    ['50.00', 'H', second.number],
    ['31.00', 'H', `PAY-${paymentId}`],
  ]);
});

test('the row of a refund carries the number of the credit that it pays out', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const lines = [{ description: 'Consulting', quantity: 1, unitPrice: 100, taxRateId }];
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: DAY, lines }));
  const invoiceNumber = String(getData(await client.get(`/api/invoices/${invoiceId}`))['number']);
  const paid = { customerId, amount: 119, date: DAY, allocations: [{ documentId: invoiceId, amount: 119 }] };
  expect((await client.post('/api/receivables/payments', paid)).status).toBe(201);
  const whole = await client.post('/api/credit-notes', { invoiceId, reason: 'Returned', issueDate: DAY });
  const { id: creditNoteId, number } = getData(whole) as { id: number; number: string };
  const settled = await client.post('/api/receivables/payments', { customerId, amount: 50, date: DAY });
  const paymentId = getCreatedId(settled);
  for (const refund of [
    { paymentId, amount: 50 },
    { creditNoteId, amount: 119 },
  ])
    expect((await client.post('/api/receivables/refunds', { ...refund, date: DAY })).status).toBe(201);
  const rows = await exportRows(client, DAY, DAY);
  const money = rows.filter(({ account }) => account === '1200');
  expect(money.map(({ amount, side, document }) => [amount.toFixed(2), side, document])).toEqual([
    ['119.00', 'S', invoiceNumber],
    ['50.00', 'S', `PAY-${paymentId}`],
    ['50.00', 'H', `PAY-${paymentId}`],
    ['119.00', 'H', number],
  ]);
  expect(bookDatevRows(rows)).toEqual(await readBalances(client, DAY, DAY));
});

test('rows of a credit note that settles one document carry the number of the document, so that DATEV clears both', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const issue = async (): Promise<{ id: number; number: string }> => {
    const lines = [
      { description: 'Consulting', quantity: 2, unitPrice: 100, taxRateId },
      { description: 'Travel', quantity: 1, unitPrice: 50 },
    ];
    const id = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: DAY, lines }));
    return { id, number: String(getData(await client.get(`/api/invoices/${id}`))['number']) };
  };
  const credit = async (invoiceId: number): Promise<{ id: number; number: string }> => {
    const lines = [1, 2].map((invoiceLineId) => ({ invoiceLineId, amount: 50 }));
    const note = { invoiceId, reason: 'Returned', issueDate: DAY, lines };
    return getData(await client.post('/api/credit-notes', note)) as { id: number; number: string };
  };
  const [open, paid, partly] = [await issue(), await issue(), await issue()];
  for (const [{ id }, amount] of [
    [paid, 288],
    [partly, 200],
  ] as const) {
    const payment = { customerId, amount, date: DAY, allocations: [{ documentId: id, amount }] };
    expect((await client.post('/api/receivables/payments', payment)).status).toBe(201);
  }
  const notes = [await credit(open.id), await credit(paid.id), await credit(partly.id)];
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const lines = [{ description: 'Paper', quantity: 1, unitCost: 100, taxRateId }];
  const payableId = getCreatedId(await client.post('/api/payables', { vendorId, number: 'B-77', date: DAY, lines }));
  const vendorNote = { vendorId, number: 'C-5', date: DAY, lines, payableId };
  expect((await client.post('/api/payables/credit-notes', vendorNote)).status).toBe(201);
  const readNotes = async () => {
    const rows = await exportRows(client, DAY, DAY);
    expect(bookDatevRows(rows)).toEqual(await readBalances(client, DAY, DAY));
    const isCredited = ({ account, side }: DatevRow) =>
      (account.startsWith('8') && side === 'S') || (account === '3200' && side === 'H');
    return rows
      .filter(isCredited)
      .map(({ amount, document, text }) => [amount.toFixed(2), document, text.split(' ')[0]]);
  };
  const name = String(getData(await client.get(`/api/customers/${customerId}`))['name']).split(' ')[0];
  const expected = [
    ['59.50', open.number, notes[0]?.number],
    ['50.00', open.number, notes[0]?.number],
    ['59.50', notes[1]?.number, name],
    ['50.00', notes[1]?.number, name],
    // 88.00 of it settles the invoice, and the rest is credit.
    ['59.50', notes[2]?.number, name],
    ['50.00', notes[2]?.number, name],
    ['119.00', 'B-77', 'C-5'],
  ];
  expect(await readNotes()).toEqual(expected);
  // The later application of a credit moves nothing between accounts.
  const application = { creditNoteId: notes[1]?.id, documentId: open.id, amount: 109.5 };
  expect((await client.post('/api/receivables/allocations', application)).status).toBe(201);
  expect(await readNotes()).toEqual(expected);
});

test('an amount that the format cannot hold fails the export, which names the document', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const lines = [{ description: 'Power station', quantity: 1, unitPrice: 9_000_000_000, taxRateId }];
  const id = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: DAY, lines }));
  const { number } = getData(await client.get(`/api/invoices/${id}`)) as { number: string };
  const request = { resource: 'journal', format: 'datev', filters: { dateFrom: DAY, dateTo: DAY } };
  const failed = await waitForExport(
    client,
    (await requestExport(client, request)).id,
    ({ state }) => state === 'failed',
  );
  expect(failed).toMatchObject({ failure: 'datev_amount_too_large', download: null });
  expect(failed.failureMessage).toBe(`${number} of ${DAY} posts 10710000000; datev accepts amounts below 10000000000.`);
});

test('accounts that are equal once they are filled with zeros are named before the export', async () => {
  const { client } = await createCompany();
  const accounts = [
    { purpose: 'bank', number: '1200', name: 'Bank' },
    { purpose: 'cash', number: '12000', name: 'Kasse' },
  ];
  expect((await client.put('/api/config/accounting', { datevAccountLength: 5, accounts })).status).toBe(200);
  const filters = { dateFrom: DAY, dateTo: DAY };
  const refused = await client.post('/api/exports', { resource: 'journal', format: 'datev', filters });
  expect([refused.status, refused.body['errors']]).toEqual([
    400,
    ['format: datev fills account numbers with zeros to 5 digits (datevAccountLength): 1200 and 12000 are equal'],
  ]);
});
