import { Audit } from '../../../../models/platform/audit/audit';
import { getApiUrl, call } from '../../../support/client';
import { requestExport, getDownloadPath, createAndDownloadExport } from '../../../support/business/exports';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addCustomer, createBusinessClient, getRows, signIn } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

/** Who may take lists out, see what others took out, and open files. */
let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Exporters');
});
afterAll(closeTestPlatform);

test('without the permission to read a list, a caller can neither export it nor see exports of it', async () => {
  const payablesExport = await requestExport(client, { resource: 'payables', format: 'csv' });
  const sales = await signIn(await client.tenant.createUserWithRole('sales'));
  const rejected = await call('POST', '/api/exports', {
    token: sales.token,
    json: { resource: 'payables', format: 'csv' },
  });
  expect([rejected.status, rejected.body['code']]).toEqual([403, 'forbidden']);
  expect(rejected.body['message']).toContain('payables:read');
  expect((await call('GET', `/api/exports/${payablesExport.id}`, { token: sales.token })).status).toBe(404);
  expect((await call('POST', `/api/exports/${payablesExport.id}/cancel`, { token: sales.token })).status).toBe(404);
  const seen = getRows(await call('GET', '/api/exports', { token: sales.token }));
  expect(seen.map((row) => row['resource'])).not.toContain('payables');
  const viewer = await signIn(await client.tenant.createUserWithRole('viewer'));
  const created = await call('POST', '/api/exports', {
    token: viewer.token,
    json: { resource: 'leads', format: 'csv' },
  });
  expect([
    created.status,
    (await call('GET', `/api/exports/${payablesExport.id}`, { token: viewer.token })).status,
  ]).toEqual([403, 200]);
});

test('no file contains rows of another organisation, and its exports are not visible to others', async () => {
  const other = await createBusinessClient('Other');
  await addCustomer(other, { name: 'Theirs' });
  const { record, file } = await createAndDownloadExport(other, { resource: 'customers', format: 'json' });
  expect((file.body as unknown as Record<string, unknown>[]).map((row) => row['name'])).toEqual(['Theirs']);
  const stranger = await createBusinessClient('Stranger');
  expect((await stranger.get(`/api/exports/${record.id}`)).status).toBe(404);
  expect((await stranger.post(`/api/exports/${record.id}/cancel`, {})).status).toBe(404);
});

test('a link opens only its own export, cannot be altered, and is audited with the user who requested it', async () => {
  const { record } = await createAndDownloadExport(client, { resource: 'leads', format: 'csv' });
  const path = getDownloadPath(record);
  const token = new URL(getApiUrl() + path).searchParams.get('token') ?? '';
  const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const wrong of [
    path.replace(`/${record.id}/`, `/${record.id + 1}/`),
    path.replace(token, altered),
    path.replace(token, token.split('.').slice(0, 2).join('.')),
  ])
    expect((await call('GET', wrong)).status).toBe(404);
  expect((await call('GET', `/api/exports/${record.id}/file`)).status).toBe(400);
  await getTestPlatform();
  const rows = await Audit.find({
    organisationId: client.tenant.organisationId,
    subject: `export:${record.id}`,
  }).lean();
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['export.created', 'export.downloaded']));
  expect(new Set(rows.map(({ actor }) => actor)).size).toBe(1);
});
