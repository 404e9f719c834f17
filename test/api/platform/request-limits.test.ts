import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import mongoose from 'mongoose';
import { z } from 'zod';
import { createIdentityApi } from '../../../api/identity';
import { defineRoute } from '../../../api/http/route';
import { createApiRouter } from '../../../api/http/router';
import { createServer } from '../../../api/http/server';
import { limitQueryTime } from '../../../lib/mongo';
import { call } from '../../support/client';
import { pollUntilFound } from '../../support/poll';
import { createTestAddress, startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

const MEGABYTE = 1024 * 1024;

let directory: string;
let api: OwnApi;
let tenant: Tenant;
const sockets: Socket[] = [];

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'uploads-'));
  // One organisation may use 2 MB of the disk.
  api = await startOwnApi({
    UPLOAD_DIR: directory,
    UPLOAD_DISK_MEGABYTES: 4,
    UPLOAD_MIN_KILOBYTES_PER_SECOND: 0,
    RATE_LIMIT_PAGES_PER_MINUTE: 3,
  });
  tenant = await createTenant('Uploads');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await api.close();
  await rm(directory, { recursive: true });
  await closeTestPlatform();
});

interface BegunRequest {
  socket: Socket;
  /** The response, once the connection is closed. */
  received: Promise<string>;
  hasResponse: () => boolean;
}

/** Sends the beginning of a request and leaves the connection open. */
function beginRequest(url: string, beginning: string | Buffer): BegunRequest {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write(beginning);
  const received = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, received, hasResponse: () => text !== '' };
}

const buildHead = (target: string, key: string, contentType: string, length: number): string =>
  `POST ${target} HTTP/1.1\r\nHost: vouch\r\nX-API-Key: ${key}\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`;

const PART = '--B\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';

/** The beginning of an upload of 14 MB, of which `sent` bytes are sent. */
const buildUploadBeginning = (key: string, sent: number): Buffer =>
  Buffer.concat([
    Buffer.from(buildHead('/v1/biometrics/age', key, 'multipart/form-data; boundary=B', 14 * MEGABYTE) + PART),
    Buffer.alloc(sent, 1),
  ]);

const upload = (key: string, bytes: number) =>
  call('POST', '/v1/biometrics/age', { key, api: api.url, form: { image: { body: Buffer.alloc(bytes, 1) } } });

describe('a slow body', () => {
  let strict: OwnApi;
  beforeAll(async () => {
    strict = await startOwnApi({ UPLOAD_DIR: directory, UPLOAD_STALL_SECONDS: 1 });
  });
  afterAll(() => strict.close());

  test('of an upload gets 408, its connection is closed, and no file remains', async () => {
    const { received } = beginRequest(strict.url, buildUploadBeginning(tenant.identityKey, 2 * MEGABYTE));
    const response = await received;
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toMatch(/connection: close/i);
    expect(response).toContain('"code":"request_timeout"');
    expect(response).toContain('less than 16 KB/s for 1 s');
    expect(await readdir(directory)).toEqual([]);
  });

  test('of JSON gets 408 too', async () => {
    const head = buildHead('/v1/sessions', tenant.identityKey, 'application/json', 100_000);
    expect(await beginRequest(strict.url, `${head}{"externalId": "`).received).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('the time for a request', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const app = express();
    app.get('/', (_request, response) => {
      response.write('begun');
      setTimeout(() => response.end(', done'), 2000);
    });
    server = createServer({ TLS_CERT: undefined, TLS_KEY: undefined, REQUEST_TIMEOUT_SECONDS: 1 }, app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('ends connections whose headers or body do not arrive; responses may take longer', async () => {
    const headers = beginRequest(url, 'GET / HTTP/1.1\r\nHost: vouch\r\nX-Slow: ');
    const slow = await fetch(url);
    expect(await headers.received).toMatch(/^HTTP\/1\.1 408 /);
    expect(await slow.text()).toBe('begun, done');
  });

  test('closes a connection on which nothing was sent without a response, which would be taken for that of a request', async () => {
    expect(await beginRequest(url, '').received).toBe('');
  });

  test('leaves an idle connection open for longer than reverse proxies do, which is two minutes', async () => {
    const response = await fetch(url);
    const seconds = Number(/timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1]);
    expect(seconds).toBeGreaterThan(120);
    await response.text();
  });

  test('ends a body that arrives fast enough but not within the time', async () => {
    const limited = await startOwnApi({ REQUEST_TIMEOUT_SECONDS: 1, UPLOAD_MIN_KILOBYTES_PER_SECOND: 0 });
    try {
      const { received } = beginRequest(limited.url, buildUploadBeginning(tenant.identityKey, 10));
      expect(await received).toContain('did not arrive within 1 s');
    } finally {
      await limited.close();
    }
  });
});

describe('the uploads that a process receives at once', () => {
  test('are refused with 503 beyond its budget, for the organisation that uses its half; an aborted upload frees it', async () => {
    const beginUpload = () => beginRequest(api.url, buildUploadBeginning(tenant.identityKey, 2.5 * MEGABYTE));
    let slow = beginUpload();
    const refused = await pollUntilFound(async () => {
      // Of two uploads that arrive at once, the slow one can be that which is refused.
      if (slow.hasResponse()) slow = beginUpload();
      const response = await upload(tenant.identityKey, 2.5 * MEGABYTE);
      return response.status === 503 ? response : undefined;
    });
    expect(refused.body).toMatchObject({ error: { code: 'overloaded' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    const other = await createTenant('Other uploads');
    expect((await upload(other.identityKey, 2.5 * MEGABYTE)).status).not.toBe(503);
    slow.socket.destroy();
    await pollUntilFound(async () => {
      const { status } = await upload(tenant.identityKey, 2.5 * MEGABYTE);
      return status === 503 ? undefined : status;
    });
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('a query that takes too long', () => {
  /** Takes 50 ms for each of the 100 records. */
  const slowFilter = {
    $expr: { $function: { body: 'function () { sleep(50); return true; }', args: [], lang: 'js' } },
  };
  const SlowRecord = mongoose.model(
    'SlowRecord',
    new mongoose.Schema({ _id: Number }, { collection: 'slow_records', versionKey: false }),
  );
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const route = (name: string, read: () => Promise<unknown>) =>
      defineRoute({
        method: 'get',
        path: `/v1/${name}`,
        operationId: name,
        summary: 'Stands for a list with an expensive filter',
        tag: 'Sessions',
        permission: 'sessions:read',
        replies: { 200: { description: 'Read.', schema: z.object({}) } },
        handle: async () => {
          await read();
          return { status: 200, body: {} } as const;
        },
      });
    const routes = [
      route('found', () => SlowRecord.find(slowFilter).lean()),
      route('counted', () => SlowRecord.countDocuments(slowFilter)),
      route('aggregated', () => SlowRecord.aggregate([{ $match: slowFilter }])),
    ];
    await SlowRecord.insertMany(Array.from({ length: 100 }, (_, index) => ({ _id: index })));
    const app = express();
    app.use(createApiRouter(api.platform, { ...createIdentityApi(api.platform), routes }));
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    mongoose.connection.set('maxTimeMS', undefined);
    await SlowRecord.collection.drop();
    mongoose.deleteModel('SlowRecord');
  });

  test('is limited by every API process', async () => {
    const database = mongoose.connection.db;
    const filter = { 'command.find': 'api_keys', 'command.filter.organisationId': tenant.organisationId };
    await database?.command({ profile: 1, filter });
    try {
      expect((await call('GET', '/v1/keys', { key: tenant.identityKey })).status).toBe(200);
      const profiled = await database?.collection('system.profile').findOne(filter);
      expect(profiled?.['command']).toMatchObject({ maxTimeMS: api.platform.config.QUERY_TIMEOUT_SECONDS * 1000 });
    } finally {
      await database?.command({ profile: 0, filter: 'unset' });
    }
  });

  test.each(['found', 'counted', 'aggregated'])('is ended in MongoDB and answered with 503 (%s)', async (name) => {
    limitQueryTime(200);
    const response = await call('GET', `/v1/${name}`, { key: tenant.identityKey, api: url });
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ error: { code: 'query_timeout' } });
    expect(JSON.stringify(response.body)).toContain('narrow its filter');
    expect(response.headers.get('retry-after')).toBe('30');
  });
});

describe('pages that need no credential', () => {
  const get = (path: string, address: string, headers: Record<string, string> = {}) =>
    call('GET', path, { api: api.url, headers: { 'x-forwarded-for': address, ...headers } });

  // A store that takes seconds to respond, as on a busy machine, counts as failed.
  beforeEach(() =>
    pollUntilFound(async () => ((await get('/readyz', createTestAddress())).status === 200 ? true : undefined)),
  );

  test('are limited per address, apart from the APIs and the liveness probe', async () => {
    const address = createTestAddress();
    for (const path of ['/readyz', '/openapi/identity.json', '/.well-known/jwks.json'])
      expect((await get(path, address)).status).toBe(200);
    for (const path of ['/readyz', '/openapi/business.json', '/.well-known/jwks.json', '/docs']) {
      const rejected = await get(path, address);
      expect(rejected.status).toBe(429);
      expect(rejected.body).toMatchObject({ error: { code: 'rate_limit_exceeded', details: { limit: 'address' } } });
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await get('/healthz', address)).status).toBe(200);
    expect((await get('/api/products', address)).status).toBe(401);
    expect((await get('/readyz', createTestAddress())).status).toBe(200);
  });

  test('ask the stores once for many readiness probes at the same time', async () => {
    const health = jest.spyOn(api.platform.objects, 'health');
    const probes = await Promise.all(Array.from({ length: 20 }, () => get('/readyz', createTestAddress())));
    expect(probes.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    // The result is used for a second: a slow machine may need longer for all probes.
    expect(health.mock.calls.length).toBeLessThan(probes.length / 4);
    health.mockRestore();
  });

  test.each(['/openapi/identity.json', '/openapi/business.json', '/.well-known/jwks.json'])(
    '%s may be kept for five minutes and is not sent again unchanged',
    async (path) => {
      const address = createTestAddress();
      const first = await get(path, address);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const etag = first.headers.get('etag') ?? '';
      expect(etag).not.toBe('');
      const again = await get(path, address, { 'if-none-match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    },
  );
});
