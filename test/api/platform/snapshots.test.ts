import { readOptions, withMongoSnapshot } from '../../../lib/mongo';
import { Customer } from '../../../models/business/parties/customer';
import { countEntries, deriveEntries } from '../../../services/business/accounting/journal';
import { readJournal } from '../../../services/business/accounting/journal-context';
import { readSnapshotPage } from '../../../services/platform/lists/pages';
import { addCustomer, addService, createBusinessClient, getCreatedId } from '../../support/business/client';
import type { BusinessClient } from '../../support/business/client';
import { closeTestPlatform } from '../../support/tenant';

const ALL_DAYS = { from: '2000-01-01', to: '2100-12-31' };

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
  await addCustomer(client);
});
afterAll(closeTestPlatform);

test('a list reads its total and its page of one moment, whatever is created in between', async () => {
  const filter = { organisationId: client.tenant.organisationId };
  const { rows, totalCount } = await readSnapshotPage<{ id: number }>(
    { page: 1, pageSize: 100, sort: ['id'], direction: 'desc' },
    {
      count: async (mongoSession) => {
        const count = await Customer.countDocuments(filter).setOptions(readOptions(mongoSession));
        await addCustomer(client, { email: 'later@example.com' });
        return count;
      },
      rows: ({ sort, skip, limit }, mongoSession) =>
        Customer.find(filter, { id: 1 })
          .sort(sort)
          .skip(skip)
          .limit(limit + 1)
          .setOptions(readOptions(mongoSession))
          .lean<{ id: number }[]>(),
    },
  );
  expect(rows).toHaveLength(totalCount);
});

test('a journal contains no document that is issued while it is read', async () => {
  const { organisationId } = client.tenant;
  const company = { organisationId, timeZone: 'UTC', baseCurrencyCode: 'EUR' };
  const customerId = await addCustomer(client, { email: 'buyer@example.com' });
  const lines = [{ productId: await addService(client), quantity: 1 }];
  const issue = async (): Promise<number> => getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  await issue();
  const [counted, derived] = await readJournal(company, async (context) => {
    const counts = await countEntries(context, ALL_DAYS);
    await issue();
    return [counts, await deriveEntries(context, ALL_DAYS)];
  });
  expect(counted.map(({ count }) => count)).toEqual([1]);
  expect(derived).toHaveLength(1);
});

test('a read that does not state the read concern of its snapshot is refused, not answered with newer data', async () => {
  const filter = { organisationId: client.tenant.organisationId };
  const reading = withMongoSnapshot(async (mongoSession) => {
    await Customer.countDocuments(filter).setOptions(readOptions(mongoSession));
    return Customer.countDocuments(filter).session(mongoSession);
  });
  await expect(reading).rejects.toThrow('atClusterTime');
});
