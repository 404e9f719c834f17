import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readSheet } from 'read-excel-file/node';
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
import { addCustomer, createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { createExportedRecords, exportJson, HOSTILE_NAMES } from '../../../support/business/export-records';
import type { Row } from '../../../support/business/export-records';

let client: BusinessClient;
let invoiceIds: number[];

beforeAll(async () => {
  client = await createBusinessClient('Exports');
  invoiceIds = await createExportedRecords(client);
});
afterAll(closeTestPlatform);

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
      (await exportJson(client, { resource, filters })).map((row) => row['id']);
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
