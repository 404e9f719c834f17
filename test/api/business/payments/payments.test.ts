import { Decimal, sum } from '../../../../domain/business/decimal';
import { fromDecimal128, toDecimal128 } from '../../../../models/business/decimal128';
import { ExchangeRate } from '../../../../models/business/settings/exchange-rate';
import { AccountEntry, OpenItem } from '../../../../models/business/payments/open-item';
import { PartyBalance } from '../../../../models/business/payments/party-balance';
import { Payment } from '../../../../models/business/payments/payment';
import { Posting } from '../../../../models/business/documents/posting';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { DAY_MS } from '../../../../domain/durations';

let client: BusinessClient;
let organisationId: string;
let productId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Payments');
  organisationId = client.tenant.organisationId;
  productId = await addService(client, { price: 100, taxRateId: undefined });
});
afterAll(closeTestPlatform);

const today = new Date().toISOString().slice(0, 10);

/** Creates an invoice with this amount before the default tax of 20 %. */
const createInvoice = async (customerId: number, net: number, fields: object = {}): Promise<number> =>
  getCreatedId(
    await client.post('/api/invoices', {
      customerId,
      lines: [{ productId, quantity: 1, unitPrice: net }],
      ...fields,
    }),
  );

const pay = (body: object, headers = {}): Promise<ApiResponse> =>
  client.post('/api/receivables/payments', body, headers);

const getInvoice = async (id: number) => getData(await client.get(`/api/invoices/${id}`));

/** Expects that balance record, ledger rows and aging of a customer agree. */
async function expectAgreement(customerId: number): Promise<void> {
  const filter = { organisationId, side: 'receivable', partyId: customerId } as const;
  const balance = await PartyBalance.findOne(filter).orFail().lean();
  const entries = await AccountEntry.find(filter).lean();
  const items = await OpenItem.find(filter).lean();
  const ledger = sum(entries.map((entry) => fromDecimal128(entry.amountBase)));
  const credits = new Set(['payment', 'credit_note']);
  const open = sum(items.map((item) => fromDecimal128(item.openBase).times(credits.has(item.kind) ? -1 : 1)));
  expect(fromDecimal128(balance.openBase).toString()).toBe(ledger.toString());
  expect(open.toString()).toBe(ledger.toString());
  const reported = getData(await client.get(`/api/customers/${customerId}/balance`));
  expect(reported['balance']).toBe(ledger.toNumber());
  for (const item of items) {
    const own = sum(
      entries.filter((entry) => entry.itemId.equals(item._id)).map((entry) => fromDecimal128(entry.amount)),
    );
    expect(own.abs().toString()).toBe(fromDecimal128(item.open).toString());
    const parts = sum([item.open, item.settled, item.credited, item.reversed].map(fromDecimal128));
    expect(parts.toString()).toBe(fromDecimal128(item.original).toString());
  }
}

describe('a collection', () => {
  test('settles its allocations; the invoice becomes partially paid, then paid, with one event', async () => {
    const customerId = await addCustomer(client);
    const id = await createInvoice(customerId, 100);
    const first = await pay({
      customerId,
      amount: 50,
      allocations: [{ documentId: id, amount: 50 }],
      reference: 'R-1',
    });
    expect(first.status).toBe(201);
    expect(getData(first)).toMatchObject({
      status: 'posted',
      amount: 50,
      currencyCode: 'EUR',
      unapplied: 0,
      realised: 0,
      method: 'bank_transfer',
      allocations: [{ documentId: id, amount: 50, settled: 50, reversedOn: null }],
    });
    expect(await getInvoice(id)).toMatchObject({ status: 'partially_paid', open: 70 });
    expect((await pay({ customerId, amount: 70 })).status).toBe(201);
    expect(await getInvoice(id)).toMatchObject({ status: 'paid', open: 0 });
    const paidEvents = await WebhookEvent.find({ organisationId, type: 'invoice.paid' }).lean();
    expect(paidEvents.filter((event) => event.body?.includes(`"invoiceId":${id},`))).toHaveLength(1);
    for (const [status, count] of [
      ['paid', 1],
      ['partially_paid', 0],
    ] as const)
      expect((await client.get(`/api/invoices?status=${status}&customerId=${customerId}`)).body['totalCount']).toBe(
        count,
      );
    await expectAgreement(customerId);
  });

  test('without allocations settles the oldest due first; the rest is credit that can be applied later', async () => {
    const customerId = await addCustomer(client);
    const later = await createInvoice(customerId, 10, { paymentTerms: 'NET60' });
    const sooner = await createInvoice(customerId, 10, { paymentTerms: 'NET15' });
    const payment = getData(await pay({ customerId, amount: 20 }));
    expect(payment['allocations']).toMatchObject([
      { documentId: sooner, amount: 12 },
      { documentId: later, amount: 8 },
    ]);
    const over = getData(await pay({ customerId, amount: 10 }));
    expect(over).toMatchObject({ unapplied: 6, allocations: [{ documentId: later, amount: 4 }] });
    expect(getData(await client.get(`/api/customers/${customerId}/balance`))).toMatchObject({ balance: -6, credit: 6 });
    const third = await createInvoice(customerId, 10);
    const applied = await client.post('/api/receivables/allocations', {
      paymentId: over['id'],
      documentId: third,
      amount: 6,
    });
    expect(applied.status).toBe(201);
    expect(await getInvoice(third)).toMatchObject({ open: 6, status: 'partially_paid' });
    const reversed = await client.post(`/api/receivables/allocations/${String(getData(applied)['id'])}/reverse`, {
      reason: 'wrong',
    });
    expect(getData(reversed)['reversedOn']).toBe(today);
    expect(await getInvoice(third)).toMatchObject({ open: 12, status: 'issued' });
    await expectAgreement(customerId);
  });

  test('in other currencies records realised differences, and the last part settles the remainder', async () => {
    const customerId = await addCustomer(client, { currencyCode: 'USD' });
    const rate = (value: string) =>
      ExchangeRate.updateOne(
        { organisationId, currencyCode: 'USD', date: today },
        { $set: { rate: toDecimal128(new Decimal(value)) }, $setOnInsert: { createdAt: new Date() } },
        { upsert: true },
      );
    await rate('0.9');
    const zero = getCreatedId(
      await client.post('/api/products', { name: 'Export', price: 1, type: 'service', priceIncludesTax: true }),
    );
    const id = getCreatedId(
      await client.post('/api/invoices', {
        customerId,
        currencyCode: 'USD',
        lines: [{ productId: zero, quantity: 1, unitPrice: 100 }],
      }),
    );
    expect(await getInvoice(id)).toMatchObject({ grandTotal: 100, base: { grandTotal: 90 } });
    const rejected = await pay({
      customerId,
      amount: 46,
      currencyCode: 'EUR',
      allocations: [{ documentId: id, amount: 46 }],
    });
    expect(rejected.status).toBe(400);
    expect(rejected.body['errors']).toEqual([expect.stringMatching(/^allocations\[0\]\.settled: is required/)]);
    const first = await pay({
      customerId,
      amount: 46,
      currencyCode: 'EUR',
      allocations: [{ documentId: id, amount: 46, settled: 50 }],
    });
    expect(getData(first)).toMatchObject({ realised: 1, allocations: [{ settled: 50, settledBase: 45, realised: 1 }] });
    await rate('0.88');
    const second = await pay({ customerId, amount: 50, currencyCode: 'USD' });
    expect(getData(second)).toMatchObject({ amountBase: 44, realised: -1, allocations: [{ settledBase: 45 }] });
    expect(await getInvoice(id)).toMatchObject({ open: 0, status: 'paid' });
    expect(getData(await client.get(`/api/customers/${customerId}/balance`))['balance']).toBe(0);
    await expectAgreement(customerId);
  });

  test('ten at once for one invoice: no negative amount, the rest is credit, all records agree', async () => {
    const customerId = await addCustomer(client);
    const id = await createInvoice(customerId, 50);
    const responses = await Promise.all(Array.from({ length: 10 }, () => pay({ customerId, amount: 10 })));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(await getInvoice(id)).toMatchObject({ open: 0, status: 'paid' });
    expect(sum(responses.map((response) => new Decimal(Number(getData(response)['unapplied'])))).toNumber()).toBe(40);
    await expectAgreement(customerId);
    const named = await createInvoice(customerId, 50);
    const rejected = await Promise.all(
      Array.from({ length: 10 }, () =>
        pay({ customerId, amount: 10, allocations: [{ documentId: named, amount: 10 }] }),
      ),
    );
    expect(rejected.filter(({ status }) => status === 201)).toHaveLength(6);
    expect(rejected.filter(({ body }) => body['code'] === 'allocation_exceeds_open')).toHaveLength(4);
    await expectAgreement(customerId);
  });
});

describe('voiding', () => {
  test('voiding a payment reverses its allocations, once; it is rejected while refunds exist', async () => {
    const customerId = await addCustomer(client);
    const id = await createInvoice(customerId, 100);
    const payment = getData(await pay({ customerId, amount: 150 }));
    const paymentId = Number(payment['id']);
    const refund = await client.post('/api/receivables/refunds', { paymentId, amount: 30, reference: 'back' });
    expect(refund.status).toBe(201);
    expect(getData(refund)).toMatchObject({ type: 'refund', amount: 30, realised: 0 });
    await expectAgreement(customerId);
    const beyond = await client.post('/api/receivables/refunds', { paymentId, amount: 1 });
    expect([beyond.status, beyond.body['code']]).toEqual([409, 'refund_exceeds_credit']);
    const voiding = (target: unknown) =>
      client.post(`/api/receivables/payments/${String(target)}/void`, { reason: 'bounced' });
    const blocked = await voiding(paymentId);
    expect([blocked.status, blocked.body['code']]).toEqual([409, 'payment_refunded']);
    expect(blocked.body['details']).toMatchObject({ refundIds: [getData(refund)['id']] });
    expect((await voiding(getData(refund)['id'])).status).toBe(200);
    expect(getData(await voiding(paymentId))).toMatchObject({
      status: 'void',
      voidedOn: today,
      allocations: [],
      unapplied: 0,
    });
    expect(await getInvoice(id)).toMatchObject({ open: 120, status: 'issued' });
    expect([(await voiding(paymentId)).status]).toEqual([409]);
    await expectAgreement(customerId);
  });
});

describe('rejected payments', () => {
  test('list every invalid field and write nothing; a dry run writes nothing either', async () => {
    const customerId = await addCustomer(client);
    const id = await createInvoice(customerId, 100);
    const before = await Payment.countDocuments({ organisationId });
    const wrong = await pay({
      customerId: 9999,
      amount: 1.234,
      date: '2999-01-01',
      allocations: [{ documentId: id, amount: 5 }],
    });
    expect(wrong.status).toBe(400);
    expect(wrong.body['errors']).toEqual([
      expect.stringMatching(/^amount: must have at most 2 decimals/),
      expect.stringMatching(/^allocations: add up/),
      expect.stringMatching(/^customerId: /),
      expect.stringMatching(/^date: /),
    ]);
    const foreign = await pay({
      customerId: await addCustomer(client),
      amount: 5,
      allocations: [{ documentId: id, amount: 5 }],
    });
    expect(foreign.body['errors']).toEqual(['allocations[0].documentId: is not an invoice of the customer']);
    const dryRun = await client.post('/api/receivables/payments?dryRun=true', { customerId, amount: 130 });
    expect(dryRun.status).toBe(200);
    expect(getData(dryRun)).toMatchObject({ unapplied: 10, allocations: [{ documentId: id, amount: 120 }] });
    expect(await Payment.countDocuments({ organisationId })).toBe(before);
    expect(await getInvoice(id)).toMatchObject({ open: 120 });
  });

  test('one Idempotency-Key posts one payment; a locked period rejects payments', async () => {
    const customerId = await addCustomer(client);
    const body = { customerId, amount: 5 };
    const twice = await Promise.all([pay(body, { 'idempotency-key': 'p1' }), pay(body, { 'idempotency-key': 'p1' })]);
    expect(new Set(twice.map((response) => getData(response)['id'])).size).toBe(1);
    await Posting.updateOne({ _id: organisationId }, { $set: { lockedThrough: today } });
    const locked = await pay(body);
    expect([locked.status, locked.body['code']]).toEqual([409, 'period_locked']);
    await Posting.updateOne({ _id: organisationId }, { $set: { lockedThrough: null } });
  });
});

test('lists of receivables and payments page, filter and count exactly; the net of the aging equals the balance', async () => {
  const customerId = await addCustomer(client);
  const ids = [
    await createInvoice(customerId, 10),
    await createInvoice(customerId, 20),
    await createInvoice(customerId, 30),
  ];
  await pay({ customerId, amount: 12, allocations: [{ documentId: ids[0], amount: 12 }] });
  const open = await client.get(`/api/receivables?customerId=${customerId}&sortBy=id`);
  expect(open.body['totalCount']).toBe(2);
  expect(getRows(open).map((row) => [row['id'], row['open'], row['state']])).toEqual([
    [ids[1], 24, 'open'],
    [ids[2], 36, 'open'],
  ]);
  expect((await client.get(`/api/receivables?customerId=${customerId}&state=all`)).body['totalCount']).toBe(3);
  expect((await client.get(`/api/receivables/payments?customerId=${customerId}`)).body['totalCount']).toBe(1);
  const aging = getData(await client.get(`/api/receivables/aging?customerId=${customerId}`));
  expect(aging).toMatchObject({
    asOf: today,
    rows: [{ customerId, currencyCode: 'EUR', amounts: { current: 60, net: 60 } }],
  });
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  expect(
    getData(await client.get(`/api/receivables/aging?customerId=${customerId}&asOf=${yesterday}`))['rows'],
  ).toEqual([]);
});
