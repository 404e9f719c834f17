import { PurchaseOrder } from '../../../../models/business/purchasing/purchase-order';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addProduct, addService, createBusinessClient, getData, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { getRejection } from '../../../support/business/rejections';

let client: BusinessClient;
let vendorId: number;
let productId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Order drafts');
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  productId = await addProduct(client, { price: 20 });
});
afterAll(closeTestPlatform);

const PATH = '/api/purchase-orders';
const createDraft = async (fields: object = {}): Promise<number> => {
  const lines = [{ productId, quantity: 10, unitCost: 4 }];
  return getCreatedId(await client.post(PATH, { vendorId, draft: true, lines, ...fields }));
};
const read = (id: number): Promise<ApiResponse> => client.get(`${PATH}/${id}`);
const change = (id: number, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  client.put(`${PATH}/${id}`, body, headers);

test('changes the sent fields and recalculates the draft; other fields do not change', async () => {
  const id = await createDraft({ reference: 'Q-1', notes: 'By truck' });
  const changed = await change(id, { reference: 'Q-2', notes: null, lines: [{ productId, quantity: 3, unitCost: 5 }] });
  expectDocumented('put', '/api/purchase-orders/:id', changed);
  expect(getData(changed)).toMatchObject({ status: 'draft', reference: 'Q-2', notes: null, vendorId, grandTotal: 18 });
  expect(getData(await change(id, { notes: 'By ship' }))).toMatchObject({
    reference: 'Q-2',
    notes: 'By ship',
    total: 15,
  });
  expect(getData(await read(id))).toMatchObject({ notes: 'By ship', lines: [{ lineId: 1, quantity: 3, unitCost: 5 }] });
});

test('accepts its response sent back as it is, with goods and services', async () => {
  const service = await addService(client, { price: 7 });
  const lines = [
    { productId, quantity: 2, unitCost: 4, description: 'Beans, whole' },
    { productId: service, quantity: 1, unitCost: 7 },
  ];
  const id = await createDraft({ lines, expectedDate: '2999-01-01' });
  const before = getData(await read(id));
  const { updatedAt: _, ...after } = getData(await change(id, before));
  expect(before).toMatchObject(after);
  const [first, second] = before['lines'] as Record<string, unknown>[];
  const swapped = getData(await change(id, { lines: [second, first] }));
  expect(swapped['lines']).toMatchObject([
    { lineId: 1, productId: service },
    { lineId: 2, description: 'Beans, whole' },
  ]);
});

test('honours If-Match: the second of two updates of the same version is rejected', async () => {
  const id = await createDraft();
  const etag = (await read(id)).headers.get('etag') ?? '';
  expect((await change(id, { notes: 'First' }, { 'if-match': etag })).status).toBe(200);
  expect(getRejection(await change(id, { notes: 'Second' }, { 'if-match': etag }))).toEqual([412, 'version_mismatch']);
  expect(getData(await read(id))['notes']).toBe('First');
});

test('placing and cancelling honour If-Match: an order that has changed since it was read stays as it is', async () => {
  const id = await createDraft();
  const post = (action: string, body: object | undefined, etag: string | null) =>
    client.post(`${PATH}/${id}/${action}`, body, { 'if-match': etag ?? '' });
  const { headers } = await read(id);
  const changed = await change(id, { notes: 'Not before May' });
  expect(getRejection(await post('place', undefined, headers.get('etag')))).toEqual([412, 'version_mismatch']);
  expect(getRejection(await post('cancel', { reason: 'Late' }, headers.get('etag')))).toEqual([
    412,
    'version_mismatch',
  ]);
  expect(getData(await read(id))).toMatchObject({ status: 'draft', notes: 'Not before May' });
  expect((await post('place', undefined, changed.headers.get('etag'))).status).toBe(200);
});

test('null restores the default of a draft: the currency of its vendor, and today', async () => {
  const own = await createBusinessClient('Currencies of orders');
  await own.post('/api/config/currencies', { code: 'USD' });
  const addVendor = async (fields: object) =>
    getCreatedId(await own.post('/api/vendors', { name: 'Supplies Ltd', ...fields }));
  const [euros, dollars] = [await addVendor({}), await addVendor({ currencyCode: 'USD' })];
  const lines = [{ productId: await addProduct(own), quantity: 1, unitCost: 100 }];
  const fields = { vendorId: euros, draft: true, orderDate: '2026-01-05', lines };
  const path = `${PATH}/${getCreatedId(await own.post(PATH, fields))}`;
  expect(getData(await own.put(path, { vendorId: dollars }))).toMatchObject({ currencyCode: 'EUR' });
  const changed = await own.put(path, { currencyCode: null });
  expectDocumented('put', '/api/purchase-orders/:id', changed);
  expect(getData(changed)).toMatchObject({ currencyCode: 'USD', orderDate: '2026-01-05' });
  const today = getData(await own.put(path, { orderDate: null }));
  expect(today['orderDate']).toBe(String(today['updatedAt']).slice(0, 10));
});

test('with another vendor a draft takes the tax rates of its profile, except those that were chosen', async () => {
  const own = await createBusinessClient('Profiles');
  await own.put('/api/config/company', { address: { country: 'DE' } });
  const addRate = async (fields: object) => getCreatedId(await own.post('/api/config/tax-rates', fields));
  const reduced = await addRate({ name: 'Reduced', category: 'S', percent: 7 });
  const exemptionReason = 'Import of goods';
  const imported = await addRate({ name: 'Import', category: 'G', percent: 0, exemptionReason, profile: 'export' });
  const addVendor = async (country: string) =>
    getCreatedId(await own.post('/api/vendors', { name: country, address: { country } }));
  const [domestic, abroad] = [await addVendor('DE'), await addVendor('US')];
  const lines = [
    { productId: await addProduct(own), quantity: 1, unitCost: 100 },
    { productId: await addProduct(own), quantity: 1, unitCost: 100, taxRateId: reduced },
  ];
  const created = getData(await own.post(PATH, { vendorId: domestic, draft: true, lines }));
  const path = `${PATH}/${String(created['id'])}`;
  const readRates = (data: Record<string, unknown>) =>
    (data['lines'] as { taxRateId: number }[]).map(({ taxRateId }) => taxRateId);
  const [standard] = readRates(created);
  expect(readRates(created)).toEqual([standard, reduced]);
  expect(created).toMatchObject({ taxTotal: 27 });
  const moved = getData(await own.put(path, { vendorId: abroad }));
  expect([readRates(moved), moved['taxTotal']]).toEqual([[imported, reduced], 7]);
  const returned = getData(await own.put(path, { vendorId: domestic }));
  expect(readRates(returned)).toEqual([standard, reduced]);
  const sentBack = await own.put(path, { vendorId: abroad, lines: returned['lines'] });
  expect(readRates(getData(sentBack))).toEqual([imported, reduced]);
});

test('names every wrong field, and does not change the draft', async () => {
  const id = await createDraft();
  const before = getData(await read(id));
  const wrong = await change(id, {
    vendorId: 999_999,
    orderDate: '2026-03-02',
    expectedDate: '2026-03-01',
    lines: [{ productId: 999_999, quantity: 1, unitCost: 1 }],
  });
  expect([wrong.status, wrong.body['errors']]).toEqual([
    400,
    [
      'vendorId: is not an active vendor of the company',
      'expectedDate: must not be before the order, 2026-03-02',
      'lines[0].productId: is not an active product of the company',
    ],
  ]);
  const readOnly = await change(id, { number: 'PO-1', status: 'ordered', total: 1 });
  expect(readOnly.body['errors']).toEqual(
    ['number', 'status', 'total'].map((field) => `${field}: is read-only and differs from the record`),
  );
  const received = await change(id, { lines: [{ lineId: 1, productId, quantity: 1, unitCost: 1, received: 1 }] });
  expect(received.body['errors']).toEqual(['lines[0].received: is read-only and differs from the line of lineId']);
  expect((await change(id, { colour: 'red' })).status).toBe(400);
  expect(getData(await read(id))).toEqual(before);
});

test('the expected date of a placed order can change until everything was received, and nothing else of it', async () => {
  const id = await createDraft();
  await client.post(`${PATH}/${id}/place`, {});
  const before = getData(await read(id));
  const late = await change(id, { expectedDate: '2099-12-31' });
  expect(getData(late)).toEqual({ ...before, expectedDate: '2099-12-31', updatedAt: expect.any(String) as string });
  expect(getData(await change(id, { expectedDate: null, reference: before['reference'] }))).toMatchObject({
    expectedDate: null,
  });
  const early = await change(id, { expectedDate: '2001-01-01' });
  expect([early.status, early.body['errors']]).toEqual([
    400,
    [`expectedDate: must not be before the order, ${String(before['orderDate'])}`],
  ]);
  for (const others of [{ notes: 'Late' }, { lines: before['lines'] }])
    expect(getRejection(await change(id, { expectedDate: '2099-12-31', ...others }))).toEqual([
      409,
      'order_already_placed',
    ]);
  await client.post(`${PATH}/${id}/receive`, {});
  expect(getRejection(await change(id, { expectedDate: '2099-12-31' }))).toEqual([409, 'order_already_placed']);
});

test('a placed order cannot change, and the message states the alternative', async () => {
  const id = await createDraft();
  await client.post(`${PATH}/${id}/place`, {});
  const placed = await change(id, { notes: 'Late' });
  expect(getRejection(placed)).toEqual([409, 'order_already_placed']);
  expect(placed.body['details']).toMatchObject({
    status: 'ordered',
    routes: ['POST /api/purchase-orders/:id/cancel', 'POST /api/purchase-orders'],
  });
  await client.post(`${PATH}/${id}/cancel`, { reason: 'Other supplier' });
  const cancelled = await change(id, { notes: 'Later' });
  expect(cancelled.body['details']).toMatchObject({ status: 'cancelled', routes: ['POST /api/purchase-orders'] });
});

test('if it is changed and placed concurrently, either the order contains the change or the change is rejected', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await createDraft({ notes: 'Before' });
    const [changed, placed] = await Promise.all([
      change(id, { notes: 'After' }),
      client.post(`${PATH}/${id}/place`, {}),
    ]);
    expect(placed.status).toBe(200);
    if (changed.status !== 200) expect(getRejection(changed)).toEqual([409, 'order_already_placed']);
    const order = await PurchaseOrder.findOne({ organisationId: client.tenant.organisationId, id }).orFail().lean();
    expect([order.status, order.notes]).toEqual(['ordered', changed.status === 200 ? 'After' : 'Before']);
  }
});

test('requires the permission to update orders', async () => {
  const id = await createDraft();
  const key = await client.tenant.createBusinessKey(['purchase-orders:read', 'purchase-orders:create']);
  const limited = await call('PUT', `${PATH}/${id}`, { json: { notes: 'No' }, key });
  expect(limited.status).toBe(403);
});
