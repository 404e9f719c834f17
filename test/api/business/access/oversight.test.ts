import { Audit } from '../../../../models/platform/audit/audit';
import { sealAudit } from '../../../../services/platform/audit/sealing';
import { closeTestPlatform, testPlatform } from '../../../support/tenant';
import { businessClient, dataOf, rowsOf } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await businessClient();
});
afterAll(closeTestPlatform);

const HOOKS = '/api/admin/webhooks';

const namesIn = (answer: { body: Record<string, unknown> }): (string | undefined)[] =>
  ((answer.body['errors'] ?? []) as string[]).map((error) => error.split(':')[0]);

describe('the audit log', () => {
  test('shows who did what, by name, newest first, filtered and in pages with the exact total', async () => {
    const own = await businessClient();
    for (const name of ['A', 'B', 'C']) await own.post('/api/customers', { name });
    const listed = await own.get('/api/admin/audit-log?action=customer.created&pageSize=2');
    expect(listed.body).toMatchObject({ totalCount: 3, page: 1, pageSize: 2 });
    expect(rowsOf(listed).map((row) => [row['subject'], row['actorName']])).toEqual([
      ['customer:3', 'Test admin'],
      ['customer:2', 'Test admin'],
    ]);
    const subjects = async (query: string): Promise<unknown[]> =>
      rowsOf(await own.get(`/api/admin/audit-log?${query}`)).map((row) => row['subject']);
    expect(await subjects('search=customer.cr&sortDir=asc')).toEqual(['customer:1', 'customer:2', 'customer:3']);
    expect(await subjects('search=customer.cr customer:2')).toEqual(['customer:2']);
    expect(await subjects('subject=customer:2')).toEqual(['customer:2']);
    expect(await subjects('action=customer.created&dateTo=2020-01-01')).toEqual([]);
    expect(listed.bytes.toString('utf8')).not.toContain(own.tenant.admin.email);
  });

  test('is recomputed on request, and says where it was altered', async () => {
    const own = await businessClient();
    await own.post('/api/customers', { name: 'A' });
    await sealAudit(await testPlatform());
    const whole = dataOf(await own.get('/api/admin/audit-log/verify'));
    expect(whole).toMatchObject({ valid: true, brokenAt: null });
    const row = await Audit.findOneAndUpdate(
      { organisationId: own.tenant.organisationId, action: 'customer.created', position: { $ne: null } },
      { $set: { subject: 'customer:2' } },
    ).lean();
    expect(dataOf(await own.get('/api/admin/audit-log/verify'))).toMatchObject({
      valid: false,
      brokenAt: row?.position,
    });
  });
});

describe('webhooks', () => {
  test('are made, listed, given a new secret and deleted; deliveries show every attempt', async () => {
    const own = await businessClient();
    const made = await own.post(HOOKS, { url: 'https://hooks.invalid/x', events: ['invoice.issued'] });
    const id = String(dataOf(made)['id']);
    expect(String(dataOf(made)['secret'])).toMatch(/^whsec_/);
    const listed = await own.get(HOOKS);
    expect(listed.body).toMatchObject({ totalCount: 1, data: [{ id, events: ['invoice.issued'], status: 'enabled' }] });
    expect(listed.bytes.toString('utf8')).not.toContain('whsec_');
    const rotated = await own.post(`${HOOKS}/${id}/rotate`, { overlapSeconds: 60 });
    expect(dataOf(rotated)['secret']).not.toBe(dataOf(made)['secret']);
    const tried = await own.post(`${HOOKS}/${id}/test`, undefined);
    expect([tried.status, dataOf(tried)['type']]).toEqual([202, 'webhook.test']);
    const deliveries = await own.get(`${HOOKS}/${id}/deliveries?search=webhook`);
    expect(deliveries.body).toMatchObject({ totalCount: 1, data: [{ id: dataOf(tried)['id'] }] });
    expect((await own.get(`${HOOKS}/${id}/deliveries?search=invoice`)).body['totalCount']).toBe(0);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const recovered = await own.post(`${HOOKS}/${id}/recover`, { since: yesterday });
    expect([recovered.status, dataOf(recovered)['since']]).toEqual([202, `${yesterday}T00:00:00.000Z`]);
    expect((await own.delete(`${HOOKS}/${id}`)).status).toBe(200);
    expect((await own.get(HOOKS)).body['totalCount']).toBe(0);
  });

  test.each([
    [{ events: ['invoice.issued'] }, 'url'],
    [{ url: 'http://hooks.invalid/x', events: ['invoice.issued'] }, 'url'],
    [{ url: 'https://127.0.0.1/x', events: ['invoice.issued'] }, 'url'],
    [{ url: 'https://hooks.invalid/x', events: ['invoice.eaten'] }, 'events[0]'],
  ])('%j is 400 naming %s', async (json, field) => {
    const answer = await client.post(HOOKS, json);
    expect([answer.status, namesIn(answer)]).toEqual([400, [field]]);
  });
});
