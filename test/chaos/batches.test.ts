import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Invoice } from '../../models/business/invoices/invoice';
import { loadConfig } from '../../lib/config';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { call } from '../support/client';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

/** Covers operation: POST /api/invoices/batch */

const ROW_COUNT = 100;
const POLL_MS = 5;

let stack: SharedStack;
let platform: Platform;
beforeAll(async () => {
  stack = await shareOwnStack();
  const config = { ...loadConfig({ ...process.env, ...stack.run().environment }), LOG_LEVEL: 'error' } as const;
  platform = await createPlatform(config, { name: 'test', watch: false });
});
afterAll(() => closePlatform(platform));

async function createClient() {
  const { api, admin } = stack.run();
  const login = await call('POST', '/api/auth/login', { api, json: admin });
  return { api, token: (login.body['data'] as { token: string }).token };
}

test('a batch of invoices that the API was killed in the middle of is completed by its repetition, each row once', async () => {
  await stack.waitUntilReady();
  const client = await createClient();
  const post = async (path: string, json: object): Promise<number> =>
    Number(((await call('POST', path, { ...client, json })).body['data'] as { id: number }).id);
  const customerId = await post('/api/customers', { name: 'Batch' });
  const productId = await post('/api/products', { name: 'Hour', type: 'service', price: 1 });
  const rows = Array.from({ length: ROW_COUNT }, (_, index) => ({
    customerId,
    lines: [{ productId, quantity: index + 1 }],
  }));
  const request = { ...client, json: { rows }, headers: { 'idempotency-key': randomUUID() } };
  const own = { organisationId: stack.run().organisationId, customerId };

  const interrupted = call('POST', '/api/invoices/batch', request).catch(() => null);
  while ((await Invoice.countDocuments(own)) === 0) await delay(POLL_MS);
  stack.kill('api');
  await interrupted;
  const before = await Invoice.countDocuments(own);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(ROW_COUNT);

  await stack.waitUntilReady();
  let repeated = await call('POST', '/api/invoices/batch', request);
  // The process that was killed counts as dead after five seconds.
  while (repeated.status === 409) repeated = await call('POST', '/api/invoices/batch', request);
  expect(repeated.body['summary']).toEqual({ created: ROW_COUNT, updated: 0, valid: 0, failed: 0 });
  const issued = await Invoice.find(own).sort({ sequence: 1 }).lean();
  expect(issued).toHaveLength(ROW_COUNT);
  const first = issued[0]?.sequence ?? 0;
  expect(issued.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => first + index));
  expect(issued.map(({ total }) => Number(total)).sort((a, b) => a - b)).toEqual(rows.map((_, index) => index + 1));
});
