import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { addProduct, createBusinessClient, getCreatedId, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

test('the list is sorted by stock and by name of the category in both directions, page by page', async () => {
  const category = async (name: string) => getCreatedId(await client.post('/api/products/categories', { name }));
  const [paper, ink] = [await category('Sorted paper'), await category('Sorted ink')];
  const add = (code: string, quantity: number, categoryId: number | null) =>
    addProduct(client, {
      code,
      name: 'Sortable',
      categoryId,
      ...(quantity > 0 ? { initialStock: { quantity } } : {}),
    });
  await add('S-9', 9, paper);
  await add('S-100', 100, ink);
  await add('S-0', 0, null);
  const read = async (query: string) => {
    const response = await client.get(`/api/products?search=sortable&${query}`);
    expect(response.body['totalCount']).toBe(3);
    return getRows(response).map((row) => row['code']);
  };
  expect(await read('sortBy=stock')).toEqual(['S-0', 'S-9', 'S-100']);
  expect(await read('sortBy=stock&sortDir=desc&pageSize=2')).toEqual(['S-100', 'S-9']);
  expect(await read('sortBy=stock&sortDir=desc&pageSize=2&page=2')).toEqual(['S-0']);
  expect(await read('sortBy=categoryName')).toEqual(['S-0', 'S-100', 'S-9']);
  expect(await read('sortBy=categoryName&sortDir=desc')).toEqual(['S-9', 'S-100', 'S-0']);
});

test('an id that is no number is 404 in words, without a regular expression', async () => {
  const response = await client.get('/api/products/abc');
  expect([response.status, response.body['errors']]).toEqual([
    404,
    ['id: must be the number of a record: a whole number from 1'],
  ]);
});

test('absent, mistyped and malformed fields are each named, with what is accepted', async () => {
  const invalid = await client.post('/api/products', { nam: 'Lamp', price: 'x', active: 'yes', initialStock: {} });
  expect(invalid.status).toBe(400);
  expect(invalid.body['errors']).toEqual([
    'name: is required',
    'price: must be a number',
    'active: must be true or false',
    'initialStock.quantity: is required',
    expect.stringMatching(/^nam: is not a known field; accepted: name, code, description, categoryId, /),
  ]);
  expect((await client.postText('/api/products', '{"name":"Lamp","price":1e999}')).body['errors']).toEqual([
    'price: must not be larger than 1.8e308',
  ]);
});

test('a dry run values opening stock, and is refused like the product while today is locked', async () => {
  const own = await createBusinessClient('Trial');
  const body = { name: 'Trial', initialStock: { quantity: 3, unitCost: 2.5 } };
  const post = (query: string) => own.post(`/api/products${query}`, body);
  const dryRun = getData(await post('?dryRun=true'));
  const created = getData(await post(''));
  expect([dryRun['stock'], dryRun['averageCost']]).toEqual([3, 2.5]);
  expect([created['stock'], created['averageCost']]).toEqual([3, 2.5]);
  const { timeZone } = getData(await own.get('/api/config/company'));
  const lockedThrough = new Intl.DateTimeFormat('sv', { timeZone: String(timeZone) }).format(new Date());
  expect((await own.put('/api/config/period-lock', { lockedThrough })).status).toBe(200);
  for (const query of ['?dryRun=true', '']) expect((await post(query)).body['code']).toBe('period_locked');
});

test('opening stock needs the permission to adjust stock, also when it is only checked', async () => {
  const json = { name: 'Stocked by a key', initialStock: { quantity: 5, unitCost: 2 } };
  const key = await client.tenant.createBusinessKey(['products:create', 'products:read']);
  for (const path of ['/api/products', '/api/products?dryRun=true']) {
    const refused = await call('POST', path, { key, json });
    expect([refused.status, refused.body['message']]).toEqual([403, expect.stringContaining('inventory:adjust')]);
  }
  expect((await client.get('/api/products?search=stocked')).body['totalCount']).toBe(0);
  expect((await call('POST', '/api/products', { key, json: { name: 'Without stock' } })).status).toBe(201);
  const both = await client.tenant.createBusinessKey(['products:create', 'inventory:adjust']);
  expect((await call('POST', '/api/products', { key: both, json })).status).toBe(201);
});

test('a product can be sent back as it was read after its category was deactivated, which no other product enters', async () => {
  const categoryId = getCreatedId(await client.post('/api/products/categories', { name: 'Discontinued' }));
  const id = await addProduct(client, { categoryId });
  expect((await client.put(`/api/products/categories/${categoryId}`, { active: false })).status).toBe(200);
  const { updatedAt: _, ...read } = getData(await client.get(`/api/products/${id}`));
  const changed = await client.put(`/api/products/${id}`, { ...read, price: 7 });
  expect(getData(changed)).toMatchObject({ price: 7, categoryId, categoryName: 'Discontinued' });
  const other = await addProduct(client, {});
  const refused = await client.put(`/api/products/${other}`, { categoryId });
  expect([refused.status, refused.body['errors']]).toEqual([400, ['categoryId: is an inactive category']]);
});
