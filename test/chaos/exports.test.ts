import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { readSheet } from 'read-excel-file/node';
import { createObjectStore } from '../../lib/object-store';
import type { ObjectStore } from '../../lib/object-store';
import { loadConfig } from '../../lib/config';
import { call } from '../support/client';
import { askForExport, csvRows, linkPath, untilEnded, untilExport } from '../support/exports';
import type { Asker } from '../support/exports';
import { startOwnStack } from '../support/stack';
import type { OwnStack } from '../support/stack';

/** Noise that does not compress: so many rows are some ten parts. */
const CUSTOMERS = 36_000;
const NOTE_BYTES = 1400;
const POLL_MS = 20;

let stack: OwnStack;
let asker: Asker;
let database: mongoose.Connection;
let objects: ObjectStore;

beforeAll(async () => {
  stack = await startOwnStack();
  const { api, admin, mongo, organisationId, environment } = stack.run();
  const login = await call('POST', '/api/auth/login', { api, json: admin });
  asker = { api, token: (login.body['data'] as { token: string }).token };
  await call('GET', '/api/customers', asker);
  objects = createObjectStore(loadConfig({ ...process.env, ...environment }));
  database = await mongoose.createConnection(mongo).asPromise();
  const at = new Date();
  for (let first = 1; first <= CUSTOMERS; first += 2000) {
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
    await database.collection('customers').insertMany(rows);
  }
});
afterAll(async () => {
  await database.close();
  await stack.stop();
});

const ids = Array.from({ length: CUSTOMERS }, (_, index) => String(index + 1));
const underWay = ({ state, parts }: { state: string; parts: number }): boolean => state !== 'running' || parts >= 2;

async function untilCleared(id: number): Promise<void> {
  while ((await database.collection('exports').findOne({ id }))?.['clearedAt'] == null) await delay(POLL_MS);
}

describe('an export of many parts', () => {
  test.each(['csv', 'xlsx'])(
    '%s: goes on after its last finished part when the worker is killed, no row lost or twice',
    async (format) => {
      const { id } = await askForExport(asker, { resource: 'customers', format });
      const before = await untilExport(asker, id, underWay);
      stack.kill('worker');
      const killed = await database.collection('exports').findOne({ id });
      expect(killed).toMatchObject({ state: 'running', written: false });
      expect(Number(killed?.['parts'])).toBeGreaterThanOrEqual(before.parts);
      await stack.untilReady();
      const record = await untilEnded(asker, id);
      expect(record).toMatchObject({ state: 'completed', rowsDone: CUSTOMERS, rowsTotal: CUSTOMERS });
      // What was finished before was not written again.
      const parts = await database
        .collection('export_parts')
        .find({ exportId: killed?._id })
        .sort({ number: 1 })
        .toArray();
      expect(parts.map(({ number }) => number as number)).toEqual(parts.map((_, index) => index + 1));
      expect(parts.length).toBe(record.parts);
      const file = await call('GET', linkPath(record), { api: stack.run().api });
      expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(record.sha256);
      const found =
        format === 'csv'
          ? csvRows(file.bytes).map((row) => row['id'])
          : (await readSheet(file.bytes, 1)).slice(1).map((row) => String(row[0]));
      expect(found).toEqual(ids);
    },
  );

  test('cancelled on the way, it leaves nothing in the object store', async () => {
    const { id } = await askForExport(asker, { resource: 'customers', format: 'json' });
    await untilExport(asker, id, underWay);
    const answer = await call('POST', `/api/exports/${id}/cancel`, asker);
    expect([answer.status, (answer.body['data'] as { state: string }).state]).toEqual([200, 'cancelled']);
    await untilCleared(id);
    const { organisationId } = stack.run();
    const stored = await database.collection('exports').findOne({ id });
    expect(await objects.get(String(stored?.['objectKey']))).toBeNull();
    const uploads: string[] = [];
    for await (const { key } of objects.listUploads(organisationId)) uploads.push(key);
    expect(uploads).toEqual([]);
    expect(await database.collection('export_parts').countDocuments({ exportId: stored?._id })).toBe(0);
    const again = await call('POST', `/api/exports/${id}/cancel`, asker);
    expect([again.status, (await untilEnded(asker, id)).state]).toEqual([200, 'cancelled']);
  });
});
