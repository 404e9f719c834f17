import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readSheet } from 'read-excel-file/node';
import { loadConfig } from '../../lib/config';
import { Customer } from '../../models/business/parties/customer';
import { Export, ExportPart } from '../../models/business/exports/export';
import type { ExportRecord } from '../../models/business/exports/export';
import { listExportParts } from '../../services/business/exports/progress';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { call } from '../support/client';
import {
  requestExport,
  parseCsvRows,
  getDownloadPath,
  waitForExportEnd,
  waitForExport,
} from '../support/business/exports';
import type { ApiCaller } from '../support/business/exports';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

/** With notes of random bytes, which do not compress, this many rows give about eight parts. */
const CUSTOMER_COUNT = 14_000;
const NOTE_BYTES = 3200;
const POLL_MS = 20;

let stack: SharedStack;
let caller: ApiCaller;
/** Platform connected to the engines of the stack. */
let platform: Platform;

beforeAll(async () => {
  stack = await shareOwnStack();
  const { api, admin, organisationId, environment } = stack.run();
  const login = await call('POST', '/api/auth/login', { api, json: admin });
  caller = { api, token: (login.body['data'] as { token: string }).token };
  await call('GET', '/api/customers', caller);
  const config = { ...loadConfig({ ...process.env, ...environment }), LOG_LEVEL: 'error' } as const;
  platform = await createPlatform(config, { name: 'test', watch: false });
  const at = new Date();
  for (let first = 1; first <= CUSTOMER_COUNT; first += 2000) {
    const rows = Array.from({ length: 2000 }, (_, index) => ({
      organisationId,
      id: first + index,
      code: `N${first + index}`,
      name: `Noise ${first + index}`,
      address: {},
      notes: randomBytes(NOTE_BYTES).toString('base64'),
      active: true,
      tokens: [],
      version: 1,
      createdAt: at,
      updatedAt: at,
    }));
    await Customer.collection.insertMany(rows);
  }
});
afterAll(() => closePlatform(platform));

const ids = Array.from({ length: CUSTOMER_COUNT }, (_, index) => String(index + 1));
/** Whether at least two parts are finished; also true for an export that has already ended, which fails the test. */
const isPastHalf = ({ state, parts }: { state: string; parts: number }): boolean =>
  parts >= 2 || !['queued', 'running'].includes(state);

async function findExport(id: number): Promise<ExportRecord> {
  const { organisationId } = stack.run();
  return Export.findOne({ organisationId, id }).orFail().lean<ExportRecord>();
}

async function waitUntilCleared(id: number): Promise<void> {
  while ((await findExport(id)).clearedAt === null) await delay(POLL_MS);
}

async function hasUploads(organisationId: string): Promise<boolean> {
  for await (const _upload of platform.objects.listUploads(organisationId)) return true;
  return false;
}

describe('an export of many parts', () => {
  // Reading a file blocks this process for longer than the API keeps idle connections, so a closed one fails here.
  beforeEach(() => stack.waitUntilReady());

  test.each(['csv', 'xlsx'])(
    '%s: resumes after its last finished part when the worker is killed, without missing or duplicate rows',
    async (format) => {
      const { id } = await requestExport(caller, { resource: 'customers', format });
      const before = await waitForExport(caller, id, isPastHalf);
      stack.kill('worker');
      const killed = await findExport(id);
      expect(killed).toMatchObject({ state: 'running', written: false });
      expect(killed.parts).toBeGreaterThanOrEqual(before.parts);
      const finished = await listExportParts(killed);
      await stack.waitUntilReady();
      const record = await waitForExportEnd(caller, id);
      expect(record).toMatchObject({ state: 'completed', rowsDone: CUSTOMER_COUNT, rowsTotal: CUSTOMER_COUNT });
      // Parts finished before were not written again.
      const parts = await listExportParts(killed);
      expect(parts.slice(0, finished.length)).toEqual(finished);
      // Each attempt has a part number of its own, and some were not recorded.
      const numbers = parts.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(parts.length).toBe(record.parts);
      const file = await call('GET', getDownloadPath(record), { api: stack.run().api });
      expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(record.sha256);
      const found =
        format === 'csv'
          ? parseCsvRows(file.bytes).map((row) => row['id'])
          : (await readSheet(file.bytes, 1)).slice(1).map((row) => String(row[0]));
      expect(found).toEqual(ids);
    },
  );

  test('a cancelled export leaves nothing in the object store', async () => {
    const { id } = await requestExport(caller, { resource: 'customers', format: 'json' });
    await waitForExport(caller, id, isPastHalf);
    const response = await call('POST', `/api/exports/${id}/cancel`, caller);
    expect([response.status, (response.body['data'] as { state: string }).state]).toEqual([200, 'cancelled']);
    await waitUntilCleared(id);
    const { organisationId } = stack.run();
    const record = await findExport(id);
    expect(await platform.objects.get(String(record.objectKey))).toBeNull();
    // A part that was on its way when the export was cleared is removed by the activity that sent it.
    while (await hasUploads(organisationId)) await delay(POLL_MS);
    expect(await ExportPart.countDocuments({ organisationId, exportId: record._id })).toBe(0);
    const again = await call('POST', `/api/exports/${id}/cancel`, caller);
    expect([again.status, (await waitForExportEnd(caller, id)).state]).toEqual([200, 'cancelled']);
  });
});
