import { randomUUID } from 'node:crypto';
import path from 'node:path';
import mongoose from 'mongoose';
import { loadConfig } from '../../lib/config';
import { makeDemoImages } from '../../scripts/demo/images';
import { MIGRATIONS } from '../../services/migrations';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { QUEUES } from '../../workflows/contracts';
import { call } from '../support/client';
import type { ApiResponse, RequestOptions } from '../support/client';
import { hasGo } from '../support/compose';
import { ContainerServices } from '../support/container-services';
import { pollUntilFound } from '../support/poll';
import { startReceiver } from '../support/receiver';
import type { Receiver } from '../support/receiver';
import { closeTestPlatform, createTenantOn } from '../support/tenant';
import type { Tenant } from '../support/tenant';

const withGo = hasGo ? describe : describe.skip;

/** One run of the services of the compose file, each as its own user of MongoDB (test/support/container-services.ts). */
withGo('the services of the compose file', () => {
  let services: ContainerServices;
  let receiver: Receiver;
  let tenant: Tenant;

  const request = (method: string, path: string, options: RequestOptions): Promise<ApiResponse> =>
    call(method, path, { ...options, api: services.getUrl('api'), headers: { 'x-forwarded-proto': 'https' } });

  const connectAs = (service: string): Promise<mongoose.mongo.MongoClient> =>
    mongoose.mongo.MongoClient.connect(loadConfig(services.buildEnvironment(service)).MONGO_URL);

  beforeAll(async () => {
    receiver = await startReceiver();
    services = new ContainerServices({
      PUBLIC_URL: 'https://localhost',
      TEMPORAL_NAMESPACE: `containers-${randomUUID()}`,
      S3_BUCKET: 'containers',
      TRUSTED_PROXIES: '127.0.0.1/32',
      EGRESS_ALLOW: receiver.hostPort,
      LOG_LEVEL: 'warn',
      AUDIT_RETENTION_DAYS: '0',
      RATE_LIMIT_BUSINESS_PER_MINUTE: '100000',
      CHROMIUM_SANDBOX: 'false',
    });
    await services.start(['api', ...Object.keys(QUEUES)]);
    // As `docker compose run --rm admin` does.
    await closeTestPlatform();
    const platform = await createPlatform(loadConfig(services.buildEnvironment('admin')), {
      name: 'admin',
      watch: false,
    });
    tenant = await createTenantOn(platform, 'Containers');
    await closePlatform(platform);
  });
  afterAll(async () => {
    await services.stop();
    await receiver.close();
  });

  test('verify a person and deliver a webhook', async () => {
    const key = tenant.identityKey;
    const { passport } = await makeDemoImages();
    const hook = await request('POST', '/v1/webhooks', {
      key,
      json: { url: receiver.url, events: ['check.completed'] },
    });
    expect(hook.status).toBe(201);
    const created = await request('POST', '/v1/sessions', { key, json: { features: ['id'] } });
    const { session } = created.body as { session: { id: string } };
    const form = { sessionId: session.id, frontImage: passport };
    const submitted = await request('POST', '/v1/documents/id-verification', { key, form });
    expect(submitted.body).toMatchObject({ ok: true, check: { status: 'completed' } });
    await receiver.waitFor(({ body }) => body.includes('check.completed'));
  });

  test('issue an invoice, print it and export it', async () => {
    const login = await request('POST', '/api/auth/login', { json: tenant.admin });
    const { token } = login.body['data'] as { token: string };
    const post = async (path: string, json: object): Promise<Record<string, unknown>> =>
      (await request('POST', path, { token, json })).body['data'] as Record<string, unknown>;
    const { id: customerId } = await post('/api/customers', { name: 'Example Ltd' });
    const { id: productId } = await post('/api/products', { code: 'A', name: 'Advice', type: 'service', price: 10 });
    const invoice = await post('/api/invoices', {
      customerId,
      paymentTerms: 'NET30',
      lines: [{ productId, quantity: 1, unitPrice: 10 }],
    });
    // The first start of the browser of a busy host can take longer than the API waits.
    const pdf = await pollUntilFound(async () => {
      const response = await request('GET', `/api/invoices/${String(invoice['id'])}/pdf`, { token });
      return response.body['code'] === 'pdf_not_ready' ? undefined : response;
    });
    expect([pdf.status, pdf.body['code'], pdf.bytes.subarray(0, 5).toString()]).toEqual([200, undefined, '%PDF-']);
    const requested = await request('POST', '/api/exports', { token, json: { resource: 'invoices', format: 'csv' } });
    expect([requested.status, requested.body]).toMatchObject([202, {}]);
    const { id } = requested.body['data'] as { id: string };
    let state = 'queued';
    while (state === 'queued' || state === 'running')
      ({ state } = (await request('GET', `/api/exports/${String(id)}`, { token })).body['data'] as { state: string });
    expect(state).toBe('completed');
  });

  test('reach no collection beyond their privileges, and need none', async () => {
    const refused = services.readOutput().match(/not authorized on [^"]{0,120}/g) ?? [];
    expect([...new Set(refused)]).toEqual([]);
    const client = await connectAs('vision');
    const db = client.db('vouch');
    try {
      await expect(db.collection('sessions').findOne({})).resolves.not.toBeNull();
      for (const collection of ['users', 'api_keys', 'invoices'])
        await expect(db.collection(collection).findOne({})).rejects.toThrow(/not authorized/);
      await expect(db.collection('audit_log').deleteMany({})).rejects.toThrow(/not authorized/);
      await expect(db.dropDatabase()).rejects.toThrow(/not authorized/);
    } finally {
      await client.close();
    }
  });

  test('have users in another database, too, with privileges there only', async () => {
    await services.initiateMongo('another');
    const url = loadConfig(services.buildEnvironment('api')).MONGO_URL;
    // Without authSource, the users are those of the database of the address, as in the chart.
    const client = await mongoose.mongo.MongoClient.connect(
      url.replace('/vouch?', '/another?').replace('&authSource=vouch', ''),
    );
    try {
      expect(await client.db('another').collection('sessions').countDocuments()).toBe(0);
      await expect(client.db('vouch').collection('sessions').countDocuments()).rejects.toThrow(/not authorized/);
    } finally {
      await client.close();
    }
  });

  test('are migrated, backed up and restored by a user of MongoDB that no service has', async () => {
    // The report is indented; warnings before it are lines.
    const parseReport = (printed: string): Record<string, unknown> =>
      JSON.parse(printed.slice(`\n${printed}`.lastIndexOf('\n{\n'))) as Record<string, unknown>;
    const run = async (script: string, ...args: string[]): Promise<Record<string, unknown>> => {
      const printed = await services.runJob('maintenance', [`dist/scripts/${script}.js`, ...args]);
      expect(printed).not.toMatch(/not authorized/);
      return parseReport(printed);
    };
    const target = ['--target', path.join(services.sharedFolder, 'backups')];
    await services.end(['api', ...Object.keys(QUEUES)]);
    const { records, id } = await run('backup', ...target);
    expect(records).toBeGreaterThan(10);
    expect(await run('backup', ...target, '--verify')).toMatchObject({ id, records });

    const [api, admin, maintenance] = await Promise.all(['api', 'admin', 'maintenance'].map(connectAs));
    try {
      for (const name of ['sessions', 'audit_log'])
        await expect(api?.db('vouch').collection(name).drop()).rejects.toThrow(/not authorized/);
      await expect(maintenance?.db('admin').command({ usersInfo: 1 })).rejects.toThrow(/not authorized/);
      for (const { collectionName } of (await maintenance?.db('vouch').collections()) ?? [])
        await maintenance?.db('vouch').dropCollection(collectionName);
      expect(await run('restore', ...target)).toMatchObject({ id, records, schema: { from: MIGRATIONS.length } });
      expect(await admin?.db('vouch').collection('organisations').countDocuments()).toBeGreaterThan(0);
      // As if they were of a version without migrations.
      for (const name of ['schema_state', 'migrations']) await maintenance?.db('vouch').collection(name).deleteMany({});
    } finally {
      for (const client of [api, admin, maintenance]) await client?.close();
    }
    const migrated = parseReport(await services.runJob('migrate'));
    expect(migrated).toMatchObject({ from: 0, to: MIGRATIONS.length });
    expect(migrated['completed']).toHaveLength(MIGRATIONS.length);
  });
});
