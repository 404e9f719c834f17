import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { Company } from '../../../../models/business/settings/company';
import { Export } from '../../../../models/business/exports/export';
import { Rendition } from '../../../../models/business/documents/rendition';
import { sha256Hex } from '../../../../lib/crypto/secrets';
import { isSealedObject } from '../../../../lib/crypto/segments';
import { createLogger } from '../../../../lib/logger';
import { fileEncryption } from '../../../../services/business/migrations/file-encryption';
import { getEncrypted, putEncrypted, streamEncrypted } from '../../../../services/platform/evidence/encrypted-objects';
import type { Platform } from '../../../../services/platform/platform';
import { addCustomer, addService, createBusinessClient, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport, getDownloadPath } from '../../../support/business/exports';
import { call } from '../../../support/client';
import { importOwnList } from '../../../support/identity/watch-lists';
import { scrapeStack } from '../../../support/metrics';
import { runMigration } from '../../../support/migrations';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

const LOGO_PATH = '/api/config/company/logo';
const CUSTOMER = 'Legible Customer';

let platform: Platform;
let client: BusinessClient;
let logo: Buffer;
let invoiceId: number;
let pdf: Buffer;

beforeAll(async () => {
  platform = await getTestPlatform();
  client = await createBusinessClient('Stored');
  logo = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  await call('PUT', LOGO_PATH, { token: client.token, form: { logo: { body: logo, name: 'logo.png' } } });
  await useEarlierLogoKey();
  const customerId = await addCustomer(client, { name: CUSTOMER });
  const lines = [{ productId: await addService(client), quantity: 1, unitPrice: 1 }];
  invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  pdf = (await client.get(`/api/invoices/${invoiceId}/pdf`)).bytes;
});
afterAll(closeTestPlatform);

/** Earlier versions stored a logo under the hash of its bytes. */
async function useEarlierLogoKey(): Promise<void> {
  const { organisationId } = client.tenant;
  const logoKey = `${organisationId}/logo/${sha256Hex(logo)}`;
  await putEncrypted(platform, organisationId, logoKey, logo);
  await Company.updateOne({ _id: organisationId }, { $set: { logoKey } });
}

/** Every object of the organisation in the bucket, as an attacker who can read the bucket sees it. */
async function readRawObjects(): Promise<Map<string, Buffer>> {
  const { organisationId } = client.tenant;
  const objects = new Map<string, Buffer>();
  for (const prefix of [`${organisationId}/`, `lists/${organisationId}.`])
    for await (const { key } of platform.objects.list(prefix))
      objects.set(key, (await platform.objects.get(key)) ?? Buffer.alloc(0));
  return objects;
}

/** Requests the PDF until its response is not 503, as the contract asks of clients. */
async function expectSamePdf(): Promise<void> {
  const { status, body, bytes } = await pollUntilFound(async () => {
    const response = await client.get(`/api/invoices/${invoiceId}/pdf`);
    return response.status === 503 ? undefined : response;
  });
  expect({ status, code: body['code'], isSame: bytes.equals(pdf) }).toEqual({ status: 200, isSame: true });
}

const findRendition = () =>
  Rendition.findOne({ organisationId: client.tenant.organisationId, documentId: invoiceId, format: 'pdf' })
    .orFail()
    .lean();

test('the bucket holds no readable document, logo, export or watch list; each is served as it was written', async () => {
  const { record, file } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' });
  expect(file.bytes.toString('utf8')).toContain(CUSTOMER);
  for (const format of ['json', 'xlsx']) await createAndDownloadExport(client, { resource: 'customers', format });
  const archive = await createAndDownloadExport(client, { resource: 'invoices', format: 'zip-pdf' });
  expect(archive.file.bytes.subarray(0, 2).toString()).toBe('PK');
  await importOwnList(client.tenant.organisationId, [{ id: 'W1', type: 'person', name: CUSTOMER }], 'stored');

  const raw = await readRawObjects();
  const folders = new Set([...raw.keys()].map((key) => (key.startsWith('lists/') ? 'lists' : key.split('/')[1])));
  expect([...folders].sort()).toEqual(['exports', 'invoice-pdf', 'lists', 'logo']);
  for (const [key, bytes] of raw) {
    expect([key, isSealedObject(bytes)]).toEqual([key, true]);
    for (const plain of ['%PDF', '\x89PNG', 'IHDR', 'PK\x03\x04', CUSTOMER, 'Factur-X', 'FlateDecode'])
      expect([key, bytes.includes(Buffer.from(plain, 'latin1'))]).toEqual([key, false]);
    expect(() => gunzipSync(bytes)).toThrow();
  }

  expect((await call('GET', LOGO_PATH, { token: client.token })).bytes.equals(logo)).toBe(true);
  await expectSamePdf();
  const again = await call('GET', getDownloadPath(record));
  expect(again.bytes.equals(file.bytes)).toBe(true);
});

test('an object copied to another organisation or another key, or altered, is not served', async () => {
  const other = await createBusinessClient('Thief');
  const { logoKey } = await Company.findById(client.tenant.organisationId).orFail().lean();
  const sealed = (await platform.objects.get(logoKey ?? '')) ?? Buffer.alloc(0);
  const stolenKey = `${other.tenant.organisationId}/logo/${(logoKey ?? '').split('/').pop() ?? ''}`;
  await platform.objects.put(stolenKey, sealed, 'application/octet-stream');
  await Company.updateOne({ _id: other.tenant.organisationId }, { $set: { logoKey: stolenKey } });
  expect((await other.get(LOGO_PATH)).status).toBe(404);

  const quiet = { ...platform, logger: createLogger({ level: 'silent', name: 'test' }) };
  const altered = Buffer.from(sealed);
  altered.writeUInt8(altered.readUInt8(60) ^ 1, 60);
  await platform.objects.put(stolenKey, altered, 'application/octet-stream');
  expect(await getEncrypted(quiet, client.tenant.organisationId, stolenKey)).toBeNull();
  await platform.objects.remove(stolenKey);
});

/** Cuts the end off the object of an export; with `bytes`, after these were written as its file. */
async function cutExport(id: number, bytes?: Buffer): Promise<string> {
  const { organisationId } = client.tenant;
  const record = await Export.findOne({ organisationId, id }).orFail().lean();
  const objectKey = record.objectKey ?? '';
  if (bytes !== undefined) {
    await putEncrypted(platform, organisationId, objectKey, bytes);
    await Export.updateOne({ _id: record._id }, { $set: { sizeBytes: bytes.length, storedBytes: bytes.length } });
  }
  const sealed = (await platform.objects.get(objectKey)) ?? Buffer.alloc(0);
  await platform.objects.put(objectKey, sealed.subarray(0, sealed.length - 20), 'application/octet-stream');
  return objectKey;
}

test('a download whose object was cut off is answered with 500 instead of ending early', async () => {
  const { record } = await createAndDownloadExport(client, { resource: 'products', format: 'xlsx' });
  const objectKey = await cutExport(record.id);
  const response = await call('GET', getDownloadPath(record));
  expect([response.status, response.body['code']]).toEqual([500, 'internal_error']);
  expect(response.headers.get('content-disposition')).toBeNull();
  const stream = await streamEncrypted(platform, client.tenant.organisationId, objectKey);
  await expect(stream?.toArray()).rejects.toThrow('The encrypted object was altered');
});

test('a download whose object was cut off after its first bytes is not complete for the client, and is counted', async () => {
  const route = { method: 'GET', route: '/api/exports/:id/file', status: 'incomplete' };
  const count = async (): Promise<number> =>
    (await scrapeStack()).samples
      .filter(({ name, labels }) => name === 'vouch_http_requests_total' && isDeepStrictEqual(labels, route))
      .reduce((total, { value }) => total + value, 0);
  const before = await count();
  const { record } = await createAndDownloadExport(client, { resource: 'products', format: 'xlsx' });
  await cutExport(record.id, randomBytes(300_000));
  await expect(call('GET', getDownloadPath(record))).rejects.toThrow();
  await pollUntilFound(async () => ((await count()) === before + 1 ? true : undefined));
});

test('documents and logos that earlier versions stored as they are stay readable, and are encrypted once', async () => {
  const { organisationId } = client.tenant;
  const { logoKey } = await Company.findById(organisationId).orFail().lean();
  const { objectKey } = await findRendition();
  const plain: [string, Buffer][] = [
    [logoKey ?? '', logo],
    [objectKey ?? '', pdf],
  ];
  for (const [key, bytes] of plain) await platform.objects.put(key, bytes, 'application/octet-stream');
  expect((await call('GET', LOGO_PATH, { token: client.token })).bytes.equals(logo)).toBe(true);
  await expectSamePdf();

  // Only the objects of this organisation: other tests use the bucket at the same time.
  const none = async function* () {};
  const list = (prefix: string) => (prefix === `${organisationId}/` ? platform.objects.list(prefix) : none());
  const own = { ...platform, objects: { ...platform.objects, list } };
  expect(await runMigration(own, fileEncryption)).toBe(2);
  expect(await runMigration(own, fileEncryption)).toBe(0);
  for (const bytes of (await readRawObjects()).values()) expect(isSealedObject(bytes)).toBe(true);
  expect((await findRendition()).generation).toBe(1);
  await expectSamePdf();
});

test('a document that was replaced by another plain file is not served: it is rendered again', async () => {
  const { objectKey } = await findRendition();
  await platform.objects.put(objectKey ?? '', Buffer.from('%PDF-1.7 another'), 'application/pdf');
  await expectSamePdf();
  expect(await findRendition()).toMatchObject({ status: 'stored', generation: 2 });
});
