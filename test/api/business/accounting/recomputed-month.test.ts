import { findJournalDocuments } from '../../../support/business/accounting/journal-documents';
import { recomputeBooks } from '../../../support/business/accounting/recompute';
import type { Books } from '../../../support/business/accounting/recompute';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

/** Two months of documents of every kind that moves money, whose books an independent program computes again. */

const onDay = (day: number, month = '09'): string => `2025-${month}-${String(day).padStart(2, '0')}`;

let client: BusinessClient;
let expected: Books;
let rates: { standard: number; reduced: number };
let customerId: number;
let productId: number;

const create = async (path: string, body: object): Promise<number> => getCreatedId(await client.post(path, body));

/** An invoice of lines at both rates, with a document discount and a charge. */
const issue = (day: string, prices: readonly [number, number], fields: object = {}): Promise<number> =>
  create('/api/invoices', {
    customerId,
    issueDate: day,
    lines: [
      { productId, quantity: 3, unitPrice: prices[0], taxRateId: rates.standard },
      { productId, quantity: 1.5, unitPrice: prices[1], taxRateId: rates.reduced },
    ],
    adjustments: [
      { type: 'discount', percent: 3, reason: 'Loyalty' },
      { type: 'charge', amount: 7.77, reason: 'Freight', taxRateId: rates.standard },
    ],
    ...fields,
  });

const pay = async (documentId: number | null, amount: number, date: string, method = 'bank_transfer') =>
  create('/api/receivables/payments', {
    customerId,
    amount,
    date,
    method,
    allocations: documentId === null ? [] : [{ documentId, amount: Math.min(amount, await readOpen(documentId)) }],
  });
/** Rounds what binary fractions leave. */
const toCents = (amount: number): number => Math.round(amount * 100) / 100;
const readOpen = async (id: number): Promise<number> =>
  Number(getData(await client.get(`/api/invoices/${id}`))['open']);
const readPayable = async (id: number): Promise<number> => {
  const terms = getData(await client.get(`/api/invoices/${id}`))['earlyPaymentDiscount'];
  return (terms as { payable: number }).payable;
};

/** Credits invoices that were paid with a discount: one in two parts, one at once, and a part of one. */
async function creditDiscounted([first, second, third]: readonly { credit: object; paid: number }[]): Promise<void> {
  const credit = async (body: object): Promise<number> =>
    Number(getData(await client.post('/api/credit-notes', body))['grandTotal']);
  const part = { lines: [{ invoiceLineId: 2, quantity: 1 }] };
  const both = (await credit({ ...first?.credit, ...part })) + (await credit({ ...first?.credit }));
  expect(toCents(both)).toBe(first?.paid);
  expect(await credit({ ...second?.credit })).toBe(second?.paid);
  expect(await credit({ ...third?.credit, ...part })).toBeGreaterThan(0);
}

async function sell(): Promise<void> {
  const discount = { earlyPaymentDiscount: { percent: 3, days: 10 } };
  const returns: { credit: object; paid: number }[] = [];
  for (const [index, prices] of (
    [
      [33.33, 19.99],
      [101.01, 7.05],
      [12.5, 250],
    ] as const
  ).entries()) {
    const id = await issue(onDay(index + 1), prices, discount);
    const paid = await readPayable(id);
    await pay(id, paid, onDay(index + 9));
    returns.push({ credit: { invoiceId: id, reason: 'Returned', issueDate: onDay(index + 25) }, paid });
  }
  const credited = await issue(onDay(4), [49.9, 80], discount);
  await create('/api/credit-notes', {
    invoiceId: credited,
    reason: 'Returned',
    issueDate: onDay(6),
    lines: [{ invoiceLineId: 1, quantity: 1 }],
  });
  const voided = await issue(onDay(7), [20, 20]);
  expect((await client.post(`/api/invoices/${voided}/void`, { reason: 'Made in error' })).status).toBe(200);
  const short = await issue(onDay(8), [60, 40]);
  await pay(short, toCents((await readOpen(short)) - 1.23), onDay(20), 'cash');
  await create('/api/receivables/write-offs', { documentId: short, date: onDay(1, '10'), reason: 'Difference' });
  const reopened = await issue(onDay(9), [5, 5]);
  await pay(reopened, toCents((await readOpen(reopened)) - 0.5), onDay(21));
  const writeOff = await create('/api/receivables/write-offs', {
    documentId: reopened,
    date: onDay(22),
    reason: 'Difference',
  });
  await client.post(`/api/receivables/write-offs/${writeOff}/void`, { reason: 'Paid after all' });
  const over = await issue(onDay(10), [15, 30]);
  const paymentId = await pay(over, toCents((await readOpen(over)) + 0.07), onDay(23));
  await create('/api/receivables/write-offs', { paymentId, date: onDay(2, '10'), reason: 'Cents' });
  const returned = await pay(null, 44, onDay(24));
  await client.post(`/api/receivables/payments/${returned}/void`, { reason: 'Returned by the bank' });
  await creditDiscounted(returns);
}

async function sellWithDeposits(): Promise<void> {
  const deposit = await create('/api/invoices', {
    customerId,
    deposit: true,
    issueDate: onDay(11),
    lines: [{ description: 'Deposit', quantity: 1, unitPrice: 123.45, taxRateId: rates.standard }],
  });
  await pay(deposit, 100, onDay(12));
  await pay(deposit, await readOpen(deposit), onDay(1, '10'));
  const prepayment = await pay(null, 50, onDay(13));
  const final = await issue(onDay(3, '10'), [300, 12], {
    depositInvoiceIds: [deposit],
    prepayments: [{ paymentId: prepayment, amount: 50 }],
    earlyPaymentDiscount: undefined,
  });
  await pay(final, await readOpen(final), onDay(30, '10'));
}

async function buy(): Promise<void> {
  const vendorId = await create('/api/vendors', { name: 'Supplies Ltd' });
  const line = (unitCost: number, taxRateId: number) => ({ description: 'Service', quantity: 2, unitCost, taxRateId });
  const lines = [line(17.77, rates.standard), line(90.01, rates.reduced)];
  await create('/api/payables', { vendorId, number: 'B-1', date: onDay(5), lines });
  await create('/api/payables/payments', { vendorId, amount: 100, date: onDay(25) });
}

beforeAll(async () => {
  client = await createBusinessClient('Recomputed');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  await client.put('/api/config/company', { writeOffLimit: 5 });
  const addRate = (percent: number) =>
    create('/api/config/tax-rates', { name: `Rate ${percent}`, category: 'S', percent });
  rates = { standard: await addRate(19), reduced: await addRate(7) };
  productId = await addService(client);
  customerId = await addCustomer(client);
  await sell();
  await sellWithDeposits();
  await buy();
  const percents = new Map([
    [rates.standard, 19],
    [rates.reduced, 7],
  ]);
  expected = await recomputeBooks(client, percents);
});
afterAll(closeTestPlatform);

test('the trial balance equals the balances that an independent program computes from the documents', async () => {
  const accounts = getData(await client.get('/api/reports/trial-balance'))['accounts'] as {
    number: string;
    closing: number;
  }[];
  const found = accounts.filter(({ closing }) => closing !== 0).map(({ number, closing }) => [number, closing]);
  const computed = [...expected.accounts]
    .filter(([, cents]) => cents !== 0n)
    .map(([number, cents]) => [number, Number(cents) / 100])
    .sort();
  expect(found.sort()).toEqual(computed);
  for (const account of ['1710', '1760', '2400', '2709', '8736', '8731'])
    expect([account, expected.accounts.has(account)]).toEqual([account, true]);
});

test('the VAT report of every month equals the taxes that it computes', async () => {
  const response = await client.get('/api/reports/vat?dateFrom=2025-09-01&dateTo=2099-12-31');
  const periods = getData(response)['periods'] as {
    period: string;
    rows: { direction: string; percent: number; net: number; tax: number }[];
  }[];
  const found = periods.flatMap(({ period, rows }) =>
    rows.flatMap(({ direction, percent, net, tax }) => [
      [`${period} ${direction} ${percent} net`, net],
      [`${period} ${direction} ${percent} tax`, tax],
    ]),
  );
  const computed = [...expected.vat].map(([key, cents]) => [key, Number(cents) / 100]);
  const isFilled = ([, amount]: (string | number)[]) => amount !== 0;
  expect(found.filter(isFilled).sort()).toEqual(computed.filter(isFilled).sort());
});

test('every entry names its document: discounts, write-offs and deposits the one that they reduce', async () => {
  const kinds = await findJournalDocuments(client);
  for (const kind of ['discount', 'write_off', 'deposit', 'deduction_reversal'])
    expect(kinds).toContain(`${kind} invoice`);
  expect(kinds).toContain('write_off receivable_payment');
});

test('receivables of the journal are the aging and the open amounts, and no invariant is violated', async () => {
  const aging = getData(await client.get('/api/receivables/aging'))['total'] as { net: number };
  expect(aging.net).toBe(Number(expected.accounts.get('1400')) / 100);
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
