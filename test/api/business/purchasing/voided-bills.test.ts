import { randomUUID } from 'node:crypto';
import { AccountEntry } from '../../../../models/business/payments/open-item';
import { Payable } from '../../../../models/business/purchasing/purchase-order';
import { Audit } from '../../../../models/platform/audit/audit';
import {
  addProduct,
  createBusinessClient,
  createClientWithToken,
  getCreatedId,
  getData,
  getRows,
  signIn,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { expectNoViolations, readRemains } from '../../../support/business/foreign-purchases';
import { addUser } from '../../../support/business/users';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

/** Bills and credit notes of vendors that were recorded wrongly. */

const ROUTE = '/api/payables/:id/void';
const today = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

let client: BusinessClient;
let vendorId: number;

beforeEach(async () => {
  client = await createBusinessClient('Voided bills');
  await client.put('/api/config/company', { writeOffLimit: 500 });
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterEach(() => expectNoViolations(client));
afterAll(closeTestPlatform);

const work = (unitCost: number) => [{ description: 'Work', quantity: 1, unitCost }];
const postBill = (fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/payables', { vendorId, number: randomUUID(), date: today, lines: work(100), ...fields });
const recordBill = async (fields: object = {}): Promise<number> => getCreatedId(await postBill(fields));
const postCreditNote = (fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/payables/credit-notes', {
    vendorId,
    number: randomUUID(),
    date: today,
    lines: work(10),
    ...fields,
  });
const recordCreditNote = async (fields: object = {}): Promise<number> => getCreatedId(await postCreditNote(fields));
const pay = (documentId: number, amount: number): Promise<ApiResponse> =>
  client.post('/api/payables/payments', { vendorId, amount, allocations: [{ documentId, amount }] });
const voidPayable = (id: number, fields: object = {}, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  client.post(`/api/payables/${id}/void`, { reason: 'Recorded for the wrong vendor', ...fields }, headers);
const read = async (id: number): Promise<Record<string, unknown>> => getData(await client.get(`/api/payables/${id}`));
const succeed = async (path: string): Promise<void> =>
  expect([path, (await client.post(path, { reason: 'Undone' })).status]).toEqual([path, 200]);

/** A received order. @returns the id of the receipt */
async function receive(lines: object[], date = today): Promise<number> {
  const orderId = getCreatedId(await client.post('/api/purchase-orders', { vendorId, orderDate: date, lines }));
  const received = await client.post(`/api/purchase-orders/${orderId}/receive`, { date });
  expect(received.status).toBe(201);
  return (getData(received)['receipt'] as { id: number }).id;
}

const giveBack = (receiptId: number, quantity: number): Promise<ApiResponse> =>
  client.post('/api/vendor-returns', { receiptId, reason: 'Broken', lines: [{ lineId: 1, quantity }] });

function expectRefused({ status, body }: ApiResponse, details: object): void {
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({
      code: 'payable_not_voidable',
      details: expect.objectContaining(details) as unknown,
    }),
  ]);
}

describe('voiding a bill', () => {
  test('reverses it everywhere, keeps the record, and frees its number', async () => {
    const before = await readRemains(client);
    const id = await recordBill({ number: 'R-1' });
    expect(await readRemains(client)).not.toEqual(before);
    const voided = await voidPayable(id);
    expectDocumented('post', ROUTE, voided);
    expect(voided.status).toBe(200);
    const state = { status: 'void', voidedOn: today, voidReason: 'Recorded for the wrong vendor' };
    expect(getData(voided)).toMatchObject({ id, number: 'R-1', grandTotal: 120, ...state });
    expect(await read(id)).toMatchObject({ ...state, open: 0 });
    expect(await readRemains(client)).toEqual(before);
    const [listed] = getRows(await client.get('/api/payables?state=void'));
    expect(listed).toMatchObject({ id, number: 'R-1', state: 'void', open: 0 });
    expect(getRows(await client.get('/api/payables'))).toEqual([]);
    const entries = getRows(await client.get('/api/journal?pageSize=100'));
    expect(entries.map((entry) => [entry['id'], entry['date']])).toEqual([
      [`bill:${id}`, today],
      [`bill_void:${id}`, today],
    ]);

    const again = await recordBill({ number: 'R-1', lines: work(200) });
    expect((await postBill({ number: 'R-1' })).body['code']).toBe('number_taken');
    expect((await voidPayable(again)).status).toBe(200);
    expect(await read(await recordBill({ number: 'R-1' }))).toMatchObject({ open: 120, status: 'posted' });
  });

  test('makes its receipts unbilled again: what is open, returned and billed of them is as before', async () => {
    const productId = await addProduct(client);
    const receiptIds = [
      await receive([{ productId, quantity: 10, unitCost: 4 }]),
      await receive([{ productId, quantity: 5, unitCost: 4.2 }]),
    ];
    expect((await giveBack(receiptIds[0] ?? 0, 2)).status).toBe(201);
    const [before, receipts] = [await readRemains(client), await Promise.all(receiptIds.map(read))];
    const fields = { number: 'R-1', receiptIds, lines: [{ productId, quantity: 12, unitCost: 4.5 }] };
    const billId = await recordBill(fields);
    expect(await read(receiptIds[0] ?? 0)).toMatchObject({ billId, open: 0 });
    expect((await voidPayable(billId)).status).toBe(200);
    expect(await Promise.all(receiptIds.map(read))).toEqual(receipts);
    expect(await readRemains(client)).toEqual(before);

    // More is returned before the next bill, which charges what is left.
    expect((await giveBack(receiptIds[0] ?? 0, 3)).status).toBe(201);
    const tooMuch = await postBill({ ...fields, lines: [{ productId, quantity: 13, unitCost: 4 }] });
    expect(tooMuch.body['code']).toBe('over_billing');
    const second = await recordBill({ ...fields, lines: [{ productId, quantity: 10, unitCost: 4.5 }] });
    expect(await read(second)).toMatchObject({ priceDifference: 4, quantityDifference: 0, receiptIds });
    expect(await read(receiptIds[1] ?? 0)).toMatchObject({ billId: second, open: 0 });
    const returned = await giveBack(receiptIds[0] ?? 0, 1);
    expect(getData(returned)).toMatchObject({ total: 4.5, creditNoteId: expect.any(Number) as number });
    expectRefused(await voidPayable(second), { vendorReturnIds: [getCreatedId(returned)] });
    const ids = getRows(await client.get('/api/journal?pageSize=100')).map((entry) => String(entry['id']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('restores receipts of free goods and receipts that were returned completely', async () => {
    const productId = await addProduct(client);
    const free = await receive([{ productId, quantity: 10, unitCost: 0 }]);
    const empty = await receive([{ productId, quantity: 5, unitCost: 4 }]);
    expect((await giveBack(empty, 5)).status).toBe(201);
    const readStates = async () =>
      getRows(await client.get('/api/payables?state=all')).map((row) => [row['id'], row['state']]);
    const before = await readStates();
    const billId = await recordBill({ receiptIds: [free, empty], lines: [{ productId, quantity: 10, unitCost: 1 }] });
    expect((await voidPayable(billId)).status).toBe(200);
    expect(await readStates()).toEqual(expect.arrayContaining(before));
    await recordBill({ receiptIds: [free, empty], lines: [{ productId, quantity: 10, unitCost: 1 }] });
  });

  test('is refused while it is paid, credited or written off, naming what to reverse first', async () => {
    const id = await recordBill();
    const paymentId = getCreatedId(await pay(id, 50));
    const creditNoteId = await recordCreditNote({ payableId: id });
    const writeOffId = getCreatedId(
      await client.post('/api/payables/write-offs', { documentId: id, amount: 1, reason: 'Small difference' }),
    );
    const allocations = getRows(await client.get(`/api/payables/allocations?documentId=${id}`));
    const allocationIds = allocations.map((allocation) => Number(allocation['id'])).sort((a, b) => a - b);
    expectRefused(await voidPayable(id), {
      paymentIds: [paymentId],
      allocationIds,
      creditNoteIds: [creditNoteId],
      writeOffIds: [writeOffId],
      vendorReturnIds: [],
      routes: [
        'POST /api/payables/allocations/:id/reverse',
        'POST /api/payables/payments/:id/void',
        'POST /api/payables/write-offs/:id/void',
        'POST /api/payables/:id/void',
      ],
    });
    await succeed(`/api/payables/payments/${paymentId}/void`);
    await succeed(`/api/payables/write-offs/${writeOffId}/void`);
    expectRefused(await voidPayable(id), { paymentIds: [], writeOffIds: [], creditNoteIds: [creditNoteId] });
    const own = getRows(await client.get(`/api/payables/allocations?creditNoteId=${creditNoteId}`));
    await succeed(`/api/payables/allocations/${String(own[0]?.['id'])}/reverse`);
    // The credit note refers to the bill, also while nothing of it is applied.
    expectRefused(await voidPayable(id), { allocationIds: [], creditNoteIds: [creditNoteId] });
    expect((await voidPayable(creditNoteId)).status).toBe(200);
    expect((await voidPayable(id)).status).toBe(200);
    expect(await readRemains(client)).toMatchObject({ accounts: [], open: 0 });
  });

  test('is refused once goods were returned with a credit note, and so is the void of that credit note', async () => {
    const productId = await addProduct(client);
    const receiptId = await receive([{ productId, quantity: 10, unitCost: 4 }]);
    const billId = await recordBill({ receiptIds: [receiptId], lines: [{ productId, quantity: 10, unitCost: 4 }] });
    const returned = getData(await giveBack(receiptId, 1));
    const vendorReturnIds = [Number(returned['id'])];
    expectRefused(await voidPayable(billId), { vendorReturnIds, creditNoteIds: [returned['creditNoteId']] });
    expectRefused(await voidPayable(Number(returned['creditNoteId'])), {
      vendorReturnIds,
      routes: ['POST /api/payables'],
    });
    expectRefused(await voidPayable(receiptId), { routes: ['POST /api/vendor-returns'] });
  });

  test('is refused a second time, and with the key of an earlier request answers as it did', async () => {
    const id = await recordBill();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await voidPayable(id, {}, headers);
    const repeated = await voidPayable(id, {}, headers);
    expect([repeated.status, getData(repeated)]).toEqual([200, getData(first)]);
    const again = await voidPayable(id);
    expect([again.status, again.body['code']]).toEqual([409, 'already_void']);
    const credit = await postCreditNote({ payableId: id });
    expect([credit.status, credit.body['code']]).toEqual([409, 'already_void']);
    expect((await pay(id, 1)).status).toBe(409);
    expect((await voidPayable(999_999)).status).toBe(404);
    const { organisationId } = client.tenant;
    const audited = await Audit.find({ organisationId, action: 'payable.voided' }).lean();
    expect(audited).toMatchObject([{ subject: `payable:${id}`, reason: 'Recorded for the wrong vendor' }]);
  });

  test('needs the permission to change payables, and a reason', async () => {
    const id = await recordBill();
    const { email, password } = await addUser(client, 'viewer');
    const { token } = await signIn({ email, password });
    const viewer = createClientWithToken(client.tenant, token);
    expect((await viewer.post(`/api/payables/${id}/void`, { reason: 'Mine' })).status).toBe(403);
    const other = await createBusinessClient('Another company');
    expect((await other.post(`/api/payables/${id}/void`, { reason: 'Mine' })).status).toBe(404);
    const unreasoned = await client.post(`/api/payables/${id}/void`, {});
    expect([unreasoned.status, unreasoned.body['errors']]).toEqual([400, [expect.stringMatching(/^reason: /)]]);
    expect(await read(id)).toMatchObject({ status: 'posted', open: 120 });
  });
});

describe('the day of a void', () => {
  test('is today by default, so that earlier days show the bill', async () => {
    const productId = await addProduct(client);
    const receiptId = await receive([{ productId, quantity: 10, unitCost: 4 }], daysAgo(3));
    const lines = [{ productId, quantity: 10, unitCost: 5 }];
    const id = await recordBill({ date: daysAgo(2), receiptIds: [receiptId], lines });
    const readAging = async (asOf: string) =>
      (getData(await client.get(`/api/payables/aging?asOf=${asOf}`))['total'] as { net: number }).net;
    expect((await voidPayable(id)).status).toBe(200);
    expect([await readAging(daysAgo(1)), await readAging(today)]).toEqual([60, 48]);
    // The next bill has the date of the vendor, and replaces the receipt on the day on which it was unbilled again.
    await recordBill({ date: daysAgo(2), receiptIds: [receiptId], lines });
    expect([await readAging(daysAgo(1)), await readAging(today)]).toEqual([120, 60]);
  });

  test('is neither in the future nor before the latest change of the document and its receipts', async () => {
    const id = await recordBill({ date: daysAgo(5) });
    const future = await voidPayable(id, { date: daysAgo(-1) });
    expect([future.status, future.body['errors']]).toEqual([400, [expect.stringMatching(/^date: must not be after/)]]);
    const early = await voidPayable(id, { date: daysAgo(6) });
    expect([early.status, early.body['errors']]).toEqual([
      400,
      [`date: must not be before the latest change of the document or of its receipts, ${daysAgo(5)}`],
    ]);
    expect(getData(await voidPayable(id, { date: daysAgo(4) }))).toMatchObject({ voidedOn: daysAgo(4) });
  });

  test('and that of the document are in an open period', async () => {
    const [billId, creditNoteId] = [
      await recordBill({ date: daysAgo(9) }),
      await recordCreditNote({ date: daysAgo(9) }),
    ];
    const recent = await recordBill({ date: daysAgo(1) });
    expect((await client.put('/api/config/period-lock', { lockedThrough: daysAgo(2) })).status).toBe(200);
    const routes = [];
    for (const id of [billId, creditNoteId]) {
      const { status, body } = await voidPayable(id);
      expect([status, body['code']]).toEqual([409, 'period_locked']);
      routes.push((body['details'] as { route: string }).route);
    }
    expect(routes).toEqual(['POST /api/payables/credit-notes', 'POST /api/payables']);
    expect((await voidPayable(recent)).status).toBe(200);
  });
});

describe('voiding a credit note of a vendor', () => {
  test('is refused while it is applied or refunded, and leaves the bill as it was', async () => {
    const before = await readRemains(client);
    const billId = await recordBill();
    const recorded = await readRemains(client);
    const id = await recordCreditNote({ payableId: billId, number: 'G-1' });
    const [allocation] = getRows(await client.get(`/api/payables/allocations?creditNoteId=${id}`));
    expectRefused(await voidPayable(id), { allocationIds: [allocation?.['id']], refundIds: [], writeOffIds: [] });
    await succeed(`/api/payables/allocations/${String(allocation?.['id'])}/reverse`);
    const refundId = getCreatedId(await client.post('/api/payables/refunds', { creditNoteId: id, amount: 2 }));
    const writeOff = { creditNoteId: id, amount: 1, reason: 'Small difference' };
    const writeOffId = getCreatedId(await client.post('/api/payables/write-offs', writeOff));
    expectRefused(await voidPayable(id), {
      allocationIds: [],
      refundIds: [refundId],
      writeOffIds: [writeOffId],
      routes: ['POST /api/payables/payments/:id/void', 'POST /api/payables/write-offs/:id/void'],
    });
    await succeed(`/api/payables/payments/${refundId}/void`);
    await succeed(`/api/payables/write-offs/${writeOffId}/void`);
    const voided = await voidPayable(id);
    expectDocumented('post', ROUTE, voided);
    expect(getData(voided)).toMatchObject({ type: 'credit_note', status: 'void' });
    expect(await read(id)).toMatchObject({ open: 0 });
    expect(await readRemains(client)).toEqual(recorded);

    // A void credit note takes back nothing of the bill, and its number is free.
    await recordCreditNote({ payableId: billId, number: 'G-1', lines: work(100) });
    expect(await read(billId)).toMatchObject({ open: 0 });
    const entries = getRows(await client.get('/api/journal?pageSize=100'));
    expect(entries.map((entry) => entry['kind'])).toContain('vendor_credit_note_void');
    expect(await readRemains(client)).toEqual(before);
  });
});

describe('of concurrent requests', () => {
  test('exactly one void succeeds', async () => {
    const id = await recordBill();
    const responses = await Promise.all([1, 2, 3, 4].map(() => voidPayable(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const { status, body } of responses) if (status === 409) expect(body['code']).toBe('already_void');
  });

  test.each([
    ['a payment', (id: number) => pay(id, 5), 'allocation_exceeds_open'],
    ['a credit note', (id: number) => postCreditNote({ payableId: id }), 'already_void'],
  ])('a void or %s succeeds', async (_, settle, code) => {
    for (let round = 0; round < 6; round += 1) {
      const id = await recordBill();
      const order = round % 2 === 0 ? ['void', 'settle'] : ['settle', 'void'];
      const responses = await Promise.all(order.map((what) => (what === 'void' ? voidPayable(id) : settle(id))));
      const [voided, settled] = order[0] === 'void' ? responses : responses.toReversed();
      expect([
        [200, code],
        ['payable_not_voidable', 201],
      ]).toContainEqual([
        voided?.status === 200 ? 200 : voided?.body['code'],
        settled?.status === 201 ? 201 : settled?.body['code'],
      ]);
    }
  });

  test('a return is credited and prevents the void, or reduces the receipt that the void has restored', async () => {
    const productId = await addProduct(client);
    for (let round = 0; round < 6; round += 1) {
      const receiptId = await receive([{ productId, quantity: 10, unitCost: 4 }]);
      const billId = await recordBill({ receiptIds: [receiptId], lines: [{ productId, quantity: 10, unitCost: 4 }] });
      const [voided, returned] = await Promise.all([voidPayable(billId), giveBack(receiptId, 1)]);
      expect(returned.status).toBe(201);
      const isCredited = getData(returned)['creditNoteId'] !== null;
      expect(voided.status).toBe(isCredited ? 409 : 200);
      expect(await read(receiptId)).toMatchObject({ open: isCredited ? 0 : 43.2 });
    }
  });

  test('the number of a void bill is taken once', async () => {
    expect((await voidPayable(await recordBill({ number: 'R-1' }))).status).toBe(200);
    const responses = await Promise.all([1, 2, 3].map(() => postBill({ number: 'R-1' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

test('a bill of an earlier version, which did not store what it replaced, is voided exactly', async () => {
  await getTestPlatform();
  const { organisationId } = client.tenant;
  const productId = await addProduct(client);
  const receiptId = await receive([{ productId, quantity: 10, unitCost: 4 }]);
  expect((await giveBack(receiptId, 2)).status).toBe(201);
  const before = await readRemains(client);
  const lines = [{ productId, quantity: 8, unitCost: 5 }];
  const billId = await recordBill({ receiptIds: [receiptId], lines });
  await Payable.updateOne({ organisationId, id: billId }, { $unset: { billedReceipts: 1 } });
  await AccountEntry.updateMany({ organisationId, billId }, { $unset: { billId: 1 } });
  const listEntries = async () =>
    getRows(await client.get('/api/journal?pageSize=100')).map(({ id, lines: rows }) => [id, rows] as const);
  const posted = new Map(await listEntries());
  expect(posted.has(`receipt_billed:${receiptId}`)).toBe(true);
  expect((await voidPayable(billId)).status).toBe(200);
  expect(await readRemains(client)).toEqual(before);
  // What is returned from now on changes nothing of the entries that were posted before.
  expect((await giveBack(receiptId, 3)).status).toBe(201);
  await recordBill({ receiptIds: [receiptId], lines: [{ productId, quantity: 5, unitCost: 5 }] });
  const now = new Map(await listEntries());
  for (const [id, rows] of posted) expect([id, now.get(id)]).toEqual([id, rows]);
});
