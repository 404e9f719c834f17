import { Types } from 'mongoose';
import { toCanonicalJson } from '../../../../domain/canonical-json';
import { sha256Hex } from '../../../../lib/crypto/secrets';
import { Company } from '../../../../models/business/settings/company';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { Posting } from '../../../../models/business/documents/posting';
import { AccountEntry, OpenItem } from '../../../../models/business/payments/open-item';
import { StockLedger } from '../../../../models/business/stock/stock';
import { TaxRate } from '../../../../models/business/settings/tax-rate';
import { Audit } from '../../../../models/platform/audit/audit';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { daysFromToday } from '../../../support/days';

let client: BusinessClient;
let organisationId: string;
let customerId: number;
let serviceId: number;

beforeAll(async () => {
  client = await createBusinessClient('Seller GmbH');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client, { name: 'Buyer AG' });
  serviceId = await addService(client);
});
afterAll(closeTestPlatform);

const addExchangeRate = async (owner: BusinessClient, rate: object): Promise<number> =>
  getCreatedId(await owner.post('/api/config/exchange-rates', rate));

const addTaxRate = async (owner: BusinessClient, id: number, percent: string, over: object = {}): Promise<number> => {
  const now = new Date();
  const record = {
    organisationId: owner.tenant.organisationId,
    id,
    name: `VAT ${percent}`,
    category: 'S' as const,
    active: true,
  };
  await TaxRate.create({
    ...record,
    percent: Types.Decimal128.fromString(percent),
    createdAt: now,
    updatedAt: now,
    ...over,
  });
  return id;
};
const buildLine = (over: object = {}) => ({ productId: serviceId, quantity: 1, unitPrice: 10, ...over });
const issue = (body: object, headers: Record<string, string> = {}) =>
  client.post('/api/invoices', { customerId, lines: [buildLine()], ...body }, headers);

describe('an invoice', () => {
  test('the required fields suffice, and the response has the documented fields and a message', async () => {
    const response = await client.post('/api/invoices', {
      customerId,
      paymentTerms: 'NET30',
      currencyCode: 'EUR',
      lines: [{ productId: serviceId, quantity: 3, unitPrice: 9.99 }],
      notes: 'Thank you',
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      ok: true,
      message: expect.stringContaining('INV-') as string,
      data: { total: 29.97, taxTotal: 5.99, grandTotal: 35.96, status: 'issued', open: 35.96 },
    });
    const { id, number } = getData(response);
    expect(number).toMatch(/^INV-\d{4}-\d{6}$/);
    const read = await client.get(`/api/invoices/${String(id)}`);
    expect(read.headers.get('etag')).toBe(response.headers.get('etag'));
    expect(getData(read)).toEqual(getData(response));
  });

  test('price, terms, currency, tax and warehouse have defaults', async () => {
    const productId = await addProduct(client, { price: 12.5, initialStock: { quantity: 4, unitCost: 5 } });
    const response = await issue({ lines: [{ productId, quantity: 2 }] });
    expect(getData(response)).toMatchObject({
      currencyCode: 'EUR',
      paymentTerms: 'NET30',
      issueDate: daysFromToday(0),
      dueDate: daysFromToday(30),
      lines: [{ unitPrice: 12.5, taxPercent: 20, warehouseId: 1, description: expect.any(String) as string }],
    });
  });

  test('defaults of the customer take precedence over those of the company', async () => {
    const own = await addCustomer(client, { paymentTerms: 'NET15', language: 'de' });
    const response = await issue({ customerId: own });
    expect(getData(response)).toMatchObject({ paymentTerms: 'NET15', language: 'de', dueDate: daysFromToday(15) });
  });

  test('tax is rounded per rate: 3 × (5 × 6.36) at 21 % carries 20.03, 3 × 99.99 at 25 % carries 74.99', async () => {
    await addTaxRate(client, 21, '21');
    await addTaxRate(client, 25, '25');
    const at = (taxRateId: number, quantity: number, unitPrice: number) =>
      buildLine({ taxRateId, quantity, unitPrice });
    const first = await issue({ lines: [at(21, 5, 6.36), at(21, 5, 6.36), at(21, 5, 6.36)] });
    expect(getData(first)).toMatchObject({ total: 95.4, taxTotal: 20.03, grandTotal: 115.43 });
    const both = await issue({ lines: [at(25, 1, 99.99), at(21, 5, 6.36), at(25, 1, 99.99), at(25, 1, 99.99)] });
    expect(getData(both)).toMatchObject({
      taxes: [
        { percent: 25, net: 299.97, tax: 74.99 },
        { percent: 21, net: 31.8, tax: 6.68 },
      ],
      taxTotal: 81.67,
    });
  });

  test('the company may round tax per line, and the document stores the choice', async () => {
    const own = await createBusinessClient();
    await Company.updateOne({ _id: own.tenant.organisationId }, { $set: { taxRounding: 'per_line' } });
    await addTaxRate(own, 25, '25');
    const productId = await addService(own);
    const buyer = await addCustomer(own);
    const lines = [1, 2, 3].map(() => ({ productId, quantity: 1, unitPrice: 99.99, taxRateId: 25 }));
    expect(getData(await own.post('/api/invoices', { customerId: buyer, lines }))).toMatchObject({ taxTotal: 75 });
    const record = await Invoice.findOne({ organisationId: own.tenant.organisationId }).lean();
    expect(record?.document.taxRounding).toBe('per_line');
  });

  test('prices that include tax: 10.05 at 20 % is 8.38 + 1.67', async () => {
    const response = await issue({ lines: [buildLine({ unitPrice: 10.05, priceIncludesTax: true })] });
    expect(getData(response)).toMatchObject({ total: 8.38, taxTotal: 1.67, grandTotal: 10.05 });
  });

  test('a discount reduces the amount of the line', async () => {
    const response = await issue({ lines: [buildLine({ quantity: 3, unitPrice: 0.335, discountPercent: 33 })] });
    expect(getData(response)).toMatchObject({ total: 0.68, lines: [{ discount: 0.33, net: 0.68 }] });
  });

  test('an expired tax rate is replaced by its successor; without a successor the line is rejected', async () => {
    await addTaxRate(client, 31, '16', { validTo: '2020-12-31', successorId: 32 });
    await addTaxRate(client, 32, '19', { validFrom: '2021-01-01' });
    await addTaxRate(client, 33, '7', { validTo: '2020-12-31' });
    expect(getData(await issue({ lines: [buildLine({ taxRateId: 31 })] }))).toMatchObject({ taxTotal: 1.9 });
    const rejected = await issue({ lines: [buildLine({ taxRateId: 33 })] });
    expect(rejected.status).toBe(400);
    expect(String(rejected.body['errors'])).toMatch(/^lines\[0\]\.taxRateId: is not valid on/);
  });

  test('another currency is converted at the latest rate, which the document stores; without a rate the invoice is rejected', async () => {
    await addExchangeRate(client, { currencyCode: 'USD', date: daysFromToday(-3), rate: 0.9 });
    await addExchangeRate(client, { currencyCode: 'USD', date: daysFromToday(-40), rate: 0.5 });
    const response = await issue({ currencyCode: 'USD', lines: [buildLine({ unitPrice: 10.05 })] });
    expect(getData(response)).toMatchObject({
      exchangeRate: 0.9,
      total: 10.05,
      taxTotal: 2.01,
      base: { currencyCode: 'EUR', total: 9.05, taxTotal: 1.81, grandTotal: 10.86 },
    });
    expect(String((await issue({ currencyCode: 'CHF' })).body['errors'])).toMatch(
      /^currencyCode: has no exchange rate/,
    );
    const stale = await createBusinessClient();
    await addExchangeRate(stale, { currencyCode: 'USD', date: daysFromToday(-8), rate: 0.9 });
    const old = await stale.post('/api/invoices', {
      customerId: await addCustomer(stale),
      currencyCode: 'USD',
      lines: [{ productId: await addService(stale), quantity: 1, unitPrice: 1 }],
    });
    expect(String(old.body['errors'])).toMatch(/^currencyCode: has no exchange rate/);
    const unpriced = await issue({ currencyCode: 'USD', lines: [{ productId: serviceId, quantity: 1 }] });
    expect(String(unpriced.body['errors'])).toMatch(/^lines\[0\]\.unitPrice: is required/);
  });

  test('amounts are rounded to the decimals of the currency', async () => {
    for (const currencyCode of ['JPY', 'KWD']) await addExchangeRate(client, { currencyCode, rate: 1 });
    expect(getData(await issue({ currencyCode: 'JPY', lines: [buildLine({ unitPrice: 1005.5 })] }))).toMatchObject({
      total: 1006,
      taxTotal: 201,
    });
    expect(getData(await issue({ currencyCode: 'KWD', lines: [buildLine({ unitPrice: 1.2345 })] }))).toMatchObject({
      total: 1.235,
      taxTotal: 0.247,
    });
  });

  test('1,000 lines are accepted; one more is rejected', async () => {
    const lines = Array.from({ length: 1000 }, () => buildLine({ unitPrice: 0.01 }));
    expect(getData(await issue({ lines }))).toMatchObject({ total: 10, taxTotal: 2 });
    const rejected = await issue({ lines: [...lines, buildLine()] });
    expect(String(rejected.body['errors'])).toBe('lines: must have at most 1000 lines');
  });
});

describe('the records of an invoice', () => {
  test('the document hashes to its content hash, and each is chained to the previous one', async () => {
    const own = await createBusinessClient();
    const buyer = await addCustomer(own);
    const productId = await addService(own);
    for (let count = 0; count < 3; count += 1)
      getCreatedId(await own.post('/api/invoices', { customerId: buyer, lines: [{ productId, quantity: 1 }] }));
    const records = await Invoice.find({ organisationId: own.tenant.organisationId }).sort({ sequence: 1 }).lean();
    let previous = '';
    for (const record of records) {
      expect(sha256Hex(toCanonicalJson(record.document))).toBe(record.contentHash);
      previous = sha256Hex(`${previous}\n${record.number}\n${record.contentHash}`);
      expect(record.chainHash).toBe(previous);
    }
    expect(records.map((record) => record.sequence)).toEqual([1, 2, 3]);
  });

  test('later changes of customer, company, product and rate do not change the document', async () => {
    const own = await createBusinessClient('Before Ltd');
    const buyer = await addCustomer(own, { name: 'Old name' });
    const productId = await addService(own, { name: 'Old product' });
    const id = getCreatedId(
      await own.post('/api/invoices', { customerId: buyer, lines: [{ productId, quantity: 1 }] }),
    );
    const before = getData(await own.get(`/api/invoices/${id}`));
    await own.put(`/api/customers/${buyer}`, { name: 'New name' });
    await own.put(`/api/products/${productId}`, { name: 'New product', price: 99 });
    await Company.updateOne({ _id: own.tenant.organisationId }, { $set: { legalName: 'After Ltd' } });
    await TaxRate.updateMany(
      { organisationId: own.tenant.organisationId },
      { $set: { percent: Types.Decimal128.fromString('5') } },
    );
    expect(getData(await own.get(`/api/invoices/${id}`))).toEqual(before);
    const record = await Invoice.findOne({ organisationId: own.tenant.organisationId, id }).lean();
    expect(record?.document.seller.legalName).toBe('Before Ltd');
  });

  test('stock, its value, receivable with its entry, event and audit row', async () => {
    const productId = await addProduct(client, { price: 10, initialStock: { quantity: 3, unitCost: 3.3333 } });
    const id = getCreatedId(await issue({ lines: [{ productId, quantity: 1 }, buildLine()] }));
    const ledger = await StockLedger.find({ organisationId, invoiceId: id }).lean();
    expect(ledger.map((row) => [row.lineId, row.kind, row.quantity.toString(), row.value.toString()])).toEqual([
      [1, 'invoice', '-1', '-3.33'],
    ]);
    expect(getData(await client.get(`/api/products/${productId}`))).toMatchObject({ stock: 2, averageCost: 3.335 });
    const receivable = await OpenItem.findOne({ organisationId, side: 'receivable', kind: 'invoice', id })
      .orFail()
      .lean();
    expect(receivable).toMatchObject({
      partyId: customerId,
      currencyCode: 'EUR',
      version: 1,
      dueDate: daysFromToday(30),
    });
    expect([receivable.open.toString(), receivable.settled.toString()]).toEqual(['24', '0']);
    const entries = await AccountEntry.find({ organisationId, itemId: receivable._id }).lean();
    expect(entries.map((entry) => [entry.kind, entry.date, entry.amountBase.toString()])).toEqual([
      ['issue', daysFromToday(0), '24'],
    ]);
    const record = await Invoice.findOne({ organisationId, id }).lean();
    const events = await WebhookEvent.find({ organisationId, subjectId: record?._id.toHexString() ?? '' }).lean();
    expect(events.map((event) => JSON.parse(event.body ?? '{}') as object)).toEqual([
      {
        type: 'invoice.issued',
        mode: 'live',
        timestamp: record?.issuedAt.toISOString(),
        data: expect.objectContaining({ invoiceId: id, grandTotal: 24, currencyCode: 'EUR' }) as object,
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('Buyer');
    expect(await Audit.countDocuments({ organisationId, subject: `invoice:${id}`, action: 'invoice.issued' })).toBe(1);
  });

  test('a rejected invoice writes nothing: no number, no stock, no receivable, no event', async () => {
    const own = await createBusinessClient();
    const buyer = await addCustomer(own);
    const first = await addProduct(own, { initialStock: { quantity: 5 } });
    const second = await addProduct(own, { initialStock: { quantity: 1 } });
    const lines = [
      { productId: first, quantity: 5 },
      { productId: second, quantity: 2 },
    ];
    const response = await own.post('/api/invoices', { customerId: buyer, lines });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      code: 'insufficient_stock',
      errors: [expect.stringMatching(/^lines\[1\]\.quantity: .+: 1 available in warehouse 1, 2 requested$/)],
      details: { retryable: false, shortages: [{ productId: second, requested: 2, available: 1 }] },
    });
    const filter = { organisationId: own.tenant.organisationId };
    expect(await Invoice.countDocuments(filter)).toBe(0);
    expect(await OpenItem.countDocuments(filter)).toBe(0);
    expect(await WebhookEvent.countDocuments(filter)).toBe(0);
    expect((await Posting.findById(own.tenant.organisationId).lean())?.series).toEqual({});
    expect(getData(await own.get(`/api/products/${first}`))).toMatchObject({ stock: 5 });
    expect(getData(await own.post('/api/invoices', { customerId: buyer, lines: lines.slice(0, 1) }))).toMatchObject({
      number: expect.stringMatching(/-000001$/) as string,
    });
  });

  test('stock is checked against the sum of all lines of a product', async () => {
    const productId = await addProduct(client, { initialStock: { quantity: 5 } });
    const lines = [
      { productId, quantity: 3 },
      { productId, quantity: 3 },
    ];
    expect((await issue({ lines })).body).toMatchObject({ code: 'insufficient_stock' });
    expect((await issue({ lines: [lines[0], { productId, quantity: 2 }] })).status).toBe(201);
  });
});

describe('retries and dry runs', () => {
  test('a dry run computes everything and writes nothing', async () => {
    const before = (await client.get('/api/invoices')).body['totalCount'];
    const dryRun = await client.post('/api/invoices?dryRun=true', { customerId, lines: [buildLine({ quantity: 2 })] });
    expect(dryRun.status).toBe(200);
    expect(getData(dryRun)).toMatchObject({ id: null, number: null, total: 20, taxTotal: 4, grandTotal: 24 });
    const productId = await addProduct(client);
    const short = await client.post('/api/invoices?dryRun=true', { customerId, lines: [{ productId, quantity: 1 }] });
    expect(short.body).toMatchObject({ code: 'insufficient_stock' });
    expect((await client.post('/api/invoices?dryRun=maybe', { customerId, lines: [buildLine()] })).status).toBe(400);
    expect((await client.get('/api/invoices')).body['totalCount']).toBe(before);
  });

  test('one Idempotency-Key issues one invoice, repeated or parallel; another body under it is 422', async () => {
    const headers = { 'idempotency-key': `order-${Date.now()}` };
    const before = Number((await client.get('/api/invoices')).body['totalCount']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => issue({}, headers)));
    responses.push(await issue({}, headers));
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
    expect(new Set(responses.map((response) => getData(response)['number'])).size).toBe(1);
    expect((await client.get('/api/invoices')).body['totalCount']).toBe(before + 1);
    expect((await issue({ notes: 'other' }, headers)).status).toBe(422);
  });

  test('a rejected request does not use up its key', async () => {
    const headers = { 'idempotency-key': `refused-${Date.now()}` };
    expect((await issue({ customerId: 9999 }, headers)).status).toBe(400);
    expect((await issue({}, headers)).status).toBe(201);
  });

  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('the Idempotency-Key %j is 400', async (key) => {
    const response = await client
      .postText('/api/invoices', JSON.stringify({ customerId, lines: [buildLine()] }), { 'idempotency-key': key })
      .catch(() => null);
    // The client does not send header values that HTTP forbids; empty ones are sent.
    if (response !== null) expect(response.status).toBe(400);
  });
});
