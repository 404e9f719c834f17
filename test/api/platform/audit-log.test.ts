import { z } from 'zod';
import { auditEntrySchema } from '../../../api/platform/audit/audit';
import { Audit } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { listPublishedKeys, rotateSigningKey } from '../../../services/platform/access/signing-keys';
import { sealAudit } from '../../../services/platform/audit/sealing';
import { verifyAuditChain } from '../../../services/platform/audit/verification';
import { call } from '../../support/client';
import { pollUntilFound } from '../../support/poll';
import { createSession, parseDocumented } from '../../support/identity/identity';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { DAY_MS } from '../../../domain/durations';

const pageSchema = z.object({
  entries: z.array(auditEntrySchema),
  total: z.number(),
  nextCursor: z.string().nullable(),
});

let tenant: Tenant;
let key: string;
let sessionId: string;

beforeAll(async () => {
  tenant = await createTenant('Audited');
  key = tenant.identityKey;
  sessionId = (await createSession(key, { externalId: 'secret-reference', expected: { lastName: 'Eriksson' } })).id;
  for (let count = 0; count < 4; count += 1) await createSession(key, {});
});
afterAll(closeTestPlatform);

const listEntries = async (query = ''): Promise<z.infer<typeof pageSchema>> =>
  parseDocumented(pageSchema, await call('GET', `/v1/audit-log${query}`, { key }), 200);

const verifyLog = async (): Promise<Record<string, unknown>> =>
  (await call('GET', '/v1/audit-log/verify', { key })).body;

describe('the audit log', () => {
  test('contains the actor, action, record and field names, but no values', async () => {
    const { entries: rows } = await listEntries(`?subject=${sessionId}`);
    expect(rows).toMatchObject([
      {
        action: 'session.created',
        subject: sessionId,
        actor: expect.stringMatching(/^key_/) as string,
        actorName: 'Test',
      },
    ]);
    const { entries: own } = await listEntries('?actor=system');
    expect(own.map(({ actorName }) => actorName)).toEqual(own.map(() => null));
    expect(rows[0]?.fields).toEqual(expect.arrayContaining(['externalId', 'expected']));
    expect(JSON.stringify(rows)).not.toMatch(/secret-reference|Eriksson/);
  });

  test('is listed in pages, newest first, with an exact total', async () => {
    const { total } = await listEntries();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const read: z.infer<typeof pageSchema> = await listEntries(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(read.total).toBe(total);
      seen.push(...read.entries.map(({ id }) => id));
      cursor = read.nextCursor;
    }
    expect(seen).toHaveLength(total);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  test('is filtered by action, actor and time', async () => {
    const created = await listEntries('?action=session.created');
    expect(created.total).toBe(5);
    const actor = created.entries[0]?.actor ?? '';
    expect((await listEntries(`?actor=${actor}&action=session.created`)).total).toBe(5);
    expect((await listEntries('?actor=key_nobody')).total).toBe(0);
    const at = encodeURIComponent(created.entries[2]?.at ?? '');
    const before = (await listEntries(`?action=session.created&to=${at}`)).total;
    const since = (await listEntries(`?action=session.created&from=${at}`)).total;
    expect(before + since).toBe(5);
    expect(since).toBeGreaterThanOrEqual(3);
  });

  test('lists only entries of the organisation and of the credential’s mode', async () => {
    const stranger = await createTenant('Stranger');
    const response = await call('GET', `/v1/audit-log?subject=${sessionId}`, { key: stranger.identityKey });
    expect(response.body).toMatchObject({ total: 0, entries: [] });
    const sandbox = await tenant.createIdentityKey(['audit:read'], { mode: 'test' });
    expect((await call('GET', `/v1/audit-log?subject=${sessionId}`, { key: sandbox })).body).toMatchObject({
      total: 0,
    });
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?from=yesterday', 'from'],
    ['?cursor=ses_1', 'cursor'],
    ['?unknown=1', 'unknown'],
  ])('refuses %s by name', async (query, field) => {
    const response = await call('GET', `/v1/audit-log${query}`, { key });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(`"field":"${field}"`);
  });
});

describe('verification', () => {
  const restoring = async (row: AuditRecord | null, check: () => Promise<void>): Promise<void> => {
    await check();
    if (row !== null) await Audit.replaceOne({ _id: row._id }, row);
  };

  test('returns the last verified and signed positions, and the number of unchained rows', async () => {
    await sealAudit(await getTestPlatform());
    await createSession(key, {});
    const verification = await verifyLog();
    expect(verification).toMatchObject({
      ok: true,
      valid: true,
      brokenAt: null,
      signedAt: expect.any(String) as string,
    });
    expect(Number(verification['sealed'])).toBeGreaterThanOrEqual(5);
    expect(Number(verification['signedUpTo'])).toBeLessThanOrEqual(Number(verification['sealed']));
  });

  test.each([
    ['actor', { actor: 'key_someone_else' }],
    ['fields', { fields: [] }],
    ['action', { action: 'session.read' }],
  ])('rings when the %s of a row was changed', async (_name, change) => {
    await sealAudit(await getTestPlatform());
    const second = { organisationId: tenant.organisationId, position: 2 };
    const row = await Audit.findOneAndUpdate(second, { $set: change }).lean<AuditRecord>();
    await restoring(row, async () => expect(await verifyLog()).toMatchObject({ ok: true, valid: false, brokenAt: 2 }));
    expect(await verifyLog()).toMatchObject({ valid: true });
  });

  test('runs segment by segment, and fails only for the segment of an altered row', async () => {
    const { organisationId, identityKey } = await createTenant('Long');
    for (let count = 0; count < 6; count += 1) await createSession(identityKey, {});
    await sealAudit(await getTestPlatform());
    const verifyPart = async (query: string): Promise<Record<string, unknown>> =>
      (await call('GET', `/v1/audit-log/verify${query}`, { key: identityKey })).body;
    const end = Number((await verifyPart(''))['sealed']);
    const proven: number[] = [];
    for (let from: number | null = 1; from !== null;) {
      const part: Record<string, unknown> = await verifyPart(`?from=${from}&limit=2`);
      expect(part).toMatchObject({ ok: true, valid: true, from, brokenAt: null });
      proven.push(Number(part['sealed']));
      from = part['nextFrom'] === null ? null : Number(part['nextFrom']);
    }
    expect(proven.slice(0, 2)).toEqual([2, 4]);
    expect(proven.at(-1)).toBeGreaterThanOrEqual(end);
    await Audit.updateOne({ organisationId, position: 5 }, { $set: { actor: 'key_someone_else' } });
    expect(await verifyPart('?from=1&limit=4')).toMatchObject({ valid: true, sealed: 4, nextFrom: 5 });
    expect(await verifyPart('?from=5&limit=2')).toMatchObject({ valid: false, sealed: 4, brokenAt: 5, nextFrom: null });
    expect(await verifyPart('')).toMatchObject({ valid: false, brokenAt: 5 });
    await Audit.deleteOne({ organisationId, position: 5 });
    expect(await verifyPart('?from=6')).toMatchObject({ valid: false, brokenAt: 5 });
  });

  test.each([
    ['?from=0', 'from'],
    ['?from=1000000', 'from'],
    ['?from=1e2', 'from'],
    ['?limit=50001', 'limit'],
    ['?limit=0x10', 'limit'],
    ['?page=2', 'page'],
  ])('refuses %s by name', async (query, field) => {
    const response = await call('GET', `/v1/audit-log/verify${query}`, { key });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(`"field":"${field}"`);
  });

  test('continues after a rotation of the signing key; the previous key is published until its shares expire', async () => {
    const platform = await getTestPlatform();
    const { organisationId, identityKey } = await createTenant('Rotated');
    await createSession(identityKey, {});
    await sealAudit(platform);
    const published = async (): Promise<string[]> =>
      ((await call('GET', '/.well-known/jwks.json')).body['keys'] as { kid: string }[]).map(({ kid }) => kid);
    const [before] = await published();
    const { kid, retired } = await rotateSigningKey(platform);
    expect(retired.kid).toBe(before);
    // Processes read the published keys once a second.
    const after = await pollUntilFound(async () => {
      const kids = await published();
      return kids[0] === kid ? kids : undefined;
    });
    expect(after[1]).toBe(before);
    expect(await verifyAuditChain(platform, organisationId)).toMatchObject({
      valid: true,
      signedUpTo: expect.any(Number) as number,
    });
    const later = { now: () => new Date(Date.now() + 2 * DAY_MS) };
    expect((await listPublishedKeys({ ...platform, clock: later })).map((jwk) => jwk.kid)).not.toContain(before);
    expect(await verifyAuditChain(platform, organisationId)).toMatchObject({ valid: true });
  });

  test('requires its own permission', async () => {
    const reader = await tenant.createIdentityKey(['sessions:read']);
    for (const path of ['/v1/audit-log', '/v1/audit-log/verify']) {
      expect((await call('GET', path, { key: reader })).status).toBe(403);
    }
  });
});
