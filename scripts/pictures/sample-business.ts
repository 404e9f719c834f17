import { DAY_MS } from '../../domain/durations';
import { Client, readObject, readText } from '../demo/client';
import type { Json } from '../demo/client';
import type { RunningService } from '../demo/running-service';

const formatDay = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

const SERIES = { documentType: 'invoice', prefix: 'SMP' };
const CUSTOMERS = ['Nordlicht AG', 'Ferreira & Filhos', 'Maison Dubois', 'Lindqvist AB'];
/** Days since each invoice was issued, the oldest first. */
const INVOICE_AGES = [140, 121, 98, 85, 77, 62, 48, 41, 33, 21, 12, 6, 2];
/** Finds the product of all samples. */
const PRODUCT = '/api/products?search=CABLE-05';
const OPPORTUNITIES = [
  { name: 'Network of the new office', amount: 18_400, stage: 'prospecting' },
  { name: 'Cabling of the warehouse', amount: 7_250, stage: 'qualified' },
  { name: 'Label printers', amount: 2_980, stage: 'proposal' },
  { name: 'Maintenance contract', amount: 12_000, stage: 'negotiation' },
];

/** Creates records through the API, as an administrator. */
class Records {
  private constructor(readonly client: Client) {}

  static async open({ api, admin }: RunningService): Promise<Records> {
    const data = readObject(await new Client(api, {}).json('POST', '/api/auth/login', { ...admin }), 'data');
    return new Records(new Client(api, { authorization: `Bearer ${readText(data, 'token')}` }));
  }

  async create(path: string, body?: Json): Promise<Json> {
    return readObject(await this.client.json('POST', path, body), 'data');
  }

  async createId(path: string, body: Json): Promise<number> {
    return Number(readText(await this.create(path, body), 'id'));
  }

  /** The id of the first record of a list. */
  async findId(path: string): Promise<number> {
    const [record] = (await this.client.json('GET', path))['data'] as { id: number }[];
    if (record === undefined) throw new Error(`${path} is empty.`);
    return record.id;
  }

  async isEmpty(path: string): Promise<boolean> {
    return Number((await this.client.json('GET', path))['totalCount']) === 0;
  }
}

/** Customers with invoices of different age, and products below their reorder level. */
async function addInvoices(records: Records): Promise<void> {
  const productId = await records.createId('/api/products', {
    code: 'CABLE-05',
    name: 'Network cable, 5 m',
    price: 12.5,
    reorderLevel: 60,
    initialStock: { quantity: 200, unitCost: 4 },
  });
  await records.createId('/api/products', { code: 'LABEL-01', name: 'Label rolls', price: 8, reorderLevel: 20 });
  // Numbers of a series follow the dates of its documents, which begin before those of the demonstration.
  const seriesId = await records.createId('/api/config/document-series', SERIES);
  const customers: number[] = [];
  for (const [index, name] of CUSTOMERS.entries()) {
    const address = { line1: `Market Square ${index + 1}`, city: 'Cork', postalCode: 'T12 A001', country: 'IE' };
    customers.push(await records.createId('/api/customers', { name, address }));
  }
  for (const age of INVOICE_AGES) {
    const customerId = customers[age % customers.length];
    const lines = [{ productId, quantity: 12, unitPrice: 12.5 + age }];
    await records.createId('/api/invoices', { customerId, seriesId, issueDate: formatDay(age), lines });
  }
}

interface SampleInvoice {
  id: number;
  number: string;
  customerId: number;
  grandTotal: number;
}

/** Payments, a credit note, an order and an entry of a bank statement for customers of the invoices. */
async function addSales(records: Records): Promise<void> {
  const { data } = await records.client.json('GET', '/api/invoices?search=SMP&sortBy=issueDate&sortDir=asc');
  const [paid, credited, transferred] = data as SampleInvoice[];
  if (paid === undefined || credited === undefined || transferred === undefined)
    throw new Error('The sample invoices are missing.');
  const allocations = [{ documentId: paid.id, amount: paid.grandTotal }];
  const { customerId, grandTotal: amount } = paid;
  await records.create('/api/receivables/payments', { customerId, amount, method: 'bank_transfer', allocations });
  const returned = [{ invoiceLineId: 1, quantity: 2 }];
  await records.create('/api/credit-notes', { invoiceId: credited.id, reason: 'Damaged in transit', lines: returned });
  const lines = [{ productId: await records.findId(PRODUCT), quantity: 4 }];
  const orderId = await records.createId('/api/sales-orders', { customerId, lines });
  await records.create(`/api/sales-orders/${orderId}/confirm`);
  await records.createId('/api/sales-orders', { customerId: credited.customerId, lines });
  await importStatement(records.client, transferred);
}

/** A statement in CSV with the transfer of a customer. */
async function importStatement(client: Client, { number, grandTotal }: SampleInvoice): Promise<void> {
  const mapping = { bookingDate: 'date', amount: 'amount', counterpartyName: 'name', remittance: 'text' };
  const rows = `date,amount,name,text\n${formatDay(1)},${grandTotal},Maison Dubois,${number}\n`;
  const fields = { format: 'csv', account: 'DE89370400440532013000', mapping: JSON.stringify(mapping) };
  await client.upload('/api/bank-statements', fields, { file: { body: Buffer.from(rows), name: 'statement.csv' } });
}

/** A vendor with an order of which a part was received, billed, paid and returned. */
async function addPurchases(records: Records): Promise<void> {
  const vendorId = await records.createId('/api/vendors', {
    name: 'Kabelwerk Nord GmbH',
    email: 'orders@kabelwerk.example',
    address: { line1: 'Hafenstraße 3', city: 'Hamburg', postalCode: '20457', country: 'DE' },
  });
  const line = { productId: await records.findId(PRODUCT), unitCost: 4 };
  const orderId = await records.createId('/api/purchase-orders', { vendorId, lines: [{ ...line, quantity: 120 }] });
  const receiving = { lines: [{ lineId: 1, quantity: 40 }] };
  const received = await records.create(`/api/purchase-orders/${orderId}/receive`, receiving);
  const receiptId = Number(readText(readObject(received, 'receipt'), 'id'));
  const billed = { vendorId, number: 'KN-7731', date: formatDay(5), receiptIds: [receiptId] };
  const billId = await records.createId('/api/payables', { ...billed, lines: [{ ...line, quantity: 40 }] });
  const allocations = [{ documentId: billId, amount: 50 }];
  await records.create('/api/payables/payments', { vendorId, amount: 50, method: 'bank_transfer', allocations });
  const returned = { receiptId, reason: 'Wrong length', lines: [{ lineId: 1, quantity: 5 }] };
  await records.create('/api/vendor-returns', returned);
}

/** Documents that can still be changed. */
async function addDrafts(records: Records): Promise<void> {
  const productId = await records.findId(PRODUCT);
  const customerId = await records.findId('/api/customers');
  await records.createId('/api/invoices', { customerId, draft: true, lines: [{ productId, quantity: 10 }] });
  const vendorId = await records.findId('/api/vendors');
  const lines = [{ productId, quantity: 300, unitCost: 3.9 }];
  await records.createId('/api/purchase-orders', { vendorId, draft: true, lines });
}

async function addOpportunities(records: Records): Promise<void> {
  for (const { stage, ...opportunity } of OPPORTUNITIES) {
    const id = await records.createId('/api/crm/opportunities', opportunity);
    if (stage !== 'prospecting') await records.client.json('PUT', `/api/crm/opportunities/${id}/stage`, { stage });
  }
  await records.create('/api/crm/leads', { name: 'Ada Keller', companyName: 'Keller Optik', status: 'contacted' });
}

/** The list that is empty before records of a kind are added, and what adds them. */
const SAMPLES: readonly [list: string, add: (records: Records) => Promise<unknown>][] = [
  ['/api/invoices?search=SMP', addInvoices],
  ['/api/sales-orders', addSales],
  ['/api/vendors', addPurchases],
  ['/api/invoices?status=draft', addDrafts],
  ['/api/crm/opportunities', addOpportunities],
  ['/api/exports', (records) => records.create('/api/exports', { resource: 'invoices', format: 'csv' })],
];

/** Lists, and the page of a record of each to which no link of the console leads at once. */
const RECORDS = [
  ['/api/receivables/payments', '/receivables/payments/:id'],
  ['/api/payables/payments', '/payables/payments/:id'],
  ['/api/invoices?status=draft', '/invoices/:id/edit'],
  ['/api/purchase-orders?status=draft', '/purchase-orders/:id/edit'],
] as const;

/**
 * Adds records of every kind that the console shows, once for each installation.
 * @returns addresses of the console to which no link leads without further input
 */
export async function addSampleBusiness(run: RunningService): Promise<string[]> {
  const records = await Records.open(run);
  for (const [list, add] of SAMPLES) if (await records.isEmpty(list)) await add(records);
  const addresses: string[] = [];
  for (const [list, address] of RECORDS) {
    addresses.push(`/console${address.replace(':id', String(await records.findId(list)))}`);
  }
  return addresses;
}
