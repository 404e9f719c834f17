import { Company } from '../../../../models/business/settings/company';
import { compactCounts } from '../../../../services/business/documents/document-counts';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

afterAll(closeTestPlatform);

describe('the list', () => {
  let own: BusinessClient;
  beforeAll(async () => {
    own = await createBusinessClient();
    const [first, second] = [await addCustomer(own, { name: 'Acme Tools' }), await addCustomer(own, { name: 'Zebra' })];
    const productId = await addService(own);
    const days = ['2025-01-10', '2025-01-20', '2025-02-01', '2025-02-01', '2025-03-05'];
    for (const [index, issueDate] of days.entries())
      getCreatedId(
        await own.post('/api/invoices', {
          customerId: index % 2 === 0 ? first : second,
          issueDate,
          reference: `PO-77${index}`,
          lines: [{ productId, quantity: index + 1, unitPrice: 10 }],
        }),
      );
  });
  const sequences = async (query: string): Promise<number[]> =>
    getRows(await own.get(`/api/invoices?${query}`)).map((row) => Number(String(row['number']).slice(-6)));

  test.each([
    ['', [5, 4, 3, 2, 1]],
    ['sortBy=issueDate', [1, 2, 3, 4, 5]],
    ['sortBy=grandTotal&sortDir=desc&pageSize=2', [5, 4]],
    ['sortBy=number&page=2&pageSize=2', [3, 4]],
    ['page=3&pageSize=2', [1]],
    ['dateFrom=2025-01-20&dateTo=2025-02-01', [4, 3, 2]],
    ['dateFrom=2025-02-02T00:30:00%2B02:00&dateTo=2025-03-05', [5, 4, 3]],
    ['search=acme', [5, 3, 1]],
    ['search=zeb', [4, 2]],
    ['search=acme%20po-774', [5]],
    ['search=inv-2025-000003', [3]],
    ['search=3', [3]],
    ['status=issued', [5, 4, 3, 2, 1]],
    ['status=void', []],
    ['customerId=2', [4, 2]],
    ['customerId=77', []],
  ])('%p gives %j', async (query, expected) => {
    expect(await sequences(query)).toEqual(expected);
  });

  test('totals are exact before and after the count rows are compacted', async () => {
    const totals = async () =>
      Promise.all(
        ['', 'dateFrom=2025-02-01', 'dateTo=2025-02-01', 'status=issued', 'status=paid', 'search=acme'].map(
          async (query) => (await own.get(`/api/invoices?pageSize=1&${query}`)).body['totalCount'],
        ),
      );
    const expected = [5, 3, 4, 5, 0, 3];
    expect(await totals()).toEqual(expected);
    const folded = await Promise.all([1, 2, 3].map(() => compactCounts(own.tenant.organisationId, 'invoices')));
    expect(folded.reduce((sum, rows) => sum + rows, 0)).toBe(5);
    expect(await totals()).toEqual(expected);
  });

  test('an invoice past its due date is overdue', async () => {
    const [row] = getRows(await own.get('/api/invoices?sortBy=issueDate&pageSize=1'));
    expect(row).toMatchObject({ issueDate: '2025-01-10', dueDate: '2025-02-09', overdue: true, open: 12 });
  });

  test.each(['status=late', 'customerId=x', 'sortBy=total', 'sortBy=status', 'active=all'])(
    '%s is 400',
    async (query) => {
      expect((await own.get(`/api/invoices?${query}`)).status).toBe(400);
    },
  );
});

describe('the company’s time zone', () => {
  test('dates and instants are in the time zone of the company', async () => {
    const own = await createBusinessClient();
    await Company.updateOne({ _id: own.tenant.organisationId }, { $set: { timeZone: 'Pacific/Auckland' } });
    const body = { customerId: await addCustomer(own), lines: [{ productId: await addService(own), quantity: 1 }] };
    const sent = await own.post('/api/invoices', { ...body, issueDate: '2025-06-30T23:30:00Z' });
    expect(getData(sent)).toMatchObject({ issueDate: '2025-07-01', paymentTerms: 'NET30', dueDate: '2025-07-31' });
    expect(String(getData(sent)['issuedAt'])).toMatch(/\+1[23]:00$/);
    const skipped = await own.post('/api/invoices', { ...body, issueDate: '2025-09-28T02:30:00' });
    expect(skipped.status).toBe(400);
    expect(String(skipped.body['errors'])).toMatch(/^issueDate: .*does not exist/);
    await Company.updateOne({ _id: own.tenant.organisationId }, { $set: { timeZone: 'America/New_York' } });
    const later = await own.get(`/api/invoices/${String(getData(sent)['id'])}`);
    expect(getData(later)).toMatchObject({ issueDate: '2025-07-01', dueDate: '2025-07-31' });
    expect(String(getData(later)['issuedAt'])).toMatch(/-0[45]:00$/);
  });
});
