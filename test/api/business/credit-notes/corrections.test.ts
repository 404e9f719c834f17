import { Decimal, sum } from '../../../../domain/business/decimal';
import { CreditNote } from '../../../../models/business/credit-notes/credit-note';
import { fromDecimal128 } from '../../../../models/business/decimal128';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { AccountEntry, OpenItem } from '../../../../models/business/payments/open-item';
import { Posting } from '../../../../models/business/documents/posting';
import { StockLedger } from '../../../../models/business/stock/stock';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
let organisationId: string;
let customerId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Corrections');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client);
});
afterAll(closeTestPlatform);

const issueInvoice = async (lines: object[], fields: object = {}): Promise<number> =>
  getCreatedId(await client.post('/api/invoices', { customerId, lines, ...fields }));
const createCreditNote = (body: object, query = ''): Promise<ApiResponse> =>
  client.post(`/api/credit-notes${query}`, { reason: 'returned', ...body });
const voidInvoice = (id: number): Promise<ApiResponse> =>
  client.post(`/api/invoices/${id}/void`, { reason: 'mistake' });
const getInvoice = async (id: number) => getData(await client.get(`/api/invoices/${id}`));
const getStock = async (id: number) => {
  const { stock, averageCost } = getData(await client.get(`/api/products/${id}`));
  return [stock, averageCost];
};

describe('voiding', () => {
  test('keeps the number and reverses stock at its original cost, and the receivable', async () => {
    const productId = await addProduct(client, { price: 10, initialStock: { quantity: 3, unitCost: 3.333333 } });
    const id = await issueInvoice([{ productId, quantity: 1 }]);
    const before = await getInvoice(id);
    expect(await getStock(productId)).toEqual([2, 3.335]);
    const response = await voidInvoice(id);
    expect(response.status).toBe(200);
    expect(getData(response)).toMatchObject({
      status: 'void',
      open: 0,
      number: before['number'],
      voidReason: 'mistake',
    });
    expect(await getStock(productId)).toEqual([3, 3.333333]);
    const entries = await AccountEntry.find({ organisationId, partyId: customerId }).lean();
    expect(sum(entries.map((entry) => fromDecimal128(entry.amount))).toNumber()).toBe(0);
    const again = await voidInvoice(id);
    expect([again.status, again.body['code']]).toEqual([409, 'already_void']);
    expect((await createCreditNote({ invoiceId: id })).body['code']).toBe('invoice_void');
    const next = await getInvoice(await issueInvoice([{ productId, quantity: 1 }]));
    expect(Number(String(next['number']).slice(-6))).toBe(Number(String(before['number']).slice(-6)) + 1);
    expect((await client.get('/api/invoices?status=void')).body['totalCount']).toBe(1);
  });

  test('is rejected while payments or credit notes exist; the error lists them and the routes that reverse them', async () => {
    const productId = await addService(client, { price: 100 });
    const id = await issueInvoice([{ productId, quantity: 1 }]);
    const payment = getData(
      await client.post('/api/receivables/payments', {
        customerId,
        amount: 10,
        allocations: [{ documentId: id, amount: 10 }],
      }),
    );
    const noteId = getCreatedId(await createCreditNote({ invoiceId: id, lines: [{ invoiceLineId: 1, amount: 10 }] }));
    const rejected = await voidInvoice(id);
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'invoice_not_voidable']);
    expect(rejected.body['details']).toMatchObject({ paymentIds: [payment['id']], creditNoteIds: [noteId] });
  });

  test('is rejected while credit of another invoice is applied, and possible after its reversal', async () => {
    const productId = await addService(client, { price: 100 });
    const id = await issueInvoice([{ productId, quantity: 1 }]);
    const credited = await issueInvoice([{ productId, quantity: 1 }]);
    await client.post('/api/receivables/payments', {
      customerId,
      amount: 120,
      allocations: [{ documentId: credited, amount: 120 }],
    });
    const creditNoteId = getCreatedId(await createCreditNote({ invoiceId: credited }));
    const applied = getCreatedId(
      await client.post('/api/receivables/allocations', { creditNoteId, documentId: id, amount: 30 }),
    );
    const rejected = await voidInvoice(id);
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'invoice_not_voidable']);
    expect(rejected.body['details']).toMatchObject({
      paymentIds: [],
      creditNoteIds: [creditNoteId],
      allocationIds: [applied],
    });
    const route = `/api/receivables/allocations/${applied}/reverse`;
    expect((await client.post(route, { reason: 'Applied to the wrong invoice' })).status).toBe(200);
    expect((await voidInvoice(id)).status).toBe(200);
  });

  test('is rejected in a locked period; the error suggests a credit note', async () => {
    const own = await createBusinessClient('Locked');
    const productId = await addService(own, { price: 100 });
    const buyer = await addCustomer(own);
    const id = getCreatedId(
      await own.post('/api/invoices', { customerId: buyer, lines: [{ productId, quantity: 1 }] }),
    );
    const today = new Date().toISOString().slice(0, 10);
    await Posting.updateOne({ _id: own.tenant.organisationId }, { $set: { lockedThrough: today } });
    const rejected = await own.post(`/api/invoices/${id}/void`, { reason: 'late' });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'period_locked']);
    expect(rejected.body['message']).toContain('credit note');
  });
});

describe('a credit note', () => {
  test('line by line credits exactly the invoice in the end, and no more can be credited', async () => {
    const productId = await addService(client, { price: 6.36 });
    const line = { productId, quantity: 5, unitPrice: 6.36 };
    const id = await issueInvoice([line, line, line]);
    const { grandTotal, taxTotal } = await getInvoice(id);
    const notes: Record<string, unknown>[] = [];
    for (const invoiceLineId of [1, 2, 3]) {
      const response = await createCreditNote({ invoiceId: id, lines: [{ invoiceLineId, quantity: 5 }] });
      expect(response.status).toBe(201);
      notes.push(getData(response));
    }
    const total = (name: string) => sum(notes.map((note) => new Decimal(Number(note[name])))).toNumber();
    expect([total('taxTotal'), total('grandTotal')]).toEqual([taxTotal, grandTotal]);
    expect(await getInvoice(id)).toMatchObject({ status: 'credited', open: 0 });
    const more = await createCreditNote({ invoiceId: id });
    expect([more.status, more.body['code']]).toEqual([409, 'credit_exceeds_invoice']);
  });

  test('has its own numbers, reduces the open amount first, and leaves the rest for a refund', async () => {
    const productId = await addService(client, { price: 100 });
    const id = await issueInvoice([{ productId, quantity: 2 }]);
    await client.post('/api/receivables/payments', {
      customerId,
      amount: 200,
      allocations: [{ documentId: id, amount: 200 }],
    });
    const note = getData(await createCreditNote({ invoiceId: id, lines: [{ invoiceLineId: 1, quantity: 1 }] }));
    expect(note).toMatchObject({
      number: expect.stringMatching(/^CN-\d{4}-\d{6}$/) as string,
      grandTotal: 120,
      total: 100,
    });
    expect(await getInvoice(id)).toMatchObject({ status: 'paid', open: 0 });
    const refund = await client.post('/api/receivables/refunds', { creditNoteId: note['id'], amount: 80 });
    expect(refund.status).toBe(201);
    expect((await client.post('/api/receivables/refunds', { creditNoteId: note['id'], amount: 0.01 })).status).toBe(
      409,
    );
    expect(getData(await client.get(`/api/credit-notes/${String(note['id'])}`))).toEqual({ ...note, unapplied: 0 });
    expect((await client.get(`/api/credit-notes?invoiceId=${id}`)).body['totalCount']).toBe(1);
  });

  test('in another currency is posted with its own amounts, and all of them add up to the invoice', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const rate = { currencyCode: 'USD', date: today, rate: 0.333333 };
    expect((await client.post('/api/config/exchange-rates', rate)).status).toBe(201);
    const productId = await addService(client, { price: 1 });
    const line = { productId, quantity: 1, unitPrice: 0.07 };
    const id = await issueInvoice([line, line, line, line, line], { currencyCode: 'USD' });
    const notes: Record<string, unknown>[] = [];
    for (const invoiceLineId of [1, 2, 3, 4, 5])
      notes.push(getData(await createCreditNote({ invoiceId: id, lines: [{ invoiceLineId, quantity: 1 }] })));
    const bases = notes.map((note) => note['base'] as Record<string, number>);
    const { base } = await getInvoice(id);
    const all = (name: string) => sum(bases.map((each) => new Decimal(each[name] ?? NaN))).toNumber();
    expect({
      currencyCode: 'EUR',
      total: all('total'),
      taxTotal: all('taxTotal'),
      grandTotal: all('grandTotal'),
    }).toEqual(base);
    const items = await OpenItem.find({
      organisationId,
      kind: 'credit_note',
      id: { $in: notes.map((note) => Number(note['id'])) },
    })
      .sort({ id: 1 })
      .lean();
    expect(items.map(({ originalBase }) => fromDecimal128(originalBase).toNumber())).toEqual(
      bases.map(({ grandTotal }) => grandTotal),
    );
    const receivable = await OpenItem.findOne({ organisationId, kind: 'invoice', id }).orFail().lean();
    expect([receivable.open, receivable.openBase].map(String)).toEqual(['0', '0']);
    expect(bases.some(({ grandTotal }) => grandTotal !== bases[0]?.['grandTotal'])).toBe(true);
  });

  test('for a tax-free line has the exemption reason of that line, even if another row comes first', async () => {
    const rateFor = async (name: string, exemptionReason: string) =>
      getCreatedId(await client.post('/api/config/tax-rates', { name, percent: 0, category: 'E', exemptionReason }));
    const [education, insurance] = ['Education, article 132', 'Insurance, article 135'];
    const rates = [
      await rateFor('Courses', education ?? ''),
      await rateFor('Policies', insurance ?? ''),
      await rateFor('Brokerage', insurance ?? ''),
    ];
    const productId = await addService(client, { price: 100 });
    const id = await issueInvoice(rates.map((taxRateId) => ({ productId, quantity: 1, taxRateId })));
    expect((await getInvoice(id))['taxes']).toMatchObject([
      { exemptionReason: education, net: 100 },
      { exemptionReason: insurance, net: 200 },
    ]);
    const note = getData(await createCreditNote({ invoiceId: id, lines: [{ invoiceLineId: 3, quantity: 1 }] }));
    expect(note['taxes']).toMatchObject([{ exemptionReason: insurance, net: 100 }]);
  });

  test('returns units at their original cost', async () => {
    const productId = await addProduct(client, { price: 50, initialStock: { quantity: 5, unitCost: 12 } });
    const id = await issueInvoice([{ productId, quantity: 1 }]);
    const rows = await StockLedger.find({ organisationId, productId }).lean();
    expect(rows.map((row) => row.value.toString())).toEqual(['60', '-12']);
    expect((await createCreditNote({ invoiceId: id, restock: true })).status).toBe(201);
    expect(await getStock(productId)).toEqual([5, 12]);
    const back = await StockLedger.find({ organisationId, productId, kind: 'restock' }).lean();
    expect(back.map((row) => [row.quantity.toString(), row.value.toString()])).toEqual([['1', '12']]);
  });

  test('lists every invalid line; a rejected credit note and a dry run write nothing', async () => {
    const productId = await addService(client, { price: 10 });
    const id = await issueInvoice([{ productId, quantity: 2 }]);
    const before = await CreditNote.countDocuments({ organisationId });
    const wrong = await createCreditNote({
      invoiceId: id,
      lines: [{ invoiceLineId: 7, quantity: 1 }, { invoiceLineId: 1 }, { invoiceLineId: 1, amount: 1.234 }],
    });
    expect(wrong.body['errors']).toEqual([
      'lines[0].invoiceLineId: is not a line of the invoice',
      'lines[1]: needs either quantity or amount',
      'lines[2].invoiceLineId: occurs twice',
    ]);
    const much = await createCreditNote({ invoiceId: id, lines: [{ invoiceLineId: 1, quantity: 3 }] });
    expect([much.status, much.body['code']]).toEqual([409, 'credit_exceeds_invoice']);
    const dryRun = await createCreditNote({ invoiceId: id }, '?dryRun=true');
    expect(dryRun.status).toBe(200);
    expect(getData(dryRun)).toMatchObject({ id: null, number: null, grandTotal: 24 });
    expect((await createCreditNote({ invoiceId: 999_999 })).body['errors']).toEqual([
      'invoiceId: is not an invoice of the company',
    ]);
    expect(await CreditNote.countDocuments({ organisationId })).toBe(before);
  });

  test('ten requests at once for one of two units: exactly two are issued, without a gap in the numbers', async () => {
    const productId = await addService(client, { price: 10 });
    const id = await issueInvoice([{ productId, quantity: 2 }]);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => createCreditNote({ invoiceId: id, lines: [{ invoiceLineId: 1, quantity: 1 }] })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(8);
    const all = await CreditNote.find({ organisationId }).sort({ sequence: 1 }).lean();
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
  });
});

describe('proofs', () => {
  test('numbers have no gap and hashes can be recomputed; a changed document is found', async () => {
    const own = await createBusinessClient('Proofs');
    const productId = await addService(own, { price: 6.36 });
    const buyer = await addCustomer(own);
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push(
        getCreatedId(await own.post('/api/invoices', { customerId: buyer, lines: [{ productId, quantity: 5 }] })),
      );
    await own.post(`/api/invoices/${ids[1] ?? 0}/void`, { reason: 'mistake' });
    const proof = async () => getData(await own.get('/api/invoices/numbering'));
    expect(await proof()).toMatchObject({
      last: 3,
      count: 3,
      voided: 1,
      missing: [],
      checked: { from: 1, to: 3, valid: true, firstWrong: null },
      nextFrom: null,
    });
    expect(getData(await own.get('/api/invoices/numbering?from=3'))).toMatchObject({
      checked: { from: 3, valid: true },
    });
    const key = { organisationId: own.tenant.organisationId, sequence: 2 };
    await Invoice.updateOne(key, { $set: { 'document.buyer.name': 'Somebody else' } });
    expect(await proof()).toMatchObject({ checked: { valid: false, firstWrong: 2 } });
    await Invoice.deleteOne(key);
    expect(await proof()).toMatchObject({ count: 2, missing: [2], checked: { valid: false } });
  });

  test('the steps explain every amount of an invoice', async () => {
    const productId = await addService(client, { price: 6.36 });
    const id = await issueInvoice([
      { productId, quantity: 5, discountPercent: 10 },
      { productId, quantity: 1, unitPrice: 10.05, priceIncludesTax: true },
    ]);
    const { steps } = getData(await client.get(`/api/invoices/${id}/calculation`));
    expect(steps).toEqual([
      { of: 'lines[1].gross', formula: '5 × 6.36', result: 31.8 },
      { of: 'lines[1].discount', formula: '5 × 6.36 × 10 %', result: 3.18 },
      { of: 'lines[2].gross', formula: '1 × 10.05 (with tax)', result: 10.05 },
      { of: 'taxes[0].net', formula: '28.62 + (10.05) ÷ (1 + 20 %)', result: 37 },
      { of: 'taxes[0].tax', formula: '(28.62) × 20 % + (10.05) − net', result: 7.39 },
      { of: 'total', formula: '37', result: 37 },
      { of: 'taxTotal', formula: '7.39', result: 7.39 },
      { of: 'grandTotal', formula: '37 + 7.39', result: 44.39 },
    ]);
  });
});
