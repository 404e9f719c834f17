import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

const DOCUMENTS = { receivables: 'invoices', payables: 'payables' } as const;

/** Pays all that is open of a document. @returns the number of the allocation */
async function pay(client: BusinessClient, side: 'receivables' | 'payables', party: object, documentId: number) {
  const { open: amount } = getData(await client.get(`/api/${DOCUMENTS[side]}/${documentId}`));
  const payment = { ...party, amount, allocations: [{ documentId, amount }] };
  const { allocations } = getData(await client.post(`/api/${side}/payments`, payment));
  return (allocations as { id: number }[])[0]?.id;
}

test('a credit note of an invoice without an open amount takes no allocation number', async () => {
  const client = await createBusinessClient();
  const [customerId, productId] = [await addCustomer(client), await addService(client)];
  const issue = async (): Promise<number> =>
    getCreatedId(
      await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, unitPrice: 10 }] }),
    );
  const [first, second, third] = [await issue(), await issue(), await issue()];
  expect(await pay(client, 'receivables', { customerId }, first)).toBe(1);
  expect((await client.post('/api/credit-notes', { invoiceId: first, reason: 'Returned' })).status).toBe(201);
  expect(await pay(client, 'receivables', { customerId }, second)).toBe(2);
  // One that lowers what is open has the next number.
  expect((await client.post('/api/credit-notes', { invoiceId: third, reason: 'Returned' })).status).toBe(201);
  expect(await pay(client, 'receivables', { customerId }, await issue())).toBe(4);
});

test('a bill, and a credit note of a vendor that is applied to nothing, take no allocation number', async () => {
  const client = await createBusinessClient();
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const lines = [{ description: 'Paper', quantity: 1, unitCost: 10 }];
  const record = async (path: string, number: string, fields: object = {}): Promise<number> =>
    getCreatedId(await client.post(path, { vendorId, number, date: '2026-01-15', lines, ...fields }));
  const bills = [await record('/api/payables', 'B-1'), await record('/api/payables', 'B-2')];
  expect(await pay(client, 'payables', { vendorId }, bills[0] ?? 0)).toBe(1);
  await record('/api/payables/credit-notes', 'C-1');
  await record('/api/payables/credit-notes', 'C-2', { payableId: bills[0] });
  expect(await pay(client, 'payables', { vendorId }, bills[1] ?? 0)).toBe(2);
});
