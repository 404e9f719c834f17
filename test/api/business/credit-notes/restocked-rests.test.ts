import { findChildren, findElement, findText, parseXml } from '../../../../lib/xml-tree';
import type { XmlElement } from '../../../../lib/xml-tree';
import { StockLedger } from '../../../../models/business/stock/stock';
import { addCustomer, addProduct, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

/** Credit notes for the rest of an invoice whose price was reduced before, and whose goods come back. */

const XML_LIMITS = { maxDepth: 20, maxNodes: 10_000, maxAttributes: 20 };
let client: BusinessClient;
let customerId: number;
let standard: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Reduced & returned');
  const address = { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', country: 'DE' };
  const company = { taxId: 'DE123456789', email: 'billing@example.com', address, eInvoicing: 'on' };
  expect((await client.put('/api/config/company', company)).status).toBe(200);
  const rate = { name: 'USt 19', category: 'S', percent: 19 };
  standard = getCreatedId(await client.post('/api/config/tax-rates', rate));
  customerId = await addCustomer(client, { language: 'de', address });
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

/** Sells 10 units at 10.00 that cost 6.00. */
async function sell(line: object = {}): Promise<{ invoiceId: number; productId: number }> {
  const productId = await addProduct(client, { initialStock: { quantity: 10, unitCost: 6 } });
  const lines = [{ productId, quantity: 10, unitPrice: 10, taxRateId: standard, ...line }];
  const deliveryDate = new Date().toISOString().slice(0, 10);
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines, deliveryDate }));
  return { invoiceId, productId };
}

const credit = (invoiceId: number, fields: object) =>
  client.post('/api/credit-notes', { invoiceId, reason: 'Returned', ...fields });

/** Quantity and value of each return to stock. */
const readReturns = async (productId: number): Promise<string[][]> => {
  const { organisationId } = client.tenant;
  const rows = await StockLedger.find({ organisationId, productId, kind: 'restock' }).sort({ _id: 1 }).lean();
  return rows.map(({ quantity, value }) => [quantity.toString(), value.toString()]);
};

const readLine = async (id: unknown): Promise<XmlElement | undefined> => {
  const { bytes } = await client.get(`/api/credit-notes/${String(id)}/pdf?format=ubl`);
  return findElement(parseXml(bytes.toString('utf8'), XML_LIMITS), 'CreditNoteLine');
};

test('all units return to stock at their cost, credited at what is left of their price', async () => {
  const { invoiceId, productId } = await sell();
  expect((await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 5 }], restock: true })).status).toBe(201);
  expect(await readReturns(productId)).toEqual([]);
  const rest = await credit(invoiceId, { restock: true });
  expect([rest.status, getData(rest)['total'], getData(rest)['taxTotal']]).toEqual([201, 95, 18.05]);
  expect(getData(rest)['lines']).toMatchObject([
    {
      quantity: 10,
      unitPrice: 10,
      net: 95,
      adjustments: [{ type: 'discount', reason: 'Bereits gutgeschrieben', amount: 5 }],
    },
  ]);
  expect(await readReturns(productId)).toEqual([['10', '60']]);
  const line = await readLine(getData(rest)['id']);
  // 10 × 10.00 − 5.00, as the standard computes the net amount of a line.
  expect(findText(line, 'CreditedQuantity')).toBe('10');
  expect(findText(findElement(line, 'Price'), 'PriceAmount')).toBe('10');
  expect(findChildren(line, 'AllowanceCharge').map((each) => findText(each, 'Amount'))).toEqual(['5.00']);
  expect(findText(line, 'LineExtensionAmount')).toBe('95.00');
  const again = await credit(invoiceId, { restock: true });
  expect([again.status, again.body['code']]).toEqual([409, 'credit_exceeds_invoice']);
});

test('units that were credited before are not returned again, and discounts of the line keep their part', async () => {
  const { invoiceId, productId } = await sell({ discountPercent: 10 });
  const part = await credit(invoiceId, { lines: [{ invoiceLineId: 1, quantity: 4 }], restock: true });
  expect([part.status, getData(part)['total']]).toEqual([201, 36]);
  expect((await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 4 }] })).status).toBe(201);
  const rest = await credit(invoiceId, { restock: true });
  expect([rest.status, getData(rest)['total']]).toEqual([201, 50]);
  expect(getData(rest)['lines']).toMatchObject([{ quantity: 6, discountPercent: 10, discount: 6 }]);
  expect(await readReturns(productId)).toEqual([
    ['4', '24'],
    ['6', '36'],
  ]);
});

test('prices that include tax are reduced in the same way', async () => {
  const { invoiceId, productId } = await sell({ unitPrice: 11.9, priceIncludesTax: true });
  expect((await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 11.9 }] })).status).toBe(201);
  const rest = await credit(invoiceId, { restock: true });
  expect([rest.status, getData(rest)['total'], getData(rest)['taxTotal']]).toEqual([201, 90, 17.1]);
  expect(await readReturns(productId)).toEqual([['10', '60']]);
  const line = await readLine(getData(rest)['id']);
  expect([findText(line, 'CreditedQuantity'), findText(line, 'LineExtensionAmount')]).toEqual(['10', '90.00']);
});

test('goods whose price was credited completely return with the rest of the invoice', async () => {
  const first = await addProduct(client, { initialStock: { quantity: 1, unitCost: 6 } });
  const second = await addProduct(client, { initialStock: { quantity: 1, unitCost: 7 } });
  const lines = [first, second].map((productId) => ({ productId, quantity: 1, unitPrice: 10, taxRateId: standard }));
  const deliveryDate = new Date().toISOString().slice(0, 10);
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines, deliveryDate }));
  expect((await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 10 }] })).status).toBe(201);
  const rest = await credit(invoiceId, { restock: true });
  expect([rest.status, getData(rest)['total']]).toEqual([201, 10]);
  expect(await readReturns(first)).toEqual([['1', '6']]);
  expect(await readReturns(second)).toEqual([['1', '7']]);
});

test('without a return the rest is credited as an amount', async () => {
  const { invoiceId, productId } = await sell();
  await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 5 }] });
  const rest = await credit(invoiceId, {});
  expect(getData(rest)['lines']).toMatchObject([{ quantity: 1, unitPrice: 95, net: 95 }]);
  expect(await readReturns(productId)).toEqual([]);
});
