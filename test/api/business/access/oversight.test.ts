import { Audit } from '../../../../models/platform/audit/audit';
import { sealAudit } from '../../../../services/platform/audit/sealing';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { createBusinessClient, getCreatedId, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { DAY_MS } from '../../../../domain/durations';
import { listErrorFields } from '../../../support/business/rejections';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

const WEBHOOKS_PATH = '/api/admin/webhooks';

describe('the audit log', () => {
  test('returns who did what, with names, newest first, filtered and in pages with the exact total', async () => {
    const own = await createBusinessClient();
    for (const name of ['A', 'B', 'C']) await own.post('/api/customers', { name });
    const listed = await own.get('/api/admin/audit-log?action=customer.created&pageSize=2');
    expect(listed.body).toMatchObject({ totalCount: 3, page: 1, pageSize: 2 });
    expect(getRows(listed).map((row) => [row['subject'], row['actorName']])).toEqual([
      ['customer:3', 'Test admin'],
      ['customer:2', 'Test admin'],
    ]);
    const subjects = async (query: string): Promise<unknown[]> =>
      getRows(await own.get(`/api/admin/audit-log?${query}`)).map((row) => row['subject']);
    expect(await subjects('search=customer.cr&sortDir=asc')).toEqual(['customer:1', 'customer:2', 'customer:3']);
    expect(await subjects('search=customer.cr customer:2')).toEqual(['customer:2']);
    expect(await subjects('subject=customer:2')).toEqual(['customer:2']);
    expect(await subjects('action=customer.created&dateTo=2020-01-01')).toEqual([]);
    expect(listed.bytes.toString('utf8')).not.toContain(own.tenant.admin.email);
  });

  test('names users by their ids in the list of users, as actor, subject and filter', async () => {
    const own = await createBusinessClient();
    const added = await own.post('/api/admin/users', {
      name: 'Nadia Newcomer',
      email: `nadia.${own.tenant.organisationId}@tenant.example`.toLowerCase(),
      role: 'viewer',
      password: 'a-long-enough-password',
    });
    const userId = getCreatedId(added);
    const admin = getRows(await own.get('/api/admin/users?sortBy=id&sortDir=asc'))[0]?.['id'];
    const [created] = getRows(await own.get(`/api/admin/audit-log?action=user.created&actor=${String(admin)}`));
    expect(created).toMatchObject({ actorUserId: admin, subjectUserId: userId });
    expect(getRows(await own.get(`/api/admin/audit-log?actor=${userId}`))).toEqual([]);
    await own.post('/api/customers', { name: 'A' });
    const [row] = getRows(await own.get('/api/admin/audit-log?action=customer.created'));
    expect(row).toMatchObject({ actorUserId: admin, subjectUserId: null, subject: 'customer:1' });
  });

  test('is verified on request, and the altered position is reported', async () => {
    const own = await createBusinessClient();
    await own.post('/api/customers', { name: 'A' });
    await sealAudit(await getTestPlatform());
    const whole = getData(await own.get('/api/admin/audit-log/verify'));
    expect(whole).toMatchObject({ valid: true, brokenAt: null });
    const row = await Audit.findOneAndUpdate(
      { organisationId: own.tenant.organisationId, action: 'customer.created', position: { $ne: null } },
      { $set: { subject: 'customer:2' } },
    ).lean();
    expect(getData(await own.get('/api/admin/audit-log/verify'))).toMatchObject({
      valid: false,
      brokenAt: row?.position,
    });
  });
});

describe('webhooks', () => {
  test('are created, listed, given a new secret and deleted; deliveries contain every attempt', async () => {
    const own = await createBusinessClient();
    const created = await own.post(WEBHOOKS_PATH, { url: 'https://hooks.invalid/x', events: ['invoice.issued'] });
    const id = String(getData(created)['id']);
    expect(String(getData(created)['secret'])).toMatch(/^whsec_/);
    const listed = await own.get(WEBHOOKS_PATH);
    expect(listed.body).toMatchObject({ totalCount: 1, data: [{ id, events: ['invoice.issued'], status: 'enabled' }] });
    expect(listed.bytes.toString('utf8')).not.toContain('whsec_');
    const rotated = await own.post(`${WEBHOOKS_PATH}/${id}/rotate`, { overlapSeconds: 60 });
    expect(getData(rotated)['secret']).not.toBe(getData(created)['secret']);
    const tried = await own.post(`${WEBHOOKS_PATH}/${id}/test`, undefined);
    expect([tried.status, getData(tried)['type']]).toEqual([202, 'webhook.test']);
    const deliveries = await own.get(`${WEBHOOKS_PATH}/${id}/deliveries?search=webhook`);
    expect(deliveries.body).toMatchObject({ totalCount: 1, data: [{ id: getData(tried)['id'] }] });
    const delivery = await own.get(`${WEBHOOKS_PATH}/${id}/deliveries/${String(getData(tried)['id'])}`);
    expect(getData(delivery)).toMatchObject({ id: getData(tried)['id'], request: { method: 'POST' } });
    expect((await own.get(`${WEBHOOKS_PATH}/${id}/deliveries?search=invoice`)).body['totalCount']).toBe(0);
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const recovered = await own.post(`${WEBHOOKS_PATH}/${id}/recover`, { since: yesterday });
    expect([recovered.status, getData(recovered)['since']]).toEqual([202, `${yesterday}T00:00:00.000Z`]);
    expect((await own.delete(`${WEBHOOKS_PATH}/${id}`)).status).toBe(200);
    expect((await own.get(WEBHOOKS_PATH)).body['totalCount']).toBe(0);
  });

  test.each([
    [{ events: ['invoice.issued'] }, 'url'],
    [{ url: 'http://hooks.invalid/x', events: ['invoice.issued'] }, 'url'],
    [{ url: 'https://127.0.0.1/x', events: ['invoice.issued'] }, 'url'],
    [{ url: 'https://hooks.invalid/x', events: ['invoice.eaten'] }, 'events[0]'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post(WEBHOOKS_PATH, json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });
});
