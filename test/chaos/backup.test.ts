import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { mongo } from 'mongoose';
import { loadConfig } from '../../lib/config';
import { createObjectStore } from '../../lib/object-store';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { call } from '../support/client';
import { createSession, getSession, parseCheck, postDocument, postLiveness } from '../support/identity/identity';
import type { Session } from '../support/identity/identity';
import { findFreePort } from '../support/processes';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

type Environment = Record<string, string>;
type Row = mongo.Document & { _id: unknown };
interface Heartbeat {
  _id: string;
  name: string;
  masterKeyId: null;
  aliveUntil: Date;
}

const { EJSON } = mongo.BSON;
const NAMESPACE = 'restored';

let stack: SharedStack;
let folder: string;
let images: DemoImages;
let key: string;
let source: Environment;
/** The engines of the restored installation: another MongoDB, other buckets, another Temporal namespace. */
let restored: Environment;
const processes: ChildProcess[] = [];
const clients: mongo.MongoClient[] = [];

const run = async (script: string, args: readonly string[], env: Environment) => {
  const child = spawn(process.execPath, [path.join('dist', 'scripts', `${script}.js`), ...args], {
    env: { ...process.env, ...env },
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  // Warnings are lines of JSON before the report, which is indented.
  const report = out.slice(`\n${out}`.lastIndexOf('\n{\n'));
  return { code, error, report: report === '' ? {} : (JSON.parse(report) as Record<string, unknown>) };
};

async function waitUntil<T>(read: () => Promise<T | null | false>): Promise<T> {
  for (;;) {
    const found = await read().catch(() => null);
    if (found !== null && found !== false) return found;
    await delay(100);
  }
}

const connect = async (env: Environment): Promise<mongo.Db> => {
  const client = await new mongo.MongoClient(env['MONGO_URL'] ?? '').connect();
  clients.push(client);
  return client.db();
};

/** Every record of a database by collection and id, in canonical extended JSON, which has the types of all values. */
async function readRecords(env: Environment): Promise<Map<string, string>> {
  const database = await connect(env);
  const records = new Map<string, string>();
  for (const { name, type } of await database.listCollections().toArray()) {
    if (type !== 'collection' || ['process_heartbeats', 'backlog_readers'].includes(name) || name.startsWith('system.'))
      continue;
    for await (const row of database.collection<Row>(name).find({}, { promoteValues: false })) {
      records.set(`${name} ${EJSON.stringify(row._id, { relaxed: false })}`, EJSON.stringify(row, { relaxed: false }));
    }
  }
  return records;
}

async function readObjects(env: Environment): Promise<Map<string, Buffer>> {
  const objects = createObjectStore(loadConfig({ ...process.env, ...env }));
  const bodies = new Map<string, Buffer>();
  for await (const { key: name } of objects.list('')) bodies.set(name, (await objects.get(name)) ?? Buffer.alloc(0));
  return bodies;
}

/** A second MongoDB, started with the program of the first one. */
async function startSecondMongo(): Promise<string> {
  const program = readlinkSync(`/proc/${stack.run().pids['mongod']}/exe`);
  const port = findFreePort();
  const data = path.join(folder, 'mongo');
  mkdirSync(data);
  const options = [
    '--replSet',
    'second',
    '--bind_ip',
    '127.0.0.1',
    '--nounixsocket',
    '--wiredTigerCacheSizeGB',
    '0.25',
  ];
  processes.push(spawn(program, ['--dbpath', data, '--port', String(port), ...options], { stdio: 'ignore' }));
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = await waitUntil(() => new mongo.MongoClient(direct, { serverSelectionTimeoutMS: 500 }).connect());
  clients.push(client);
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await client.db('admin').command({ replSetInitiate: { _id: 'second', members } });
  await waitUntil(async () => (await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] === true);
  return `mongodb://127.0.0.1:${port}/vouch?replicaSet=second&directConnection=true`;
}

/** A session whose document was checked, and which waits for the selfie. */
async function beginSession(externalId: string): Promise<string> {
  const api = stack.run().api;
  const { id } = await createSession(key, { externalId, features: ['id', 'liveness', 'face_match'] }, { api });
  parseCheck(await postDocument(key, { sessionId: id, frontImage: images.passport }, { api }));
  return id;
}

beforeAll(async () => {
  stack = await shareOwnStack();
  images = await makeDemoImages();
  key = stack.run().identityApiKey;
  source = stack.run().environment;
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-backup-'));
  const connection = await Connection.connect({ address: source['TEMPORAL_ADDRESS'] ?? '' });
  const workflowExecutionRetentionPeriod = { seconds: 86_400 } as never;
  await connection.workflowService.registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod });
  await connection.close();
  writeFileSync(path.join(folder, 'passphrase'), 'a passphrase of several words\n');
});

afterAll(async () => {
  for (const client of clients) await client.close();
  const running = processes.filter(({ exitCode }) => exitCode === null);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
});

const buildTargetArguments = (target: string): string[] => [
  '--target',
  target,
  '--key-file',
  path.join(folder, 'passphrase'),
];

test('a backup that was restored into empty engines has every record and file, and its open sessions go on', async () => {
  const target = path.join(folder, 'backups');
  const [open, erased] = [await beginSession('goes on'), await beginSession('is erased')];
  const [recordsBefore, objectsBefore] = [await readRecords(source), await readObjects(source)];
  const backup = await run('backup', buildTargetArguments(target), source);
  expect(backup).toMatchObject({ code: 0, error: '' });
  const recordsAfter = await readRecords(source);
  expect(await run('backup', [...buildTargetArguments(target), '--verify'], source)).toMatchObject({
    code: 0,
    report: { id: backup.report['id'], objects: objectsBefore.size },
  });

  // A person is erased; the next backup, made while sessions are created, has the erasure in its copy of the keys.
  const erasure = await call('DELETE', `/v1/sessions/${erased}`, { key, api: stack.run().api });
  expect(erasure.status).toBe(200);
  const erasureId = String((erasure.body['erasure'] as { id: string }).id);
  const getReceipt = () => call('GET', `/v1/erasures/${erasureId}`, { key, api: stack.run().api });
  await waitUntil(async () => JSON.stringify((await getReceipt()).body).includes('"status":"completed"'));
  let creating = true;
  const load = (async () => {
    while (creating) await createSession(key, { features: ['liveness'] }, { api: stack.run().api });
  })();
  const second = await run('backup', [...buildTargetArguments(target), '--keep', '2'], source);
  creating = false;
  await load;
  expect(second).toMatchObject({ code: 0, report: { removed: [] } });

  // Nothing is left of the first installation but its master key.
  restored = {
    ...source,
    MONGO_URL: await startSecondMongo(),
    S3_BUCKET: 'restored',
    TEMPORAL_NAMESPACE: NAMESPACE,
  };
  const id = String(backup.report['id']);
  // A process of the service would work on records that are not complete yet.
  const heartbeats = (await connect(restored)).collection<Heartbeat>('process_heartbeats');
  const aliveUntil = new Date(Date.now() + 3_600_000);
  await heartbeats.insertOne({ _id: 'prc_other', name: 'worker', masterKeyId: null, aliveUntil });
  const used = await run('restore', [...buildTargetArguments(target), '--backup', id], restored);
  expect([used.code, used.error]).toEqual([1, expect.stringContaining('other processes use the database (worker)')]);
  await heartbeats.deleteOne({ _id: 'prc_other' });
  const restoration = await run('restore', [...buildTargetArguments(target), '--backup', id], restored);
  expect(restoration).toMatchObject({
    code: 0,
    report: { id, erasuresRepeated: 1 },
  });
  expect(restoration.report['keys']).toBeGreaterThan(0);
  const erasedIds = [erased, ...readErasedIds(recordsBefore, erased)];
  const isAboutErased = (text: string): boolean => erasedIds.some((each) => text.includes(each));
  const present = await readRecords(restored);
  // MongoDB deletes the counters of rate limits when their minute has ended, before or after they are restored.
  const compared = [...recordsBefore].filter(
    ([name, row]) =>
      recordsAfter.get(name) === row && !name.startsWith('rate_limits ') && !isAboutErased(name) && !isAboutErased(row),
  );
  expect(compared.length).toBeGreaterThan(25);
  const differing = compared.filter(([name, row]) => present.get(name) !== row);
  expect(differing).toEqual([]);
  const objects = await readObjects(restored);
  const lost = [...objectsBefore].filter(
    ([name, body]) => !isAboutErased(name) && objects.get(name)?.equals(body) !== true,
  );
  expect(lost).toEqual([]);

  // A second restoration would merge two histories.
  const refused = await run('restore', buildTargetArguments(target), restored);
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('the database has records')]);

  const api = await startRestoredService();
  expect((await call('GET', `/v1/sessions/${erased}`, { key, api })).status).toBe(404);
  expect((await getSession(key, open, { api })).externalId).toBe('goes on');
  parseCheck(await postLiveness(key, { sessionId: open, image: images.selfie }, { api }));
  const decided = await waitUntil(async (): Promise<Session | null> => {
    const session = await getSession(key, open, { api });
    return session.status === 'in_progress' ? null : session;
  });
  expect(decided.status).toBe('approved');
});

/** Ids of the checks of a session. */
const readErasedIds = (records: ReadonlyMap<string, string>, sessionId: string): string[] =>
  [...records].flatMap(([name, row]) => {
    const [collection, id = ''] = name.split(' ');
    return collection === 'checks' && row.includes(sessionId) ? [JSON.parse(id) as string] : [];
  });

/** API and workers on the restored engines. @returns the address of the API */
async function startRestoredService(): Promise<string> {
  const port = findFreePort();
  const healthPort = findFreePort();
  const api = `http://127.0.0.1:${port}`;
  const start = (script: string, args: string[], env: Environment): void => {
    const variables = { ...process.env, ...restored, ...env, LOG_LEVEL: 'error' };
    processes.push(spawn(process.execPath, [path.join('dist', script), ...args], { env: variables, stdio: 'ignore' }));
  };
  start('api/main.js', [], { PORT: String(port), PUBLIC_URL: api });
  start('workers/main.js', ['--pools=all'], { WORKER_HEALTH_PORT: String(healthPort) });
  await waitUntil(async () => (await fetch(`${api}/readyz`)).ok);
  return api;
}

test('a backup that was altered, and a passphrase that is not the one of the target, are refused', async () => {
  const target = path.join(folder, 'backups');
  const [id = ''] = readdirSync(path.join(target, 'backups'));
  const file = path.join(target, 'backups', id, 'records', 'sessions.veb');
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
  writeFileSync(file, bytes);
  const verified = await run('backup', [...buildTargetArguments(target), '--verify', id], source);
  expect([verified.code, verified.error]).toEqual([1, expect.stringContaining('was altered')]);
  writeFileSync(path.join(folder, 'other'), 'another passphrase than that one');
  const opened = await run(
    'backup',
    ['--target', target, '--key-file', path.join(folder, 'other'), '--verify'],
    source,
  );
  expect([opened.code, opened.error]).toEqual([1, expect.stringContaining('BACKUP_KEY_FILE: is not the passphrase')]);
});

test('a backup to S3 is complete, and nothing in it is readable without the passphrase', async () => {
  const target = 's3://backups/daily';
  expect(await run('backup', buildTargetArguments(target), source)).toMatchObject({ code: 0 });
  expect(await run('backup', [...buildTargetArguments(target), '--verify'], source)).toMatchObject({ code: 0 });
  const stored = await readObjects({ ...source, S3_BUCKET: 'backups' });
  expect([...stored.keys()]).toContain('daily/keys.veb');
  for (const body of stored.values()) expect(body.includes('organisationId')).toBe(false);
});
