import { addProduct, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat } from '../../../support/business/reports';

/** Credit notes and returns of bills of which a part was written off. All amounts are computed by hand. */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let vendorId: number;
let standard: number;
let reduced: number;
let numbers = 0;

beforeAll(async () => {
  client = await createBusinessClient('Billed & written off');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  await client.put('/api/config/company', { writeOffLimit: 500 });
  const addRate = async (percent: number): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { name: `Rate ${percent}`, category: 'S', percent }));
  standard = await addRate(19);
  reduced = await addRate(7);
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

const nextNumber = (): string => `N-${(numbers += 1)}`;
const recordBill = async (lines: object[], fields: object = {}): Promise<number> =>
  getCreatedId(await client.post('/api/payables', { vendorId, number: nextNumber(), date: today, lines, ...fields }));
const pay = async (documentId: number, amount: number): Promise<void> => {
  const payment = { vendorId, amount, allocations: [{ documentId, amount }] };
  expect((await client.post('/api/payables/payments', payment)).status).toBe(201);
};
const writeOffRest = async (documentId: number): Promise<number> =>
  getCreatedId(await client.post('/api/payables/write-offs', { documentId, reason: 'Small difference' }));
const voidWriteOff = async (id: number): Promise<void> => {
  const voided = await client.post(`/api/payables/write-offs/${id}/void`, { reason: 'Returned' });
  expect(voided.status).toBe(200);
};
const credit = (payableId: number, lines: object[]) =>
  client.post('/api/payables/credit-notes', { vendorId, number: nextNumber(), date: today, payableId, lines });
const expectRefused = (response: { status: number; body: Record<string, unknown> }, writeOffId: number): void => {
  expect([response.status, response.body]).toEqual([
    409,
    expect.objectContaining({
      code: 'credit_exceeds_bill',
      details: { writeOffIds: [writeOffId], routes: ['POST /api/payables/write-offs/:id/void'] },
    }),
  ]);
};

const work = (unitCost: number, taxRateId = standard) => ({ description: 'Work', quantity: 1, unitCost, taxRateId });

test('goods of a bill that was written off in part are returned after the write-off is void', async () => {
  const before = await readVat(client);
  const productId = await addProduct(client);
  const order = getCreatedId(
    await client.post('/api/purchase-orders', {
      vendorId,
      lines: [{ productId, quantity: 10, unitCost: 10, taxRateId: standard }],
    }),
  );
  const received = await client.post(`/api/purchase-orders/${order}/receive`, {});
  const { id: receiptId } = getData(received)['receipt'] as { id: number };
  const billId = await recordBill([{ productId, quantity: 10, unitCost: 10, taxRateId: standard }], {
    receiptIds: [receiptId],
  });
  await pay(billId, 95.2);
  const writeOffId = await writeOffRest(billId);
  // 119.00 less 23.80: eight of ten can be returned.
  const giveBack = (quantity: number) =>
    client.post('/api/vendor-returns', { receiptId, reason: 'Broken', lines: [{ lineId: 1, quantity }] });
  expectRefused(await giveBack(9), writeOffId);
  expect((await giveBack(3)).status).toBe(201);
  expectRefused(await giveBack(6), writeOffId);
  expect((await giveBack(5)).status).toBe(201);
  expectRefused(await giveBack(1), writeOffId);
  await voidWriteOff(writeOffId);
  expect((await giveBack(2)).status).toBe(201);
  expect(await readVat(client)).toEqual(before);
});

test('a credit note of a bill does not take back what was written off of it, also if the bill is paid', async () => {
  const before = await readVat(client);
  const billId = await recordBill([work(100)]);
  await pay(billId, 107.1);
  const writeOffId = await writeOffRest(billId);
  expectRefused(await credit(billId, [work(100)]), writeOffId);
  expectRefused(await credit(billId, [work(90.01)]), writeOffId);
  expect((await credit(billId, [work(60)])).status).toBe(201);
  expectRefused(await credit(billId, [work(30.01)]), writeOffId);
  await voidWriteOff(writeOffId);
  expect((await credit(billId, [work(40)])).status).toBe(201);
  expect(await readVat(client)).toEqual(before);
});

test('a write-off after a credit note corrects only the rates that were not credited', async () => {
  const before = await readVat(client);
  const billId = await recordBill([work(100), work(100, reduced)]);
  expect((await credit(billId, [work(100)])).status).toBe(201);
  expect(getData(await client.get(`/api/payables/${billId}`))['open']).toBe(107);
  await writeOffRest(billId);
  expect(await readVat(client)).toEqual(before);
});
