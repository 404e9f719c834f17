import { createBusinessClient, getData } from '../../support/business/client';
import type { BusinessClient } from '../../support/business/client';
import { expectDocumented } from '../../support/business/documented';
import { call } from '../../support/client';
import { closeTestPlatform } from '../../support/tenant';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Two editors');
});
afterAll(closeTestPlatform);

const today = new Date().toISOString().slice(0, 10);
const webhook = { url: 'https://receiver.example/hook', events: ['invoice.paid'] };
const user = { email: 'second@editors.example', name: 'Second', role: 'sales' };

// Covers operations: getUser, getCurrency, getDocumentSeries, getExchangeRate, getWarehouse.
/** Each kind of record that a dialog of the console edits: its list, a new one, and two changes of it. */
const KINDS: [path: string, create: object, first: object, second: object][] = [
  ['/api/admin/users', user, { name: 'First change' }, { name: 'Second change' }],
  ['/api/admin/webhooks', webhook, { events: ['invoice.voided'] }, { description: 'ERP' }],
  ['/api/products/categories', { name: 'Lighting' }, { name: 'Lamps' }, { name: 'Bulbs' }],
  ['/api/inventory/warehouses', { name: 'North' }, { name: 'East' }, { name: 'West' }],
  ['/api/config/currencies', { code: 'CHF' }, { active: false }, { active: true }],
  ['/api/config/exchange-rates', { currencyCode: 'USD', date: today, rate: 0.92 }, { rate: 0.93 }, { rate: 0.94 }],
  ['/api/config/document-series', { documentType: 'invoice', prefix: 'SHOP' }, { active: false }, { active: true }],
];

test.each(KINDS)('of two editors of one record of %s the second is rejected', async (path, create, first, second) => {
  const created = await client.post(path, create);
  expect(created.status).toBe(201);
  const location = `${path}/${String(getData(created)['id'])}`;
  const read = await client.get(location);
  expectDocumented('get', `${path}/:id`, read);
  const tag = { 'if-match': read.headers.get('etag') ?? 'none' };
  const changed = await client.put(location, first, tag);
  expect(changed.status).toBe(200);
  const late = await client.put(location, second, tag);
  expect([late.status, late.body['code']]).toEqual([412, 'version_mismatch']);
  expect(getData(await client.get(location))).toMatchObject(first);
  expect((await client.put(location, second, { 'if-match': changed.headers.get('etag') ?? 'none' })).status).toBe(200);
});

test('of two editors of a webhook of /v1 the second is rejected, and nothing of its change is stored', async () => {
  const key = client.tenant.identityKey;
  const json = { url: 'https://receiver.example/v1', events: ['session.completed'] };
  const { webhook: created } = (await call('POST', '/v1/webhooks', { key, json })).body as { webhook: { id: string } };
  const path = `/v1/webhooks/${created.id}`;
  const tag = { 'if-match': (await call('GET', path, { key })).headers.get('etag') ?? 'none' };
  const change = (description: string) => call('PATCH', path, { key, json: { description }, headers: tag });
  const both = await Promise.all(['One', 'Two'].map(change));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const winner = both[0]?.status === 200 ? 'One' : 'Two';
  expect((await call('GET', path, { key })).body).toMatchObject({ webhook: { description: winner } });
});

test('of two editors of the period lock the second is rejected', async () => {
  const path = '/api/config/period-lock';
  const tag = { 'if-match': (await client.get(path)).headers.get('etag') ?? 'none' };
  expect(tag['if-match']).toBe('"0"');
  const locked = await client.put(path, { lockedThrough: '2026-01-31' }, tag);
  expect([locked.status, locked.headers.get('etag')]).toEqual([200, '"20260131"']);
  expect((await client.put(path, { lockedThrough: '2026-02-28' }, tag)).status).toBe(412);
  expect(getData(await client.get(path))).toEqual({ lockedThrough: '2026-01-31' });
});
