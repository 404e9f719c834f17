import { closeTestPlatform } from '../../../support/tenant';
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
import { expectInvariants } from '../../../support/business/reports';

/** Refunds of credit, also in another currency. All amounts are computed by hand. */

const PAID_ON = '2025-07-01';
const REFUNDED_ON = '2025-07-10';
let client: BusinessClient;

beforeAll(async () => {
  client = await createBusinessClient('Refunds');
  const setRate = (date: string, rate: number) =>
    client.post('/api/config/exchange-rates', { currencyCode: 'USD', date, rate });
  expect([(await setRate(PAID_ON, 0.9)).status, (await setRate(REFUNDED_ON, 0.88)).status]).toEqual([201, 201]);
});
afterAll(closeTestPlatform);

test.each([
  // The credit of 90 is paid back with 88: a customer leaves a gain of 2, a vendor a loss of 2.
  ['customers', 'receivables', 2],
  ['vendors', 'payables', -2],
])('a refund of %s in another currency is undone with its exchange difference', async (parties, side, realised) => {
  const partyId =
    parties === 'customers'
      ? await addCustomer(client, { currencyCode: 'USD' })
      : getCreatedId(await client.post('/api/vendors', { name: 'Overseas Supplies' }));
  const party = parties === 'customers' ? { customerId: partyId } : { vendorId: partyId };
  const getBalance = async () => getData(await client.get(`/api/${parties}/${partyId}/balance`))['balance'];
  const payment = { ...party, amount: 100, currencyCode: 'USD', date: PAID_ON, allocations: [] };
  const paymentId = getCreatedId(await client.post(`/api/${side}/payments`, payment));
  expect(await getBalance()).toBe(-90);
  const refund = await client.post(`/api/${side}/refunds`, { paymentId, amount: 100, date: REFUNDED_ON });
  expect([refund.status, getData(refund)]).toMatchObject([201, { type: 'refund', amountBase: 88, realised }]);
  expect(await getBalance()).toBe(0);

  const voiding = (id: unknown) => client.post(`/api/${side}/payments/${String(id)}/void`, { reason: 'Bounced' });
  const refundId = getData(refund)['id'];
  const blocked = await voiding(paymentId);
  expect([blocked.status, blocked.body['code'], blocked.body['details']]).toEqual([
    409,
    'payment_refunded',
    { refundIds: [refundId], route: `POST /api/${side}/payments/:id/void` },
  ]);
  expect(blocked.body['message']).toContain(`void the refunds ${String(refundId)} first`);
  expect(await getBalance()).toBe(0);
  await expectInvariants(client);

  expect((await voiding(refundId)).status).toBe(200);
  expect(await getBalance()).toBe(-90);
  expect(getData(await client.get(`/api/${side}/payments/${paymentId}`))).toMatchObject({ unapplied: 100 });
  await expectInvariants(client);
  expect((await voiding(paymentId)).status).toBe(200);
  expect(await getBalance()).toBe(0);
  await expectInvariants(client);
});

test('a refund names the payment or credit note that it pays out, and is listed by it', async () => {
  const [customerId, productId] = [await addCustomer(client), await addService(client)];
  const invoiceId = getCreatedId(
    await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, unitPrice: 100 }] }),
  );
  await client.post('/api/receivables/payments', { customerId, amount: 1000 });
  const creditNoteId = getCreatedId(
    await client.post('/api/credit-notes', {
      invoiceId,
      reason: 'Returned',
      lines: [{ invoiceLineId: 1, amount: 10 }],
    }),
  );
  const paymentId = getCreatedId(await client.post('/api/receivables/payments', { customerId, amount: 5 }));
  const refund = async (body: object) => {
    const response = await client.post('/api/receivables/refunds', { amount: 2, ...body });
    expectDocumented('post', '/api/receivables/refunds', response);
    return getData(response);
  };
  const [ofNote, ofPayment] = [await refund({ creditNoteId }), await refund({ paymentId })];
  expect([ofNote['refundOf'], ofPayment['refundOf']]).toEqual([
    { paymentId: null, creditNoteId, creditNoteNumber: expect.stringMatching(/^CN-/) as string },
    { paymentId, creditNoteId: null, creditNoteNumber: null },
  ]);
  const list = async (query: string, reader = client) => {
    const response = await reader.get(`/api/receivables/payments?${query}`);
    expectDocumented('get', '/api/receivables/payments', response);
    expect(response.body['totalCount']).toBe(getRows(response).length);
    return getRows(response).map(({ id, refundOf }) => [id, refundOf]);
  };
  expect(await list(`refundOfCreditNoteId=${creditNoteId}`)).toEqual([[ofNote['id'], ofNote['refundOf']]]);
  expect(await list(`refundOfPaymentId=${paymentId}`)).toEqual([[ofPayment['id'], ofPayment['refundOf']]]);
  expect(await list(`refundOfPaymentId=${paymentId}&refundOfCreditNoteId=${creditNoteId}`)).toEqual([]);
  expect(await list(`refundOfPaymentId=${String(ofPayment['id'])}`)).toEqual([]);
  expect(await list(`customerId=${customerId}&sortBy=id&sortDir=asc`)).toEqual([
    [paymentId - 1, null],
    [paymentId, null],
    [ofNote['id'], ofNote['refundOf']],
    [ofPayment['id'], ofPayment['refundOf']],
  ]);
  const read = getData(await client.get(`/api/receivables/payments/${String(ofNote['id'])}`));
  expect(read['refundOf']).toEqual(ofNote['refundOf']);
  expect(await list(`refundOfPaymentId=${paymentId}`, await createBusinessClient('Other refunds'))).toEqual([]);
});
