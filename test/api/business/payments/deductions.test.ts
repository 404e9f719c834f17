import { createAndDownloadExport } from '../../../support/business/exports';
import { bookDatevRows, readDatevBatch } from '../../../support/business/accounting/datev';
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
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat, expectInvariants } from '../../../support/business/reports';

/** Discounts for early payment and write-offs. All amounts are computed by hand. */

const YEAR = '2025';
const DISCOUNT = { percent: 2, days: 14 };
let client: BusinessClient;
let customerId: number;
let standard: number;
let reduced: number;
let productId: number;

beforeAll(async () => {
  client = await createBusinessClient('Skonto GmbH');
  await client.put('/api/config/accounting', {
    preset: 'skr03',
    datevConsultantNumber: 29_098,
    datevClientNumber: 55_003,
  });
  const addRate = async (percent: number): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { name: `Rate ${percent}`, category: 'S', percent }));
  standard = await addRate(19);
  reduced = await addRate(7);
  productId = await addService(client, { name: 'Advice' });
  customerId = await addCustomer(client, { name: 'Zahlt Pünktlich AG' });
});
afterAll(closeTestPlatform);

const issue = async (issueDate: string, fields: object = {}): Promise<number> =>
  getCreatedId(
    await client.post('/api/invoices', {
      customerId,
      issueDate,
      earlyPaymentDiscount: DISCOUNT,
      lines: [{ productId, quantity: 1, unitPrice: 100, taxRateId: standard }],
      ...fields,
    }),
  );
const pay = (amount: number, date: string, fields: object = {}) =>
  client.post('/api/receivables/payments', { customerId, amount, date, ...fields });
const readInvoice = async (id: number) => getData(await client.get(`/api/invoices/${id}`));
interface JournalLine {
  accountNumber: string;
  debit: number;
  credit: number;
}
const readEntry = async (id: string, day: string) => {
  const entries = getRows(await client.get(`/api/journal?dateFrom=${day}&dateTo=${day}&pageSize=100`));
  const lines = entries.find((entry) => entry['id'] === id)?.['lines'] as JournalLine[] | undefined;
  return lines?.map(({ accountNumber, debit, credit }) => [accountNumber, debit - credit]);
};

describe('discount for early payment', () => {
  test('a payment of the discounted amount in time closes the invoice, corrects its tax in the period of payment, and is reversed with the payment', async () => {
    const invoice = await issue(`${YEAR}-01-05`);
    const response = await pay(116.62, `${YEAR}-01-19`);
    expectDocumented('post', '/api/receivables/payments', response);
    const payment = getData(response);
    expect(payment).toMatchObject({
      unapplied: 0,
      allocations: [{ documentId: invoice, amount: 116.62, settled: 116.62, discount: 2.38 }],
    });
    expect(await readInvoice(invoice)).toMatchObject({ status: 'paid', open: 0 });
    const [{ id }] = payment['allocations'] as [{ id: number }];
    expect(await readEntry(`discount:receivable:${id}`, `${YEAR}-01-19`)).toEqual([
      ['1400', -2.38],
      ['8736', 2],
      ['1776', 0.38],
    ]);
    expect(await readVat(client, `${YEAR}-01-19`, `${YEAR}-01-19`)).toEqual([[19, -2, -0.38]]);
    const statement = getData(
      await client.get(`/api/customers/${customerId}/statement?dateFrom=${YEAR}-01-01&dateTo=${YEAR}-01-31`),
    );
    const [account] = statement['accounts'] as { closing: number; rows: { kind: string; amount: number }[] }[];
    expect(account?.rows.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['invoice', 119],
      ['payment', -116.62],
      ['discount', -2.38],
    ]);
    expect(account?.closing).toBe(0);
    const aging = getData(await client.get(`/api/receivables/aging?asOf=${YEAR}-01-31`))['total'];
    expect(aging).toMatchObject({ net: 0, unappliedCredit: 0 });
    await expectInvariants(client);
    const voided = await client.post(`/api/receivables/payments/${String(payment['id'])}/void`, { reason: 'Returned' });
    expect(voided.status).toBe(200);
    expect(await readInvoice(invoice)).toMatchObject({ status: 'issued', open: 119 });
    const today = String(getData(voided)['voidedOn']);
    expect(await readVat(client, today, today)).toEqual([[19, 2, 0.38]]);
    await expectInvariants(client);
    expect((await client.post(`/api/invoices/${invoice}/void`, { reason: 'Made in error' })).status).toBe(200);
  });

  test('the discount is divided over the rates of the invoice, without what credit notes took back', async () => {
    const lines = [
      { productId, quantity: 1, unitPrice: 100, taxRateId: standard },
      { productId, quantity: 2, unitPrice: 50, taxRateId: reduced },
    ];
    const invoice = await issue(`${YEAR}-02-03`, { lines });
    const credit = { invoiceId: invoice, reason: 'Returned', issueDate: `${YEAR}-02-04` };
    await client.post('/api/credit-notes', { ...credit, lines: [{ invoiceLineId: 2, quantity: 1 }] });
    // 119 + 53.50 = 172.50; 2 % = 3.45, of which 2.38 at 19 % and 1.07 at 7 %.
    const payment = getData(await pay(169.05, `${YEAR}-02-10`));
    expect(payment['allocations']).toMatchObject([{ documentId: invoice, amount: 169.05, discount: 3.45 }]);
    expect(await readVat(client, `${YEAR}-02-10`, `${YEAR}-02-10`)).toEqual([
      [19, -2, -0.38],
      [7, -1, -0.07],
    ]);
    await expectInvariants(client);
  });

  test('a late, partial or too large discount is refused with its reason, and is not deducted by itself', async () => {
    const invoice = await issue(`${YEAR}-03-03`);
    const named = (amount: number, discount: number, date: string) =>
      pay(amount, date, { allocations: [{ documentId: invoice, amount, discount }] });
    const refused = async (amount: number, discount: number, date: string) => {
      const { status, body } = await named(amount, discount, date);
      return [status, body['code'], body['errors']];
    };
    const number = String((await readInvoice(invoice))['number']);
    expect(await refused(116.62, 2.38, `${YEAR}-03-18`)).toEqual([
      409,
      'discount_not_available',
      [`allocations[0].discount: must be 0: the discount of ${number} ended on ${YEAR}-03-17`],
    ]);
    expect(await refused(100, 2, `${YEAR}-03-10`)).toEqual([
      409,
      'discount_not_available',
      [
        `allocations[0].discount: must be 0 unless amount and discount are together the open amount of ${number}, 119 EUR`,
      ],
    ]);
    expect((await refused(110, 9, `${YEAR}-03-10`))[2]).toEqual(['allocations[0].discount: must be at most 2.38 EUR']);
    const late = getData(await pay(116.62, `${YEAR}-03-18`));
    expect(late['allocations']).toMatchObject([{ amount: 116.62, discount: 0 }]);
    expect(await readInvoice(invoice)).toMatchObject({ status: 'partially_paid', open: 2.38 });
    await pay(2.38, `${YEAR}-03-20`);
    const plain = await issue(`${YEAR}-03-21`, { earlyPaymentDiscount: undefined });
    const without = await pay(100, `${YEAR}-03-22`, {
      allocations: [{ documentId: plain, amount: 100, discount: 19 }],
    });
    expect([without.status, without.body['code']]).toEqual([409, 'discount_not_available']);
    await pay(119, `${YEAR}-03-22`);
  });

  test('one payment of several discounted amounts closes all invoices; a credit that is applied later keeps the day of its payment', async () => {
    const first = await issue(`${YEAR}-04-01`);
    const second = await issue(`${YEAR}-04-02`, {
      lines: [{ productId, quantity: 1, unitPrice: 50, taxRateId: reduced }],
    });
    // 116.62 + 52.43 (53.50 less 1.07)
    const both = getData(await pay(169.05, `${YEAR}-04-10`));
    expect(both['allocations']).toMatchObject([
      { documentId: first, discount: 2.38 },
      { documentId: second, discount: 1.07 },
    ]);
    const third = await issue(`${YEAR}-04-11`);
    const credit = getCreatedId(await pay(116.62, `${YEAR}-04-12`, { allocations: [] }));
    const applied = await client.post('/api/receivables/allocations', {
      paymentId: credit,
      documentId: third,
      amount: 116.62,
      date: `${YEAR}-06-30`,
    });
    expectDocumented('post', '/api/receivables/allocations', applied);
    expect(getData(applied)).toMatchObject({ discount: 2.38, date: `${YEAR}-06-30` });
    expect(await readInvoice(third)).toMatchObject({ status: 'paid', open: 0 });
    await expectInvariants(client);
  });

  test('a bank transaction of the discounted amount proposes the discount, and accepting it posts it', async () => {
    const invoice = await issue(`${YEAR}-05-05`);
    const number = String((await readInvoice(invoice))['number']);
    const csv = `date,amount,text\n${YEAR}-05-12,116.62,${number}\n`;
    const file = { body: Buffer.from(csv), name: 'bank.csv', type: 'text/csv' };
    const mapping = JSON.stringify({ bookingDate: 'date', amount: 'amount', remittance: 'text' });
    const form = { format: 'csv', mapping, file };
    expect((await call('POST', '/api/bank-statements', { token: client.token, form })).status).toBe(201);
    const [transaction] = getRows(await client.get('/api/bank-transactions?state=open'));
    const path = `/api/bank-transactions/${String(transaction?.['id'])}`;
    const [proposal] = getRows(await client.get(`${path}/proposals`));
    expect(proposal).toMatchObject({
      rest: 0,
      allocations: [{ documentId: invoice, amount: 116.62, discount: 2.38 }],
      evidence: [
        { reason: 'reference', documents: [number], amount: null, discount: null },
        { reason: 'amount', documents: [number], amount: 116.62, discount: 2.38 },
      ],
    });
    expect(JSON.stringify(proposal?.['evidence'])).toContain('less the discount for early payment of 2.38 EUR');
    const allocations = [{ documentId: invoice, amount: 116.62, discount: 2.38 }];
    expect((await client.post(`${path}/accept`, { partyId: customerId, allocations })).status).toBe(200);
    expect(await readInvoice(invoice)).toMatchObject({ status: 'paid', open: 0 });
  });
});

describe('write-offs', () => {
  const writeOff = (body: object, side = 'receivables') => client.post(`/api/${side}/write-offs`, body);

  test('a small difference is written off within the limit of the company, with its tax, and can be voided', async () => {
    const documentId = await issue(`${YEAR}-07-01`, { earlyPaymentDiscount: undefined });
    await pay(117.81, `${YEAR}-07-05`, { allocations: [{ documentId, amount: 117.81 }] });
    const body = { documentId, date: `${YEAR}-07-06`, reason: 'Charges of the bank' };
    const refused = await writeOff(body);
    expect([refused.status, refused.body['code'], refused.body['errors']]).toEqual([
      409,
      'write_off_exceeds_limit',
      ['amount: must be at most 0 EUR'],
    ]);
    expect((await client.put('/api/config/company', { writeOffLimit: 5 })).status).toBe(200);
    const response = await writeOff(body);
    expectDocumented('post', '/api/receivables/write-offs', response);
    const { id } = getData(response) as { id: number };
    expect(getData(response)).toMatchObject({ amount: 1.19, taxBase: 0.19, status: 'posted', documentId });
    expect(await readInvoice(documentId)).toMatchObject({ status: 'paid', open: 0 });
    expect(await readEntry(`write_off:receivable:${id}`, `${YEAR}-07-06`)).toEqual([
      ['1400', -1.19],
      ['2400', 1],
      ['1776', 0.19],
    ]);
    expect(await readVat(client, `${YEAR}-07-06`, `${YEAR}-07-06`)).toEqual([[19, -1, -0.19]]);
    const statement = getData(
      await client.get(`/api/customers/${customerId}/statement?dateFrom=${YEAR}-07-06&dateTo=${YEAR}-07-06`),
    );
    expect(statement['accounts']).toMatchObject([{ rows: [{ kind: 'write_off', amount: -1.19 }] }]);
    const again = await writeOff(body);
    expect([again.status, again.body['code']]).toEqual([409, 'allocation_exceeds_open']);
    const list = await client.get('/api/receivables/write-offs');
    expectDocumented('get', '/api/receivables/write-offs', list);
    expect(getRows(list)).toMatchObject([{ id }]);
    await expectInvariants(client);
    const voided = await client.post(`/api/receivables/write-offs/${id}/void`, { reason: 'Paid after all' });
    expectDocumented('post', '/api/receivables/write-offs/:id/void', voided);
    expect(getData(voided)).toMatchObject({ status: 'void', voidReason: 'Paid after all' });
    expect(await readInvoice(documentId)).toMatchObject({ status: 'partially_paid', open: 1.19 });
    const twice = await client.post(`/api/receivables/write-offs/${id}/void`, { reason: 'Paid after all' });
    expect([twice.status, twice.body['code']]).toEqual([409, 'already_void']);
    expect((await client.get('/api/receivables/write-offs/999')).status).toBe(404);
    await expectInvariants(client);
  });

  test('the limit of the company is in its currency, whatever the currency of the document', async () => {
    const rate = { currencyCode: 'USD', date: `${YEAR}-07-10`, rate: 1.25 };
    expect((await client.post('/api/config/exchange-rates', rate)).status).toBe(201);
    const abroad = await addCustomer(client, { currencyCode: 'USD' });
    const usd = { customerId: abroad, currencyCode: 'USD', earlyPaymentDiscount: undefined };
    const documentId = await issue(`${YEAR}-07-10`, usd);
    const body = { documentId, date: `${YEAR}-07-11`, reason: 'Charges of the bank' };
    // 4 USD are 5 EUR, and 4.01 USD are 5.01 EUR.
    const refused = await writeOff({ ...body, amount: 4.01 });
    expect([refused.status, refused.body['code'], refused.body['errors']]).toEqual([
      409,
      'write_off_exceeds_limit',
      ['amount: must be at most 5 EUR'],
    ]);
    expect(await readInvoice(documentId)).toMatchObject({ open: 119 });
    expect((await writeOff({ ...body, amount: 4 })).status).toBe(201);
    const more = await writeOff({ ...body, amount: 0.01 });
    expect([more.status, more.body['code']]).toEqual([409, 'write_off_exceeds_limit']);
    expect(await readInvoice(documentId)).toMatchObject({ open: 115 });
    await expectInvariants(client);
  });

  test('the rest of an overpayment is income, and voiding the payment takes it back', async () => {
    const documentId = await issue(`${YEAR}-08-01`, { earlyPaymentDiscount: undefined });
    const allocations = [{ documentId, amount: 119 }];
    const paymentId = getCreatedId(await pay(119.04, `${YEAR}-08-02`, { allocations }));
    const { id } = getData(await writeOff({ paymentId, date: `${YEAR}-08-03`, reason: 'Cents' })) as { id: number };
    expect(await readEntry(`write_off:receivable:${id}`, `${YEAR}-08-03`)).toEqual([
      ['1400', 0.04],
      ['2709', -0.04],
    ]);
    await expectInvariants(client);
    const voided = await client.post(`/api/receivables/payments/${paymentId}/void`, { reason: 'Returned' });
    expect(voided.status).toBe(200);
    expect(await readInvoice(documentId)).toMatchObject({ status: 'issued', open: 119 });
    await expectInvariants(client);
  });

  test('a rest of a bill is written off with its input tax; wrong requests are named', async () => {
    const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
    const line = { description: 'Service', quantity: 1, unitCost: 100, taxRateId: reduced };
    const bill = { vendorId, number: 'B-1', date: `${YEAR}-09-01`, lines: [line] };
    const documentId = getCreatedId(await client.post('/api/payables', bill));
    await client.post('/api/payables/payments', { vendorId, amount: 105.93, date: `${YEAR}-09-02` });
    const response = await writeOff({ documentId, date: `${YEAR}-09-03`, reason: 'Difference' }, 'payables');
    expectDocumented('post', '/api/payables/write-offs', response);
    expect(getData(response)).toMatchObject({ amount: 1.07, taxBase: 0.07, vendorId });
    expect(await readVat(client, `${YEAR}-09-03`, `${YEAR}-09-03`)).toEqual([[7, -1, -0.07]]);
    expect((await writeOff({ documentId, paymentId: 1, reason: 'Both' }, 'payables')).status).toBe(400);
    expect((await writeOff({ reason: 'Neither' })).status).toBe(400);
    expect((await writeOff({ documentId: 999_999, reason: 'Unknown' })).status).toBe(400);
    const { id } = getData(response);
    expect(getRows(await client.get('/api/payables/write-offs'))).toMatchObject([{ id }]);
    expect(getData(await client.get(`/api/payables/write-offs/${Number(id)}`))).toMatchObject({ amount: 1.07 });
    await expectInvariants(client);
    const voided = await client.post(`/api/payables/write-offs/${Number(id)}/void`, { reason: 'Paid after all' });
    expect(getData(voided)).toMatchObject({ id, status: 'void' });
    await expectInvariants(client);
  });

  test('a DATEV batch with discounts and write-offs gives the balances of the journal', async () => {
    const filters = { dateFrom: `${YEAR}-01-01`, dateTo: `${YEAR}-12-31` };
    const { file } = await createAndDownloadExport(client, { resource: 'journal', format: 'datev', filters });
    const response = await client.get(
      `/api/reports/trial-balance?dateFrom=${filters.dateFrom}&dateTo=${filters.dateTo}`,
    );
    const accounts = getData(response)['accounts'] as { number: string; closing: number }[];
    const closing = accounts
      .filter((account) => account.closing !== 0)
      .map((account) => [account.number, account.closing]);
    expect(bookDatevRows(readDatevBatch(file.bytes).rows)).toEqual(Object.fromEntries(closing));
  });
});
