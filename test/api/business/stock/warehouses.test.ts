import { closeTestPlatform } from '../../../support/tenant';
import { createBusinessClient, getData, getCreatedId } from '../../../support/business/client';
import { listErrorFields, listErrors } from '../../../support/business/rejections';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

describe('warehouses', () => {
  test('a warehouse is created, changed and found; its code is unique', async () => {
    const id = getCreatedId(await client.post('/api/inventory/warehouses', { name: 'Northern store', code: 'NORTH' }));
    expect((await client.post('/api/inventory/warehouses', { name: 'B', code: 'NORTH' })).body['code']).toBe(
      'code_taken',
    );
    const changed = await client.put(`/api/inventory/warehouses/${id}`, { name: 'Eastern store' });
    expect(getData(changed)).toMatchObject({ id, code: 'NORTH', name: 'Eastern store', isDefault: false });
    expect((await client.get('/api/inventory/warehouses?search=eastern')).body['totalCount']).toBe(1);
    expect((await client.get('/api/inventory/warehouses?search=northern')).body['totalCount']).toBe(0);
    const other = getCreatedId(await client.post('/api/inventory/warehouses', { name: 'Unnamed' }));
    expect(getData(await client.put(`/api/inventory/warehouses/${other}`, {}))).toMatchObject({ code: `W${other}` });
  });

  test('the default warehouse and a warehouse with goods cannot be deactivated', async () => {
    const own = await createBusinessClient();
    const other = getCreatedId(await own.post('/api/inventory/warehouses', { name: 'Second' }));
    await own.post('/api/products', { name: 'A', initialStock: { quantity: 3 } });
    expect((await own.put('/api/inventory/warehouses/1', { active: false })).body['code']).toBe('is_default');
    expect((await own.put('/api/config/company', { defaultWarehouseId: other })).status).toBe(200);
    expect((await own.put('/api/inventory/warehouses/1', { active: false })).body['code']).toBe('warehouse_not_empty');
    expect((await own.put('/api/config/company', { defaultWarehouseId: 1 })).status).toBe(200);
    expect((await own.put(`/api/inventory/warehouses/${other}`, { active: false })).status).toBe(200);
    const rejected = await own.put('/api/config/company', { defaultWarehouseId: other });
    expect([rejected.status, listErrorFields(rejected)]).toEqual([400, ['defaultWarehouseId']]);
  });

  test('selecting a default and deactivating it concurrently never leaves an inactive default', async () => {
    const own = await createBusinessClient();
    const id = getCreatedId(await own.post('/api/inventory/warehouses', { name: 'Contested' }));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        own.put('/api/config/company', { defaultWarehouseId: id }),
        own.put(`/api/inventory/warehouses/${id}`, { active: false }),
      ]);
      const company = getData(await own.get('/api/config/company'));
      const warehouse = getData(await own.put(`/api/inventory/warehouses/${id}`, {}));
      expect([company['defaultWarehouseId'] === id, warehouse['active']]).not.toEqual([true, false]);
      await own.put('/api/config/company', { defaultWarehouseId: 1 });
      await own.put(`/api/inventory/warehouses/${id}`, { active: true });
    }
  });
});

describe('categories', () => {
  test('a category is renamed and deactivated: its products keep it, new ones cannot have it', async () => {
    const id = getCreatedId(await client.post('/api/products/categories', { name: 'Lamps' }));
    const product = await client.post('/api/products', { name: 'Lamp', categoryId: id });
    const path = `/api/products/categories/${id}`;
    expect(getData(await client.put(path, { name: 'Lights' }))).toEqual({ id, name: 'Lights', active: true });
    expect((await client.put(path, { id, name: 'Lights', active: false })).status).toBe(200);
    expect(getData(await client.get(`/api/products/${String(getData(product)['id'])}`))).toMatchObject({
      categoryName: 'Lights',
    });
    const rejected = await client.post('/api/products', { name: 'Lamp', categoryId: id });
    expect(listErrors(rejected)).toEqual(['categoryId: is an inactive category']);
    await client.post('/api/products/categories', { name: 'Taken' });
    expect((await client.put(path, { name: 'Taken' })).body['code']).toBe('name_taken');
  });
});
