import { readSheet } from 'read-excel-file/node';
import { EXPORT_RESOURCES } from '../../../../domain/business/exports/exports';
import type { ExportResource } from '../../../../domain/business/exports/exports';
import { parseCsvRows, createAndDownloadExport } from '../../../support/business/exports';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createExportedRecords, exportJson } from '../../../support/business/export-records';
import type { Row } from '../../../support/business/export-records';

/**
 * The list that shows what an export takes out; null: there is no such list.
 * Covers operations: listInvoices, listCreditNotes, listPurchaseOrders, listReceivables, listPayables
 */
const LISTS: Readonly<Record<ExportResource, string | null>> = {
  invoices: '/api/invoices?sortBy=id',
  'invoice-lines': null,
  'credit-notes': '/api/credit-notes?sortBy=id',
  customers: '/api/customers?sortBy=id',
  vendors: '/api/vendors?sortBy=id',
  products: '/api/products?sortBy=id',
  stock: '/api/inventory/stock?sortBy=productId',
  'stock-ledger': null,
  'stock-valuation': '/api/inventory/valuation?',
  receivables: '/api/receivables?sortBy=id',
  'receivable-payments': '/api/receivables/payments?sortBy=id',
  'receivable-entries': null,
  payables: '/api/payables?sortBy=id',
  'payable-payments': '/api/payables/payments?sortBy=id',
  'payable-entries': null,
  'purchase-orders': '/api/purchase-orders?sortBy=id',
  journal: null,
  leads: '/api/crm/leads?sortBy=id',
  opportunities: '/api/crm/opportunities?sortBy=id',
};

let client: BusinessClient;
let invoiceIds: number[];

beforeAll(async () => {
  client = await createBusinessClient('Exports');
  invoiceIds = await createExportedRecords(client);
  invoiceIds.push(await refundCredits());
});
afterAll(closeTestPlatform);

/** Refunds a part of a payment and of the credit note of an invoice with two lines. @returns the id of the invoice */
async function refundCredits(): Promise<number> {
  const customerId = await addCustomer(client, { name: 'Refunded' });
  const create = async (path: string, body: object) => {
    const response = await client.post(path, body);
    expect(response.status).toBe(201);
    return getCreatedId(response);
  };
  const lines = ['Work', 'Travel'].map((description) => ({ description, quantity: 1, unitPrice: 10 }));
  const invoiceId = await create('/api/invoices', { customerId, lines });
  const paymentId = await create('/api/receivables/payments', { customerId, amount: 100 });
  const creditNoteId = await create('/api/credit-notes', { invoiceId, reason: 'Returned' });
  await create('/api/receivables/refunds', { paymentId, amount: 3 });
  await create('/api/receivables/refunds', { creditNoteId, amount: 4 });
  return invoiceId;
}

async function listAllRows(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const response = await client.get(`${path}&page=${page}&pageSize=100`);
    rows.push(...getRows(response));
    if (rows.length >= Number(response.body['totalCount'])) return rows;
  }
}

/** What a list nests, named as an export names it. */
const flattenRow = (row: Row): Row => {
  const { address, base, taxIdVerification, refundOf, ...rest } = row as {
    address?: Record<string, unknown>;
    base?: Record<string, unknown>;
    taxIdVerification?: Record<string, unknown> | null;
    refundOf?: Record<string, unknown> | null;
  } & Row;
  const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
  const nested = (prefix: string, part: Record<string, unknown> | undefined): Row =>
    Object.fromEntries(
      Object.entries(part ?? {})
        .filter(([name]) => name !== 'currencyCode')
        .map(([name, value]) => [`${prefix}${capital(name)}`, value]),
    );
  const { status = null, checkedAt = null, consultationNumber = null } = taxIdVerification ?? {};
  const verification = taxIdVerification === undefined ? {} : { status, checkedAt, consultationNumber };
  const { paymentId = null, creditNoteId = null, creditNoteNumber = null } = refundOf ?? {};
  const credit = refundOf === undefined ? {} : { paymentId, creditNoteId, creditNoteNumber };
  return {
    ...rest,
    ...nested('refundOf', credit),
    ...nested('address', address),
    ...nested('base', base),
    ...nested('taxIdVerification', verification),
  };
};

const pickColumns = (row: Row, names: string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]));
const sortById = (rows: Row[]): Row[] =>
  [...rows].sort((a, b) => JSON.stringify(a['id'] ?? a).localeCompare(JSON.stringify(b['id'] ?? b)));

/** A value as a sheet shows it: days and instants by the second of the company's clock, ECMA-376 escapes undone. */
function toSheetValue(value: unknown): unknown {
  const second = (ms: number): string => new Date(Math.round(ms / 1000) * 1000).toISOString().slice(0, 19);
  if (value instanceof Date) return second(value.getTime());
  if (typeof value !== 'string') return value ?? null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return `${value}T00:00:00`;
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return second(Date.parse(`${value.slice(0, 23)}Z`));
  return value.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

describe('contents of an export', () => {
  test.each(EXPORT_RESOURCES.filter((name) => LISTS[name] !== null))('%s: the rows of its list', async (resource) => {
    const expected = (await listAllRows(LISTS[resource] ?? '')).map(flattenRow);
    const rows = await exportJson(client, { resource });
    expect(expected.length).toBeGreaterThan(0);
    const names = Object.keys(expected[0] ?? {});
    expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(names));
    expect(sortById(rows.map((row) => pickColumns(row, names)))).toEqual(
      sortById(expected.map((row) => pickColumns(row, names))),
    );
  });

  test('invoice-lines: every line of every invoice, with its invoice', async () => {
    const rows = await exportJson(client, { resource: 'invoice-lines' });
    expect(rows).toHaveLength(invoiceIds.length * 2);
    for (const id of invoiceIds) {
      const invoice = getData(await client.get(`/api/invoices/${id}`));
      const lines = rows.filter((row) => row['invoiceId'] === id);
      expect(lines.map((row) => [row['invoiceNumber'], row['status']])).toEqual(
        lines.map(() => [invoice['number'], invoice['status']]),
      );
      const names = ['lineId', 'productId', 'productCode', 'description', 'quantity', 'unitPrice', 'net', 'tax'];
      expect(lines.map((row) => pickColumns(row, names))).toEqual(
        (invoice['lines'] as Row[]).map((line) => pickColumns(line, names)),
      );
    }
  });

  test('ledgers: their sums are the balances', async () => {
    const sum = (rows: Row[], name: string): number => rows.reduce((total, row) => total + Number(row[name]), 0);
    const stock = await listAllRows('/api/inventory/stock?sortBy=productId');
    expect(sum(await exportJson(client, { resource: 'stock-ledger' }), 'quantity')).toBe(sum(stock, 'onHand'));
    const aging = getData(await client.get('/api/receivables/aging'));
    const entries = await exportJson(client, { resource: 'receivable-entries' });
    expect(sum(entries, 'amountBase')).toBeCloseTo(Number((aging['total'] as Row)['net']), 6);
    expect((await exportJson(client, { resource: 'payable-entries' })).length).toBeGreaterThan(1);
  });

  test.each([
    ['receivable', 'customer'],
    ['payable', 'vendor'],
  ])('entries of the %s side name their document and %s', async (side, party) => {
    const entries = await exportJson(client, { resource: `${side}-entries` });
    const items = await exportJson(client, { resource: `${side}s`, filters: { state: 'all' } });
    const names = ['documentType', 'number', `${party}Id`, `${party}Name`, 'currencyCode'];
    const documents = new Map(items.map((item) => [`${String(item['documentType'])}.${String(item['id'])}`, item]));
    const own = entries.filter(({ documentType }) => documentType !== 'payment' && documentType !== 'credit_note');
    expect(own.length).toBeGreaterThan(0);
    for (const { documentNumber: number, ...entry } of own) {
      const item = documents.get(`${String(entry['documentType'])}.${String(entry['documentId'])}`);
      expect(pickColumns({ ...entry, number }, names)).toEqual(pickColumns(item ?? {}, names));
    }
    for (const entry of entries)
      for (const name of ['documentType', 'documentId', 'documentNumber', `${party}Name`])
        expect(entry[name]).not.toBeNull();
  });

  test('invoices with distant ids: the open amount of each', async () => {
    const seller = await createBusinessClient('Far apart');
    const productId = await addService(seller, { price: 10 });
    const [rare, frequent] = [
      await addCustomer(seller, { name: 'Rare' }),
      await addCustomer(seller, { name: 'Often' }),
    ];
    const buyers = [rare, ...Array.from({ length: 9 }, () => frequent), rare];
    for (const customerId of buyers)
      await seller.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] });
    const { file } = await createAndDownloadExport(seller, {
      resource: 'invoices',
      format: 'json',
      filters: { customerId: rare },
    });
    const shownOpen = getRows(await seller.get(`/api/invoices?sortBy=id&customerId=${rare}`)).map(({ open }) => open);
    const rows = file.body as unknown as Row[];
    expect(rows.map(({ open }) => open)).toEqual(shownOpen);
    expect(rows.map(({ open }) => Number(open) > 0)).toEqual([true, true]);
  });

  test.each(EXPORT_RESOURCES)('%s: CSV and XLSX have the same contents as JSON', async (resource) => {
    const rows = await exportJson(client, { resource });
    const names = Object.keys(rows[0] ?? {});
    const { file: csv } = await createAndDownloadExport(client, { resource, format: 'csv' });
    const table = parseCsvRows(csv.bytes);
    expect(Object.keys(table[0] ?? {})).toEqual(names);
    // The apostrophe that makes a formula harmless is looked at elsewhere.
    const text = (value: unknown): string => (value === null ? '' : `${value as string | number}`.replace(/^'/, ''));
    expect(table.map((row) => names.map((name) => text(row[name])))).toEqual(
      rows.map((row) => names.map((name) => text(row[name]))),
    );
    const { file: xlsx } = await createAndDownloadExport(client, { resource, format: 'xlsx' });
    const [head, ...body] = await readSheet(xlsx.bytes, 1, { trim: false });
    expect(head).toEqual(names);
    expect(body.map((row) => row.map(toSheetValue))).toEqual(
      rows.map((row) => names.map((name) => toSheetValue(row[name]))),
    );
  });
});
