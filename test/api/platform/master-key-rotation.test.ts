import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { MasterKey } from '../../../lib/crypto/master-key';
import { newId } from '../../../lib/ids';
import { buildDataKeyAad } from '../../../services/platform/evidence/data-keys';
import { buildWebhookSecretAad } from '../../../services/platform/webhooks/secrets';
import type { RotationReport } from '../../../services/platform/keys/master-key-rotation';
import { call } from '../../support/client';
import { runAdminCommand } from '../../support/commands';
import { startApi } from '../../support/processes';
import type { ReplicaProcess } from '../../support/processes';
import { readStack } from '../../support/stack';

const OLD = `k1:${randomBytes(32).toString('base64')}`;
const NEW = `k2:${randomBytes(32).toString('base64')}`;
const DATA_KEYS = 1000;
const WITH_BOTH = `${NEW},${OLD}`;

interface DataKeyRow {
  _id: string;
  organisationId: string;
  keyId: string;
  wrapped: string | null;
}

interface EndpointRow {
  _id: string;
  organisationId: string;
  secrets: { keyId: string; data: string }[];
}

/** A database and a key store of its own, because the stack has another master key. */
const database = `rotation_${randomBytes(4).toString('hex')}`;
const url = new URL(readStack().mongo);
url.pathname = `/${database}`;
const environment = (masterKey: string) => ({
  MONGO_URL: url.href,
  S3_KEY_BUCKET: database.replace('_', '-'),
  MASTER_KEY: masterKey,
  MASTER_KEY_FILE: '',
});

let connection: mongoose.Connection;
let api: ReplicaProcess | undefined;
let key: string;
/** The wrapped keys of the seeded records, by id. */
const dataKeys = new Map<string, Buffer>();

async function runAdmin(masterKey: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, report, error } = await runAdminCommand(args, { env: environment(masterKey) });
  if (code !== 0) throw new Error(error);
  return report;
}

async function rotate({
  onProgress,
  reportOnly = false,
}: { onProgress?: (kill: () => void) => void; reportOnly?: boolean } = {}): Promise<{
  code: number | null;
  report: unknown;
}> {
  const options = ['--batch-size', '10', ...(reportOnly ? ['--report'] : [])];
  return runAdminCommand(['rotate-master-key', ...options], {
    env: environment(WITH_BOTH),
    onProgress: (output, kill) => {
      if (output.includes('data_keys: ')) onProgress?.(kill);
    },
  });
}

const seedDataKeys = async (organisationId: string): Promise<void> => {
  const masterKey = MasterKey.parse(OLD);
  const rows = Array.from({ length: DATA_KEYS }, () => {
    const owner = { _id: newId('chk'), organisationId };
    const secret = randomBytes(32);
    dataKeys.set(owner._id, secret);
    const { keyId, data } = masterKey.seal(secret, buildDataKeyAad(owner));
    return { ...owner, mode: 'live', keyId, wrapped: data, files: 0, version: 1, createdAt: new Date() };
  });
  await connection.collection<DataKeyRow>('data_keys').insertMany(rows);
  const destroyed = { _id: newId('chk'), organisationId, keyId: 'k1', wrapped: null };
  await connection.collection<DataKeyRow>('data_keys').insertOne(destroyed);
};

const createWebhook = async (): Promise<number> => {
  const created = await call('POST', '/v1/webhooks', {
    key,
    api: api?.url ?? '',
    json: { url: 'https://receiver.example.com/', events: ['*'] },
  });
  return created.status;
};

const EXPECTED = { lastName: 'Eriksson', dateOfBirth: '1994-08-12' };

/** A session whose personal fields are encrypted with a data key, under a wrapping key, under the master key. */
async function createPersonalSession(): Promise<string> {
  const created = await call('POST', '/v1/sessions', { key, api: api?.url ?? '', json: { expected: EXPECTED } });
  expect(created.status).toBe(201);
  return String((created.body['session'] as Record<string, unknown>)['id']);
}

const readKids = async (): Promise<unknown> =>
  (await call('GET', '/.well-known/jwks.json', { api: api?.url ?? '' })).body;

beforeAll(async () => {
  connection = await mongoose.createConnection(url.href).asPromise();
  const organisation = await runAdmin(OLD, 'create-organisation', '--name', 'Rotation', '--slug', 'rotation');
  await seedDataKeys(String(organisation['organisationId']));
  const args = ['create-key', '--organisation', 'rotation', '--api', 'identity', '--name', 'First'];
  key = String((await runAdmin(OLD, ...args))['secret']);
});
afterAll(async () => {
  await api?.stop();
  await connection.dropDatabase();
  await connection.close();
});

describe('rotate-master-key', () => {
  let kids: unknown;
  let sessionId: string;

  test('stops and continues at any point while the service serves and encrypts with the earlier key', async () => {
    api = await startApi(environment(`${OLD},${NEW}`));
    kids = await readKids();
    sessionId = await createPersonalSession();
    expect(await createWebhook()).toBe(201);
    const killed = rotate({ onProgress: (kill) => kill() });
    expect(await createWebhook()).toBe(201);
    expect((await killed).code).toBeNull();
    const rewrapped = await connection.collection<DataKeyRow>('data_keys').countDocuments({ keyId: 'k2' });
    expect(rewrapped).toBeGreaterThan(0);
    expect(rewrapped).toBeLessThan(DATA_KEYS);
    const continued = rotate();
    expect(await readKids()).toEqual(kids);
    expect(await createWebhook()).toBe(201);
    const { code, report } = await continued;
    expect(code).toBe(2);
    expect(report).toMatchObject({
      current: 'k2',
      done: false,
      outdatedProcesses: [{ name: 'api', masterKeyId: 'k1' }],
    });
    const { stores } = report as RotationReport;
    expect(stores.find(({ store }) => store === 'data_keys')).toMatchObject({
      rewrapped: DATA_KEYS - rewrapped,
      remaining: {},
      unreadable: [],
    });
  });

  test('reports what is left, and is not done while a secret cannot be decrypted', async () => {
    expect(await createWebhook()).toBe(201);
    await api?.stop();
    api = undefined;
    const damaged = { _id: newId('chk'), organisationId: 'org_x', keyId: 'k0', wrapped: 'AAAA' };
    await connection.collection<DataKeyRow>('data_keys').insertOne(damaged);
    const listLeft = ({ done, stores }: RotationReport): RotationReport['stores'] => {
      expect(done).toBe(false);
      return stores.filter(({ remaining }) => Object.keys(remaining).length > 0);
    };
    const damagedOnly = { store: 'data_keys', rewrapped: 0, remaining: { k0: 1 }, unreadable: [damaged._id] };
    const reported = await rotate({ reportOnly: true });
    expect(reported.code).toBe(2);
    // Of the webhook that was created under the earlier key, the secret can be decrypted.
    expect(listLeft(reported.report as RotationReport)).toEqual([
      damagedOnly,
      { store: 'webhook_endpoints', rewrapped: 0, remaining: { k1: 1 }, unreadable: [] },
    ]);
    const { code, report } = await rotate();
    expect(code).toBe(2);
    expect(listLeft(report as RotationReport)).toEqual([damagedOnly]);
    await connection.collection<DataKeyRow>('data_keys').deleteOne({ _id: damaged._id });
  });

  test('is done when nothing is left, and everything works without the earlier key', async () => {
    const { code, report } = await rotate();
    expect([code, (report as RotationReport).done]).toEqual([0, true]);
    const masterKey = MasterKey.parse(NEW);
    const rows = connection.collection<DataKeyRow>('data_keys').find({ wrapped: { $ne: null } });
    for await (const row of rows) {
      const secret = masterKey.open({ keyId: row.keyId, data: row.wrapped ?? '' }, buildDataKeyAad(row));
      expect(secret.equals(dataKeys.get(row._id) ?? Buffer.alloc(0))).toBe(true);
    }
    const endpoints = await connection.collection<EndpointRow>('webhook_endpoints').find().toArray();
    expect(endpoints.length).toBeGreaterThanOrEqual(3);
    for (const { _id, organisationId, secrets } of endpoints)
      for (const secret of secrets)
        expect(masterKey.open(secret, buildWebhookSecretAad(organisationId, _id)).toString()).toMatch(/^whsec_/);

    api = await startApi(environment(NEW));
    expect(await readKids()).toEqual(kids);
    const session = await call('GET', `/v1/sessions/${sessionId}`, { key, api: api.url });
    expect(session.body).toMatchObject({ session: { expected: EXPECTED } });
    expect(await createWebhook()).toBe(201);
    const { body } = await call('GET', '/v1/audit-log/verify', { key, api: api.url });
    expect(body).toMatchObject({ valid: true });
    expect(Number(body['unsealed'])).toBeGreaterThan(3);
  });
});
