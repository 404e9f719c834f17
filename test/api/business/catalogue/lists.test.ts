import { DAY_MS } from '../../../../domain/durations';
import { addCustomer, addProduct, createBusinessClient, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

describe('lists', () => {
  let own: BusinessClient;
  const NAMES = ['Åström & Søn', 'Acme Tools', 'Acme Paper', 'Zebra', "O'Brien Paper", 'Beta', 'Gamma'];

  beforeAll(async () => {
    own = await createBusinessClient();
    for (const [index, name] of NAMES.entries())
      await addCustomer(own, { name, code: `K-00${index}`, ...(index === 3 ? { taxId: 'DE811907980' } : {}) });
  });
  const found = async (query: string): Promise<unknown[]> =>
    getRows(await own.get(`/api/customers?${query}`)).map((row) => row['name']);

  test('pages contain each record once, in order, with the exact total; a page past the end is empty', async () => {
    const seen: unknown[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const response = await own.get(`/api/customers?pageSize=2&page=${page}`);
      expect(response.body).toMatchObject({ totalCount: 7, page, pageSize: 2 });
      seen.push(...getRows(response).map((row) => row['name']));
    }
    expect(seen).toEqual(NAMES);
    for (const page of [5, 1_000_000, 999_999_999_999])
      expect((await own.get(`/api/customers?pageSize=2&page=${page}`)).body).toMatchObject({ data: [], totalCount: 7 });
  });

  test('sorting goes both ways and through every page', async () => {
    const byCode = await found('sortBy=code&sortDir=desc&pageSize=3');
    const last = await found('sortBy=code&sortDir=desc&pageSize=3&page=3');
    expect([byCode[0], last]).toEqual(['Gamma', [NAMES[0]]]);
    expect((await found('sortBy=name&pageSize=1'))[0]).toBe('Acme Paper');
  });

  test.each([
    ['acme', ['Acme Tools', 'Acme Paper']],
    ['ACME pap', ['Acme Paper']],
    ['paper acme', ['Acme Paper']],
    ['astrom', ['Åström & Søn']],
    ['son', ['Åström & Søn']],
    ["o'bri", ["O'Brien Paper"]],
    ['brien', ["O'Brien Paper"]],
    ['K-003', ['Zebra']],
    ['de8119', ['Zebra']],
    ['cme', []],
    ['.*', []],
    ['---', []],
    ['acme -', ['Acme Tools', 'Acme Paper']],
    ['', NAMES],
    [' ', NAMES],
    ['$where', []],
  ])('search %p finds %j', async (search, names) => {
    expect(await found(`search=${encodeURIComponent(search)}`)).toEqual(names);
  });

  test('a search for punctuation only finds nothing', async () => {
    const productId = await addProduct(own, { price: 5, initialStock: { quantity: 3 } });
    const customerId = getRows(await own.get('/api/customers'))[0]?.['id'];
    await own.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] });
    for (const path of ['customers', 'products', 'invoices', 'inventory/stock', 'receivables', 'admin/users']) {
      expect((await own.get(`/api/${path}`)).body['totalCount']).toBeGreaterThan(0);
      expect((await own.get(`/api/${path}?search=---`)).body).toMatchObject({ data: [], totalCount: 0 });
    }
  });

  test('dateFrom and dateTo filter by days in the time zone of the company', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    expect((await own.get(`/api/customers?dateFrom=${today}&dateTo=${tomorrow}`)).body['totalCount']).toBe(7);
    expect((await own.get(`/api/customers?dateFrom=${tomorrow}`)).body['totalCount']).toBe(0);
    expect((await own.get('/api/customers?dateTo=2020-01-01T00:00:00Z')).body['totalCount']).toBe(0);
    const open = await own.get(`/api/customers?dateFrom=${today}&dateTo=9999-12-31`);
    expect([open.status, open.body['totalCount']]).toEqual([200, 7]);
  });

  test.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=x', 'page'],
    ['page=1&page=2', 'page'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['sortBy=taxId', 'sortBy'],
    ['sortBy=$where', 'sortBy'],
    ['sortDir=up', 'sortDir'],
    ['dateFrom=yesterday', 'dateFrom'],
    ['dateTo=2026-02-30', 'dateTo'],
    ['active=maybe', 'active'],
    ['limit=5', 'limit'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['search=a%00b', 'search'],
  ])('%s is 400 naming %s', async (query, field) => {
    const response = await own.get(`/api/customers?${query}`);
    expect(response.status).toBe(400);
    expect(String(response.body['errors'])).toMatch(new RegExp(`^${field}: `));
  });
});
