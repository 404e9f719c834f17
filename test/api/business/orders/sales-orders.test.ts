import { randomUUID } from 'node:crypto';
import { expectDocumented } from '../../../support/business/documented';
import {
  addCustomer,
  addProduct,
  addService,
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
import { checkInvariants } from '../../../../services/business/invariants/check';

/** Covers states: sales_order.draft, sales_order.confirmed, sales_order.invoiced, sales_order.cancelled */
let client: BusinessClient;
let customerId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Orders');
  customerId = await addCustomer(client);
});
afterAll(async () => {
  expect(await checkInvariants(await getTestPlatform(), client.tenant.organisationId)).toBe(0);
  await closeTestPlatform();
});

const order = (lines: object[], fields: object = {}): Promise<ApiResponse> =>
  client.post('/api/sales-orders', { customerId, lines, ...fields });
async function orderId(lines: object[]): Promise<number> {
  const created = await order(lines);
  expect(created.status).toBe(201);
  return Number(getData(created)['id']);
}
const confirm = (id: number): Promise<ApiResponse> => client.post(`/api/sales-orders/${id}/confirm`, undefined);
const cancel = (id: number): Promise<ApiResponse> =>
  client.post(`/api/sales-orders/${id}/cancel`, { reason: 'Ordered twice' });
const invoice = (id: number, body: object = {}): Promise<ApiResponse> =>
  client.post(`/api/sales-orders/${id}/invoice`, body);
const sell = (productId: number, quantity: number): Promise<ApiResponse> =>
  client.post('/api/invoices', { customerId, lines: [{ productId, quantity }] });

async function readStock(productId: number): Promise<unknown[]> {
  const response = await client.get(`/api/inventory/stock?productId=${productId}`);
  expectDocumented('get', '/api/inventory/stock', response);
  const [row] = getRows(response);
  return [row?.['onHand'], row?.['reserved'], row?.['available']];
}

test('a draft reserves nothing, its confirmation reserves, and its invoice releases and issues the goods', async () => {
  const productId = await addProduct(client, { price: 20, initialStock: { quantity: 5, unitCost: 2 } });
  const created = await order([{ productId, quantity: 3, discountPercent: 10 }], { reference: 'PO 4711' });
  expectDocumented('post', '/api/sales-orders', created);
  expect(getData(created)).toMatchObject({ number: 'SO-000001', status: 'draft', total: 54 });
  const id = Number(getData(created)['id']);
  expect(await readStock(productId)).toEqual([5, 0, 5]);
  const confirmed = await confirm(id);
  expectDocumented('post', '/api/sales-orders/:id/confirm', confirmed);
  expect(getData(confirmed)).toMatchObject({ status: 'confirmed', lines: [{ reserved: 3 }] });
  expect(await readStock(productId)).toEqual([5, 3, 2]);
  const invoiced = await invoice(id);
  expectDocumented('post', '/api/sales-orders/:id/invoice', invoiced);
  expect(await readStock(productId)).toEqual([2, 0, 2]);
  const document = getData(await client.get(`/api/invoices/${String(getData(invoiced)['invoiceId'])}`));
  expect(document).toMatchObject({
    number: getData(invoiced)['invoiceNumber'],
    reference: 'PO 4711',
    total: 54,
    salesOrder: { id, number: 'SO-000001' },
  });
  const read = await client.get(`/api/sales-orders/${id}`);
  expectDocumented('get', '/api/sales-orders/:id', read);
  expect(getData(read)).toEqual(getData(invoiced));
});

test('voiding the invoice reopens the order, which reserves the returned goods, and is invoiced again', async () => {
  const productId = await addProduct(client, { price: 20, initialStock: { quantity: 5, unitCost: 2 } });
  const id = await orderId([{ productId, quantity: 4 }]);
  expect((await confirm(id)).status).toBe(200);
  const first = Number(getData(await invoice(id))['invoiceId']);
  expect((await sell(productId, 1)).status).toBe(201);
  const voids = await Promise.all(
    [1, 2].map(() => client.post(`/api/invoices/${first}/void`, { reason: 'Wrong day' })),
  );
  expect(voids.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const reopened = getData(await client.get(`/api/sales-orders/${id}`));
  expect(reopened).toMatchObject({
    status: 'confirmed',
    invoiceId: null,
    invoiceNumber: null,
    lines: [{ reserved: 4 }],
  });
  expect(getData(await client.get(`/api/invoices/${first}`))).toMatchObject({ status: 'void', salesOrder: null });
  expect(await readStock(productId)).toEqual([4, 4, 0]);
  const taken = await sell(productId, 1);
  expect([taken.status, taken.body['code']]).toEqual([409, 'insufficient_stock']);
  const second = getData(await invoice(id));
  expect(second['status']).toBe('invoiced');
  expect(second['invoiceId']).not.toBe(first);
  expect(await readStock(productId)).toEqual([0, 0, 0]);
  const credited = await client.post('/api/credit-notes', {
    invoiceId: second['invoiceId'],
    reason: 'Back',
    restock: true,
  });
  expect(credited.status).toBe(201);
  expect(getData(await client.get(`/api/sales-orders/${id}`))['status']).toBe('invoiced');
  expect(await readStock(productId)).toEqual([4, 0, 4]);
});

test('reserved goods cannot be sold, moved, counted away or reserved again; the error names what is available', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 5, unitCost: 2 } });
  const id = await orderId([{ productId, quantity: 4 }]);
  expect((await confirm(id)).status).toBe(200);
  const other = await orderId([{ productId, quantity: 2 }]);
  const lines = [{ productId, quantity: 2 }];
  const warehouse = getData(await client.post('/api/inventory/warehouses', { name: 'Other' }))['id'];
  const refused = [
    await confirm(other),
    await sell(productId, 2),
    await client.post('/api/inventory/transfers', { fromWarehouseId: 1, toWarehouseId: warehouse, lines }),
    await client.post('/api/inventory/adjustments', {
      warehouseId: 1,
      reason: 'Count',
      lines: [{ productId, countedQuantity: 3 }],
    }),
  ];
  for (const { status, body } of refused) {
    expect([status, body['code']]).toEqual([409, 'insufficient_stock']);
    expect(body['details']).toMatchObject({
      shortages: [{ productId, warehouseId: 1, requested: 2, available: 1 }],
    });
    expect((body['errors'] as string[])[0]).toContain('1 available in warehouse 1, 2 requested');
  }
  const dryRun = await client.post('/api/invoices?dryRun=true', { customerId, lines });
  expect([dryRun.status, dryRun.body['code']]).toEqual([409, 'insufficient_stock']);
  expect((await cancel(id)).status).toBe(200);
  expect(await readStock(productId)).toEqual([5, 0, 5]);
  expect((await confirm(other)).status).toBe(200);
});

test('of twenty concurrent confirmations and sales exactly as many succeed as goods exist', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 7, unitCost: 1 } });
  const ids: number[] = [];
  for (let count = 0; count < 14; count += 1) ids.push(await orderId([{ productId, quantity: 1 }]));
  const responses = await Promise.all([...ids.map(confirm), ...Array.from({ length: 6 }, () => sell(productId, 1))]);
  const done = responses.filter(({ status }) => status < 300).length;
  expect([done, responses.filter(({ status }) => status === 409).length]).toEqual([7, 13]);
  const confirmed = responses.slice(0, 14).filter(({ status }) => status === 200).length;
  expect(await readStock(productId)).toEqual([confirmed, confirmed, 0]);
});

test('concurrent invoices and cancellations of one order: one takes effect, and a repeated key answers the same', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 5, unitCost: 1 } });
  const id = await orderId([{ productId, quantity: 5 }]);
  const key = { 'idempotency-key': randomUUID() };
  const confirmations = await Promise.all(
    [1, 2, 3].map(() => client.post(`/api/sales-orders/${id}/confirm`, undefined, key)),
  );
  expect(confirmations.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect((await client.post(`/api/sales-orders/${id}/confirm`, undefined, key)).status).toBe(200);
  expect(await readStock(productId)).toEqual([5, 5, 0]);
  const responses = await Promise.all([invoice(id), invoice(id), cancel(id)]);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of responses.filter((each) => each.status !== 200))
    expect([status, body['code']]).toEqual([409, 'invalid_transition']);
  const { status } = getData(await client.get(`/api/sales-orders/${id}`));
  expect(await readStock(productId)).toEqual(status === 'invoiced' ? [0, 0, 0] : [5, 0, 5]);
});

test('a draft can change until it is confirmed; services reserve nothing; lists filter by status and customer', async () => {
  const serviceId = await addService(client, { price: 30 });
  const productId = await addProduct(client, { price: 20, initialStock: { quantity: 1, unitCost: 2 } });
  const id = await orderId([{ productId, quantity: 9 }]);
  const changed = await client.put(`/api/sales-orders/${id}`, {
    lines: [
      { productId: serviceId, quantity: 2 },
      { productId, quantity: 1 },
    ],
  });
  expectDocumented('put', '/api/sales-orders/:id', changed);
  expect(getData(changed)).toMatchObject({ total: 80, lines: [{ warehouseId: null }, { warehouseId: 1 }] });
  expect((await confirm(id)).status).toBe(200);
  const late = await client.put(`/api/sales-orders/${id}`, { notes: 'Late' });
  expect([late.status, late.body['code']]).toEqual([409, 'order_already_confirmed']);
  const listed = await client.get(`/api/sales-orders?status=confirmed&customerId=${customerId}&sortBy=id&sortDir=desc`);
  expectDocumented('get', '/api/sales-orders', listed);
  expect(getRows(listed)[0]).toMatchObject({ id, status: 'confirmed' });
  const cancelled = await cancel(id);
  expectDocumented('post', '/api/sales-orders/:id/cancel', cancelled);
  expect(getData(cancelled)).toMatchObject({ status: 'cancelled', cancelReason: 'Ordered twice' });
  expect((await invoice(id)).body['code']).toBe('invalid_transition');
  expect((await order([])).status).toBe(400);
  expect((await order([{ productId: 999_999, quantity: 1 }])).body['errors']).toEqual([
    'lines[0].productId: is not a product of the company',
  ]);
});

test('confirming and cancelling honour If-Match: an order that has changed since it was read stays as it is', async () => {
  const productId = await addService(client);
  const id = await orderId([{ productId, quantity: 1 }]);
  const path = `/api/sales-orders/${id}`;
  const read = await client.get(path);
  const changed = await client.put(path, { notes: 'By courier' });
  const conflicts = [
    await client.post(`${path}/confirm`, undefined, { 'if-match': read.headers.get('etag') ?? '' }),
    await client.post(`${path}/cancel`, { reason: 'Late' }, { 'if-match': read.headers.get('etag') ?? '' }),
  ];
  expect(conflicts.map(({ status, body }) => [status, body['code']])).toEqual([
    [412, 'version_mismatch'],
    [412, 'version_mismatch'],
  ]);
  const etag = changed.headers.get('etag') ?? '';
  const confirmed = await client.post(`${path}/confirm`, undefined, { 'if-match': etag });
  expect(getData(confirmed)).toMatchObject({ status: 'confirmed', notes: 'By courier' });
});

test('a draft can be sent back as it was read; a changed read-only field is refused by name', async () => {
  const [goods, service] = [await addProduct(client), await addService(client)];
  const id = await orderId([
    { productId: goods, quantity: 2, discountPercent: 5 },
    { productId: service, quantity: 1, unitPrice: 7 },
  ]);
  const path = `/api/sales-orders/${id}`;
  const read = getData(await client.get(path));
  const sentBack = await client.put(path, { ...read, notes: 'Call first' });
  expectDocumented('put', '/api/sales-orders/:id', sentBack);
  const { updatedAt } = getData(sentBack);
  expect(getData(sentBack)).toEqual({ ...read, notes: 'Call first', updatedAt });
  const lines = (read['lines'] as object[]).map((line) => ({ ...line, net: 1 }));
  const refused = await client.put(path, { ...getData(sentBack), total: 1 });
  expect([refused.status, refused.body['errors']]).toEqual([400, ['total: is read-only and differs from the record']]);
  expect((await client.put(path, { lines })).body['errors']).toEqual(
    [0, 1].map((index) => `lines[${index}].net: is read-only and differs from the line of lineId`),
  );
});

test('null restores the default of a draft: the currency of its customer, and today', async () => {
  const own = await createBusinessClient('Currencies of orders');
  await own.post('/api/config/currencies', { code: 'USD' });
  await own.post('/api/config/exchange-rates', { currencyCode: 'USD', date: '2026-01-02', rate: 2 });
  await own.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 2 });
  const [euros, dollars] = [await addCustomer(own), await addCustomer(own, { currencyCode: 'USD' })];
  const lines = [{ productId: await addProduct(own), quantity: 1 }];
  const created = getData(await own.post('/api/sales-orders', { customerId: euros, orderDate: '2026-01-05', lines }));
  const path = `/api/sales-orders/${String(created['id'])}`;
  expect(created).toMatchObject({ currencyCode: 'EUR', orderDate: '2026-01-05' });
  expect(getData(await own.put(path, { customerId: dollars }))).toMatchObject({ currencyCode: 'EUR' });
  const changed = await own.put(path, { currencyCode: null });
  expectDocumented('put', '/api/sales-orders/:id', changed);
  expect(getData(changed)).toMatchObject({ currencyCode: 'USD', orderDate: '2026-01-05' });
  const today = getData(await own.put(path, { orderDate: null }));
  expect(today['orderDate']).toBe(String(today['updatedAt']).slice(0, 10));
});

test('with another customer a draft takes the tax rates of its profile, except those that were chosen', async () => {
  const own = await createBusinessClient('Profiles');
  await own.put('/api/config/company', { address: { country: 'DE' } });
  const addRate = async (fields: object) => getCreatedId(await own.post('/api/config/tax-rates', fields));
  const reduced = await addRate({ name: 'Reduced', category: 'S', percent: 7 });
  const exported = await addRate({
    name: 'Export',
    category: 'G',
    percent: 0,
    exemptionReason: 'Export of goods',
    profile: 'export',
  });
  const [domestic, abroad] = [
    await addCustomer(own, { address: { country: 'DE' } }),
    await addCustomer(own, { address: { country: 'US' } }),
  ];
  const [first, second] = [await addProduct(own), await addProduct(own)];
  const lines = [
    { productId: first, quantity: 1 },
    { productId: second, quantity: 1, taxRateId: reduced },
  ];
  const created = getData(await own.post('/api/sales-orders', { customerId: domestic, lines }));
  const path = `/api/sales-orders/${String(created['id'])}`;
  const readRates = (data: Record<string, unknown>) =>
    (data['lines'] as { taxRateId: number }[]).map(({ taxRateId }) => taxRateId);
  const [standard] = readRates(created);
  expect(readRates(created)).toEqual([standard, reduced]);
  expect(standard).not.toBe(reduced);
  expect(readRates(getData(await own.put(path, { customerId: abroad })))).toEqual([exported, reduced]);
  const returned = getData(await own.put(path, { customerId: domestic }));
  expect(readRates(returned)).toEqual([standard, reduced]);
  const sentBack = await own.put(path, { customerId: abroad, lines: returned['lines'] });
  expect(readRates(getData(sentBack))).toEqual([exported, reduced]);
});

test('the invoice of an order has the units that were ordered, whatever the product is sold in by then', async () => {
  const productId = await addService(client, { unit: 'XBX', price: 120 });
  const id = await orderId([{ productId, quantity: 2 }]);
  expect((await client.put(`/api/products/${productId}`, { unit: 'H87', price: 1 })).status).toBe(200);
  const changed = await client.put(`/api/sales-orders/${id}`, { reference: 'PO 4712' });
  expect(getData(changed)).toMatchObject({ lines: [{ unit: 'XBX', unitPrice: 120 }] });
  expect((await confirm(id)).status).toBe(200);
  const { invoiceId } = getData(await invoice(id));
  const issued = getData(await client.get(`/api/invoices/${String(invoiceId)}`));
  expect(issued).toMatchObject({ lines: [{ unit: 'XBX', quantity: 2, unitPrice: 120 }], total: 240 });
});

test('who keeps the stock reads the orders of which goods are picked, and cannot change them or read invoices', async () => {
  const productId = await addProduct(client, { initialStock: { quantity: 5, unitCost: 2 } });
  const id = await orderId([{ productId, quantity: 2 }]);
  await confirm(id);
  const { token } = await signIn(await client.tenant.createUserWithRole('warehouse'));
  const keeper = createClientWithToken(client.tenant, token);
  expect(getRows(await keeper.get('/api/sales-orders?status=confirmed')).map((row) => row['id'])).toContain(id);
  expect(getData(await keeper.get(`/api/sales-orders/${id}`))).toMatchObject({ lines: [{ productId, quantity: 2 }] });
  expect((await keeper.post(`/api/sales-orders/${id}/cancel`, { reason: 'Broken' })).status).toBe(403);
  expect((await keeper.get('/api/invoices')).status).toBe(403);
  expect((await keeper.get('/api/customers')).status).toBe(403);
});

test('goods that orders reserve are listed for reordering, with what purchase orders will bring', async () => {
  const own = await createBusinessClient('Reordering');
  const productId = await addProduct(own, { reorderLevel: 5, initialStock: { quantity: 6, unitCost: 2 } });
  const listLow = async () => getRows(await own.get('/api/inventory/low-stock'));
  expect(await listLow()).toEqual([]);
  const body = { customerId: await addCustomer(own), lines: [{ productId, quantity: 6 }] };
  const reserving = getCreatedId(await own.post('/api/sales-orders', body));
  await own.post(`/api/sales-orders/${reserving}/confirm`, undefined);
  const vendorId = getCreatedId(await own.post('/api/vendors', { name: 'Lamp Works Ltd' }));
  const bought = { vendorId, lines: [{ productId, quantity: 10, unitCost: 2 }] };
  await own.post('/api/purchase-orders', { ...bought, draft: true });
  const purchase = getCreatedId(await own.post('/api/purchase-orders', bought));
  const low = { productId, onHand: 6, reserved: 6, available: 0, onOrder: 10, reorderLevel: 5 };
  expectDocumented('get', '/api/inventory/low-stock', await own.get('/api/inventory/low-stock'));
  expect(await listLow()).toMatchObject([low]);
  await own.post(`/api/purchase-orders/${purchase}/receive`, { lines: [{ lineId: 1, quantity: 4 }] });
  expect(await listLow()).toMatchObject([{ ...low, onHand: 10, available: 4, onOrder: 6 }]);
  await own.post(`/api/sales-orders/${reserving}/cancel`, { reason: 'Changed' });
  expect(await listLow()).toEqual([]);
});
