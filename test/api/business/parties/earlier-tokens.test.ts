import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import { splitSearchWords } from '../../../../domain/business/search-tokens';
import { searchTokens } from '../../../../services/business/migrations/search-tokens';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { runMigration } from '../../../support/migrations';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Earlier tokens');
});
afterAll(closeTestPlatform);

const search = async (path: string, text: string): Promise<unknown[]> =>
  getRows(await client.get(`${path}?search=${encodeURIComponent(text)}`)).map(({ id }) => id);

/** The tokens of texts as they were stored before the ends of words were. */
const buildEarlierTokens = (texts: readonly string[]): string[] => [
  ...new Set(
    texts
      .flatMap(splitSearchWords)
      .flatMap((word) => [
        ...Array.from({ length: Math.min(16, word.length) }, (_, at) => word.slice(0, at + 1)),
        word,
      ]),
  ),
];

test('records that were written before are found by the last parts of numbers, by e-mail and by phone after a migration', async () => {
  const contact = { name: 'Ada Ltd', code: 'C-2026-77', email: 'ada@engines.example', phone: '+49 (30) 1234-567' };
  const customerId = await addCustomer(client, contact);
  const line = { productId: await addService(client, { code: 'SVC-EU-0007', name: 'Setup' }), quantity: 1 };
  const invoice = await client.post('/api/invoices', { customerId, lines: [line], reference: 'REF-A-4711' });
  const number = String(getData(invoice)['number']);
  const invoiceId = getCreatedId(invoice);
  const { organisationId } = client.tenant;
  const earlier = {
    customers: ['C-2026-77', 'Ada Ltd'],
    products: ['SVC-EU-0007', 'Setup'],
    invoices: [number, 'Ada Ltd', 'C-2026-77', 'REF-A-4711'],
    open_items: [number, 'Ada Ltd', 'REF-A-4711'],
  };
  await getTestPlatform();
  const readAll = () =>
    Promise.all(
      Object.keys(earlier).map((name) => mongoose.connection.collection(name).find({ organisationId }).toArray()),
    );
  const present = await readAll();
  for (const [name, texts] of Object.entries(earlier))
    await mongoose.connection
      .collection(name)
      .updateMany({ organisationId }, { $set: { tokens: buildEarlierTokens(texts) } });

  const end = number.split('-').slice(1).join('-');
  const lookups = [
    ['/api/customers', 'ada@engines', customerId],
    ['/api/customers', '49301234567', customerId],
    ['/api/customers', '2026-77', customerId],
    ['/api/products', 'eu-0007', line.productId],
    ['/api/invoices', end, invoiceId],
    ['/api/invoices', 'a-4711', invoiceId],
  ] as const;
  for (const [path, text] of lookups) expect([text, await search(path, text)]).toEqual([text, []]);
  expect(await search('/api/invoices', number)).toEqual([invoiceId]);

  const platform = await getTestPlatform();
  expect(await runMigration(platform, searchTokens)).toBeGreaterThanOrEqual(4);
  for (const [path, text, id] of lookups) expect([text, await search(path, text)]).toEqual([text, [id]]);
  const sortTokens = (rows: mongo.Document[][]) =>
    rows.flat().map((row) => ({ ...row, tokens: (row['tokens'] as string[]).toSorted() }));
  const migrated = sortTokens(await readAll());
  expect(migrated).toEqual(sortTokens(present));
  await runMigration(platform, searchTokens);
  expect(sortTokens(await readAll())).toEqual(migrated);
});
