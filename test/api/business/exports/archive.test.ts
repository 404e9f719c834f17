import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { createLogger } from '../../../../lib/logger';
import { Export } from '../../../../models/business/exports/export';
import type { ExportRecord } from '../../../../models/business/exports/export';
import { Rendition } from '../../../../models/business/documents/rendition';
import { readPrintedFiles } from '../../../../services/business/exports/archive';
import { readWritableExport } from '../../../../services/business/exports/progress';
import { findReferencedExportObjects, sweepExports } from '../../../../services/business/exports/sweep';
import { LINK_TTL_SECONDS } from '../../../../services/platform/evidence/signed-links';
import { call } from '../../../support/client';
import {
  requestExport,
  getDownloadPath,
  parseExport,
  createAndDownloadExport,
  waitForExportEnd,
  readZipFiles,
} from '../../../support/business/exports';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addCustomer, addService, createBusinessClient, getData, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { startOwnApi } from '../../../support/business/own-api';
import { DAY_MS } from '../../../../domain/durations';

const INVOICE_COUNT = 45;

interface Manifest {
  documents: number;
  draftsLeftOut: number;
  totals: Record<string, { documents: number; grandTotal: number }>;
  files: { name: string; number: string; documentId: number; status: string; sha256: string; grandTotal: number }[];
}

let client: BusinessClient;
const numbers: string[] = [];
const ids: number[] = [];

beforeAll(async () => {
  client = await createBusinessClient('Archive');
  const productId = await addService(client);
  const customerId = await addCustomer(client);
  for (let at = 0; at < INVOICE_COUNT; at += 1) {
    const response = await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: at + 1 }] });
    ids.push(getCreatedId(response));
    numbers.push(String(getData(response)['number']));
  }
  await client.post(`/api/invoices/${ids[4]}/void`, { reason: 'Made in error' });
});
afterAll(closeTestPlatform);

const parseManifest = (files: Map<string, Buffer>): Manifest =>
  JSON.parse((files.get('manifest.json') ?? Buffer.alloc(0)).toString('utf8')) as Manifest;

describe('an archive of printed invoices', () => {
  test('contains the PDF of each document, with counts, totals and hashes in its table of contents', async () => {
    // One of them was printed before: it is not printed again.
    const before = await client.get(`/api/invoices/${ids[0]}/pdf`);
    const { record, file } = await createAndDownloadExport(client, { resource: 'invoices', format: 'zip-pdf' });
    expect([record.rowsDone, record.rowsTotal]).toEqual([INVOICE_COUNT, INVOICE_COUNT]);
    expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(record.sha256);
    const files = await readZipFiles(file.bytes);
    expect([...files.keys()]).toEqual([...numbers.map((number) => `${number}.pdf`), 'manifest.json']);
    expect(files.get(`${numbers[0]}.pdf`)?.equals(before.bytes)).toBe(true);
    const stamped = await client.get(`/api/invoices/${ids[4]}/pdf`);
    expect(files.get(`${numbers[4]}.pdf`)?.equals(stamped.bytes)).toBe(true);
    const manifest = parseManifest(files);
    expect([manifest.documents, manifest.draftsLeftOut]).toEqual([INVOICE_COUNT, 0]);
    for (const { name, sha256 } of manifest.files)
      expect(
        createHash('sha256')
          .update(files.get(name) ?? '')
          .digest('hex'),
      ).toBe(sha256);
    const sum = manifest.files.reduce((total, { grandTotal }) => total + grandTotal, 0);
    expect(manifest.totals['EUR']).toMatchObject({ documents: INVOICE_COUNT });
    expect(manifest.totals['EUR']?.grandTotal).toBeCloseTo(sum, 6);
    expect(manifest.files[4]).toMatchObject({ number: numbers[4], documentId: ids[4], status: 'void' });
    expect((await PDFDocument.load(files.get(`${numbers[7]}.pdf`) ?? '')).getPageCount()).toBe(1);
  });

  test('contains the filtered documents, also credit notes', async () => {
    const { file } = await createAndDownloadExport(client, {
      resource: 'invoices',
      format: 'zip-pdf',
      filters: { status: 'void' },
    });
    expect([...(await readZipFiles(file.bytes)).keys()]).toEqual([`${numbers[4]}.pdf`, 'manifest.json']);
    const noted = await client.post('/api/credit-notes', { invoiceId: ids[1], reason: 'Returned' });
    const { file: notes } = await createAndDownloadExport(client, { resource: 'credit-notes', format: 'zip-pdf' });
    expect([...(await readZipFiles(notes.bytes)).keys()]).toEqual([
      `${String(getData(noted)['number'])}.pdf`,
      'manifest.json',
    ]);
  });
});

test('an archive with more documents than one file can hold has several files, which together contain each document once', async () => {
  const own = await startOwnApi({ EXPORT_ARCHIVE_DOCUMENTS: 20 });
  try {
    const caller = { token: client.token, api: own.url };
    const headers = { 'idempotency-key': 'archive-in-files' };
    const request = { ...caller, headers, json: { resource: 'invoices', format: 'zip-pdf' } };
    const created = getData(await call('POST', '/api/exports', request));
    expect(getData(await call('POST', '/api/exports', request))['id']).toBe(created['id']);
    const files = created['files'] as { exportId: number }[];
    expect(files).toHaveLength(3);
    const names: string[] = [];
    for (const [index, { exportId }] of files.entries()) {
      const record = await waitForExportEnd(caller, exportId);
      expect(record).toMatchObject({
        state: 'completed',
        archiveFile: { number: index + 1, count: 3, firstExportId: created['id'] },
        rowsTotal: index === 2 ? INVOICE_COUNT - 40 : 20,
      });
      const file = await call('GET', getDownloadPath(record), { api: own.url });
      expect(file.headers.get('content-disposition')).toContain(`-file-${index + 1}-of-3.zip`);
      expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(record.sha256);
      const contents = await readZipFiles(file.bytes);
      expect(parseManifest(contents)).toMatchObject({
        documents: record.rowsTotal,
        file: { number: index + 1, count: 3 },
      });
      names.push(...[...contents.keys()].filter((name) => name !== 'manifest.json'));
    }
    expect(names).toEqual(numbers.map((number) => `${number}.pdf`));
    const shown = getData(await call('GET', `/api/exports/${Number(created['id'])}`, caller))['files'];
    expect(shown).toMatchObject(files.map(({ exportId }) => ({ exportId, state: 'completed' })));
    expect((shown as { download: unknown }[]).every(({ download }) => download !== null)).toBe(true);
  } finally {
    await own.close();
  }
});

describe('an archive that cannot be written', () => {
  test('a missing printed document is reported, and nothing is written for an export that has ended', async () => {
    const platform = await getTestPlatform();
    const { record } = await createAndDownloadExport(client, {
      resource: 'invoices',
      format: 'zip-pdf',
      filters: { status: 'void' },
    });
    const { organisationId } = client.tenant;
    const created = await Export.findOne({ organisationId, id: record.id }).lean<ExportRecord>();
    if (created === null) throw new Error('The export is not there.');
    await expect(readWritableExport(created._id)).rejects.toMatchObject({ code: 'export_ended' });
    const printed = await Rendition.findOne({ organisationId, documentId: Number(ids[4]), format: 'pdf_void' }).lean();
    await platform.objects.remove(printed?.objectKey ?? '');
    const lost = readPrintedFiles({ ...platform, logger: createLogger({ level: 'silent', name: 'test' }) }, created, 0);
    await expect(lost.next()).rejects.toMatchObject({ code: 'object_lost' });
    // It is printed again for the next archive.
    const { record: again } = await createAndDownloadExport(client, {
      resource: 'invoices',
      format: 'zip-pdf',
      filters: { status: 'void' },
    });
    expect(again.rowsDone).toBe(1);
  });
});

describe('retention', () => {
  test('a link opens its file for five minutes; afterwards the response is 410 `link_expired`', async () => {
    const { record } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' });
    const own = await startOwnApi();
    try {
      const open = () => call('GET', getDownloadPath(record), { api: own.url });
      expect((await open()).status).toBe(200);
      own.advance(LINK_TTL_SECONDS * 1000 + 1000);
      const late = await open();
      expect([late.status, late.body['code']]).toEqual([410, 'link_expired']);
      // The file is kept: another link opens it.
      const fresh = await call('GET', getDownloadPath(parseExport(await client.get(`/api/exports/${record.id}`))));
      expect(fresh.status).toBe(200);
    } finally {
      await own.close();
    }
  });

  test('a file is removed when it expires, which its link and its export report', async () => {
    const { record } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' });
    const path = getDownloadPath(record);
    const platform = await getTestPlatform();
    expect(Math.round((Date.parse(record.expiresAt ?? '') - Date.now()) / DAY_MS)).toBe(
      platform.config.EXPORT_RETENTION_DAYS,
    );
    const { organisationId } = client.tenant;
    const stored = await Export.findOne({ organisationId, id: record.id }).lean();
    const key = stored?.objectKey ?? '';
    expect([...(await findReferencedExportObjects([key, 'org_x/exports/none.csv', 'org_x/other']))]).toEqual([
      'org_x/other',
      key,
    ]);
    // Others' exports in this store are younger than a day less than the retention: this one alone is made old.
    await Export.updateOne({ organisationId, id: record.id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    await sweepExports(platform);
    expect(await platform.objects.get(key)).toBeNull();
    expect([...(await findReferencedExportObjects([key]))]).toEqual([]);
    const gone = await call('GET', path);
    expect([gone.status, gone.body['code']]).toEqual([410, 'export_expired']);
    expect(getData(await client.get(`/api/exports/${record.id}`))).toMatchObject({
      state: 'completed',
      download: null,
    });
  });

  test('an export without a workflow is marked as failed, `export.failed` is emitted, and its upload is aborted', async () => {
    const platform = await getTestPlatform();
    const { id } = await requestExport(client, { resource: 'customers', format: 'csv' });
    await waitForExportEnd(client, id);
    const { organisationId } = client.tenant;
    const key = `${organisationId}/exports/exp_dead.csv`;
    const uploadId = await platform.objects.beginUpload(key, 'text/csv');
    await platform.objects.uploadPart(key, uploadId, 1, Buffer.from('half'));
    const long = new Date(Date.now() - 2 * DAY_MS);
    await Export.updateOne(
      { organisationId, id },
      { $set: { state: 'running', objectKey: key, uploadId, updatedAt: long, completedAt: null } },
    );
    await sweepExports(platform);
    expect(getData(await client.get(`/api/exports/${id}`))).toMatchObject({ state: 'failed', failure: 'abandoned' });
    const left: string[] = [];
    for await (const upload of platform.objects.listUploads(organisationId)) left.push(upload.key);
    expect(left).toEqual([]);
  });
});
