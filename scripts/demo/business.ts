import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, part, text } from './client';
import type { Report } from './report';

export interface BusinessDemo {
  api: string;
  admin: { email: string; password: string };
  report: Report;
  /** Where the PDF is saved. */
  folder: string;
}

const LINES = [
  { code: 'CONSULT', name: 'Integration workshop, one day', type: 'service', price: 1250, quantity: 2 },
  { code: 'SCANNER', name: 'Document scanner, USB', type: 'goods', price: 189.9, quantity: 3 },
] as const;

/** The product with this code: found, or made. */
async function ensureProduct(client: Client, line: (typeof LINES)[number]): Promise<number> {
  const found = (await client.json('GET', `/api/products?search=${line.code}`))['data'];
  const [existing] = Array.isArray(found)
    ? (found as { id: number; code: string }[]).filter(({ code }) => code === line.code)
    : [];
  if (existing !== undefined) return existing.id;
  const stock = line.type === 'goods' ? { initialStock: { quantity: 1000, unitCost: 120 } } : {};
  const made = await client.json('POST', '/api/products', {
    code: line.code,
    name: line.name,
    type: line.type,
    price: line.price,
    ...stock,
  });
  return Number(text(part(made, 'data'), 'id'));
}

async function customer(client: Client): Promise<number> {
  const made = await client.json('POST', '/api/customers', {
    name: 'Bergmann & Söhne GmbH',
    email: 'rechnung@bergmann.example',
    address: { line1: 'Hauptstraße 12', city: 'Köln', postalCode: '50667', country: 'DE' },
  });
  return Number(text(part(made, 'data'), 'id'));
}

/** Signs in as an ERP user, issues an invoice and saves its PDF. */
export async function issueInvoice({ api, admin, report, folder }: BusinessDemo): Promise<void> {
  const client = await report.step('business: sign-in', async () => {
    const data = part(await new Client(api, {}).json('POST', '/api/auth/login', { ...admin }), 'data');
    return {
      result: new Client(api, { authorization: `Bearer ${text(data, 'token')}` }),
      outcome: `signed in as ${admin.email}`,
      look: `${api}/docs`,
    };
  });
  const invoice = await report.step('business: invoice', async () => {
    const customerId = await customer(client);
    const lines: { productId: number; quantity: number; unitPrice: number }[] = [];
    for (const line of LINES) {
      lines.push({ productId: await ensureProduct(client, line), quantity: line.quantity, unitPrice: line.price });
    }
    const data = part(
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
      outcome: `${text(data, 'number')} issued, ${text(data, 'grandTotal')} EUR`,
      look: `GET ${api}/api/invoices/${text(data, 'id')}`,
    };
  });
  await report.step('business: PDF', async () => {
    const bytes = await client.bytes(`/api/invoices/${text(invoice, 'id')}/pdf`);
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${text(invoice, 'number').replaceAll('/', '-')}.pdf`);
    await writeFile(file, bytes);
    return { result: file, outcome: `rendered, ${bytes.length} bytes`, look: path.relative(process.cwd(), file) };
  });
}
