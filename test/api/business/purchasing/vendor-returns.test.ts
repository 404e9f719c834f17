import { randomUUID } from 'node:crypto';
import { checkInvariants } from '../../../../services/business/invariants/check';
import { expectDocumented } from '../../../support/business/documented';
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
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
let vendorId: number;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Returns');
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterAll(async () => {
  expect(await checkInvariants(await getTestPlatform(), client.tenant.organisationId)).toBe(0);
  await closeTestPlatform();
});

/** A received order. @returns the id of the receipt */
async function receive(productId: number, quantity: number, unitCost: number): Promise<number> {
  const lines = [{ productId, quantity, unitCost }];
  const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines }));
  const received = await client.post(`/api/purchase-orders/${order}/receive`, {});
  expect(received.status).toBe(201);
  return (getData(received)['receipt'] as { id: number }).id;
}

const bill = (productId: number, quantity: number, unitCost: number, receiptId: number): Promise<ApiResponse> =>
  client.post('/api/payables', {
    vendorId,
    number: `B-${randomUUID()}`,
    date: today,
    lines: [{ productId, quantity, unitCost }],
    receiptIds: [receiptId],
  });
const giveBack = (receiptId: number, fields: object = {}, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  client.post('/api/vendor-returns', { receiptId, reason: 'Broken glass', ...fields }, headers);

/** Balances of accounts, and the input tax of the VAT report. */
async function readBooks(): Promise<
  Record<'inventory' | 'clearing' | 'inputTax' | 'deductedTax' | 'payables', number>
> {
  const accounts = getData(await client.get('/api/reports/trial-balance'))['accounts'] as {
    name: string;
    number: string;
    closing: number;
  }[];
  const entries = await client.get('/api/journal?pageSize=100');
  for (const entry of getRows(entries)) {
    const lines = entry['lines'] as { debit: number; credit: number }[];
    expect(Math.round(lines.reduce((total, { debit, credit }) => total + (debit - credit) * 100, 0))).toBe(0);
  }
  const chart = getData(await client.get('/api/config/accounting'))['accounts'] as {
    purpose: string;
    number: string;
  }[];
  const find = (purpose: string) => {
    const number = chart.find((account) => account.purpose === purpose)?.number;
    return accounts.find((account) => account.number === number)?.closing ?? 0;
  };
  // That of goods without a bill is not deducted yet.
  const inputTax = accounts
    .filter(({ name }) => /input tax|Vorsteuer/i.test(name))
    .reduce((sum, { closing }) => sum + closing, -find('pending_input_tax'));
  const path = `/api/reports/vat?dateFrom=${today}&dateTo=${today}&period=all`;
  const [vat] = getData(await client.get(path))['periods'] as { inputTax: number }[];
  const aging = getData(await client.get('/api/payables/aging'))['total'] as { net: number };
  return {
    inventory: find('inventory'),
    clearing: find('goods_received'),
    inputTax,
    // That of bills only: the tax on received goods that were not billed yet is not deducted.
    deductedTax: vat?.inputTax ?? 0,
    payables: aging.net,
  };
}

test('goods returned before the bill reduce the unbilled payable; the bill then charges the remainder', async () => {
  const productId = await addProduct(client);
  const before = await readBooks();
  const receiptId = await receive(productId, 10, 4.2);
  const returned = await giveBack(receiptId, { lines: [{ lineId: 1, quantity: 4 }] });
  expectDocumented('post', '/api/vendor-returns', returned);
  expect(getData(returned)).toMatchObject({
    number: 'RT-000001',
    receiptId,
    total: 16.8,
    cost: 16.8,
    creditNoteId: null,
    lines: [{ lineId: 1, warehouseId: 1, quantity: 4, net: 16.8, cost: 16.8 }],
  });
  const detail = await client.get('/api/vendor-returns/1');
  expectDocumented('get', '/api/vendor-returns/:id', detail);
  expect(getData(detail)).toEqual(getData(returned));
  const after = await readBooks();
  expect(after.inventory - before.inventory).toBeCloseTo(25.2, 6);
  expect(after.clearing).toBeCloseTo(before.clearing, 6);
  const tooMuch = await bill(productId, 10, 4.2, receiptId);
  expect([tooMuch.status, tooMuch.body['code']]).toEqual([409, 'over_billing']);
  const billed = await bill(productId, 6, 4.2, receiptId);
  expect([billed.status, getData(billed)['priceDifference'], getData(billed)['quantityDifference']]).toEqual([
    201, 0, 0,
  ]);
  const settled = await readBooks();
  expect(settled.clearing).toBeCloseTo(before.clearing, 6);
  expect(settled.payables - before.payables).toBeCloseTo(Number(getData(billed)['grandTotal']), 6);
});

test('the replacement of returned goods is received by the same order, and no more than that', async () => {
  const [productId, otherId] = [await addProduct(client), await addProduct(client)];
  // Two lines with one product: a return belongs to the line with which its goods came.
  const lines = [
    { productId, quantity: 10, unitCost: 4 },
    { productId: otherId, quantity: 1, unitCost: 4 },
    { productId, quantity: 5, unitCost: 4 },
  ];
  const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines }));
  const receiveAgain = (body: object): Promise<ApiResponse> =>
    client.post(`/api/purchase-orders/${order}/receive`, body);
  const receiptId = (getData(await receiveAgain({}))['receipt'] as { id: number }).id;
  expect((await receiveAgain({})).body['code']).toBe('invalid_transition');
  await giveBack(receiptId, { lines: [{ lineId: 3, quantity: 2 }] });
  const shown = await client.get(`/api/purchase-orders/${order}`);
  expectDocumented('get', '/api/purchase-orders/:id', shown);
  expect(getData(shown)).toMatchObject({
    status: 'received',
    lines: [
      { received: 10, returned: 0 },
      { received: 1, returned: 0 },
      { received: 5, returned: 2 },
    ],
  });
  const beyond = await receiveAgain({ lines: [{ lineId: 3, quantity: 3 }] });
  expect([beyond.status, beyond.body['code']]).toEqual([409, 'over_receipt']);
  expect((await receiveAgain({ lines: [{ lineId: 1, quantity: 1 }] })).body['code']).toBe('over_receipt');
  expect((await receiveAgain({ lines: [{ lineId: 3, quantity: 1 }] })).status).toBe(201);
  const rest = await receiveAgain({});
  expect(rest.status).toBe(201);
  expect(getData(rest)).toMatchObject({
    order: { status: 'received', lines: [{ received: 10 }, { received: 1 }, { received: 7 }] },
    receipt: { lines: [{ productId, quantity: 1 }] },
  });
  expect(getData(await client.get(`/api/products/${productId}`))['stock']).toBe(15);
  expect((await receiveAgain({})).body['code']).toBe('invalid_transition');
});

test('goods within the tolerance are received also after everything that was ordered', async () => {
  const company = { overReceiptTolerancePercent: 10 };
  expect((await client.put('/api/config/company', company)).status).toBe(200);
  const lines = [{ productId: await addProduct(client), quantity: 10, unitCost: 4 }];
  const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines }));
  const receiveMore = (body: object): Promise<ApiResponse> =>
    client.post(`/api/purchase-orders/${order}/receive`, body);
  await receiveMore({});
  expect((await receiveMore({})).body['code']).toBe('invalid_transition');
  const late = await receiveMore({ lines: [{ lineId: 1, quantity: 1 }] });
  expect(late.status).toBe(201);
  expect(getData(late)).toMatchObject({ order: { status: 'received', lines: [{ received: 11 }] } });
  expect((await receiveMore({ lines: [{ lineId: 1, quantity: 1 }] })).body['code']).toBe('invalid_transition');
  await client.put('/api/config/company', { overReceiptTolerancePercent: 0 });
});

test('goods returned after the bill are credited: payables, input tax and stock go down, at the moving average', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 10, unitCost: 2 } });
  const receiptId = await receive(productId, 10, 4);
  const billed = await bill(productId, 10, 4, receiptId);
  expect(billed.status).toBe(201);
  const before = await readBooks();
  const returned = await giveBack(receiptId, {
    creditNoteNumber: 'G-77',
    lines: [{ lineId: 1, quantity: 5, unitCost: 3.9 }],
  });
  // 20 units are worth 60; 5 of them leave at 15, and the vendor credits 19.50.
  expect(getData(returned)).toMatchObject({ total: 19.5, cost: 15 });
  const { creditNoteId, grandTotal } = getData(returned) as { creditNoteId: number; grandTotal: number };
  expect(getData(await client.get(`/api/payables/${creditNoteId}`))).toMatchObject({
    type: 'credit_note',
    number: 'G-77',
  });
  const after = await readBooks();
  expect(after.inventory - before.inventory).toBeCloseTo(-15, 6);
  expect(after.clearing).toBeCloseTo(before.clearing, 6);
  expect(after.payables - before.payables).toBeCloseTo(-grandTotal, 6);
  expect(before.inputTax - after.inputTax).toBeCloseTo(grandTotal - 19.5, 6);
  expect(before.deductedTax - after.deductedTax).toBeCloseTo(grandTotal - 19.5, 6);
  const again = await giveBack(receiptId, { creditNoteNumber: 'G-77', lines: [{ lineId: 1, quantity: 1 }] });
  expect([again.status, again.body['code']]).toEqual([409, 'number_taken']);
  const rows = getRows(await client.get(`/api/inventory/ledger?productId=${productId}&kind=vendor_return`));
  expect(rows.map((row) => [row['quantity'], row['value'], row['source']])).toEqual([
    [
      -5,
      -15,
      {
        type: 'vendor_return',
        id: getData(returned)['id'],
        number: getData(returned)['number'],
        path: `/api/vendor-returns/${String(getData(returned)['id'])}`,
      },
    ],
  ]);
});

test('another cost than that of the receipt or its bill needs the permission to record credit notes of vendors', async () => {
  const productId = await addProduct(client);
  const receiptId = await receive(productId, 10, 4);
  expect((await bill(productId, 10, 4.2, receiptId)).status).toBe(201);
  const { email, password } = await client.tenant.createUserWithRole('warehouse');
  const { token } = await signIn({ email, password });
  const warehouse = createClientWithToken(client.tenant, token);
  const post = (own: BusinessClient, unitCost?: number) =>
    own.post('/api/vendor-returns', { receiptId, reason: 'Broken', lines: [{ lineId: 1, quantity: 1, unitCost }] });
  const before = await readBooks();
  for (const unitCost of [3.99, 4.3, 0, 1000]) {
    const refused = await post(warehouse, unitCost);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        code: 'forbidden',
        message: expect.stringMatching(/lines\[0\]\.unitCost: must be 4 or 4\.2.*payables:create/) as string,
      },
    ]);
  }
  expect(await readBooks()).toEqual(before);
  for (const [unitCost, total] of [
    [undefined, 4.2],
    [4, 4],
    [4.2, 4.2],
  ] as const) {
    const returned = await post(warehouse, unitCost);
    expect([returned.status, getData(returned)]).toMatchObject([201, { total }]);
  }
  expect(getData(await post(client, 4.3))).toMatchObject({ total: 4.3 });
});

test('never more is returned than was received, also by concurrent requests; a repeated key returns once', async () => {
  const productId = await addProduct(client);
  const receiptId = await receive(productId, 6, 3.33);
  const lines = [{ lineId: 1, quantity: 2 }];
  const key = { 'idempotency-key': randomUUID() };
  const [first, repeated] = [await giveBack(receiptId, { lines }, key), await giveBack(receiptId, { lines }, key)];
  expect([first.status, getData(repeated)]).toEqual([201, getData(first)]);
  const responses = await Promise.all(Array.from({ length: 5 }, () => giveBack(receiptId, { lines })));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
  for (const { status, body } of responses.filter((each) => each.status !== 201))
    expect([status, body['code'], (body['errors'] as string[])[0]]).toEqual([
      409,
      'over_return',
      'lines[0].quantity: must be at most 0',
    ]);
  const listed = await client.get(`/api/vendor-returns?receiptId=${receiptId}`);
  expectDocumented('get', '/api/vendor-returns', listed);
  expect(listed.body['totalCount']).toBe(3);
  expect(getRows(listed).reduce((total, row) => total + Math.round(Number(row['total']) * 100), 0)).toBe(1998);
});

test('names a receipt that does not exist, a line without goods, a paid receipt and goods that were sold', async () => {
  const productId = await addProduct(client);
  const receiptId = await receive(productId, 2, 5);
  const errors = ({ status, body }: ApiResponse) => [status, (body['errors'] as string[])[0]];
  expect(errors(await giveBack(999_999))).toEqual([400, 'receiptId: is not a receipt of the company']);
  expect(errors(await giveBack(receiptId, { lines: [{ lineId: 9, quantity: 1 }] }))).toEqual([
    400,
    'lines[0].lineId: is not a line of the receipt',
  ]);
  expect(errors(await giveBack(receiptId, { lines: [{ lineId: 1, quantity: 1, unitCost: 1 }] }))).toEqual([
    400,
    'lines[0].unitCost: is accepted only with a receipt that has been billed',
  ]);
  expect(errors(await giveBack(receiptId, { lines: [{ lineId: 1, quantity: 1, warehouseId: 999 }] }))).toEqual([
    400,
    'lines[0].warehouseId: is not a warehouse of the company',
  ]);
  expect((await giveBack(receiptId, { date: '2999-01-01' })).status).toBe(400);
  const sold = { warehouseId: 1, reason: 'Lost', lines: [{ productId, quantityDelta: -1 }] };
  expect((await client.post('/api/inventory/adjustments', sold)).status).toBe(201);
  const short = await giveBack(receiptId);
  expect([short.status, short.body['code']]).toEqual([409, 'insufficient_stock']);
  const { code } = getData(await client.get(`/api/products/${productId}`));
  expect(short.body['errors']).toEqual([expect.stringContaining(`(${String(code)}): 1 available`)]);
  const paid = { vendorId, amount: 10, method: 'cash', allocations: [{ documentId: receiptId, amount: 10 }] };
  expect((await client.post('/api/payables/payments', paid)).status).toBe(201);
  const settled = await giveBack(receiptId, { lines: [{ lineId: 1, quantity: 1 }] });
  expect([settled.status, settled.body['code']]).toEqual([409, 'receipt_settled']);
});
