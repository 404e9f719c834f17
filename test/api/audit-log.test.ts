import { z } from 'zod';
import { Audit } from '../../models/platform/audit';
import { sealAudit } from '../../services/platform/audit';
import { call } from '../support/client';
import { createSession } from '../support/identity';
import { closeTestPlatform, createTenant, testPlatform } from '../support/tenant';
import type { Tenant } from '../support/tenant';

const page = z.object({
  entries: z.array(z.looseObject({ id: z.string(), action: z.string(), actor: z.string(), subject: z.string() })),
  total: z.number(),
  nextCursor: z.string().nullable(),
});

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Audited');
});
afterAll(closeTestPlatform);

const read = async (query: string) =>
  page.parse((await call('GET', `/v1/audit-log?${query}`, { key: tenant.identityKey })).body);
const verify = () => call('GET', '/v1/audit-log/verify', { key: tenant.identityKey });

describe('the audit log', () => {
  test('tells who did what to which record, by its filters, page after page', async () => {
    const sessions = [];
    for (let count = 0; count < 3; count += 1) {
      sessions.push(await createSession(tenant.identityKey, { externalId: 'Nobody shall read this' }));
    }
    const [first] = sessions;
    expect(await read(`subject=${first?.id ?? ''}`)).toMatchObject({
      entries: [{ action: 'session.created', subject: first?.id, actor: expect.stringMatching(/^key_/) as string }],
      total: 1,
    });
    const ids = new Set<string>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const { entries, total, nextCursor } = await read(
        `action=session.created&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(total).toBe(3);
      for (const { id } of entries) ids.add(id);
      cursor = nextCursor;
    }
    expect(ids.size).toBe(3);
    expect((await read('from=2099-01-01T00:00:00Z')).total).toBe(0);
    expect(JSON.stringify(await read('limit=100'))).not.toContain('Nobody shall read this');
  });

  test('proves its chain, counts what is not sealed yet, and says where it was tampered with', async () => {
    const platform = await testPlatform();
    await sealAudit(platform);
    const whole = await verify();
    expect(whole.body).toMatchObject({ valid: true, unsealed: 0, brokenAt: null });
    await createSession(tenant.identityKey, {});
    await Audit.updateOne(
      { organisationId: tenant.organisationId, position: 2 },
      { $set: { action: 'session.something_else' } },
    );
    expect((await verify()).body).toMatchObject({ valid: false, brokenAt: 2 });
  });

  test('is not shown to who may not read it', async () => {
    const key = await tenant.identityKeyWith(['sessions:read']);
    expect((await call('GET', '/v1/audit-log', { key })).status).toBe(403);
    expect((await call('GET', '/v1/audit-log/verify', { key })).status).toBe(403);
  });
});
