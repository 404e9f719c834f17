import { randomBytes } from 'node:crypto';
import { businessRoutes } from '../../../api/business';
import { closeTestPlatform } from '../../support/tenant';
import { createBusinessClient, getData } from '../../support/business/client';
import type { BusinessClient } from '../../support/business/client';
import { expectDocumented } from '../../support/business/documented';
import { HOUR_MS } from '../../../domain/durations';

/** Configuration, administration, vendors and CRM answer as documented, read, made and changed. */
let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

/** What is made under a path, and how it is changed; the path of one record is `<path>/:id`. */
const REPEATED_RESPONSES: [path: string, body: object, change: object][] = [
  ['/api/config/currencies', { code: 'SEK' }, { active: false }],
  ['/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.912_345 }, { rate: 0.9 }],
  [
    '/api/config/tax-rates',
    { name: 'Exempt', percent: 0, category: 'E', exemptionReason: 'Article 132' },
    { name: 'B' },
  ],
  ['/api/config/document-series', { documentType: 'credit_note', prefix: 'RET' }, { active: false }],
  ['/api/inventory/warehouses', { name: 'North' }, { name: 'South' }],
  ['/api/products/categories', { name: 'Lamps' }, { name: 'Lights' }],
  ['/api/vendors', { name: 'Vendor', address: { city: 'Ulm' } }, { phone: '1' }],
  ['/api/crm/leads', { name: 'Kim' }, { status: 'contacted' }],
  ['/api/crm/opportunities', { name: 'Deal', amount: 10.05 }, { amount: 11.05 }],
  [
    '/api/admin/users',
    { email: `u.${randomBytes(6).toString('hex')}@tenant.example`, name: 'U', role: 'viewer' },
    { role: 'sales' },
  ],
];

test.each(REPEATED_RESPONSES)('%s: made, listed, read and changed', async (path, body, change) => {
  const created = await client.post(path, body);
  expectDocumented('post', path, created);
  expectDocumented('get', path, await client.get(path));
  const one = `${path}/${String(getData(created)['id'])}`;
  if (businessRoutes.some((route) => route.method === 'get' && route.path === `${path}/:id`))
    expectDocumented('get', `${path}/:id`, await client.get(one));
  expectDocumented('put', `${path}/:id`, await client.put(one, change));
});

test('single records and steps', async () => {
  for (const path of [
    '/api/config/company',
    '/api/config/period-lock',
    '/api/admin/audit-log',
    '/api/admin/audit-log/verify',
  ])
    expectDocumented('get', path, await client.get(path));
  expectDocumented('put', '/api/config/company', await client.put('/api/config/company', { website: 'example.com' }));
  expectDocumented(
    'put',
    '/api/config/period-lock',
    await client.put('/api/config/period-lock', { lockedThrough: null }),
  );
  expectDocumented('post', '/api/vendors', await client.post('/api/vendors?dryRun=true', { name: 'Trial' }));
  const user = '/api/admin/users/:id/reset-password';
  expectDocumented('post', user, await client.post(user.replace(':id', '2'), {}));
  const lead = String(getData(await client.post('/api/crm/leads', { name: 'A' }))['id']);
  const converted = await client.post(`/api/crm/leads/${lead}/convert`, { opportunity: { amount: 5.5 } });
  expectDocumented('post', '/api/crm/leads/:id/convert', converted);
  const lost = String(getData(await client.post('/api/crm/leads', { name: 'B' }))['id']);
  const losing = await client.post(`/api/crm/leads/${lost}/lose`, { reason: 'None' });
  expectDocumented('post', '/api/crm/leads/:id/lose', losing);
  const stage = await client.put('/api/crm/opportunities/1/stage', { stage: 'won' });
  expectDocumented('put', '/api/crm/opportunities/:id/stage', stage);
});

test('keys and webhooks', async () => {
  const keys = '/api/admin/api-keys';
  const key = await client.post(keys, { name: 'A', permissions: ['products:read'], expiresAt: '2199-12-31' });
  expectDocumented('post', keys, key);
  expectDocumented('get', keys, await client.get(keys));
  expectDocumented('delete', `${keys}/:id`, await client.delete(`${keys}/${String(getData(key)['id'])}`));
  const hooks = '/api/admin/webhooks';
  const hook = await client.post(hooks, { url: 'https://hooks.invalid/x', events: ['*'] });
  expectDocumented('post', hooks, hook);
  const one = `${hooks}/${String(getData(hook)['id'])}`;
  expectDocumented('post', `${hooks}/:id/test`, await client.post(`${one}/test`, undefined));
  expectDocumented('get', `${hooks}/:id/deliveries`, await client.get(`${one}/deliveries`));
  expectDocumented('post', `${hooks}/:id/rotate`, await client.post(`${one}/rotate`, {}));
  const since = new Date(Date.now() - HOUR_MS).toISOString();
  expectDocumented('post', `${hooks}/:id/recover`, await client.post(`${one}/recover`, { since }));
  expect((await client.post(`${one}/deliveries/dlv_unknown/resend`, {})).status).toBe(404);
  expectDocumented('get', hooks, await client.get(hooks));
  expectDocumented('delete', `${hooks}/:id`, await client.delete(one));
});
