import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

/** Refunds of credit in another currency. All amounts are computed by hand. */

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

const expectInvariants = async (): Promise<void> => {
  const report = getData(await client.post('/api/admin/invariants', undefined));
  expect(report).toMatchObject({ violations: 0 });
};

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
  await expectInvariants();

  expect((await voiding(refundId)).status).toBe(200);
  expect(await getBalance()).toBe(-90);
  expect(getData(await client.get(`/api/${side}/payments/${paymentId}`))).toMatchObject({ unapplied: 100 });
  await expectInvariants();
  expect((await voiding(paymentId)).status).toBe(200);
  expect(await getBalance()).toBe(0);
  await expectInvariants();
});
