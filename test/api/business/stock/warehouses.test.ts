import { closeTestPlatform } from '../../../support/tenant';
import { businessClient, dataOf, idOf } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await businessClient();
});
afterAll(closeTestPlatform);

const errorsOf = (answer: { body: Record<string, unknown> }): string[] => (answer.body['errors'] ?? []) as string[];
const namesIn = (answer: { body: Record<string, unknown> }): (string | undefined)[] =>
  errorsOf(answer).map((error) => error.split(':')[0]);

describe('warehouses', () => {
  test('a warehouse is made, changed and found; its code is taken once', async () => {
    const id = idOf(await client.post('/api/inventory/warehouses', { name: 'Northern store', code: 'NORTH' }));
    expect((await client.post('/api/inventory/warehouses', { name: 'B', code: 'NORTH' })).body['code']).toBe(
      'code_taken',
    );
    const changed = await client.put(`/api/inventory/warehouses/${id}`, { name: 'Eastern store' });
    expect(dataOf(changed)).toMatchObject({ id, code: 'NORTH', name: 'Eastern store', isDefault: false });
    expect((await client.get('/api/inventory/warehouses?search=eastern')).body['totalCount']).toBe(1);
    expect((await client.get('/api/inventory/warehouses?search=northern')).body['totalCount']).toBe(0);
    const other = idOf(await client.post('/api/inventory/warehouses', { name: 'Unnamed' }));
    expect(dataOf(await client.put(`/api/inventory/warehouses/${other}`, {}))).toMatchObject({ code: `W${other}` });
  });

  test('the default one, and one with goods in it, stay active', async () => {
    const own = await businessClient();
    const other = idOf(await own.post('/api/inventory/warehouses', { name: 'Second' }));
    await own.post('/api/products', { name: 'A', initialStock: { quantity: 3 } });
    expect((await own.put('/api/inventory/warehouses/1', { active: false })).body['code']).toBe('is_default');
    expect((await own.put('/api/config/company', { defaultWarehouseId: other })).status).toBe(200);
    expect((await own.put('/api/inventory/warehouses/1', { active: false })).body['code']).toBe('warehouse_not_empty');
    expect((await own.put('/api/config/company', { defaultWarehouseId: 1 })).status).toBe(200);
    expect((await own.put(`/api/inventory/warehouses/${other}`, { active: false })).status).toBe(200);
    const refused = await own.put('/api/config/company', { defaultWarehouseId: other });
    expect([refused.status, namesIn(refused)]).toEqual([400, ['defaultWarehouseId']]);
  });

  test('choosing a default and deactivating it in parallel never leaves an inactive default', async () => {
    const own = await businessClient();
    const id = idOf(await own.post('/api/inventory/warehouses', { name: 'Contested' }));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        own.put('/api/config/company', { defaultWarehouseId: id }),
        own.put(`/api/inventory/warehouses/${id}`, { active: false }),
      ]);
      const company = dataOf(await own.get('/api/config/company'));
      const warehouse = dataOf(await own.put(`/api/inventory/warehouses/${id}`, {}));
      expect([company['defaultWarehouseId'] === id, warehouse['active']]).not.toEqual([true, false]);
      await own.put('/api/config/company', { defaultWarehouseId: 1 });
      await own.put(`/api/inventory/warehouses/${id}`, { active: true });
    }
  });
});

describe('categories', () => {
  test('a category is renamed and deactivated: its products show it still, new ones cannot have it', async () => {
    const id = idOf(await client.post('/api/products/categories', { name: 'Lamps' }));
    const product = await client.post('/api/products', { name: 'Lamp', categoryId: id });
    const path = `/api/products/categories/${id}`;
    expect(dataOf(await client.put(path, { name: 'Lights' }))).toEqual({ id, name: 'Lights', active: true });
    expect((await client.put(path, { id, name: 'Lights', active: false })).status).toBe(200);
    expect(dataOf(await client.get(`/api/products/${String(dataOf(product)['id'])}`))).toMatchObject({
      categoryName: 'Lights',
    });
    const refused = await client.post('/api/products', { name: 'Lamp', categoryId: id });
    expect(errorsOf(refused)).toEqual(['categoryId: is an inactive category']);
    await client.post('/api/products/categories', { name: 'Taken' });
    expect((await client.put(path, { name: 'Taken' })).body['code']).toBe('name_taken');
  });
});
