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
import { readPageTexts, readQrCode } from '../../../support/business/printed-pdf';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat, expectInvariants } from '../../../support/business/reports';

/** Deposit invoices, prepayments and the invoices that deduct them. All amounts are computed by hand. */

const XML_LIMITS = { maxDepth: 20, maxNodes: 10_000, maxAttributes: 20 };
const DAY = { deposit: '2025-03-03', paid: '2025-03-05', final: '2025-04-10' } as const;
let client: BusinessClient;
let customerId: number;
let standard: number;
let productId: number;

beforeAll(async () => {
  client = await createBusinessClient('Anzahlung GmbH');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  const address = { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', country: 'DE' };
  const company = { iban: 'DE89370400440532013000', taxId: 'DE123456789', email: 'billing@example.com', address };
  expect((await client.put('/api/config/company', company)).status).toBe(200);
  const rate = { name: 'Standard 19', category: 'S', percent: 19 };
  standard = getCreatedId(await client.post('/api/config/tax-rates', rate));
  productId = await addService(client);
  customerId = await addCustomer(client, { language: 'de', address });
});
afterAll(closeTestPlatform);

const buildDeposit = (unitPrice: number, fields: object = {}) => ({
  customerId,
  deposit: true,
  issueDate: DAY.deposit,
  lines: [{ description: 'Anzahlung Auftrag 7', quantity: 1, unitPrice, taxRateId: standard }],
  ...fields,
});
const buildFinal = (fields: object = {}) => ({
  customerId,
  issueDate: DAY.final,
  lines: [{ productId, quantity: 1, unitPrice: 1000, taxRateId: standard }],
  ...fields,
});
const issue = (body: object) => client.post('/api/invoices', body);
const read = async (id: number) => getData(await client.get(`/api/invoices/${id}`));
const pay = (documentId: number, amount: number, date: string = DAY.paid) =>
  client.post('/api/receivables/payments', { customerId, amount, date, allocations: [{ documentId, amount }] });
async function addPaidDeposit(unitPrice: number): Promise<number> {
  const id = getCreatedId(await issue(buildDeposit(unitPrice, { issueDate: DAY.final })));
  expect((await pay(id, unitPrice * 1.19, DAY.final)).status).toBe(201);
  return id;
}
const readEntries = async (day: string, kind: string) => {
  const entries = getRows(await client.get(`/api/journal?dateFrom=${day}&dateTo=${day}&pageSize=100`));
  return entries
    .filter((entry) => entry['kind'] === kind)
    .map((entry) =>
      (entry['lines'] as { accountNumber: string; debit: number; credit: number }[]).map((line) => [
        line.accountNumber,
        line.debit - line.credit,
      ]),
    );
};

describe('a final invoice', () => {
  let depositId: number;
  let finalId: number;

  test('deducts a paid deposit with its tax: revenue once, the rest of the tax, and the amount due', async () => {
    depositId = getCreatedId(await issue(buildDeposit(500)));
    expect(await readEntries(DAY.deposit, 'invoice')).toEqual([
      [
        ['1400', 595],
        ['1710', -500],
        ['1760', -95],
      ],
    ]);
    const early = await issue(buildFinal({ depositInvoiceIds: [depositId] }));
    expect([early.status, early.body['errors']]).toEqual([
      400,
      [expect.stringMatching(/^depositInvoiceIds\[0\]: is not a paid deposit invoice of the customer/)],
    ]);
    const listUsable = async (query = '') => {
      const usable = await client.get(`/api/invoices/deposits?customerId=${customerId}${query}`);
      expectDocumented('get', '/api/invoices/deposits', usable);
      return getRows(usable).map(({ invoiceId, grandTotal }) => [invoiceId, grandTotal]);
    };
    expect(await listUsable()).toEqual([]);
    await pay(depositId, 595);
    expect([await listUsable(), await listUsable('&currencyCode=USD')]).toEqual([[[depositId, 595]], []]);
    expect((await client.get('/api/invoices/deposits')).body['errors']).toEqual([
      'customerId: is required; must be the number of a customer',
    ]);
    const dryRun = await client.post('/api/invoices?dryRun=true', buildFinal({ depositInvoiceIds: [depositId] }));
    expect(getData(dryRun)['prepaid']).toMatchObject({ amount: 595, due: 595 });
    const response = await issue(buildFinal({ depositInvoiceIds: [depositId] }));
    expectDocumented('post', '/api/invoices', response);
    finalId = getCreatedId(response);
    expect(await listUsable()).toEqual([]);
    expect(getData(response)).toMatchObject({
      status: 'partially_paid',
      grandTotal: 1190,
      open: 595,
      prepaid: {
        amount: 595,
        due: 595,
        deposits: [{ invoiceId: depositId, issueDate: DAY.deposit, net: 500, tax: 95, total: 595 }],
        payments: [],
      },
    });
    expect(await readEntries(DAY.final, 'deposit')).toEqual([
      [
        ['1400', -595],
        ['1710', 500],
        ['1776', 95],
      ],
    ]);
    expect(await readVat(client, DAY.deposit)).toEqual([]);
    expect(await readVat(client, DAY.paid)).toEqual([[19, 500, 95]]);
    expect(await readVat(client, DAY.final)).toEqual([[19, 500, 95]]);
    const statement = getData(
      await client.get(`/api/customers/${customerId}/statement?dateFrom=2025-03-01&dateTo=2025-04-30`),
    );
    const [account] = statement['accounts'] as { closing: number; rows: { kind: string; amount: number }[] }[];
    expect(account?.rows.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['invoice', 595],
      ['payment', -595],
      ['invoice', 1190],
      ['deposit', -595],
    ]);
    expect(account?.closing).toBe(595);
    await expectInvariants(client);
  });

  test('prints the deposit with its tax, and asks for the amount due in words, code and electronic invoice', async () => {
    const number = String((await read(depositId))['number']);
    const pdf = await client.get(`/api/invoices/${finalId}/pdf`);
    const text = (await readPageTexts(pdf.bytes)).join(' ').replace(/\s+/g, ' ');
    for (const part of ['Gesamtbetrag', '500,00', '95,00', '1.190,00', 'Nach Abzug der Anzahlungen'])
      expect(text).toContain(part);
    // The number may be broken at a hyphen.
    const toPlain = (words: string): string => words.replaceAll(/[^\p{L}\p{N}]/gu, '');
    expect(toPlain(text)).toContain(toPlain(`Anzahlungsrechnung ${number}`));
    expect(await readQrCode(pdf.bytes)).toContain('EUR595.00');
    const deposit = await client.get(`/api/invoices/${depositId}/pdf`);
    expect((await readPageTexts(deposit.bytes)).join(' ')).toContain('Anzahlungsrechnung');
    const ubl = parseXml(
      (await client.get(`/api/invoices/${finalId}/pdf?format=ubl`)).bytes.toString('utf8'),
      XML_LIMITS,
    );
    const totals = findElement(ubl, 'LegalMonetaryTotal');
    expect(['TaxInclusiveAmount', 'PrepaidAmount', 'PayableAmount'].map((name) => findText(totals, name))).toEqual([
      '1190.00',
      '595.00',
      '595.00',
    ]);
    expect(findChildren(ubl, 'BillingReference')).toHaveLength(1);
    expect(findText(ubl, 'Note')).toContain(number);
    const cii = (await client.get(`/api/invoices/${finalId}/pdf?format=cii`)).bytes.toString('utf8');
    expect(cii).toContain('<ram:TotalPrepaidAmount>595.00</ram:TotalPrepaidAmount>');
    expect(cii).toContain('<ram:DuePayableAmount>595.00</ram:DuePayableAmount>');
  });

  test('its deposit can be deducted once, and neither credited nor voided while it is', async () => {
    const again = await issue(buildFinal({ depositInvoiceIds: [depositId] }));
    expect(again.status).toBe(400);
    const credit = await client.post('/api/credit-notes', { invoiceId: depositId, reason: 'Cancelled' });
    expect([credit.status, credit.body['code']]).toEqual([409, 'deposit_deducted']);
    const [payment] = getRows(await client.get(`/api/receivables/payments?customerId=${customerId}`));
    await client.post(`/api/receivables/payments/${String(payment?.['id'])}/void`, { reason: 'Returned' });
    const voided = await client.post(`/api/invoices/${depositId}/void`, { reason: 'Cancelled' });
    expect([voided.status, voided.body['code']]).toEqual([409, 'deposit_deducted']);
    await pay(depositId, 595);
    await expectInvariants(client);
  });

  test('releases the deposit when it is voided, and a full credit note leaves the deposit as credit', async () => {
    expect((await client.post(`/api/invoices/${finalId}/void`, { reason: 'Wrong address' })).status).toBe(200);
    expect(await read(finalId)).toMatchObject({ status: 'void', open: 0 });
    await expectInvariants(client);
    const second = getCreatedId(await issue(buildFinal({ depositInvoiceIds: [depositId] })));
    expect(await read(second)).toMatchObject({ open: 595 });
    const credit = await client.post('/api/credit-notes', {
      invoiceId: second,
      reason: 'Returned',
      issueDate: DAY.final,
    });
    expect(credit.status).toBe(201);
    expect(await read(second)).toMatchObject({ open: 0 });
    const balance = getData(await client.get(`/api/customers/${customerId}/balance`));
    expect(balance).toMatchObject({ balance: -595, credit: 595 });
    await expectInvariants(client);
  });
});

test('several deposits and a payment in advance are deducted from a draft; the discount counts on what is due', async () => {
  const own = await addCustomer(client, { address: { country: 'DE' } });
  const before = customerId;
  customerId = own;
  const [first, second] = [await addPaidDeposit(100), await addPaidDeposit(200)];
  const payment = await client.post('/api/receivables/payments', {
    customerId,
    amount: 50,
    date: DAY.paid,
    allocations: [],
  });
  const paymentId = getCreatedId(payment);
  const body = buildFinal({
    draft: true,
    depositInvoiceIds: [first, second],
    prepayments: [{ paymentId, amount: 50 }],
    earlyPaymentDiscount: { percent: 2, days: 10 },
  });
  const draft = getData(await issue(body));
  expect(draft).toMatchObject({ prepaid: { amount: 407, due: 783 }, earlyPaymentDiscount: { amount: 15.66 } });
  const path = `/api/invoices/${String(draft['id'])}`;
  expect((await client.put(path, draft)).status).toBe(200);
  const issued = await client.post(`${path}/issue`, undefined);
  expectDocumented('post', '/api/invoices/:id/issue', issued);
  expect(getData(issued)).toMatchObject({ status: 'partially_paid', open: 783 });
  const settled = await client.post('/api/receivables/payments', { customerId, amount: 767.34, date: '2025-04-12' });
  expect(getData(settled)['allocations']).toMatchObject([{ amount: 767.34, discount: 15.66 }]);
  expect(await read(Number(draft['id']))).toMatchObject({ status: 'paid', open: 0 });
  await expectInvariants(client);
  customerId = before;
});

test('names what a deposit invoice cannot have, and what cannot be deducted', async () => {
  const wrong = await issue({ ...buildFinal({ deposit: true, depositInvoiceIds: [1], prepayments: [] }) });
  expect([wrong.status, wrong.body['errors']]).toEqual([
    400,
    [
      'lines[0].productId: must be null on a deposit invoice',
      'depositInvoiceIds: must be empty on a deposit invoice',
      expect.stringMatching(/^depositInvoiceIds\[0\]: is not a paid deposit invoice of the customer/),
    ],
  ]);
  const large = await addPaidDeposit(2000);
  const exceeding = await issue(buildFinal({ depositInvoiceIds: [large] }));
  expect(exceeding.body['errors']).toEqual(['depositInvoiceIds: add up to more than the invoice']);
  const unknown = await issue(buildFinal({ prepayments: [{ paymentId: 999_999, amount: 1 }] }));
  expect(unknown.body['errors']).toEqual([
    expect.stringMatching(/^prepayments\[0\]\.paymentId: is not a payment of the customer/),
  ]);
});

test('the amount of a payment in advance is above 0 and has at most the decimals of the currency', async () => {
  const allocations: object[] = [];
  const paid = await client.post('/api/receivables/payments', { customerId, amount: 50, date: DAY.paid, allocations });
  const paymentId = getCreatedId(paid);
  const issueWith = (amount: number, fields: object = {}) =>
    issue(buildFinal({ prepayments: [{ paymentId, amount }], ...fields }));
  for (const fields of [{}, { draft: true }]) {
    const fractional = await issueWith(10.005, fields);
    expect([fractional.status, fractional.body['errors']]).toEqual([
      400,
      ['prepayments[0].amount: must have at most 2 decimals in EUR'],
    ]);
    const nothing = await issueWith(0, fields);
    expect([nothing.status, nothing.body['errors']]).toEqual([400, ['prepayments[0].amount: must be greater than 0']]);
  }
  expect(getData(await client.get(`/api/receivables/payments/${paymentId}`))).toMatchObject({ unapplied: 50 });
});

describe('the credit limit of a customer', () => {
  const limit = { creditLimit: 700, address: { country: 'DE' } };
  let before: number;
  beforeAll(() => {
    before = customerId;
  });
  afterAll(() => {
    customerId = before;
  });

  test('counts what an invoice leaves to pay after its deposits', async () => {
    customerId = await addCustomer(client, limit);
    const depositId = await addPaidDeposit(500);
    expect((await issue(buildFinal())).body['code']).toBe('credit_limit_exceeded');
    const final = await issue(buildFinal({ depositInvoiceIds: [depositId] }));
    expect([final.status, getData(final)['open']]).toEqual([201, 595]);
    const lines = [{ productId, quantity: 1, unitPrice: 100, taxRateId: standard }];
    expect((await issue(buildFinal({ lines }))).body['code']).toBe('credit_limit_exceeded');
    await expectInvariants(client);
  });

  test('refuses no invoice that leaves nothing to pay, also above the limit', async () => {
    customerId = await addCustomer(client, limit);
    const depositId = await addPaidDeposit(500);
    const lines = [{ productId, quantity: 1, unitPrice: 500, taxRateId: standard }];
    expect(getData(await issue(buildFinal({ lines })))['open']).toBe(595);
    expect((await client.put(`/api/customers/${customerId}`, { creditLimit: 100 })).status).toBe(200);
    const free = [{ productId, quantity: 1, unitPrice: 0, taxRateId: standard }];
    const nothing = await issue(buildFinal({ lines: free }));
    expect([nothing.status, nothing.body['code']]).toEqual([201, undefined]);
    const final = await issue(buildFinal({ lines, depositInvoiceIds: [depositId] }));
    expect([final.status, final.body['code'], getData(final)['open']]).toEqual([201, undefined, 0]);
    const cent = [{ productId, quantity: 1, unitPrice: 0.01, taxRateId: standard }];
    expect((await issue(buildFinal({ lines: cent }))).body['code']).toBe('credit_limit_exceeded');
    await expectInvariants(client);
  });

  test('counts the credit of the customer, such as a payment in advance', async () => {
    customerId = await addCustomer(client, limit);
    const allocations: object[] = [];
    const paid = await client.post('/api/receivables/payments', {
      customerId,
      amount: 500,
      date: DAY.paid,
      allocations,
    });
    const prepayments = [{ paymentId: getCreatedId(paid), amount: 500 }];
    const invoice = await issue(buildFinal({ prepayments }));
    expect([invoice.status, getData(invoice)['open']]).toEqual([201, 690]);
    const lines = [{ productId, quantity: 1, unitPrice: 10, taxRateId: standard }];
    expect((await issue(buildFinal({ lines }))).body['code']).toBe('credit_limit_exceeded');
    await expectInvariants(client);
  });
});

test('a deposit in another currency keeps its rate; the difference to the final invoice is an exchange difference', async () => {
  for (const [date, rate] of [
    ['2025-04-11', 0.9],
    ['2025-04-12', 0.92],
  ] as const)
    expect((await client.post('/api/config/exchange-rates', { currencyCode: 'USD', date, rate })).status).toBe(201);
  const dollars = { currencyCode: 'USD' };
  const deposit = getCreatedId(await issue(buildDeposit(100, { ...dollars, issueDate: '2025-04-11' })));
  const allocations = [{ documentId: deposit, amount: 119 }];
  await client.post('/api/receivables/payments', {
    customerId,
    amount: 119,
    date: '2025-04-11',
    ...dollars,
    allocations,
  });
  const finalId = getCreatedId(
    await issue(buildFinal({ ...dollars, issueDate: '2025-04-12', depositInvoiceIds: [deposit] })),
  );
  expect(await read(finalId)).toMatchObject({ open: 1071 });
  // 119 USD are 109.48 EUR of the receivable and 107.10 EUR of the deposit.
  expect((await readEntries('2025-04-12', 'deposit')).at(-1)).toEqual([
    ['1400', -109.48],
    ['1710', 90],
    ['1776', 17.1],
    ['2150', 2.38],
  ]);
  await expectInvariants(client);
});
