import { Counter } from '../../../../models/platform/transactions/counter';
import { Payable } from '../../../../models/business/purchasing/purchase-order';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addProduct, createBusinessClient, getData, getCreatedId, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { daysFromToday } from '../../../support/days';

let client: BusinessClient;
let organisationId: string;
let vendorId: number;
let productId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Matching');
  organisationId = client.tenant.organisationId;
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  productId = await addProduct(client);
});
afterAll(closeTestPlatform);

const today = daysFromToday(0);

const order = async (fields: object = {}): Promise<number> => {
  const lines = [{ productId, quantity: 10, unitCost: 4 }];
  return getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines, ...fields }));
};
const receive = (orderId: number, fields: object = {}): Promise<ApiResponse> =>
  client.post(`/api/purchase-orders/${orderId}/receive`, fields);
/** Orders and receives ten units at 4.00. */
const receiveTen = async (): Promise<number> => {
  const { receipt } = getData(await receive(await order())) as { receipt: { id: number } };
  return receipt.id;
};
let bills = 0;
const bill = (fields: object): Promise<ApiResponse> =>
  client.post('/api/payables', { vendorId, number: `B-${(bills += 1)}`, date: today, ...fields });
const billUnits = (quantity: number, receiptId: number, fields: object = {}): Promise<ApiResponse> =>
  bill({ lines: [{ productId, quantity, unitCost: 4 }], receiptIds: [receiptId], ...fields });
const pay = (fields: object) => client.post('/api/payables/payments', { vendorId, ...fields });

describe('a payment on account', () => {
  test('settles bills and never receipts, which their bill then replaces', async () => {
    const receiptId = await receiveTen();
    const other = getCreatedId(await bill({ lines: [{ description: 'Rent', quantity: 1, unitCost: 10 }] }));
    const dryRun = await client.post('/api/payables/payments?dryRun=true', { vendorId, amount: 60 });
    expect(getData(dryRun)).toMatchObject({ allocations: [{ documentId: other, amount: 12 }], unapplied: 48 });
    const paid = getData(await pay({ amount: 60 }));
    expect(paid).toMatchObject({ allocations: [{ documentId: other, amount: 12 }], unapplied: 48 });
    const billId = getCreatedId(await billUnits(10, receiptId));
    const use = { paymentId: paid['id'], documentId: billId, amount: 48 };
    expect((await client.post('/api/payables/allocations', use)).status).toBe(201);
  });

  test('that names a receipt settles it; the bill then answers with the ids that lead out', async () => {
    const receiptId = await receiveTen();
    const paid = getData(await pay({ amount: 20, allocations: [{ documentId: receiptId, amount: 20 }] }));
    const rejected = await billUnits(10, receiptId);
    expect([rejected.status, rejected.body]).toMatchObject([
      409,
      { code: 'receipt_settled', details: { receiptId, paymentIds: [paid['id']], creditNoteIds: [] } },
    ]);
    const { allocationIds } = rejected.body['details'] as { allocationIds: number[] };
    expect(allocationIds).toHaveLength(1);
    for (const id of allocationIds)
      expect((await client.post(`/api/payables/allocations/${id}/reverse`, { reason: 'Bill first' })).status).toBe(200);
    const billId = getCreatedId(await billUnits(10, receiptId));
    const use = { paymentId: paid['id'], documentId: billId, amount: 20 };
    expect((await client.post('/api/payables/allocations', use)).status).toBe(201);
  });
});

describe('a bill for more than was received', () => {
  test('is rejected with the quantity that can be billed, whether its lines name the product or not', async () => {
    const receiptId = await receiveTen();
    const count = await Payable.countDocuments({ organisationId });
    const named = await billUnits(20, receiptId);
    expect([named.status, named.body['code'], named.body['errors']]).toEqual([
      409,
      'over_billing',
      ['lines[0].quantity: must be at most 10'],
    ]);
    const unnamed = await bill({
      lines: [{ description: 'Lamps', quantity: 20, unitCost: 4 }],
      receiptIds: [receiptId],
    });
    expect([unnamed.status, unnamed.body['code']]).toEqual([409, 'over_billing']);
    expect(await Payable.countDocuments({ organisationId })).toBe(count);
    expect((await billUnits(10, receiptId)).status).toBe(201);
  });

  test('is accepted within the tolerance of the company; the excess is a difference of quantity', async () => {
    const put = await client.put('/api/config/company', { overBillingTolerancePercent: 10 });
    expectDocumented('put', '/api/config/company', put);
    expect(getData(put)).toMatchObject({ overBillingTolerancePercent: 10 });
    const receiptId = await receiveTen();
    expect((await billUnits(11.01, receiptId)).body['code']).toBe('over_billing');
    const billed = await billUnits(11, receiptId);
    expectDocumented('post', '/api/payables', billed);
    expect(getData(billed)).toMatchObject({ priceDifference: 0, quantityDifference: 4, exchangeDifference: 0 });
    expect((await client.put('/api/config/company', { overBillingTolerancePercent: 0 })).status).toBe(200);
  });
});

test('a bill at another exchange rate and price states both differences apart, before tax', async () => {
  const rate = (date: string, value: number) =>
    client.post('/api/config/exchange-rates', { currencyCode: 'USD', date, rate: value });
  await rate(daysFromToday(-2), 0.8);
  await rate(today, 0.9);
  const orderId = await order({ currencyCode: 'USD', orderDate: daysFromToday(-2) });
  const { receipt } = getData(await receive(orderId, { date: daysFromToday(-2) })) as { receipt: { id: number } };
  const lines = [{ productId, quantity: 10, unitCost: 5 }];
  const billed = getData(await bill({ currencyCode: 'USD', lines, receiptIds: [receipt.id] }));
  // 50 USD instead of 40: 10 USD at 0.90, and 40 USD at 0.10 more than on the day of receipt.
  expect(billed).toMatchObject({ priceDifference: 9, quantityDifference: 0, exchangeDifference: 4 });
});

describe('the totals of the vendor', () => {
  const lines = [
    { description: 'Work', quantity: 1, unitCost: 10 },
    { description: 'Travel', quantity: 1, unitCost: 5.55 },
  ];

  test('are recorded as printed; the difference is a rounding line', async () => {
    const billed = await bill({ lines, total: 15.54, taxTotal: 3.12 });
    expectDocumented('post', '/api/payables', billed);
    const data = getData(billed) as { lines: { net: number; tax: number }[] };
    expect(data).toMatchObject({ total: 15.54, taxTotal: 3.12, grandTotal: 18.66 });
    expect(data.lines[2]).toMatchObject({
      description: 'Rounding',
      productId: null,
      quantity: 1,
      net: -0.01,
      tax: 0.01,
    });
    const [item] = getRows(await client.get('/api/payables?sortBy=id&sortDir=desc&pageSize=1'));
    expect(item).toMatchObject({ amount: 18.66, open: 18.66 });
    const exact = getData(await bill({ lines, total: 15.55, taxTotal: 3.11 })) as { lines: unknown[] };
    expect(exact.lines).toHaveLength(2);
    const note = await client.post('/api/payables/credit-notes', {
      vendorId,
      number: 'G-1',
      date: today,
      lines,
      taxTotal: 3.1,
    });
    expect([note.status, getData(note)]).toMatchObject([201, { taxTotal: 3.1, grandTotal: 18.65 }]);
  });

  test('that differ by more than rounding are rejected with the total of the lines', async () => {
    const rejected = await bill({ lines, total: 15.61, taxTotal: 3.111 });
    expect([rejected.status, rejected.body['errors']]).toEqual([
      400,
      [
        'total: must be within 0.05 of 15.55, which the lines add up to',
        'taxTotal: must have at most 2 decimals in EUR',
      ],
    ]);
  });
});

test('a bill is not due before its date', async () => {
  const lines = [{ description: 'Rent', quantity: 1, unitCost: 10 }];
  const early = await bill({ lines, dueDate: daysFromToday(-1) });
  expect([early.status, early.body['errors']]).toEqual([400, [`dueDate: must not be before the bill, ${today}`]]);
  expect(getData(await bill({ lines, dueDate: today }))).toMatchObject({ dueDate: today });
});

describe('the numbers of receipts', () => {
  const listNumbers = async (): Promise<number[]> =>
    (await Payable.find({ organisationId, type: 'receipt' }).sort({ number: 1 }).lean()).map(({ number }) =>
      Number(number.slice(3)),
    );

  test('have no gaps, whatever is billed or rejected in between', async () => {
    const before = await listNumbers();
    const orderId = await order();
    const responses = await Promise.all(
      [1, 11, 1, 12, 1].map((quantity) => receive(orderId, { lines: [{ lineId: 1, quantity }] })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
    await bill({ lines: [{ description: 'Rent', quantity: 1, unitCost: 10 }] });
    await receiveTen();
    const numbers = await listNumbers();
    expect(numbers).toHaveLength(before.length + 4);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test('continue those of earlier versions', async () => {
    const [last = 0] = (await listNumbers()).slice(-1);
    await Counter.deleteOne({ _id: `${organisationId}.receipt-numbers` });
    await receiveTen();
    expect((await listNumbers()).at(-1)).toBe(last + 1);
  });
});
