import { call } from '../../support/client';
import { createAndDownloadExport } from '../../support/business/exports';
import { addCustomer, addService, createBusinessClient, getCreatedId, getRows } from '../../support/business/client';
import type { BusinessClient } from '../../support/business/client';
import { closeTestPlatform } from '../../support/tenant';

/** Covers operations: listInvoices, listReceivables, listExports, listUsers, listProducts, listStock, createExport */

afterAll(closeTestPlatform);

describe('filters of business lists', () => {
  let client: BusinessClient;
  const customers: number[] = [];
  const invoices: number[] = [];
  beforeAll(async () => {
    client = await createBusinessClient();
    const productId = await addService(client);
    for (let index = 0; index < 3; index += 1) {
      const customerId = await addCustomer(client);
      customers.push(customerId);
      const lines = [{ productId, quantity: 1, unitPrice: 10 }];
      invoices.push(getCreatedId(await client.post('/api/invoices', { customerId, lines })));
    }
  });
  const listIds = async (query: string): Promise<unknown[]> =>
    getRows(await client.get(`/api/invoices?sortBy=id&${query}`)).map((row) => row['id']);

  test('several ids are separated by commas or repeated; a single one works as before', async () => {
    const [first, second, third] = customers;
    expect(await listIds(`customerId=${first},${third}`)).toEqual([invoices[0], invoices[2]]);
    expect(await listIds(`customerId=${third}&customerId=${second}`)).toEqual([invoices[1], invoices[2]]);
    expect(await listIds(`customerId=${second}`)).toEqual([invoices[1]]);
    expect(await listIds(`customerId=${first},${second}&status=issued,overdue&page=2&pageSize=1`)).toEqual([
      invoices[1],
    ]);
    const open = await client.get(`/api/receivables?customerId=${first},${second}`);
    expect(open.body['totalCount']).toBe(2);
  });

  test('an export with an array or a list of values has the rows of the list', async () => {
    const [first, , third] = customers;
    const filters = { customerId: [first, third], status: ['issued', 'paid'] };
    const request = { resource: 'invoices', format: 'json', filters };
    const { file, record } = await createAndDownloadExport({ token: client.token }, request);
    expect((JSON.parse(file.bytes.toString('utf8')) as { id: number }[]).map(({ id }) => id)).toEqual([
      invoices[0],
      invoices[2],
    ]);
    const shown = getRows(await client.get('/api/exports?state=completed,failed&resource=invoices,products'));
    expect(shown).toMatchObject([{ id: record.id, filters: { customerId: [first, third], status: 'issued,paid' } }]);
  });

  test.each([
    ['/api/invoices?customerId=1,x', 'customerId: must be the number of a customer, or several numbers'],
    [`/api/invoices?customerId=${Array.from({ length: 101 }, () => '1').join()}`, 'at most 100, separated by commas'],
    ['/api/products?categoryId=1,', 'categoryId: must be the number of a category'],
    ['/api/exports?state=done', 'state: must be one or more of queued, running'],
    ['/api/admin/users?role=admin,owner', 'role: must be one or more of admin'],
  ])('%s is rejected and names what is accepted', async (path, message) => {
    const response = await client.get(path);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(message);
  });

  test('stock is filtered by several products and warehouses, users by several roles', async () => {
    expect((await client.get('/api/inventory/stock?productId=1,2&warehouseId=1,2')).status).toBe(200);
    expect((await client.get('/api/admin/users?role=admin,viewer&identityRole=admin')).status).toBe(200);
  });

  test('lists of the identity API accept several statuses and kinds', async () => {
    const get = (path: string) => call('GET', path, { key: client.tenant.identityKey });
    for (const path of [
      '/v1/checks?status=completed,failed&kind=age,liveness',
      '/v1/aml/screenings?status=processing,completed',
      '/v1/erasures?kind=session,check&status=erasing,completed',
      '/v1/registers?status=active,failed',
      '/v1/biometrics/face-search/index?status=indexed,failed',
    ])
      expect({ path, ...(await get(path)) }).toMatchObject({ path, status: 200, body: { total: 0 } });
    const rejected = await get('/v1/checks?status=completed,done');
    expect(rejected.status).toBe(400);
    expect(JSON.stringify(rejected.body)).toContain('accepts, separated by commas: processing, completed, failed');
  });
});
