import { createAndDownloadExport } from './exports';
import { addCustomer, addProduct, addService, getCreatedId } from './client';
import type { BusinessClient } from './client';

export type Row = Record<string, unknown>;

/** Names that would run as formulas, break a line of CSV, or a cell of XML. */
export const HOSTILE_NAMES = [
  '=HYPERLINK("https://evil.example","click")',
  '+1 800 FORMULA',
  '-2+3',
  '@SUM(A1)',
  '＝1+1',
  '＠SUM(A1)',
  'Quote " and, comma',
  'Ünïcode 客户 <&> _x0041_',
];

/**
 * Creates at least one record of every kind that can be exported: goods and a service, a customer for each of
 * `HOSTILE_NAMES`, four invoices of two lines, the last of which is void, and an opportunity.
 * @returns ids of the invoices
 */
export async function createExportedRecords(client: BusinessClient): Promise<number[]> {
  const invoiceIds: number[] = [];
  const goods = await addProduct(client, {
    name: '=cmd()',
    price: 12.5,
    initialStock: { quantity: 50, unitCost: 3.21 },
  });
  const service = await addService(client, { price: 0.000001 });
  const customers: number[] = [];
  for (const name of HOSTILE_NAMES) customers.push(await addCustomer(client, { name, phone: '+353 1 000' }));
  for (const customerId of customers.slice(0, 4)) {
    const lines = [
      { productId: goods, quantity: 2 },
      { productId: service, quantity: 3, unitPrice: 19.999999, discountPercent: 10 },
    ];
    invoiceIds.push(getCreatedId(await client.post('/api/invoices', { customerId, lines, notes: 'x' })));
  }
  await client.post(`/api/invoices/${invoiceIds[3]}/void`, { reason: 'Made in error' });
  await client.post('/api/credit-notes', { invoiceId: invoiceIds[2], reason: '=refund()' });
  const paid = { customerId: customers[0], amount: 20, currencyCode: 'EUR' };
  expect((await client.post('/api/receivables/payments', paid)).status).toBe(201);
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: '@vendor' }));
  const order = { vendorId, lines: [{ productId: goods, quantity: 4, unitCost: 2.5 }] };
  const orderId = getCreatedId(await client.post('/api/purchase-orders', order));
  const received = { lines: [{ lineId: 1, quantity: 3 }] };
  expect((await client.post(`/api/purchase-orders/${orderId}/receive`, received)).status).toBe(201);
  expect((await client.post('/api/payables/payments', { vendorId, amount: 1 })).status).toBe(201);
  expect((await client.post('/api/crm/leads', { name: '-lead', companyName: 'A "B"' })).status).toBe(201);
  expect((await client.post('/api/crm/opportunities', { name: 'Deal', amount: 99.5 })).status).toBe(201);
  return invoiceIds;
}

/** The rows of an export as JSON. */
export const exportJson = async (client: BusinessClient, input: object): Promise<Row[]> => {
  const { file } = await createAndDownloadExport(client, { format: 'json', ...input });
  return file.body as unknown as Row[];
};
