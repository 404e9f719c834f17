import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { z } from 'zod';
import { createBusinessApi } from '../../../../api/business';
import { defineRoute } from '../../../../api/http/route';
import { createConsoleCookieJar } from '../../../../api/http/browser';
import { createApiRouter } from '../../../../api/http/router';
import { loadConfig } from '../../../../lib/config';
import type { Config } from '../../../../lib/config';
import { signInFromBrowser } from '../../../support/browser';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import { signIn } from '../../../support/business/client';
import { createTestAddress, startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { DAY_SECONDS } from '../../../../domain/durations';

/** The limits of an installation that sets none. */
const DEFAULT_CONFIG = loadConfig(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RATE_|ACCESS_|REFRESH_)/.test(name))),
);
const selectRateLimits = (config: Config): Partial<Config> =>
  Object.fromEntries(Object.entries(config).filter(([name]) => name.startsWith('RATE_')));

let firstApi: OwnApi;
let secondApi: OwnApi;
beforeAll(async () => {
  firstApi = await startOwnApi(selectRateLimits(DEFAULT_CONFIG));
  secondApi = await startOwnApi(selectRateLimits(DEFAULT_CONFIG));
});
afterAll(async () => {
  await firstApi.close();
  await secondApi.close();
  await closeTestPlatform();
});

const refresh = (api: OwnApi, address: string): Promise<ApiResponse> =>
  call('POST', '/api/auth/refresh', {
    json: { refreshToken: 'x' },
    headers: { 'x-forwarded-for': address },
    api: api.url,
  });
const getBudget = (response: ApiResponse) => ({
  limit: response.headers.get('ratelimit-limit'),
  remaining: response.headers.get('ratelimit-remaining'),
});

test('the defaults are those of the contract', () => {
  expect(DEFAULT_CONFIG.RATE_LIMIT_BUSINESS_PER_MINUTE).toBe(100);
  expect(DEFAULT_CONFIG.RATE_LIMIT_AUTH_PER_MINUTE).toBe(10);
  expect(DEFAULT_CONFIG.RATE_LIMIT_EXPORTS_PER_MINUTE).toBe(5);
  expect(DEFAULT_CONFIG.ACCESS_TOKEN_SECONDS).toBe(3600);
  expect(DEFAULT_CONFIG.REFRESH_TOKEN_SECONDS).toBe(7 * DAY_SECONDS);
});

test('ten sign-ins a minute from an address, counted over all replicas, then 429 before any password work', async () => {
  const address = createTestAddress();
  for (let use = 0; use < 10; use += 1) {
    const response = await refresh(use % 2 === 0 ? firstApi : secondApi, address);
    expect([response.status, getBudget(response)]).toEqual([401, { limit: '10', remaining: String(9 - use) }]);
  }
  for (const api of [firstApi, secondApi]) {
    const rejected = await refresh(api, address);
    expect(rejected.status).toBe(429);
    expect(rejected.body).toMatchObject({ ok: false, code: 'rate_limit_exceeded' });
    const wait = Number(rejected.headers.get('retry-after'));
    expect(wait > 0 && wait <= 60).toBe(true);
    expect(getBudget(rejected)).toEqual({ limit: '10', remaining: '0' });
  }
  expect((await refresh(firstApi, createTestAddress())).status).toBe(401);
});

test('rejected requests do not extend the wait', async () => {
  const address = createTestAddress();
  const waits: number[] = [];
  for (let use = 0; use < 15; use += 1) {
    const response = await refresh(firstApi, address);
    if (response.status === 429) waits.push(Number(response.headers.get('retry-after')));
  }
  expect(waits).toHaveLength(5);
  waits.slice(1).forEach((wait, index) => expect(wait).toBeLessThanOrEqual(waits[index] ?? 0));
});

test('a hundred requests a minute from an address over all routes, sign-ins among them; health and documents are free', async () => {
  const address = createTestAddress();
  const headers = { 'x-forwarded-for': address };
  const paths = ['/api/products', '/api/no-such-route'];
  const responses = await Promise.all(
    Array.from({ length: 95 }, (_, index) =>
      call('GET', paths[index % 2] ?? '', { headers, api: (index % 3 === 0 ? firstApi : secondApi).url }),
    ),
  );
  expect(responses.filter((response) => response.status === 429)).toHaveLength(0);
  const signIns = await Promise.all(Array.from({ length: 6 }, () => refresh(firstApi, address)));
  const rejected = signIns.filter((response) => response.status === 429);
  expect(rejected.map((response) => response.headers.get('ratelimit-limit'))).toEqual(['100']);
  for (const path of ['/healthz', '/openapi/business.json'])
    expect((await call('GET', path, { headers, api: firstApi.url })).status).toBe(200);
});

test('the headers describe the limit with the fewest requests left, whether it was counted before the sign-in or after', async () => {
  const tenant = await createTenant('Several limits');
  const key = await tenant.createBusinessKey(['customers:read', 'exports:create']);
  const headers = { 'x-forwarded-for': createTestAddress() };
  const list = () => call('GET', '/api/customers', { key, headers, api: firstApi.url });
  // The organisation may still send 999.
  const first = await list();
  expect([first.status, getBudget(first)]).toEqual([200, { limit: '100', remaining: '99' }]);
  expect(first.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60');
  await Promise.all(Array.from({ length: 96 }, list));
  const json = { resource: 'customers', format: 'csv', filters: { colour: 'red' } };
  const refused = await call('POST', '/api/exports', { key, json, headers, api: firstApi.url });
  // The limit of exports has 5 left: a refused one is taken back.
  expect([refused.status, getBudget(refused)]).toEqual([400, { limit: '100', remaining: '2' }]);
});

describe('behind a proxy that writes the port of the client next to its address', () => {
  const send = (forwarded: string) =>
    call('POST', '/api/auth/refresh', {
      json: { refreshToken: 'x' },
      headers: { 'x-forwarded-for': forwarded },
      api: firstApi.url,
    });
  const createIpv4 = (): string => `198.51.${[0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;

  test.each([
    ['IPv4', createIpv4, (address: string, port: number) => `${address}:${port}`],
    ['IPv6', createTestAddress, (address: string, port: number) => `[${address}]:${port}`],
    ['IPv6 without a port', createTestAddress, (address: string) => `[${address}]`],
  ])('an address counts by itself, whatever its port: %s', async (_family, create, write) => {
    const [address, other] = [create(), create()];
    for (let use = 0; use < 10; use += 1) expect((await send(write(address, 40_000 + use))).status).toBe(401);
    expect((await send(write(address, 50_000))).status).toBe(429);
    expect((await send(address)).status).toBe(429);
    expect((await send(write(other, 40_000))).status).toBe(401);
    // Only the entry that the trusted proxy wrote counts, not what the client sent to it.
    expect((await send(`${other}, ${write(address, 50_001)}`)).status).toBe(429);
  });
});

test.each(['OPTIONS', 'DELETE'])('requests with a method that a path does not have count: %s', async (method) => {
  const headers = { 'x-forwarded-for': createTestAddress() };
  const send = () => call(method, '/api/customers', { headers, api: firstApi.url });
  const responses = await Promise.all(Array.from({ length: 100 }, send));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(0);
  const rejected = await send();
  expect([rejected.status, getBudget(rejected)]).toEqual([429, { limit: '100', remaining: '0' }]);
});

test('requests with a cookie that is not valid count for their address; a valid one counts for its user', async () => {
  const tenant = await createTenant('Cookies');
  const address = createTestAddress();
  const { headers } = await signInFromBrowser(tenant.admin, { mode: 'live' });
  const { name } = createConsoleCookieJar(firstApi.platform.config);
  const send = (cookie = '') =>
    call('GET', '/api/products', { headers: { cookie, 'x-forwarded-for': address }, api: firstApi.url });
  const responses = await Promise.all(Array.from({ length: 100 }, (_, index) => send(`${name}=forged${index}`)));
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(100);
  const rejected = await send(`${name}=forged`);
  expect([rejected.status, rejected.body['code'], getBudget(rejected)]).toEqual([
    429,
    'rate_limit_exceeded',
    { limit: '100', remaining: '0' },
  ]);
  expect(rejected.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60');
  const valid = await send(headers['cookie']);
  expect([valid.status, valid.headers.get('ratelimit-policy')]).toEqual([200, '"user";q=100;w=60']);
});

describe('exports', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const begin = defineRoute({
      method: 'post',
      path: '/api/exports',
      operationId: 'beginExport',
      summary: 'Stands for every operation that begins an export',
      tag: 'Exports',
      permission: 'exports:create',
      limit: 'exports',
      replies: { 202: { description: 'Accepted.', schema: z.object({}) } },
      handle: () => Promise.resolve({ status: 202, body: {} } as const),
    });
    const app = express();
    app.set('trust proxy', 'loopback');
    app.use(createApiRouter(firstApi.platform, { ...createBusinessApi(firstApi.platform), routes: [begin] }));
    server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const begin = (credential: { token?: string; key?: string }): Promise<ApiResponse> =>
    call('POST', '/api/exports', { ...credential, headers: { 'x-forwarded-for': createTestAddress() }, api: url });

  test('five a minute for each user and each key, whatever address they come from', async () => {
    const tenant = await createTenant();
    const { token } = await signIn(tenant.admin);
    const { token: again } = await signIn(tenant.admin);
    const key = await tenant.createBusinessKey(['exports:create']);
    for (let use = 0; use < 5; use += 1) {
      const response = await begin({ token: use % 2 === 0 ? token : again });
      expect([response.status, getBudget(response)]).toEqual([202, { limit: '5', remaining: String(4 - use) }]);
    }
    for (const session of [token, again]) {
      const rejected = await begin({ token: session });
      expect([rejected.status, getBudget(rejected)]).toEqual([429, { limit: '5', remaining: '0' }]);
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await begin({ key })).status).toBe(202);
    const colleague = await signIn(await tenant.createUserWithRole('accountant'));
    expect((await begin({ token: colleague.token })).status).toBe(202);
  });
});

test('five accepted exports a minute from a user, counted over all replicas; another key has its own', async () => {
  const tenant = await createTenant('Exporter');
  const { token } = await signIn(tenant.admin);
  const sendRequest = (api: OwnApi, credential: object, filters: object = {}): Promise<ApiResponse> =>
    call('POST', '/api/exports', {
      ...credential,
      json: { resource: 'customers', format: 'csv', filters },
      headers: { 'x-forwarded-for': createTestAddress() },
      api: api.url,
    });
  const listOnly = await tenant.createBusinessKey(['customers:read']);
  for (let use = 0; use < 6; use += 1) {
    const refused = await sendRequest(firstApi, { token }, { colour: 'red' });
    expect([refused.status, getBudget(refused)]).toEqual([400, { limit: '5', remaining: '5' }]);
    expect((await sendRequest(firstApi, { key: listOnly })).status).toBe(403);
  }
  for (let use = 0; use < 5; use += 1)
    expect((await sendRequest(use % 2 === 0 ? firstApi : secondApi, { token })).status).toBe(202);
  const rejected = await sendRequest(secondApi, { token });
  expect([rejected.status, rejected.body['code'], getBudget(rejected)]).toEqual([
    429,
    'rate_limit_exceeded',
    { limit: '5', remaining: '0' },
  ]);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  const key = await tenant.createBusinessKey(['exports:create', 'customers:read']);
  expect((await sendRequest(firstApi, { key })).status).toBe(202);
});
