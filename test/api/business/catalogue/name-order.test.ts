import { Types } from 'mongoose';
import { ProductCategory } from '../../../../models/business/catalogue/product';
import { addCustomer, createBusinessClient, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

const NAMES = ['zebra', 'bank', 'Zürich', 'Apple', 'Éclair', 'apple', 'Ärzte', 'Øresund', 'Zebra'];
const IN_ORDER = ['apple', 'Apple', 'Ärzte', 'bank', 'Éclair', 'Øresund', 'zebra', 'Zebra', 'Zürich'];

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Names');
});
afterAll(closeTestPlatform);

const list = async (path: string, query = ''): Promise<unknown[]> =>
  getRows(await client.get(`${path}?sortBy=name&pageSize=100${query}`)).map(({ name }) => name);

/** The names of a list that the test has created. */
const listOwn = async (path: string, query?: string): Promise<unknown[]> =>
  (await list(path, query)).filter((name) => NAMES.includes(String(name)));

const userFields = (name: string) => ({
  email: `${encodeURIComponent(name).replaceAll('%', '').toLowerCase()}-${name === name.toLowerCase()}@example.com`,
  password: 'a long enough Passphrase 7',
  role: 'viewer',
});

test.each([
  ['/api/customers', () => ({})],
  ['/api/vendors', () => ({})],
  ['/api/products', () => ({ price: 1 })],
  ['/api/products/categories', () => ({})],
  ['/api/inventory/warehouses', () => ({})],
  ['/api/config/tax-rates', () => ({ percent: 1 })],
  ['/api/crm/leads', () => ({})],
  ['/api/crm/opportunities', () => ({})],
  ['/api/admin/users', userFields],
] as const)('%s are sorted by name as in a dictionary', async (path, buildFields) => {
  const fields = path === '/api/crm/opportunities' ? { customerId: await addCustomer(client, { name: 'Owner' }) } : {};
  for (const name of NAMES) {
    const created = await client.post(path, { name, ...fields, ...buildFields(name) });
    expect([created.status, created.body['errors']]).toEqual([201, undefined]);
  }
  expect(await listOwn(path)).toEqual(IN_ORDER);
  expect(await listOwn(path, '&sortDir=desc')).toEqual([...IN_ORDER].reverse());
});

test('pages contain each record once, and a search or a filter keeps the order', async () => {
  const own = await createBusinessClient('Pages');
  const other = await createBusinessClient('Other pages');
  await other.post('/api/customers', { name: 'Another' });
  for (const [index, name] of NAMES.entries())
    await own.post('/api/customers', { name, email: `${index % 2 === 0 ? 'even' : 'odd'}-${index}@example.com` });
  const readPages = async (query: string): Promise<unknown[]> => {
    const pages = [];
    for (let page = 1; page <= 5; page += 1)
      pages.push(await own.get(`/api/customers?${query}&pageSize=2&page=${page}`));
    return pages.flatMap(getRows).map(({ name }) => name);
  };
  expect(await readPages('sortBy=name')).toEqual(IN_ORDER);
  expect(await readPages('sortBy=name&sortDir=desc')).toEqual([...IN_ORDER].reverse());
  const even = NAMES.filter((_, index) => index % 2 === 0);
  expect(await readPages('sortBy=name&search=even')).toEqual(IN_ORDER.filter((name) => even.includes(name)));
  const today = new Date().toISOString().slice(0, 10);
  expect(await readPages(`sortBy=name&active=all&dateFrom=2020-01-01&dateTo=${today}`)).toEqual(IN_ORDER);
});

test('a search with more hits than are sorted in memory is in the order of names, too', async () => {
  const own = await createBusinessClient('Many');
  const { organisationId } = own.tenant;
  const at = new Date();
  const rows = Array.from({ length: 10_001 }, (_, index) => ({
    _id: new Types.ObjectId(),
    organisationId,
    id: 1000 + index,
    // Ascending in one case after the other, so that code points would divide them.
    name: `${index % 2 === 0 ? 'part' : 'PART'} ${String(index).padStart(5, '0')}`,
    active: true,
    tokens: ['part'],
    version: 1,
    createdAt: at,
    updatedAt: at,
  }));
  await ProductCategory.collection.insertMany([...rows].reverse());
  const read = async (page: number): Promise<unknown[]> =>
    getRows(await own.get(`/api/products/categories?sortBy=name&search=part&pageSize=100&page=${page}`)).map(
      ({ name }) => name,
    );
  const names = rows.map(({ name }) => name);
  expect(await read(1)).toEqual(names.slice(0, 100));
  expect(await read(60)).toEqual(names.slice(5900, 6000));
  expect(await read(101)).toEqual(names.slice(10_000));
});
