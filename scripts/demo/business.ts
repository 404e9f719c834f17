import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, readObject, readText } from './client';
import type { Report } from './report';

export interface BusinessDemo {
  api: string;
  admin: { email: string; password: string };
  report: Report;
  /** Folder in which the PDF is saved. */
  folder: string;
}

const LINES = [
  { code: 'CONSULT', name: 'Integration workshop, one day', type: 'service', price: 1250, quantity: 2 },
  { code: 'SCANNER', name: 'Document scanner, USB', type: 'goods', price: 189.9, quantity: 3 },
] as const;

const STOCK = { quantity: 1000, unitCost: 120 };

/** Buys more of a product that earlier invoices have sold. */
async function ensureStock(client: Client, productId: number, stock: number, needed: number): Promise<void> {
  if (stock >= needed) return;
  const warehouses = (await client.json('GET', '/api/inventory/warehouses'))['data'] as {
    id: number;
    isDefault: boolean;
  }[];
  await client.json('POST', '/api/inventory/adjustments', {
    warehouseId: warehouses.find(({ isDefault }) => isDefault)?.id,
    reason: 'Demonstration',
    lines: [{ productId, quantityDelta: STOCK.quantity, unitCost: STOCK.unitCost }],
  });
}

/** Finds the product with this code, with enough stock, or creates it. */
async function ensureProduct(client: Client, line: (typeof LINES)[number]): Promise<number> {
  const found = (await client.json('GET', `/api/products?search=${line.code}`))['data'];
  const [existing] = Array.isArray(found)
    ? (found as { id: number; code: string; stock: number }[]).filter(({ code }) => code === line.code)
    : [];
  if (existing !== undefined) {
    if (line.type === 'goods') await ensureStock(client, existing.id, existing.stock, line.quantity);
    return existing.id;
  }
  const stock = line.type === 'goods' ? { initialStock: STOCK } : {};
  const created = await client.json('POST', '/api/products', {
    code: line.code,
    name: line.name,
    type: line.type,
    price: line.price,
    ...stock,
  });
  return Number(readText(readObject(created, 'data'), 'id'));
}

async function createCustomer(client: Client): Promise<number> {
  const created = await client.json('POST', '/api/customers', {
    name: 'Bergmann & Söhne GmbH',
    email: 'rechnung@bergmann.example',
    address: { line1: 'Hauptstraße 12', city: 'Köln', postalCode: '50667', country: 'DE' },
  });
  return Number(readText(readObject(created, 'data'), 'id'));
}

/** Signs in as an ERP user, issues an invoice and saves its PDF. */
export async function issueInvoice({ api, admin, report, folder }: BusinessDemo): Promise<void> {
  const client = await report.step('business: sign-in', async () => {
    const data = readObject(await new Client(api, {}).json('POST', '/api/auth/login', { ...admin }), 'data');
    return {
      result: new Client(api, { authorization: `Bearer ${readText(data, 'token')}` }),
      outcome: `signed in as ${admin.email}`,
      look: `${api}/docs`,
    };
  });
  const invoice = await report.step('business: invoice', async () => {
    const customerId = await createCustomer(client);
    const lines: { productId: number; quantity: number; unitPrice: number }[] = [];
    for (const line of LINES) {
      lines.push({ productId: await ensureProduct(client, line), quantity: line.quantity, unitPrice: line.price });
    }
    const data = readObject(
      await client.json('POST', '/api/invoices', {
        customerId,
        paymentTerms: 'NET30',
        currencyCode: 'EUR',
        lines,
        notes: 'Thank you for your order.',
      }),
      'data',
    );
    return {
      result: data,
      outcome: `${readText(data, 'number')} issued, ${readText(data, 'grandTotal')} EUR`,
      look: `GET ${api}/api/invoices/${readText(data, 'id')}`,
    };
  });
  await report.step('business: PDF', async () => {
    const bytes = await client.bytes(`/api/invoices/${readText(invoice, 'id')}/pdf`);
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${readText(invoice, 'number').replaceAll('/', '-')}.pdf`);
    await writeFile(file, bytes);
    return { result: file, outcome: `rendered, ${bytes.length} bytes`, look: path.relative(process.cwd(), file) };
  });
}
