import { addCustomer, addService, createBusinessClient, getCreatedId, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Searching');
});
afterAll(closeTestPlatform);

const search = async (path: string, text: string): Promise<unknown[]> =>
  getRows(await client.get(`${path}?search=${encodeURIComponent(text)}`)).map(({ id }) => id);

test.each(['/api/customers', '/api/vendors'])('%s are found by e-mail address and phone number', async (path) => {
  const contact = { email: 'ada.lovelace@engines.example', phone: '+49 (30) 1234-567' };
  const id = getCreatedId(await client.post(path, { name: 'Analytical Engines', ...contact }));
  await client.post(path, { name: 'Another', email: 'office@other.example', phone: '+49 40 7654321' });
  for (const text of [
    'ada.lovelace@engines.example',
    'Ada.Love',
    'engines.example',
    '+49 (30) 1234-567',
    '49301234567',
  ])
    expect([text, await search(path, text)]).toEqual([text, [id]]);
  await client.put(`${path}/${id}`, { email: 'new@engines.example' });
  expect(await search(path, 'ada.lovelace')).toEqual([]);
  expect(await search(path, 'new@engines')).toEqual([id]);
});

test('documents are found by the last parts of their number', async () => {
  const line = { productId: await addService(client), quantity: 1 };
  const body = { customerId: await addCustomer(client), lines: [line] };
  const [first, second] = [await client.post('/api/invoices', body), await client.post('/api/invoices', body)];
  const { id, number } = getRows(await client.get('/api/invoices?sortBy=id&sortDir=desc'))[0] ?? {};
  expect([first.status, id]).toEqual([201, getCreatedId(second)]);
  const [, ...last] = String(number).split('-');
  expect(await search('/api/invoices', last.join('-'))).toEqual([id]);
});
