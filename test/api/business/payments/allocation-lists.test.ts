import { expectDocumented } from '../../../support/business/documented';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

/** Which payment or credit note settled which document, and when. */

let client: BusinessClient;

beforeAll(async () => {
  client = await createBusinessClient('Allocations');
});
afterAll(closeTestPlatform);

const list = async (side: 'receivables' | 'payables', query = ''): Promise<Record<string, unknown>[]> => {
  const response = await client.get(`/api/${side}/allocations${query}`);
  expect(response.status).toBe(200);
  expectDocumented('get', `/api/${side}/allocations`, response);
  expect(response.body['totalCount']).toBe(getRows(response).length);
  return getRows(response);
};

test('allocations of customers are listed by document, payment, credit note, customer and day, also reversed ones', async () => {
  const productId = await addService(client);
  const [customerId, other] = [await addCustomer(client), await addCustomer(client)];
  const issue = async (party: number, issueDate: string): Promise<number> =>
    getCreatedId(
      await client.post('/api/invoices', {
        customerId: party,
        issueDate,
        lines: [{ productId, quantity: 1, unitPrice: 100 }],
      }),
    );
  const [first, second, third] = [
    await issue(customerId, '2026-03-02'),
    await issue(customerId, '2026-03-02'),
    await issue(other, '2026-03-02'),
  ];
  const pay = async (party: number, date: string, allocations: object[], amount: number) =>
    getData(await client.post('/api/receivables/payments', { customerId: party, date, amount, allocations }));
  const paid = await pay(
    customerId,
    '2026-03-03',
    [
      { documentId: first, amount: 30 },
      { documentId: second, amount: 20 },
    ],
    50,
  );
  await pay(other, '2026-03-04', [{ documentId: third, amount: 10 }], 10);
  const note = getCreatedId(
    await client.post('/api/credit-notes', {
      invoiceId: first,
      issueDate: '2026-03-05',
      reason: 'Returned',
      lines: [{ invoiceLineId: 1, amount: 10 }],
    }),
  );
  const [, reversed] = paid['allocations'] as { id: number }[];
  const path = `/api/receivables/allocations/${String(reversed?.id)}/reverse`;
  expect((await client.post(path, { reason: 'Other invoice' })).status).toBe(200);

  const all = await list('receivables');
  expect(
    all.map(({ date, documentId, paymentId, creditNoteId }) => [date, documentId, paymentId, creditNoteId]),
  ).toEqual([
    ['2026-03-05', first, null, note],
    ['2026-03-04', third, 2, null],
    ['2026-03-03', second, 1, null],
    ['2026-03-03', first, 1, null],
  ]);
  expect(all[3]).toMatchObject(
    (getData(await client.get('/api/receivables/payments/1'))['allocations'] as object[])[0] ?? {},
  );
  const [settled, credit] = await Promise.all([
    client.get(`/api/invoices/${first}`),
    client.get(`/api/credit-notes/${note}`),
  ]);
  const documentNumber = getData(settled)['number'];
  expect(all[3]).toMatchObject({ documentNumber, creditNoteNumber: null });
  expect(all[0]).toMatchObject({ documentNumber, creditNoteNumber: getData(credit)['number'] });
  expect(all[2]).toMatchObject({ amount: 20, reversedOn: expect.stringMatching(/^\d{4}-/) as string });

  const ids = async (query: string) => (await list('receivables', query)).map(({ id }) => id);
  const idOf = (index: number) => all[index]?.['id'];
  expect(await ids(`?documentId=${first}`)).toEqual([idOf(0), idOf(3)]);
  expect(await ids(`?documentId=${first},${third}&sortBy=id&sortDir=asc`)).toEqual([idOf(3), idOf(1), idOf(0)]);
  expect(await ids(`?paymentId=1`)).toEqual([idOf(2), idOf(3)]);
  expect(await ids(`?creditNoteId=${note}`)).toEqual([idOf(0)]);
  expect(await ids(`?documentId=${first}&paymentId=1`)).toEqual([idOf(3)]);
  expect(await ids(`?customerId=${other}`)).toEqual([idOf(1)]);
  expect(await ids('?dateFrom=2026-03-04&dateTo=2026-03-04')).toEqual([idOf(1)]);
  expect(await ids('?documentId=999999')).toEqual([]);
  expect(await list('payables')).toEqual([]);
  expect((await client.get('/api/receivables/allocations?vendorId=1')).status).toBe(400);
});

test('allocations of vendors name bills, receipts, payments and credit notes; another company sees none', async () => {
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const lines = [{ description: 'Paper', quantity: 1, unitCost: 10 }];
  const fields = { vendorId, date: '2026-03-02', lines };
  const bill = getCreatedId(await client.post('/api/payables', { ...fields, number: 'B-1' }));
  const credited = await client.post('/api/payables/credit-notes', {
    ...fields,
    lines: [{ description: 'Paper', quantity: 1, unitCost: 4 }],
    number: 'C-1',
    payableId: bill,
  });
  const note = getCreatedId(credited);
  const { open } = getData(await client.get(`/api/payables/${bill}`));
  const payment = { vendorId, date: '2026-03-04', amount: open, allocations: [{ documentId: bill, amount: open }] };
  const paid = getCreatedId(await client.post('/api/payables/payments', payment));
  const rows = await list('payables', `?documentId=${bill}&sortDir=asc`);
  expect(rows.map(({ paymentId, creditNoteId, settled }) => [paymentId, creditNoteId, settled])).toEqual([
    [null, note, rows[0]?.['settled']],
    [paid, null, open],
  ]);
  expect(rows.map(({ documentNumber, creditNoteNumber }) => [documentNumber, creditNoteNumber])).toEqual([
    ['B-1', 'C-1'],
    ['B-1', null],
  ]);
  expect(await list('payables', `?vendorId=${vendorId}`)).toHaveLength(2);
  const foreign = await createBusinessClient('Other allocations');
  expect((await foreign.get(`/api/payables/allocations?documentId=${bill}`)).body).toMatchObject({ totalCount: 0 });
});
