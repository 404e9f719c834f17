import { StockLedger } from '../../../../models/business/stock/stock';
import { Audit } from '../../../../models/platform/audit/audit';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

describe('products', () => {
  test('only the name is required, and the created product has the fields of the contract', async () => {
    const created = await client.post('/api/products', { name: 'Desk lamp' });
    expect(created.status).toBe(201);
    const { id } = getData(created);
    expect(created.headers.get('location')).toBe(`/api/products/${String(id)}`);
    const read = await client.get(`/api/products/${String(id)}`);
    expect(getData(read)).toEqual(getData(created));
    expect(getData(read)).toMatchObject({
      code: `P${String(id)}`,
      name: 'Desk lamp',
      price: 0,
      stock: 0,
      categoryName: null,
    });
  });

  test('opening stock is counted, valued and posted to the ledger', async () => {
    const id = await addProduct(client, { initialStock: { quantity: 12.5, unitCost: 3.2 } });
    expect(getData(await client.get(`/api/products/${id}`))).toMatchObject({ stock: 12.5, averageCost: 3.2 });
    const rows = await StockLedger.find({ organisationId: client.tenant.organisationId, productId: id }).lean();
    expect(rows.map((row) => [row.kind, row.quantity.toString(), row.value.toString()])).toEqual([
      ['opening', '12.5', '40'],
    ]);
  });

  test('the name of a category is unique; products contain it and can be filtered by it', async () => {
    const category = await client.post('/api/products/categories', { name: 'Lighting' });
    const categoryId = getCreatedId(category);
    expect((await client.post('/api/products/categories', { name: 'Lighting' })).status).toBe(409);
    const id = await addProduct(client, { categoryId });
    expect(getData(await client.get(`/api/products/${id}`))).toMatchObject({ categoryId, categoryName: 'Lighting' });
    const filtered = await client.get(`/api/products?categoryId=${categoryId}`);
    expect(getRows(filtered).map((row) => row['id'])).toEqual([id]);
    const listed = await client.get('/api/products/categories');
    expect(listed.body).toMatchObject({
      totalCount: 1,
      page: 1,
      pageSize: 20,
      data: [{ id: categoryId, name: 'Lighting' }],
    });
  });

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'A', code: '' }, 'code'],
    [{ name: 'A', price: '10' }, 'price'],
    [{ name: 'A', price: -1 }, 'price'],
    [{ name: 'A', price: 0.1234567 }, 'price'],
    [{ name: 'A', price: 1e12 }, 'price'],
    [{ name: 'A', price: null }, 'price'],
    [{ name: 'A', type: 'kit' }, 'type'],
    [{ name: 'A', unit: 'pieces' }, 'unit'],
    [{ name: 'A', unit: 'PCS' }, 'unit'],
    [{ name: 'A', currencyCode: 'EURO' }, 'currencyCode'],
    [{ name: 'A', currencyCode: 'XAU' }, 'currencyCode'],
    [{ name: 'A', categoryId: 999 }, 'categoryId'],
    [{ name: 'A', categoryId: 1.5 }, 'categoryId'],
    [{ name: 'A', taxRateId: 999 }, 'taxRateId'],
    [{ name: 'A', priceIncludesTax: 'yes' }, 'priceIncludesTax'],
    [{ name: 'A', reorderLevel: -1 }, 'reorderLevel'],
    [{ name: 'A', active: 1 }, 'active'],
    [{ name: 'A', stock: 5 }, 'stock'],
    [{ name: 'A', id: 5 }, 'id'],
    [{ name: 'A', initialStock: 5 }, 'initialStock'],
    [{ name: 'A', initialStock: { quantity: 0 } }, 'initialStock.quantity'],
    [{ name: 'A', initialStock: {} }, 'initialStock.quantity'],
    [{ name: 'A', initialStock: { quantity: 1, unitCost: 'x' } }, 'initialStock.unitCost'],
    [{ name: 'A', type: 'service', initialStock: { quantity: 1 } }, 'initialStock'],
    [{ name: 'A', organisationId: 'org_x' }, 'organisationId'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post('/api/products', json);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(response.body['errors']).toEqual([expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')}: `))]);
  });

  test.each(['-0', '1e400', '-1e400', '"10"', '[10]'])('the price %s is rejected with its field', async (text) => {
    const response = await client.postText('/api/products', `{"name":"A","price":${text}}`);
    expect(response.status).toBe(400);
    expect(response.body['errors']).toEqual([expect.stringMatching(/^price: must /)]);
  });

  test('every wrong field is named in one response', async () => {
    const response = await client.post('/api/products', { name: 1, price: 'x', unit: 2, surplus: true });
    expect((response.body['errors'] as string[]).map((error) => error.split(':')[0]).sort()).toEqual([
      'name',
      'price',
      'surplus',
      'unit',
    ]);
  });

  test.each([
    ['not json', 400],
    ['[]', 400],
    ['"text"', 400],
    ['null', 400],
  ])('the body %s is %d', async (text, status) => {
    expect((await client.postText('/api/products', text)).status).toBe(status);
  });

  test('another content type is 415, a body over 1 MB is 413', async () => {
    const typed = await client.postText('/api/products', 'name=A', { 'content-type': 'text/plain' });
    expect(typed.status).toBe(415);
    expect((await client.post('/api/products', { name: 'A', description: 'x'.repeat(1_100_000) })).status).toBe(413);
  });

  test('a code is unique, also under twenty concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/api/products', { name: 'Twin', code: 'TWIN' })),
    );
    expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
    const rejected = responses.filter((response) => response.status === 409);
    expect(rejected).toHaveLength(19);
    expect(rejected[0]?.body).toMatchObject({ code: 'code_taken', errors: ['code: another product has it already'] });
  });

  test('a dry run returns the product that would be created and writes nothing', async () => {
    const before = (await client.get('/api/products?active=all')).body['totalCount'];
    const dryRun = await client.post('/api/products?dryRun=true', { name: 'Trial', initialStock: { quantity: 3 } });
    expect(dryRun.status).toBe(200);
    expect(getData(dryRun)).toMatchObject({ id: null, name: 'Trial', stock: 3 });
    expect((await client.get('/api/products?active=all')).body['totalCount']).toBe(before);
    expect((await client.post('/api/products?dryRun=true', { name: 'Trial', code: 'TWIN' })).status).toBe(409);
  });

  test('a response can be sent back as it is; a changed read-only field is rejected with its name', async () => {
    const id = await addProduct(client, { initialStock: { quantity: 2, unitCost: 1 } });
    const read = getData(await client.get(`/api/products/${id}`));
    expect((await client.put(`/api/products/${id}`, { ...read, price: 12.5 })).status).toBe(200);
    expect(getData(await client.get(`/api/products/${id}`))).toMatchObject({ price: 12.5, stock: 2 });
    const now = getData(await client.get(`/api/products/${id}`));
    const rejected = await client.put(`/api/products/${id}`, { ...now, id: 99, type: 'service' });
    expect(rejected.status).toBe(400);
    expect((rejected.body['errors'] as string[]).map((error) => error.split(':')[0])).toEqual(['id', 'type']);
  });

  test('with If-Match the second of two editors is rejected; without it the last write wins', async () => {
    const id = await addProduct(client);
    const tag = (await client.get(`/api/products/${id}`)).headers.get('etag') ?? '';
    const responses = await Promise.all(
      [1, 2, 3, 4].map((price) => client.put(`/api/products/${id}`, { price }, { 'if-match': tag })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 412, 412, 412]);
    expect((await client.put(`/api/products/${id}`, { price: 9 })).status).toBe(200);
    expect((await client.put(`/api/products/${id}`, { price: 9 }, { 'if-match': '*' })).status).toBe(200);
    expect((await client.put(`/api/products/${id}`, { price: 9 }, { 'if-match': 'W/"1"' })).status).toBe(412);
    const current = (await client.get(`/api/products/${id}`)).headers.get('etag') ?? '';
    const weakened = await client.put(`/api/products/${id}`, { price: 8 }, { 'if-match': `W/${current}` });
    expect([weakened.status, getData(weakened)['price']]).toEqual([200, 8]);
  });

  test('DELETE deactivates: the product is hidden from lists, still readable, rejected in new documents, and reactivated by PUT', async () => {
    const id = await addService(client, { name: 'Retired thing' });
    const deactivated = await client.delete(`/api/products/${id}`);
    expect(deactivated.body).toMatchObject({ ok: true, data: { id, name: 'Retired thing', active: false } });
    expect(getData(await client.delete(`/api/products/${id}`))).toEqual(getData(deactivated));
    const hidden = await client.get('/api/products?search=retired');
    expect(hidden.body['totalCount']).toBe(0);
    expect((await client.get('/api/products?search=retired&active=false')).body['totalCount']).toBe(1);
    expect((await client.get('/api/products?search=retired&active=all')).body['totalCount']).toBe(1);
    expect(getData(await client.get(`/api/products/${id}`))).toMatchObject({ active: false });
    const customerId = await addCustomer(client);
    const lines = [{ productId: id, quantity: 1, unitPrice: 1 }];
    const rejected = await client.post('/api/invoices', { customerId, lines });
    expect(rejected.status).toBe(400);
    expect(rejected.body['errors']).toEqual(['lines[0].productId: is an inactive product']);
    expect((await client.put(`/api/products/${id}`, { active: true })).status).toBe(200);
    expect((await client.post('/api/invoices', { customerId, lines })).status).toBe(201);
  });

  test('an Idempotency-Key creates one product, also under concurrent requests; another body with the same key is 422', async () => {
    const headers = { 'idempotency-key': 'product-1' };
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => client.post('/api/products', { name: 'Once' }, headers)),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
    expect(new Set(responses.map((response) => getData(response)['id'])).size).toBe(1);
    expect((await client.post('/api/products', { name: 'Twice' }, headers)).status).toBe(422);
    expect((await client.get('/api/products?search=once')).body['totalCount']).toBe(1);
  });

  test('changes are audited with the names of the fields and never their values', async () => {
    const id = await addProduct(client);
    await client.put(`/api/products/${id}`, { name: 'Confidential name', price: 3 });
    const rows = await Audit.find({ organisationId: client.tenant.organisationId, subject: `product:${id}` })
      .sort({ _id: 1 })
      .lean();
    expect(rows.map((row) => [row.action, row.fields])).toEqual([
      ['product.created', []],
      ['product.updated', ['name', 'price']],
    ]);
    expect(JSON.stringify(rows)).not.toContain('Confidential');
  });
});

describe('customers', () => {
  test('only the name is required; absent parts of the address do not change', async () => {
    const id = await addCustomer(client, { name: 'Nordlicht AG', address: { city: 'Berlin', country: 'DE' } });
    const changed = await client.put(`/api/customers/${id}`, {
      address: { line1: 'Hauptstraße 1' },
      creditLimit: 500.5,
    });
    expect(getData(changed)).toMatchObject({
      code: `C${id}`,
      name: 'Nordlicht AG',
      address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE', postalCode: null },
      creditLimit: 500.5,
    });
    expect(getData(await client.get(`/api/customers/${id}`))).toEqual(getData(changed));
    expect((await client.put(`/api/customers/${id}`, getData(changed))).status).toBe(200);
  });

  test.each([
    [{}, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'A', email: 'nobody' }, 'email'],
    [{ name: 'A', taxId: 9 }, 'taxId'],
    [{ name: 'A', phone: '' }, 'phone'],
    [{ name: 'A', address: 'Berlin' }, 'address'],
    [{ name: 'A', address: { country: 'Germany' } }, 'address.country'],
    [{ name: 'A', address: { country: 'ZZ' } }, 'address.country'],
    [{ name: 'A', address: { street: 'x' } }, 'address.street'],
    [{ name: 'A', currencyCode: 'eur' }, 'currencyCode'],
    [{ name: 'A', paymentTerms: 'NET31' }, 'paymentTerms'],
    [{ name: 'A', language: 'xx' }, 'language'],
    [{ name: 'A', creditLimit: '5' }, 'creditLimit'],
    [{ name: 'A', creditLimit: -5 }, 'creditLimit'],
    [{ name: 'A', notes: 5 }, 'notes'],
    [{ name: 'A', active: 'true' }, 'active'],
    [{ name: 'A', balance: 0 }, 'balance'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post('/api/customers', json);
    expect(response.status).toBe(400);
    expect(response.body['errors']).toEqual([expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')}: `))]);
  });

  test('an unknown payment term is rejected with the list of known ones', async () => {
    const response = await client.post('/api/customers', { name: 'A', paymentTerms: 'SOON' });
    expect(response.body['message']).toContain('CASH, NET7');
  });

  test.each(['0', '-1', '1.5', 'abc', '99999', '1e3', '9999999999999999999', '%00'])('id %s is 404', async (id) => {
    for (const resource of ['customers', 'products', 'invoices']) {
      const response = await client.get(`/api/${resource}/${id}`);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ ok: false, code: 'not_found' });
    }
  });
});
