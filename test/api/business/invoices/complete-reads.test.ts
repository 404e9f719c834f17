import { addCustomer, addService, createBusinessClient, getCreatedId, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

/** Five invoices of 10.00, and a way to pay one. */
async function issueInvoices(): Promise<{ client: BusinessClient; ids: number[]; pay: (id: number) => Promise<void> }> {
  const client = await createBusinessClient();
  const [customerId, productId] = [await addCustomer(client), await addService(client)];
  const lines = [{ productId, quantity: 1, unitPrice: 10 }];
  const ids: number[] = [];
  for (let count = 0; count < 5; count += 1)
    ids.push(getCreatedId(await client.post('/api/invoices', { customerId, lines })));
  const pay = async (documentId: number): Promise<void> => {
    const payment = { customerId, amount: 10, allocations: [{ documentId, amount: 10 }] };
    expect((await client.post('/api/receivables/payments', payment)).status).toBe(201);
  };
  return { client, ids, pay };
}

/** Reads pages of two, and calls `between` after the first. */
async function readPages(client: BusinessClient, query: string, between: () => Promise<void>): Promise<number[]> {
  const read: number[] = [];
  for (let page = 1; ; page += 1) {
    const rows = getRows(await client.get(`/api/invoices?${query}&page=${page}&pageSize=2`));
    read.push(...rows.map(({ id }) => Number(id)));
    if (rows.length < 2) return read;
    if (page === 1) await between();
  }
}

test('pages in the order of ids, without a filter that records leave, skip no record that changes meanwhile', async () => {
  const { client, ids, pay } = await issueInvoices();
  expect(await readPages(client, 'sortBy=id', () => pay(ids[0] ?? 0))).toEqual(ids);
  const all = 'sortBy=id&status=issued,partially_paid,paid,credited,void';
  expect(await readPages(client, all, () => pay(ids[1] ?? 0))).toEqual(ids);
});

test('page 1 of a filter is empty once everything that it finds has been worked off', async () => {
  const { client, ids, pay } = await issueInvoices();
  const worked: number[] = [];
  for (;;) {
    const rows = getRows(await client.get('/api/invoices?status=issued&sortBy=id&pageSize=2'));
    if (rows.length === 0) break;
    for (const { id } of rows) {
      worked.push(Number(id));
      await pay(Number(id));
    }
  }
  expect(worked).toEqual(ids);
});
