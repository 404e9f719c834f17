import { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { newId } from '../../../lib/ids';
import { withMongoTransaction } from '../../../lib/mongo';
import { Audit } from '../../../models/platform/audit/audit';
import { DataKey } from '../../../models/platform/evidence/data-key';
import { Counter } from '../../../models/platform/transactions/counter';
import { Outbox } from '../../../models/platform/transactions/outbox';
import { ProcessHeartbeat } from '../../../models/platform/transactions/process-heartbeat';
import { sealAudit } from '../../../services/platform/audit/sealing';
import { verifyAuditChain } from '../../../services/platform/audit/verification';
import { readEvidence, saveEvidence, uploadEvidence } from '../../../services/platform/evidence/evidence';
import { sweepObjects } from '../../../services/platform/evidence/object-sweep';
import { abortOrphanedTransactions } from '../../../services/platform/transactions/orphaned-transactions';
import {
  buildAppName,
  findLivingProcesses,
  startHeartbeat,
} from '../../../services/platform/transactions/process-heartbeat';
import { relayDueRows } from '../../../services/platform/transactions/relay';
import { runTransaction } from '../../../services/platform/transactions/unit-of-work';
import type { Platform, Scope } from '../../../services/platform/platform';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import { HOUR_MS } from '../../../domain/durations';
import { createOrganisation } from '../../../services/platform/access/organisations';
import { EVENT_LIMIT_MS } from '../../support/limits';

let platform: Platform;
let scope: Scope;
let other: Scope;
beforeAll(async () => {
  platform = await getTestPlatform();
  scope = { organisationId: (await createTenant('Records')).organisationId, mode: 'live' };
  other = { organisationId: (await createTenant('Elsewhere')).organisationId, mode: 'live' };
});
afterAll(closeTestPlatform);

test('a second organisation of the same slug is refused', async () => {
  const slug = `t-${randomUUID().slice(0, 8)}`;
  await createOrganisation(platform, { name: 'First', slug });
  await expect(createOrganisation(platform, { name: 'Second', slug })).rejects.toMatchObject({ code: 'slug_taken' });
});

const recordAudit = (action: string) =>
  runTransaction(platform, (unit) =>
    unit.audit(scope, { actor: 'system', action, subject: 'org_x', fields: ['name'] }),
  );

describe('the audit log', () => {
  test('concurrent sealing chains every row once and the chain is valid', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => recordAudit(`test.${index}`)));
    await Promise.all([sealAudit(platform), sealAudit(platform), sealAudit(platform)]);
    const verdict = await verifyAuditChain(platform, scope.organisationId);
    expect(verdict).toMatchObject({ valid: true, unsealed: 0, brokenAt: null });
    expect(verdict.sealed).toBe(await Audit.countDocuments({ organisationId: scope.organisationId }));
    expect(verdict.sealed).toBeGreaterThanOrEqual(20);
  });

  test('a changed row, a removed row and a removed head are detected', async () => {
    await sealAudit(platform);
    const { sealed } = await verifyAuditChain(platform, scope.organisationId);
    const third = await Audit.findOneAndUpdate(
      { organisationId: scope.organisationId, position: 3 },
      { $set: { actor: 'nobody' } },
    ).lean();
    expect(await verifyAuditChain(platform, scope.organisationId)).toMatchObject({ valid: false, brokenAt: 3 });
    if (third === null) throw new Error('There is no third row.');
    await Audit.replaceOne({ _id: third._id }, third);
    expect(await verifyAuditChain(platform, scope.organisationId)).toMatchObject({ valid: true });

    await Audit.deleteOne({ organisationId: scope.organisationId, position: 4 });
    expect(await verifyAuditChain(platform, scope.organisationId)).toMatchObject({ valid: false, brokenAt: 4 });

    const elsewhere = await verifyAuditChain(platform, other.organisationId);
    await Audit.deleteOne({ organisationId: other.organisationId, position: elsewhere.sealed });
    expect(await verifyAuditChain(platform, other.organisationId)).toMatchObject({
      valid: false,
      brokenAt: elsewhere.sealed,
    });
    expect(sealed).toBeGreaterThan(4);
  });
});

describe('evidence', () => {
  const keep = async (body: Buffer) => {
    const recordId = newId('ses');
    const record = await uploadEvidence(platform, scope, {
      recordId,
      checkId: newId('chk'),
      field: 'image',
      contentType: 'image/jpeg',
      body,
    });
    await runTransaction(platform, (unit) => saveEvidence(unit, [record]));
    return record;
  };
  const body = Buffer.from('the face of a person, in bytes');

  test('is readable for its organisation and encrypted in the object store', async () => {
    const record = await keep(body);
    expect((await readEvidence(platform, scope, record._id)).body).toEqual(body);
    const stored = await platform.objects.get(record.objectKey);
    expect(stored?.includes(body)).toBe(false);
    expect(stored?.length).toBe(body.length + 28);
  });

  test('is unknown to another organisation and to the other mode', async () => {
    const record = await keep(body);
    await expect(readEvidence(platform, other, record._id)).rejects.toMatchObject({ status: 404 });
    await expect(readEvidence(platform, { ...scope, mode: 'test' }, record._id)).rejects.toMatchObject({ status: 404 });
  });

  test('an object replaced by that of another record cannot be decrypted', async () => {
    const [one, two] = [await keep(body), await keep(Buffer.from('another'))];
    await platform.objects.put(
      one.objectKey,
      (await platform.objects.get(two.objectKey)) ?? Buffer.alloc(0),
      'application/octet-stream',
    );
    await expect(readEvidence(platform, scope, one._id)).rejects.toThrow();
  });

  test('is unreadable once its data key is destroyed', async () => {
    const record = await keep(body);
    await DataKey.deleteOne({ _id: record.recordId, ...scope });
    await expect(readEvidence(platform, scope, record._id)).rejects.toMatchObject({ status: 404 });
  });

  test('an unreferenced upload is removed after a day, a referenced one is kept', async () => {
    const later: Platform = { ...platform, clock: { now: () => new Date(Date.now() + 25 * HOUR_MS) } };
    const named = await keep(body);
    const orphan = await uploadEvidence(platform, scope, {
      recordId: newId('ses'),
      checkId: newId('chk'),
      field: 'image',
      contentType: 'image/jpeg',
      body,
    });
    const prefix = `evidence/${scope.organisationId}/`;
    const knows = (keys: readonly string[]) => Promise.resolve(new Set(keys.filter((key) => key !== orphan.objectKey)));
    expect(await sweepObjects(platform, prefix, knows)).toEqual({ removed: 0, next: null });
    expect(await sweepObjects(later, prefix, knows)).toEqual({ removed: 1, next: null });
    expect(await platform.objects.get(orphan.objectKey)).toBeNull();
    expect(await platform.objects.get(named.objectKey)).not.toBeNull();
  });
});

test('a sweep whose time is over goes on behind the last object that it has looked at', async () => {
  const prefix = `evidence/${newId('org')}/`;
  const keys = Array.from({ length: 1002 }, (_, index) => `${prefix}${String(index).padStart(4, '0')}`);
  const longAgo = new Date(Date.now() - 48 * HOUR_MS);
  const removed: string[] = [];
  const objects: Platform['objects'] = {
    ...platform.objects,
    list: (_prefix, after = '') =>
      Readable.from(keys.filter((key) => key > after).map((key) => ({ key, lastModified: longAgo }))),
    remove: (key) => Promise.resolve(void removed.push(key)),
  };
  const knows = (found: readonly string[]) => Promise.resolve(new Set(found.filter((key) => !key.endsWith('1'))));
  const swept: Platform = { ...platform, objects };
  const first = await sweepObjects(swept, prefix, knows, { after: null, isTimeOver: () => true });
  expect(first).toEqual({ removed: 100, next: keys[999] });
  const second = await sweepObjects(swept, prefix, knows, { after: first.next, isTimeOver: () => true });
  expect(second).toEqual({ removed: 1, next: null });
  expect(removed).toEqual(keys.filter((key) => key.endsWith('1')));
});

test('objects are listed in ascending order, and behind a key', async () => {
  const prefix = `evidence/${newId('org')}/`;
  const keys = ['a', 'b/1', 'b/2', 'c'].map((name) => `${prefix}${name}`);
  for (const key of keys) await platform.objects.put(key, Buffer.from('x'), 'text/plain');
  const list = async (after?: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of platform.objects.list(prefix, after)) found.push(key);
    return found;
  };
  expect(await list()).toEqual(keys);
  expect(await list(keys[1])).toEqual(keys.slice(2));
  for (const key of keys) await platform.objects.remove(key);
});

describe('an open transaction', () => {
  const isOpen = async (id: unknown): Promise<boolean> => {
    const admin = mongoose.connection.getClient().db('admin');
    const stages = [
      { $currentOp: { idleSessions: true } },
      { $match: { 'lsid.id': id, transaction: { $exists: true } } },
    ];
    return (await admin.aggregate(stages, { readConcern: { level: 'local' } }).toArray()).length > 0;
  };

  /** Opens a transaction in a connection that the server shows as one of this process. */
  async function openTransaction(processId: string, mongoUrl = platform.config.MONGO_URL) {
    const connection = await mongoose
      .createConnection(platform.config.MONGO_URL, { appName: buildAppName(mongoUrl, processId) })
      .asPromise();
    const mongoSession = await connection.startSession();
    mongoSession.startTransaction();
    const counters = connection.collection<{ _id: string; value: number }>('counters');
    await counters.insertOne({ _id: `orphan.${processId}`, value: 1 }, { session: mongoSession });
    return { connection, mongoSession };
  }

  test('of this process is aborted once its session was given up, and not while it runs', async () => {
    const abandoned = await openTransaction(platform.processId);
    await withMongoTransaction(async (running) => {
      await Counter.updateOne({ _id: `runs.${platform.processId}` }, { value: 1 }, { upsert: true, session: running });
      while (await isOpen(abandoned.mongoSession.id?.id)) await abortOrphanedTransactions(platform);
      expect(await isOpen(running.id?.id)).toBe(true);
    });
    await expect(abandoned.mongoSession.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    await abandoned.connection.close();
    await Counter.deleteOne({ _id: `runs.${platform.processId}` });
  });

  test('of a process that has died is aborted, that of a living one is not', async () => {
    const living = newId('prc');
    await ProcessHeartbeat.create({ _id: living, name: 'test', aliveUntil: new Date(Date.now() + HOUR_MS) });
    const [ours, orphaned] = await Promise.all([openTransaction(living), openTransaction(newId('prc'))]);
    while (await isOpen(orphaned.mongoSession.id?.id)) await abortOrphanedTransactions(platform);
    await expect(orphaned.mongoSession.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    await ours.mongoSession.commitTransaction();
    await Promise.all([ours.connection.close(), orphaned.connection.close()]);
    await Promise.all([Counter.deleteOne({ _id: `orphan.${living}` }), ProcessHeartbeat.deleteOne({ _id: living })]);
  });

  test('of an installation with another database on the same server is not aborted', async () => {
    const processId = newId('prc');
    const [other, orphaned] = [
      await openTransaction(processId, 'mongodb://one:27017,two:27018/another?replicaSet=rs'),
      await openTransaction(newId('prc')),
    ];
    while (await isOpen(orphaned.mongoSession.id?.id)) await abortOrphanedTransactions(platform);
    // This sweep sees the other one.
    expect(await isOpen(other.mongoSession.id?.id)).toBe(true);
    await abortOrphanedTransactions(platform);
    await other.mongoSession.commitTransaction();
    await Promise.all([other.connection.close(), orphaned.connection.close()]);
    await Counter.deleteOne({ _id: `orphan.${processId}` });
  });
});

test('a transaction whose session is ended by another process in the middle of an operation is repeated', async () => {
  const admin = mongoose.connection.getClient().db('admin');
  const id = `interrupted.${newId('prc')}`;
  let attempts = 0;
  await withMongoTransaction(async (mongoSession) => {
    attempts += 1;
    await Counter.updateOne({ _id: id }, { $set: { value: attempts } }, { upsert: true, session: mongoSession });
    if (attempts > 1) return;
    const wait = { $function: { body: 'function () { sleep(60000); }', args: [], lang: 'js' } };
    const waiting = Counter.aggregate([{ $match: { _id: id } }, { $project: { wait } }])
      .session(mongoSession)
      .exec();
    const lsid = mongoSession.id?.id;
    const stages = [{ $currentOp: {} }, { $match: { 'lsid.id': lsid, active: true, 'command.aggregate': 'counters' } }];
    const kill = async (): Promise<void> => {
      while ((await admin.aggregate(stages, { readConcern: { level: 'local' } }).toArray()).length === 0);
      await admin.command({ killSessions: [{ id: lsid }] });
    };
    await Promise.all([waiting, kill()]);
  });
  expect(attempts).toBe(2);
  expect(await Counter.findById(id).lean()).toMatchObject({ value: 2 });
  await Counter.deleteOne({ _id: id });
});

test('heartbeats are written and read without waiting for other members of the replica set', async () => {
  const collections = mongoose.mongo.Collection.prototype;
  const [find, updateOne] = [jest.spyOn(collections, 'find'), jest.spyOn(collections, 'updateOne')];
  const heartbeat = await startHeartbeat({ ...platform, processId: newId('prc') }, 'test');
  const processId = String(updateOne.mock.calls[0]?.[0]['_id']);
  expect(updateOne.mock.calls[0]?.[2]).toMatchObject({ writeConcern: { w: 1 } });
  expect(await findLivingProcesses([processId])).toEqual(new Set([processId]));
  expect(find.mock.calls.at(-1)?.[1]).toMatchObject({ readConcern: { level: 'local' } });
  await heartbeat.stop();
  expect(await findLivingProcesses([processId])).toEqual(new Set());
  jest.restoreAllMocks();
});

test.each([
  { when: 'before it takes effect', takesEffect: false, runs: 2 },
  { when: 'after it has taken effect', takesEffect: true, runs: 1 },
])('a transaction whose commit another process interrupts $when takes effect once', async ({ takesEffect, runs }) => {
  const admin = mongoose.connection.getClient().db('admin');
  const id = `interrupted.${newId('prc')}`;
  let attempts = 0;
  await withMongoTransaction(async (mongoSession) => {
    attempts += 1;
    await Counter.updateOne({ _id: id }, { $inc: { value: 1 } }, { upsert: true, session: mongoSession });
    if (attempts > 1) return;
    const commit = mongoSession.commitTransaction.bind(mongoSession);
    mongoSession.commitTransaction = async () => {
      mongoSession.commitTransaction = commit;
      if (takesEffect) await commit();
      await admin.command({ killSessions: [{ id: mongoSession.id?.id }] });
      // As the server answers a commit that waits when the session is ended.
      throw new mongoose.mongo.MongoServerError({ message: 'operation was interrupted', code: 11_601 });
    };
  });
  expect(attempts).toBe(runs);
  expect(await Counter.findById(id).lean()).toMatchObject({ value: 1 });
  await Counter.deleteOne({ _id: id });
});

test('a transaction whose connection is lost during a bulk write is repeated', async () => {
  const id = `disconnected.${newId('prc')}`;
  let attempts = 0;
  await withMongoTransaction(async (mongoSession) => {
    attempts += 1;
    const counters = mongoose.connection.collection<{ _id: string; value: number }>('counters');
    const document = { _id: id, value: attempts };
    const written = await counters.bulkWrite([{ insertOne: { document } }], { session: mongoSession });
    if (attempts > 1) return;
    const { MongoBulkWriteError, MongoNetworkError } = mongoose.mongo;
    // As the driver reports a bulk write whose connection was closed.
    throw new MongoBulkWriteError(new MongoNetworkError('connection closed'), written);
  });
  expect(attempts).toBe(2);
  await Counter.deleteOne({ _id: id });
});

describe('the outbox', () => {
  const insertOutboxRow = (row: object) =>
    Outbox.create({
      _id: newId('obx'),
      organisationId: scope.organisationId,
      argument: {},
      createdAt: new Date(),
      dueAt: new Date(0),
      attempts: 0,
      doneAt: null,
      ...row,
    });
  const relayAndRead = async (id: string) => {
    await relayDueRows(platform);
    return Outbox.findById(id).lean();
  };

  test('a committed start that its process did not dispatch is dispatched once by a relay', async () => {
    const workflowId = `sealAudit-${randomUUID()}`;
    const row = await insertOutboxRow({
      kind: 'start',
      name: 'sealAudit',
      taskQueue: 'vouch-orchestration',
      workflowId,
    });
    await platform.changes.waitFor(
      'outbox',
      row._id,
      EVENT_LIMIT_MS,
      async () => (await relayAndRead(row._id))?.doneAt ?? null,
    );
    const description = await platform.temporal.workflow.getHandle(workflowId).describe();
    expect(description.type).toBe('sealAudit');
  });

  test('a signal waits for the pending start of its workflow', async () => {
    const workflowId = `ses-${randomUUID()}`;
    const far = new Date(Date.now() + HOUR_MS);
    const start = await insertOutboxRow({
      kind: 'start',
      name: 'sealAudit',
      taskQueue: 'vouch-orchestration',
      workflowId,
      dueAt: far,
    });
    const signal = await insertOutboxRow({ kind: 'signal', name: 'sessionChanged', workflowId });
    expect((await relayAndRead(signal._id))?.doneAt).toBeNull();
    await Outbox.deleteOne({ _id: start._id });
    await Outbox.updateOne({ _id: signal._id }, { $set: { dueAt: new Date(0) } });
    const done = await platform.changes.waitFor('outbox', signal._id, EVENT_LIMIT_MS, async () => {
      const current = await relayAndRead(signal._id);
      return current?.doneAt == null ? null : current;
    });
    expect(done).toMatchObject({ outcome: 'workflow_ended' });
  });
});
