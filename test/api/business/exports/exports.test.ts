import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readSheet } from 'read-excel-file/node';
import { EXPORT_RESOURCES } from '../../../../domain/business/exports/exports';
import type { ExportResource } from '../../../../domain/business/exports/exports';
import { Export } from '../../../../models/business/exports/export';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { getEncrypted } from '../../../../services/platform/evidence/encrypted-objects';
import { call } from '../../../support/client';
import {
  parseCsvRows,
  getDownloadPath,
  parseExport,
  createAndDownloadExport,
  waitForExportEnd,
} from '../../../support/business/exports';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';

type Row = Record<string, unknown>;

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

/** Names that would run as formulas, break a line of CSV, or a cell of XML. */
const HOSTILE_NAMES = [
  '=HYPERLINK("https://evil.example","click")',
  '+1 800 FORMULA',
  '-2+3',
  '@SUM(A1)',
  '＝1+1',
  '＠SUM(A1)',
  'Quote " and, comma',
  'Ünïcode 客户 <&> _x0041_',
];

let client: BusinessClient;
const invoiceIds: number[] = [];

async function createRecords(): Promise<void> {
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
}

beforeAll(async () => {
  client = await createBusinessClient('Exports');
  await createRecords();
});
afterAll(closeTestPlatform);

const exportJson = async (input: object): Promise<Row[]> => {
  const { file } = await createAndDownloadExport(client, { format: 'json', ...input });
  return file.body as unknown as Row[];
};

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
  const { address, base, taxIdVerification, ...rest } = row as {
    address?: Record<string, unknown>;
    base?: Record<string, unknown>;
    taxIdVerification?: Record<string, unknown> | null;
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
  return {
    ...rest,
    ...nested('address', address),
    ...nested('base', base),
    ...nested('taxIdVerification', verification),
  };
};

const pickColumns = (row: Row, names: string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]));
const sortById = (rows: Row[]): Row[] =>
  [...rows].sort((a, b) => JSON.stringify(a['id'] ?? a).localeCompare(JSON.stringify(b['id'] ?? b)));

describe('contents of an export', () => {
  test.each(EXPORT_RESOURCES.filter((name) => LISTS[name] !== null))('%s: the rows of its list', async (resource) => {
    const expected = (await listAllRows(LISTS[resource] ?? '')).map(flattenRow);
    const rows = await exportJson({ resource });
    expect(expected.length).toBeGreaterThan(0);
    const names = Object.keys(expected[0] ?? {});
    expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(names));
    expect(sortById(rows.map((row) => pickColumns(row, names)))).toEqual(
      sortById(expected.map((row) => pickColumns(row, names))),
    );
  });

  test('invoice-lines: every line of every invoice, with its invoice', async () => {
    const rows = await exportJson({ resource: 'invoice-lines' });
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
    expect(sum(await exportJson({ resource: 'stock-ledger' }), 'quantity')).toBe(sum(stock, 'onHand'));
    const aging = getData(await client.get('/api/receivables/aging'));
    const entries = await exportJson({ resource: 'receivable-entries' });
    expect(sum(entries, 'amountBase')).toBeCloseTo(Number((aging['total'] as Row)['net']), 6);
    expect((await exportJson({ resource: 'payable-entries' })).length).toBeGreaterThan(1);
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
    const rows = await exportJson({ resource });
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

/** A value as a sheet shows it: days and instants by the second of the company's clock, ECMA-376 escapes undone. */
function toSheetValue(value: unknown): unknown {
  const second = (ms: number): string => new Date(Math.round(ms / 1000) * 1000).toISOString().slice(0, 19);
  if (value instanceof Date) return second(value.getTime());
  if (typeof value !== 'string') return value ?? null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return `${value}T00:00:00`;
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return second(Date.parse(`${value.slice(0, 23)}Z`));
  return value.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

describe('a file', () => {
  test('CSV: a text that starts a formula is escaped, a number remains a number; RFC 4180, UTF-8 with a byte order mark', async () => {
    const { file } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' });
    expect([...file.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = file.bytes.toString('utf8');
    expect(text.split('\r\n').length).toBe(HOSTILE_NAMES.length + 2);
    expect(text).toContain('"Quote "" and, comma"');
    const names = parseCsvRows(file.bytes).map((row) => row['name'] ?? '');
    expect(names).toEqual(HOSTILE_NAMES.map((name) => (/^[=+\-@＝＠]/.test(name) ? `'${name}` : name)));
    expect(parseCsvRows(file.bytes).every((row) => row['phone'] === "'+353 1 000")).toBe(true);
    const { file: ledger } = await createAndDownloadExport(client, { resource: 'stock-ledger', format: 'csv' });
    expect(parseCsvRows(ledger.bytes).map((row) => row['quantity'])).toEqual(expect.arrayContaining(['-2', '50']));
  });

  test('has a name, headers against sniffing and framing and a matching hash, and is compressed for clients that accept gzip', async () => {
    const { record, file } = await createAndDownloadExport(client, { resource: 'invoices', format: 'csv' });
    expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(record.sha256);
    expect(file.bytes.length).toBe(record.sizeBytes);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="invoices-\d{4}-\d\d-\d\d-\d+\.csv"$/,
    );
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    const plain = await call('GET', getDownloadPath(record), { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), plain.headers.get('content-length')]).toEqual([
      null,
      String(record.sizeBytes),
    ]);
    expect(plain.bytes.equals(file.bytes)).toBe(true);
    const { status, headers } = await call('HEAD', getDownloadPath(record), { headers: { 'accept-encoding': 'gzip' } });
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, 'gzip', 'Accept-Encoding']);
  });

  test('of an empty list is also a file', async () => {
    const empty = await createBusinessClient('Nothing');
    const { file: none } = await createAndDownloadExport(empty, { resource: 'vendors', format: 'json' });
    expect(none.body).toEqual([]);
    const { file: csv } = await createAndDownloadExport(empty, { resource: 'vendors', format: 'csv' });
    expect(csv.bytes.toString('utf8')).toMatch(/^\uFEFFid,code,name,[^\r\n]+\r\n$/);
    const { file: xlsx } = await createAndDownloadExport(empty, { resource: 'stock-ledger', format: 'xlsx' });
    expect(await readSheet(xlsx.bytes, 1)).toHaveLength(1);
  });
});

describe('filters', () => {
  test('mean the same as in the list', async () => {
    const [first] = invoiceIds;
    const read = async (id: number | undefined) => getData(await client.get(`/api/invoices/${id}`));
    const { customerId, issueDate: dateFrom } = await read(first);
    const ids = async (resource: string, filters: object) =>
      (await exportJson({ resource, filters })).map((row) => row['id']);
    expect(await ids('invoices', { customerId })).toEqual([first]);
    expect(await ids('invoices', { status: 'void' })).toEqual([invoiceIds[3]]);
    expect(await ids('invoices', { dateTo: '2000-01-01' })).toEqual([]);
    // The invoices were issued within seconds, which may belong to two days.
    const { issueDate: dateTo } = await read(invoiceIds.at(-1));
    expect(await ids('invoices', { dateFrom, dateTo })).toEqual(invoiceIds);
    expect(await ids('customers', { search: 'quote comma' })).toHaveLength(1);
    expect(await ids('customers', { search: '---' })).toEqual([]);
    const inactive = await addCustomer(client, { active: false, name: 'Gone' });
    expect(await ids('customers', { active: 'false' })).toEqual([inactive]);
    expect(await ids('customers', {})).not.toContain(inactive);
    expect(await ids('customers', { active: 'all' })).toHaveLength(HOSTILE_NAMES.length + 1);
    expect((await ids('receivables', { state: 'all' })).length).toBeGreaterThan((await ids('receivables', {})).length);
  });

  test.each([
    [{ resource: 'nothing', format: 'csv' }, 'resource: must be one of invoices'],
    [{ resource: 'invoices', format: 'pdf' }, 'format: must be one of csv, xlsx, json, ndjson, zip-pdf, datev, saf-t'],
    [
      { resource: 'invoices', format: 'csv', filters: { vendorId: 1 } },
      'filters.vendorId: is not a filter of invoices, which accepts status, customerId, dateFrom, dateTo, search',
    ],
    [
      { resource: 'invoices', format: 'csv', filters: { status: 'sold' } },
      'filters.status: must be one or more of draft, issued',
    ],
    [{ resource: 'invoices', format: 'csv', filters: { dateFrom: '2026-02-30' } }, 'filters.dateFrom: is not a day'],
    [{ resource: 'invoices', format: 'csv', filters: { color: 'red' } }, 'filters.color: is not a known field'],
    [{ resource: 'customers', format: 'zip-pdf' }, 'format: zip-pdf is only available for invoices, credit-notes'],
  ])('%j is refused: %s', async (input, message) => {
    const response = await client.post('/api/exports', input);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(message);
  });
});

describe('requests', () => {
  test('an Idempotency-Key creates one export, whatever its state', async () => {
    const headers = { 'idempotency-key': 'taken-out' };
    const input = { resource: 'products', format: 'csv' };
    const first = await client.post('/api/exports', input, headers);
    await waitForExportEnd(client, parseExport(first).id);
    const again = await client.post('/api/exports', input, headers);
    expect([first.status, again.status, parseExport(again).id]).toEqual([202, 202, parseExport(first).id]);
    expect((await client.post('/api/exports', { ...input, format: 'json' }, headers)).status).toBe(422);
    expectDocumented('post', '/api/exports', again);
    expectDocumented('get', '/api/exports', await client.get('/api/exports?state=completed&resource=products'));
    expectDocumented('get', '/api/exports/:id', await client.get(`/api/exports/${parseExport(first).id}`));
  });

  test('an ended export cannot be cancelled, and its event is emitted once with counts and codes only', async () => {
    const { record } = await createAndDownloadExport(client, { resource: 'opportunities', format: 'json' });
    const rejected = await client.post(`/api/exports/${record.id}/cancel`, {});
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'export_finished']);
    await getTestPlatform();
    const { organisationId } = client.tenant;
    const events = await WebhookEvent.find({ organisationId, type: 'export.completed' }).lean();
    const eventData = events.map(({ body }) => (JSON.parse(body ?? '{}') as { data: Row }).data);
    expect(eventData.filter(({ exportId }) => exportId === record.id)).toEqual([
      { exportId: record.id, resource: 'opportunities', format: 'json', rows: 1, failure: null },
    ]);
  });
});

test('the file is stored compressed and encrypted under the id of the export', async () => {
  const { record, file } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' });
  const platform = await getTestPlatform();
  const { organisationId } = client.tenant;
  const stored = await Export.findOne({ organisationId, id: record.id }).lean();
  const packed = await getEncrypted(
    platform,
    organisationId,
    `${organisationId}/exports/${String(stored?._id)}.csv.enc`,
  );
  expect(gunzipSync(packed ?? Buffer.alloc(0)).equals(file.bytes)).toBe(true);
});
