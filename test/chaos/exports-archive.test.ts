import { createHash } from 'node:crypto';
import { loadConfig } from '../../lib/config';
import { Rendition } from '../../models/business/documents/rendition';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { call } from '../support/client';
import {
  requestExport,
  getDownloadPath,
  waitForExportEnd,
  waitForExport,
  readZipFiles,
} from '../support/business/exports';
import type { ApiCaller } from '../support/business/exports';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

/** Seven full batches and a partial one. */
const DOCUMENT_COUNT = 290;
const AT_ONCE = 8;

let stack: SharedStack;
let caller: ApiCaller;
let platform: Platform;

async function createRecord(path: string, json: object): Promise<number> {
  const response = await call('POST', path, { ...caller, json });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.bytes.toString('utf8')}`);
  return Number((response.body['data'] as { id: number }).id);
}

beforeAll(async () => {
  stack = await shareOwnStack();
  const { api, admin, environment } = stack.run();
  const login = await call('POST', '/api/auth/login', { api, json: admin });
  caller = { api, token: (login.body['data'] as { token: string }).token };
  const productId = await createRecord('/api/products', { name: 'Advice', type: 'service', price: 10 });
  const customerId = await createRecord('/api/customers', { name: 'Reader' });
  const left = Array.from({ length: DOCUMENT_COUNT }, (_, index) => index + 1);
  const issue = async (): Promise<void> => {
    for (let quantity = left.pop(); quantity !== undefined; quantity = left.pop())
      await createRecord('/api/invoices', { customerId, lines: [{ productId, quantity }] });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, issue));
  const config = { ...loadConfig({ ...process.env, ...environment }), LOG_LEVEL: 'error' } as const;
  platform = await createPlatform(config, { name: 'test', watch: false });
});

afterAll(() => closePlatform(platform));

test('an archive whose worker is killed while rendering contains each document once, without orphaned renditions', async () => {
  const { organisationId } = stack.run();
  const { id } = await requestExport(caller, { resource: 'invoices', format: 'zip-pdf' });
  // Also returns for an export that has already ended, which fails the test.
  await waitForExport(caller, id, ({ rowsDone, state }) => rowsDone >= 80 || state === 'completed');
  stack.kill('worker');
  const before = await Rendition.find({ organisationId, status: 'stored' }).lean();
  expect(before.length).toBeGreaterThanOrEqual(80);
  expect(before.length).toBeLessThan(DOCUMENT_COUNT);
  await stack.waitUntilReady();
  const record = await waitForExportEnd(caller, id);
  expect(record).toMatchObject({ state: 'completed', rowsDone: DOCUMENT_COUNT, rowsTotal: DOCUMENT_COUNT });

  const file = await call('GET', getDownloadPath(record), { api: stack.run().api });
  const files = await readZipFiles(file.bytes);
  expect(files.size).toBe(DOCUMENT_COUNT + 1);
  const hashes = [...files].flatMap(([name, bytes]) =>
    name === 'manifest.json' ? [] : [createHash('sha256').update(bytes).digest('hex')],
  );
  const renditions = await Rendition.find({ organisationId }).sort({ documentId: 1 }).lean();
  expect(renditions.map(({ sha256 }) => sha256)).toEqual(hashes);
  // Recorded renditions are kept; a file stored but not recorded is rendered again with the same bytes.
  const now = new Map(renditions.map((rendition) => [rendition._id, rendition]));
  expect(before.map(({ _id }) => now.get(_id))).toEqual(before);
  const keys: string[] = [];
  for await (const { key } of platform.objects.list(`${organisationId}/invoice-pdf/`)) keys.push(key);
  expect(keys.sort()).toEqual(renditions.map(({ objectKey }) => objectKey).sort());
});
