import { sum } from '../../../../domain/business/decimal';
import { fromDecimal128 } from '../../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../../models/business/payments/open-item';
import { PartyBalance } from '../../../../models/business/payments/party-balance';
import { Payable, PurchaseOrder } from '../../../../models/business/purchasing/purchase-order';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { daysFromToday } from '../../../support/days';

let client: BusinessClient;
let organisationId: string;
let vendorId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Purchasing');
  organisationId = client.tenant.organisationId;
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd', paymentTerms: 'NET30' }));
});
afterAll(closeTestPlatform);

const today = new Date().toISOString().slice(0, 10);

const createOrder = (lines: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/purchase-orders', { vendorId, lines, ...fields });
const receive = (id: number, lines?: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post(`/api/purchase-orders/${id}/receive`, { ...(lines === undefined ? {} : { lines }), ...fields });
const createBill = (number: string, lines: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/payables', { vendorId, number, date: today, lines, ...fields });
const getReceipt = (response: ApiResponse) => getData(response)['receipt'] as Record<string, unknown>;
const getOrder = (response: ApiResponse) => getData(response)['order'] as Record<string, unknown>;
const getStock = async (id: number) => {
  const { stock, averageCost } = getData(await client.get(`/api/products/${id}`));
  return [stock, averageCost];
};
const getBalance = async () => getData(await client.get(`/api/vendors/${vendorId}/balance`))['balance'];

/** Balance document, entries, items and aging of the vendor say the same. */
async function expectAgreement(): Promise<void> {
  const filter = { organisationId, side: 'payable', partyId: vendorId } as const;
  const kept = fromDecimal128((await PartyBalance.findOne(filter).orFail().lean()).openBase);
  const entries = sum((await AccountEntry.find(filter).lean()).map((entry) => fromDecimal128(entry.amountBase)));
  const credits = new Set(['payment', 'credit_note']);
  const items = (await OpenItem.find(filter).lean()).map((item) =>
    fromDecimal128(item.openBase).times(credits.has(item.kind) ? -1 : 1),
  );
  expect([entries.toString(), sum(items).toString()]).toEqual([kept.toString(), kept.toString()]);
  expect(await getBalance()).toBe(kept.toNumber());
}

describe('an order', () => {
  test('is received in parts: stock at its cost, an unbilled payable each time, no more than was ordered', async () => {
    const productId = await addProduct(client, { price: 20 });
    const created = await createOrder([{ productId, quantity: 10, unitCost: 4 }]);
    expectDocumented('post', '/api/purchase-orders', created);
    const id = getCreatedId(created);
    expect(getData(created)).toMatchObject({ status: 'ordered', total: 40, taxTotal: 8, grandTotal: 48 });
    const first = await receive(id, [{ lineId: 1, quantity: 4 }]);
    expectDocumented('post', '/api/purchase-orders/:id/receive', first);
    expect(getOrder(first)).toMatchObject({ status: 'partially_received', lines: [{ received: 4 }] });
    expect(getReceipt(first)).toMatchObject({
      type: 'receipt',
      grandTotal: 19.2,
      dueDate: daysFromToday(30),
      billId: null,
    });
    expect(await getStock(productId)).toEqual([4, 4]);
    const beyond = await receive(id, [{ lineId: 1, quantity: 7 }]);
    expect([beyond.status, beyond.body['code']]).toEqual([409, 'over_receipt']);
    const rest = await receive(id, undefined, { reference: 'DN-2' });
    expect(getOrder(rest)).toMatchObject({ status: 'received' });
    expect(await getStock(productId)).toEqual([10, 4]);
    expect((await receive(id)).body['code']).toBe('invalid_transition');
    const listed = getRows(await client.get(`/api/payables?vendorId=${vendorId}`));
    expect(listed.map((row) => [row['documentType'], row['open']])).toEqual([
      ['receipt', 19.2],
      ['receipt', 28.8],
    ]);
    await expectAgreement();
  });

  test('of ten concurrent receipts of an order for four units exactly four are received', async () => {
    const productId = await addProduct(client, { price: 20 });
    const id = getCreatedId(await createOrder([{ productId, quantity: 4, unitCost: 1 }]));
    const responses = await Promise.all(Array.from({ length: 10 }, () => receive(id, [{ lineId: 1, quantity: 1 }])));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(await getStock(productId)).toEqual([4, 1]);
    expect(getData(await client.get(`/api/purchase-orders/${id}`))).toMatchObject({ status: 'received' });
    await expectAgreement();
  });

  test('changes its status as allowed: draft, placed, cancelled with its remaining quantities', async () => {
    const productId = await addService(client);
    const lines = [{ productId, quantity: 2, unitCost: 5 }];
    const id = getCreatedId(await createOrder(lines, { draft: true }));
    expect((await receive(id)).body['code']).toBe('invalid_transition');
    expect(getData(await client.post(`/api/purchase-orders/${id}/place`, {}))).toMatchObject({ status: 'ordered' });
    await receive(id, [{ lineId: 1, quantity: 1 }]);
    const cancelled = await client.post(`/api/purchase-orders/${id}/cancel`, { reason: 'Sold out' });
    expect(getData(cancelled)).toMatchObject({ status: 'cancelled', cancelReason: 'Sold out' });
    expect((await client.post(`/api/purchase-orders/${id}/cancel`, { reason: 'Again' })).status).toBe(409);
    const count = await PurchaseOrder.countDocuments({ organisationId });
    const dryRun = await client.post('/api/purchase-orders?dryRun=true', { vendorId, lines });
    expect(getData(dryRun)).toMatchObject({ id: null, number: null, grandTotal: 12 });
    const wrong = await createOrder([{ productId: 999_999, quantity: 1, unitCost: 1 }], { vendorId: 999_999 });
    expect(wrong.body['errors']).toEqual([
      'vendorId: is not an active vendor of the company',
      'lines[0].productId: is not an active product of the company',
    ]);
    expect(await PurchaseOrder.countDocuments({ organisationId })).toBe(count);
  });
});

describe('a bill', () => {
  test('replaces its receipts, returns the price difference, and is paid', async () => {
    const before = Number(await getBalance());
    const productId = await addProduct(client);
    const id = getCreatedId(await createOrder([{ productId, quantity: 10, unitCost: 4 }]));
    const receiptId = getReceipt(await receive(id))['id'];
    expect(await getBalance()).toBe(before + 48);
    const created = await createBill('R-1', [{ productId, quantity: 10, unitCost: 4.5 }], { receiptIds: [receiptId] });
    expectDocumented('post', '/api/payables', created);
    expect(getData(created)).toMatchObject({
      type: 'bill',
      grandTotal: 54,
      priceDifference: 5,
      quantityDifference: 0,
      exchangeDifference: 0,
      receiptIds: [receiptId],
    });
    expect(await getBalance()).toBe(before + 54);
    expect(getData(await client.get(`/api/payables/${String(receiptId)}`))).toMatchObject({
      billId: getData(created)['id'],
    });
    const twice = await createBill('R-1', [{ description: 'Again', quantity: 1, unitCost: 1 }]);
    expect([twice.status, twice.body['code']]).toEqual([409, 'number_taken']);
    const again = await createBill('R-2', [{ productId, quantity: 1, unitCost: 1 }], { receiptIds: [receiptId] });
    expect([again.status, again.body['code']]).toEqual([409, 'receipt_billed']);
    const billId = getData(created)['id'];
    const paid = await client.post('/api/payables/payments', {
      vendorId,
      amount: 54,
      allocations: [{ documentId: billId, amount: 54 }],
    });
    expectDocumented('post', '/api/payables/payments', paid);
    expect(getData(paid)).toMatchObject({ unapplied: 0, allocations: [{ documentId: billId, settled: 54 }] });
    expect(await getBalance()).toBe(before);
    await expectAgreement();
  });

  test('is reduced by a credit note of the vendor, whose remainder is a credit', async () => {
    const before = Number(await getBalance());
    const billId = getCreatedId(await createBill('R-3', [{ description: 'Rent', quantity: 1, unitCost: 15 }]));
    const payment = { vendorId, amount: 6, allocations: [{ documentId: billId, amount: 6 }] };
    expect((await client.post('/api/payables/payments', payment)).status).toBe(201);
    const note = await client.post('/api/payables/credit-notes', {
      vendorId,
      number: 'G-1',
      date: today,
      lines: [{ description: 'Rent', quantity: 1, unitCost: 15 }],
      payableId: billId,
    });
    expectDocumented('post', '/api/payables/credit-notes', note);
    expect(await getBalance()).toBe(before - 6);
    expect(getData(await client.get(`/api/payables/${billId}`))).toMatchObject({ open: 0 });
    const refund = await client.post('/api/payables/refunds', { creditNoteId: getData(note)['id'], amount: 6 });
    expect(refund.status).toBe(201);
    expect(await getBalance()).toBe(before);
    await expectAgreement();
  });

  test('with errors is rejected with every wrong field, and nothing is written', async () => {
    const count = await Payable.countDocuments({ organisationId });
    const wrong = await createBill('R-4', [{ quantity: 1, unitCost: 1 }], { date: '2999-01-01', currencyCode: 'USD' });
    expect(wrong.body['errors']).toEqual([
      expect.stringMatching(/^date: must not be after today/),
      expect.stringMatching(/^currencyCode: /),
      'lines[0].description: is required without a product',
    ]);
    expect(
      (await createBill('R-5', [{ description: 'A', quantity: 1, unitCost: 1 }], { receiptIds: [999_999] })).body[
        'errors'
      ],
    ).toEqual(['receiptIds[0]: is not a receipt from the vendor']);
    expect(await Payable.countDocuments({ organisationId })).toBe(count);
    await expectAgreement();
  });
});
