import { Invoice } from '../../../models/business/invoices/invoice';
import {
  createBusinessClient,
  addCustomer,
  addProduct,
  addService,
  getData,
  getRows,
} from '../../support/business/client';
import type { BusinessClient } from '../../support/business/client';
import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { closeTestPlatform } from '../../support/tenant';

/** Covers operations: POST /api/products/batch, POST /api/customers/batch, POST /api/invoices/batch */

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

const getSummary = (response: ApiResponse): unknown => {
  if (response.status !== 200) throw new Error(response.bytes.toString('utf8'));
  return response.body['summary'];
};
const NONE = { created: 0, updated: 0, valid: 0, failed: 0 };

describe('POST /api/products/batch', () => {
  test('rows are created, changed or rejected independently, each with its own result', async () => {
    const id = await addProduct(client, { code: 'OLD' });
    const response = await client.post('/api/products/batch', {
      rows: [
        { name: 'Lamp', code: 'LAMP', price: 12.5, initialStock: { quantity: 3, unitCost: 4 } },
        { id, price: 44.9 },
        { name: 'Other lamp', code: 'LAMP' },
        { price: -1, colour: 'red' },
        { id: 999_999, price: 1 },
        { id, updatedAt: '2026-01-01T00:00:00Z' },
        { name: 'Shade' },
      ],
    });
    expect(getSummary(response)).toEqual({ ...NONE, created: 2, updated: 1, failed: 4 });
    expect(getRows(response)).toMatchObject([
      { row: 0, status: 'created', data: { code: 'LAMP', stock: 3, averageCost: 4 }, error: null },
      { row: 1, status: 'updated', id, data: { id, code: 'OLD', price: 44.9 }, error: null },
      { row: 2, status: 'error', id: null, data: null, error: { status: 409, code: 'code_taken' } },
      {
        row: 3,
        status: 'error',
        error: {
          status: 400,
          errors: expect.arrayContaining(['name: is required']) as unknown,
        },
      },
      { row: 4, status: 'error', error: { status: 404, code: 'not_found' } },
      { row: 5, status: 'error', error: { errors: ['updatedAt: is read-only; leave it out of a batch'] } },
      { row: 6, status: 'created', data: { name: 'Shade' } },
    ]);
  });

  test('a repeated request returns the records of its rows and changes nothing again', async () => {
    const id = await addProduct(client);
    const rows = [{ name: 'Repeated' }, { id, name: 'Renamed' }, { price: 1 }];
    const headers = { 'idempotency-key': 'products-1' };
    const [first, second] = await Promise.all([
      client.post('/api/products/batch', { rows }, headers),
      client.post('/api/products/batch', { rows }, headers),
    ]);
    await client.put(`/api/products/${id}`, { name: 'Renamed again' });
    const third = await client.post('/api/products/batch', { rows }, headers);
    const ids = [first, second, third].map((response) => getRows(response).map((row) => row['id']));
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    expect(getRows(third)[1]).toMatchObject({ status: 'updated', data: { name: 'Renamed again' } });
    expect((await client.get('/api/products?search=repeated')).body['totalCount']).toBe(1);
    const other = await client.post('/api/products/batch', { rows: [{ name: 'Other' }] }, headers);
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  });

  test.each([
    [{ rows: [] }, 'rows: must have at least one row'],
    [{ rows: Array.from({ length: 101 }, () => ({ name: 'x' })) }, 'rows: must have at most 100 rows'],
    [{ rows: ['x'] }, 'rows[0]: must be an object'],
    [{}, 'rows: is required'],
  ])('%j is rejected as a whole', async (body, message) => {
    const response = await client.post('/api/products/batch', body);
    expect(response.status).toBe(400);
    expect(response.body['errors']).toEqual([message]);
  });

  test('a row that changes a record needs the permission to update', async () => {
    const id = await addProduct(client);
    const key = await client.tenant.createBusinessKey(['products:create']);
    const json = { rows: [{ id, price: 1 }, { name: 'New' }] };
    const response = await call('POST', '/api/products/batch', { key, json });
    expect(getRows(response)).toMatchObject([
      { status: 'error', error: { status: 403, code: 'forbidden', details: { permission: 'products:update' } } },
      { status: 'created' },
    ]);
  });
});

test('a dry run of a batch checks changes of records as the batch does, and writes nothing', async () => {
  const own = await createBusinessClient();
  const id = await addProduct(own, { code: 'MINE', price: 1 });
  await addProduct(own, { code: 'TAKEN' });
  const rows = [
    { id, code: 'TAKEN' },
    { id, categoryId: 999 },
    { id: 999_999, price: 1 },
    { id, price: 5 },
  ];
  const getErrors = (response: ApiResponse) => getRows(response).map(({ error }) => error);
  const tried = await own.post('/api/products/batch?dryRun=true', { rows });
  expect(getRows(tried).at(-1)).toMatchObject({ status: 'valid', id, data: { id, code: 'MINE', price: 5 } });
  expect(getData(await own.get(`/api/products/${id}`))).toMatchObject({ code: 'MINE', price: 1 });
  const written = await own.post('/api/products/batch', { rows });
  expect(getErrors(tried)).toEqual(getErrors(written));
  expect(getSummary(written)).toEqual({ ...NONE, updated: 1, failed: 3 });
});

describe('POST /api/customers/batch', () => {
  test('a dry run checks every row and writes nothing', async () => {
    const id = await addCustomer(client, { code: 'KEPT' });
    const rows = [
      { name: 'New', taxId: 'DE123456789' },
      { name: 'Taken', code: 'KEPT' },
      { id, name: 'Changed' },
    ];
    const response = await client.post('/api/customers/batch?dryRun=true', { rows });
    expect(getSummary(response)).toEqual({ ...NONE, valid: 2, failed: 1 });
    expect(getRows(response)).toMatchObject([
      { status: 'valid', id: null, data: { id: null, name: 'New' } },
      { status: 'error', error: { code: 'code_taken' } },
      { status: 'valid', id, data: { id, name: 'Changed', code: 'KEPT' } },
    ]);
    expect((await client.get('/api/customers?search=new')).body['totalCount']).toBe(0);
    expect(getSummary(await client.post('/api/customers/batch', { rows }))).toEqual({
      ...NONE,
      created: 1,
      updated: 1,
      failed: 1,
    });
  });
});

describe('POST /api/invoices/batch', () => {
  test('issues all valid invoices with consecutive numbers, drafts among them, and names the wrong fields of others', async () => {
    const own = await createBusinessClient();
    const customerId = await addCustomer(own);
    const goods = await addProduct(own);
    const productId = await addService(own);
    const valid = Array.from({ length: 60 }, (_, index) => ({
      customerId,
      reference: `B-${index}`,
      lines: [{ productId, quantity: index + 1, unitPrice: 10 }],
    }));
    const rows = [
      ...valid,
      { customerId: 99, lines: [{ productId, quantity: 1 }] },
      { customerId, lines: [] },
      { customerId, lines: [{ productId: goods, quantity: 1 }] },
      { customerId, lines: [{ productId, quantity: 1 }], draft: true },
    ];
    const headers = { 'idempotency-key': 'invoices-1' };
    const response = await own.post('/api/invoices/batch', { rows }, headers);
    expect(getSummary(response)).toEqual({ ...NONE, created: 61, failed: 3 });
    const results = getRows(response);
    expect(results.slice(60)).toMatchObject([
      { status: 'error', error: { status: 400, code: 'invalid_request' } },
      { status: 'error', error: { status: 400, code: 'invalid_request' } },
      { status: 'error', error: { status: 409, code: 'insufficient_stock' } },
      { status: 'created', data: { status: 'draft', number: null } },
    ]);
    expect(results[9]).toMatchObject({ data: { status: 'issued', total: 100 } });
    const { organisationId } = own.tenant;
    const issued = await Invoice.find({ organisationId, status: 'issued' }).sort({ sequence: 1 }).lean();
    expect(issued.map(({ sequence }) => sequence)).toEqual(valid.map((_, index) => index + 1));
    expect(issued.map(({ total }) => Number(total)).sort((a, b) => a - b)).toEqual(
      valid.map((_, index) => (index + 1) * 10),
    );
    const repeated = await own.post('/api/invoices/batch', { rows }, headers);
    expect(getRows(repeated).map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    expect((await own.get('/api/invoices')).body['totalCount']).toBe(61);
  });
});
