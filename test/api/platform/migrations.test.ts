import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import mongoose, { mongo } from 'mongoose';
import { createApp } from '../../../api/app';
import { loadConfig } from '../../../lib/config';
import { SchemaState } from '../../../models/platform/migrations/schema-state';
import { BlockedDocument } from '../../../models/identity/documents/blocked-document';
import { DocumentUses } from '../../../models/identity/documents/document-use';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { User } from '../../../models/platform/access/user';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import { getSchemaStatus, migrateDatabase, MIGRATIONS } from '../../../services/migrations';
import { requireCurrentSchema, SCHEMA_VERSION } from '../../../services/platform/migrations/schema-state';
import { verifyAuditChain } from '../../../services/platform/audit/verification';
import { closePlatform, createPlatform } from '../../../services/platform/bootstrap';
import type { Platform, Scope } from '../../../services/platform/platform';
import { readEventBody } from '../../../services/platform/webhooks/event-bodies';
import { call } from '../../support/client';
import { runAdminCommand } from '../../support/commands';
import {
  buildEarlierSession,
  chainLikeEarlier,
  insertEarlierBill,
  insertEarlierDocument,
  insertEarlierEvent,
  insertEarlierImport,
  insertEarlierSessions,
  storeEarlierDataKey,
  storeEarlierUsers,
} from '../../support/earlier-data';
import { awaitFailedCheck, findFreePort, startApi } from '../../support/processes';
import { createTenantOn } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

/** More sessions than fit into one batch, so that a run can be interrupted between two. */
const SESSIONS = 900;

let platform: Platform;
/** An API process that waits for the migrations. */
let starting: ReturnType<typeof startApi> | undefined;
let server: Server;
let api: string;
let tenant: Tenant;
let scope: Scope;
let sessionId: string;
let eventBody: string;
let imported: Awaited<ReturnType<typeof insertEarlierImport>>;
let reviewer: string;
let viewer: string;
/** A database and buckets of its own, on the engines of the running stack. */
let env: { MONGO_URL: string; S3_BUCKET: string };

const getDatabase = (): mongo.Db => {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  return db;
};

const readRaw = (collection: string, _id: string): Promise<mongo.Document | null> =>
  mongoose.connection.collection<{ _id: string }>(collection).findOne({ _id });

async function insertEarlierRecords(): Promise<void> {
  const sessions = Array.from({ length: SESSIONS }, (_, index) =>
    buildEarlierSession(scope, index + 1, `case-of-anna-${index + 1}`),
  );
  await insertEarlierSessions(sessions);
  sessionId = sessions[0]?._id ?? '';
  await storeEarlierDataKey(platform, scope, sessionId);
  imported = await insertEarlierImport(scope, SESSIONS + 1);
  await insertEarlierDocument(platform, scope, sessionId);
  eventBody = await insertEarlierEvent(scope, sessionId);
  await insertEarlierBill(tenant.organisationId);
  await chainLikeEarlier(tenant.organisationId);
  await storeEarlierUsers({ [tenant.admin.email]: 'admin', [reviewer]: 'reviewer', [viewer]: 'viewer' });
  await SchemaState.deleteMany({});
}

beforeAll(async () => {
  const name = `migrations-${randomBytes(4).toString('hex')}`;
  const url = new URL(loadConfig().MONGO_URL);
  url.pathname = `/${name}`;
  env = { MONGO_URL: url.href, S3_BUCKET: name };
  const config = { ...loadConfig({ ...process.env, ...env }), LOG_LEVEL: 'silent' } as const;
  platform = await createPlatform(config, { name: 'test', watch: false });
  await platform.objects.ensureBucket();
  await migrateDatabase(platform);
  tenant = await createTenantOn(platform, 'Earlier');
  scope = { organisationId: tenant.organisationId, mode: 'live' };
  reviewer = (await tenant.createIdentityUser('reviewer')).email;
  viewer = (await tenant.createUserWithRole('viewer')).email;
  await insertEarlierRecords();
  server = await new Promise<Server>((resolve) => {
    const listening = createApp(platform).listen(0, '127.0.0.1', () => resolve(listening));
  });
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await getDatabase().dropDatabase();
  // After a failed test it serves the database, which is new again.
  await (await starting)?.stop();
  await getDatabase().dropDatabase();
  await closePlatform(platform);
});

test('a new database has the version of the code, one with records of versions without migrations has none of them', async () => {
  expect(await getSchemaStatus(platform)).toMatchObject({ version: 0, latest: MIGRATIONS.length, current: null });
  const versions = MIGRATIONS.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
  expect(versions.at(-1)).toBe(SCHEMA_VERSION);
});

test('a process does not serve and a command refuses while migrations are pending, and say how to run them', async () => {
  await expect(requireCurrentSchema(platform)).rejects.toThrow('run npm run admin -- migrate first');
  const port = findFreePort();
  starting = startApi({ ...env, PORT: String(port) });
  await awaitFailedCheck('schema', port, starting);
  expect(await runDoctor()).toMatchObject({
    code: 1,
    schema: { count: MIGRATIONS.length, remedy: expect.stringContaining('Run `npm run admin -- migrate`') as string },
  });

  // The run is killed within a migration, and the next one continues after the last batch that was committed.
  const killed = await runAdminCommand(['migrate'], {
    env,
    onProgress: (output, kill) => {
      if (output.includes('sealed-fields: 202 converted')) kill();
    },
  });
  expect(killed.error).toContain('sealed-fields: 202 converted');
  expect(killed.code).toBeNull();
  const interrupted = await getSchemaStatus(platform);
  expect(interrupted).toMatchObject({ version: 5, current: { name: 'sealed-fields', runs: 1 } });
  expect(interrupted.current?.converted).toBeGreaterThanOrEqual(200);
  expect(interrupted.current?.converted).toBeLessThan(SESSIONS);

  // Of two processes that migrate at the same time, one waits.
  const [report, waited] = await Promise.all([migrateDatabase(platform), runAdminCommand(['migrate'], { env })]);
  const completed = [report.completed, waited.report['completed']].flat();
  expect(completed).toHaveLength(MIGRATIONS.length - 5);
  // Each record was converted once: the sessions, the check of the imported one, the event and the blocked document.
  expect(completed).toContainEqual({ name: 'sealed-fields', converted: SESSIONS + 4, runs: 2 });
  expect(completed).toContainEqual({ name: 'imported-hits', converted: 1, runs: 1 });
  expect(await getSchemaStatus(platform)).toMatchObject({ version: MIGRATIONS.length, pending: [], running: false });
  expect((await runDoctor()).schema).toBeUndefined();

  // The API, which has waited, serves.
  const replica = await starting;
  starting = undefined;
  const response = await call('GET', `/v1/sessions/${sessionId}`, { key: tenant.identityKey, api: replica.url });
  expect(response.status).toBe(200);
  await replica.stop();
});

/** What `npm run doctor` says about the schema, and its exit code. */
async function runDoctor(): Promise<{ code: number | null; schema: unknown }> {
  const { code, report } = await runAdminCommand(['doctor', '--json'], { env });
  return { code, schema: (report['problems'] as { area: string }[]).find(({ area }) => area === 'schema') };
}

describe('records of the earlier version', () => {
  const get = (path: string) => call('GET', path, { key: tenant.identityKey, api });

  test('sessions keep what they had, name their template and are found by their externalId', async () => {
    expect((await get(`/v1/sessions/${sessionId}`)).body).toMatchObject({
      session: { externalId: 'case-of-anna-1', metadata: { note: 'a note on Anna' }, workflowVersion: 3 },
    });
    expect((await get('/v1/sessions?workflowId=wfl_earlier&limit=1')).body).toMatchObject({ total: SESSIONS + 1 });
    expect((await get('/v1/sessions?externalId=case-of-anna-77')).body).toMatchObject({ total: 1 });
    expect((await get('/v1/sessions?search=anna')).body).toMatchObject({ total: SESSIONS });
  });

  test('hold nothing about a person in clear text', async () => {
    const session = await readRaw('sessions', sessionId);
    for (const field of ['externalId', 'metadata', 'expected', 'contact'])
      expect(session?.[field]).toBeInstanceOf(mongo.Binary);
    expect(JSON.stringify(session?.['searchTokens'])).not.toContain('anna');
    expect((await readRaw('data_keys', sessionId))?.['wrapped']).toEqual(expect.any(String));
    const event = await WebhookEvent.findOne({ subjectId: sessionId }).orFail().lean();
    expect(event.body).toMatch(/^sealed:/);
    expect(await readEventBody(platform, event)).toBe(eventBody);
  });

  test('hits of imported sessions have ids of their own, by which they are reviewed', async () => {
    const readAml = async () => {
      const { body } = await get(`/v1/sessions/${imported.sessionId}`);
      return (body['session'] as { results: { aml: { match: boolean; hits: { id: string }[] } } }).results.aml;
    };
    const before = await readAml();
    expect(before).toMatchObject({ match: true, hits: [{ entryId: 'E1', reviewStatus: 'unreviewed' }] });
    const id = before.hits[0]?.id ?? '';
    expect(id).not.toBe(imported.hitId);
    const json = { status: 'false_positive', reason: 'Another person.' };
    const { status } = await call('POST', `/v1/aml/hits/${id}/review`, { key: tenant.identityKey, api, json });
    expect(status).toBe(200);
    expect(await readAml()).toMatchObject({ match: false, hits: [{ id, reviewStatus: 'false_positive' }] });
  });

  test('documents that were used or blocked are found by their present fingerprint', async () => {
    const [use] = await DocumentUses.find(scope).lean();
    const [blocked] = await BlockedDocument.find(scope).lean();
    expect(use?.fingerprint).toMatch(/^=/);
    expect(blocked).toMatchObject({ fingerprint: use?.fingerprint, hint: '…2C3', reason: 'Reported by Anna' });
    expect(use?.uses).toMatchObject([{ checkId: 'chk_earlier', recordId: sessionId }]);
    expect(use?.uses[0]?.sealed).toBeInstanceOf(mongo.Binary);
  });

  test('users keep their access to each API, and an email address may be used in several organisations', async () => {
    const readRoles = async (email: string) => {
      const { role, identityRole } = await User.findOne({ email }).orFail().lean();
      return [role, identityRole];
    };
    expect(await readRoles(tenant.admin.email)).toEqual(['admin', 'admin']);
    expect(await readRoles(reviewer)).toEqual([null, 'reviewer']);
    expect(await readRoles(viewer)).toEqual(['viewer', null]);
    const indexes = await mongoose.connection.collection('users').indexes();
    expect(indexes.map(({ name }) => name)).not.toContain('email_1');
  });

  test('a bill has the parts of its difference, before tax', async () => {
    const bill = await Payable.findOne({ organisationId: tenant.organisationId, type: 'bill' }).orFail().lean();
    const read = (value: mongo.Decimal128 | undefined): number | null =>
      value === undefined ? null : fromDecimal128(value).toNumber();
    // 66.00 at 0.9 are 59.40, the receipt was 50.00 at 0.8: 2 more chairs at 5.00, 0.50 more each, the rate 0.1 higher.
    expect([bill.priceDifference, bill.quantityDifference, bill.exchangeDifference].map(read)).toEqual([5.4, 9, 5]);
  });

  test('the number of a bill is unique as long as the bill is not void', async () => {
    const payables = mongoose.connection.collection('payables');
    const names = (await payables.indexes()).map(({ name }) => name);
    expect(names).not.toContain('organisationId_1_vendorId_1_type_1_number_1');
    const bill = await payables.findOne({ type: 'bill' });
    if (bill === null) throw new Error('There is no bill.');
    const another = { ...bill, _id: new mongo.ObjectId(), id: 3 };
    await expect(payables.insertOne(another)).rejects.toThrow('duplicate key');
    await payables.updateOne({ _id: bill._id }, { $set: { voidedOn: '2026-11-29', voidedId: 2 } });
    await payables.insertOne(another);
  });

  test('the audit chain verifies with authentication codes', async () => {
    expect(await verifyAuditChain(platform, tenant.organisationId)).toMatchObject({ valid: true });
  });
});

test('an audit chain that was altered before the migration still does not verify', async () => {
  const { organisationId } = await createTenantOn(platform, 'Altered');
  await chainLikeEarlier(organisationId);
  await mongoose.connection
    .collection('audit_log')
    .updateOne({ organisationId, position: 1 }, { $set: { actor: 'x' } });
  const migration = MIGRATIONS.find(({ name }) => name === 'audit-chains');
  await SchemaState.updateOne({ _id: 'schema' }, { $set: { version: (migration?.version ?? 0) - 1 } });
  await mongoose.connection.collection<{ _id: number }>('migrations').deleteOne({ _id: migration?.version ?? 0 });
  await migrateDatabase(platform);
  expect(await verifyAuditChain(platform, organisationId)).toMatchObject({ valid: false });
});

test('a database that a newer version has migrated is refused by commands and processes', async () => {
  const version = MIGRATIONS.length + 1;
  await SchemaState.updateOne({ _id: 'schema' }, { $set: { version, release: '99.0.0' } });
  const refused = await runAdminCommand(['migrate'], { env });
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('written by Vouch 99.0.0')]);
  await expect(startApi(env)).rejects.toThrow('did not start');
  await expect(requireCurrentSchema(platform)).rejects.toThrow('docs/runbooks/database-newer-than-code.md');
  expect(await runDoctor()).toMatchObject({
    code: 1,
    schema: { summary: expect.stringContaining('written by Vouch 99.0.0') as string },
  });
});
