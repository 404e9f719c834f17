import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { businessApi } from '../../../../api/business';
import { defineRoute } from '../../../../api/http/route';
import { createApiRouter } from '../../../../api/http/router';
import { loadConfig } from '../../../../lib/config';
import type { Config } from '../../../../lib/config';
import { call } from '../../../support/client';
import type { Answer } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import { signIn } from '../../../support/business/client';
import { ownAddress, startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';

/** The limits of an installation that sets none. */
const DEFAULTS = loadConfig(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RATE_|ACCESS_|REFRESH_)/.test(name))),
);
const limitsOf = (config: Config): Partial<Config> =>
  Object.fromEntries(Object.entries(config).filter(([name]) => name.startsWith('RATE_')));

let one: OwnApi;
let other: OwnApi;
beforeAll(async () => {
  one = await startOwnApi(limitsOf(DEFAULTS));
  other = await startOwnApi(limitsOf(DEFAULTS));
});
afterAll(async () => {
  await one.close();
  await other.close();
  await closeTestPlatform();
});

const refresh = (api: OwnApi, address: string): Promise<Answer> =>
  call('POST', '/api/auth/refresh', {
    json: { refreshToken: 'x' },
    headers: { 'x-forwarded-for': address },
    api: api.url,
  });
const budgetOf = (answer: Answer) => ({
  limit: answer.headers.get('ratelimit-limit'),
  remaining: answer.headers.get('ratelimit-remaining'),
});

test('the defaults are the contract’s', () => {
  expect(DEFAULTS.RATE_LIMIT_BUSINESS_PER_MINUTE).toBe(100);
  expect(DEFAULTS.RATE_LIMIT_AUTH_PER_MINUTE).toBe(10);
  expect(DEFAULTS.RATE_LIMIT_EXPORTS_PER_MINUTE).toBe(5);
  expect(DEFAULTS.ACCESS_TOKEN_SECONDS).toBe(3600);
  expect(DEFAULTS.REFRESH_TOKEN_SECONDS).toBe(7 * 86_400);
});

test('ten sign-ins a minute from an address, counted over all replicas, then 429 before any password work', async () => {
  const address = ownAddress();
  for (let use = 0; use < 10; use += 1) {
    const answer = await refresh(use % 2 === 0 ? one : other, address);
    expect([answer.status, budgetOf(answer)]).toEqual([401, { limit: '10', remaining: String(9 - use) }]);
  }
  for (const api of [one, other]) {
    const refused = await refresh(api, address);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ ok: false, code: 'rate_limit_exceeded' });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait > 0 && wait <= 60).toBe(true);
    expect(budgetOf(refused)).toEqual({ limit: '10', remaining: '0' });
  }
  expect((await refresh(one, ownAddress())).status).toBe(401);
});

test('refused requests do not make the wait longer', async () => {
  const address = ownAddress();
  const waits: number[] = [];
  for (let use = 0; use < 15; use += 1) {
    const answer = await refresh(one, address);
    if (answer.status === 429) waits.push(Number(answer.headers.get('retry-after')));
  }
  expect(waits).toHaveLength(5);
  waits.slice(1).forEach((wait, index) => expect(wait).toBeLessThanOrEqual(waits[index] ?? 0));
});

test('a hundred requests a minute from an address over all routes, sign-ins among them; health and documents are free', async () => {
  const address = ownAddress();
  const headers = { 'x-forwarded-for': address };
  const paths = ['/api/products', '/api/no-such-route'];
  const answers = await Promise.all(
    Array.from({ length: 95 }, (_, index) =>
      call('GET', paths[index % 2] ?? '', { headers, api: (index % 3 === 0 ? one : other).url }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(0);
  const signIns = await Promise.all(Array.from({ length: 6 }, () => refresh(one, address)));
  const refused = signIns.filter((answer) => answer.status === 429);
  expect(refused.map((answer) => answer.headers.get('ratelimit-limit'))).toEqual(['100']);
  for (const path of ['/healthz', '/openapi/business.json'])
    expect((await call('GET', path, { headers, api: one.url })).status).toBe(200);
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
      replies: {},
      handle: () => Promise.resolve({ status: 202, body: {} }),
    });
    const app = express();
    app.set('trust proxy', 'loopback');
    app.use(createApiRouter(one.platform, { ...businessApi(one.platform), routes: [begin] }));
    server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const begin = (credential: { token?: string; key?: string }): Promise<Answer> =>
    call('POST', '/api/exports', { ...credential, headers: { 'x-forwarded-for': ownAddress() }, api: url });

  test('five a minute for each user and each key, whatever address they come from', async () => {
    const tenant = await createTenant();
    const { token } = await signIn(tenant.admin);
    const { token: again } = await signIn(tenant.admin);
    const key = await tenant.businessKeyWith(['exports:create']);
    for (let use = 0; use < 5; use += 1) {
      const answer = await begin({ token: use % 2 === 0 ? token : again });
      expect([answer.status, budgetOf(answer)]).toEqual([202, { limit: '5', remaining: String(4 - use) }]);
    }
    for (const session of [token, again]) {
      const refused = await begin({ token: session });
      expect([refused.status, budgetOf(refused)]).toEqual([429, { limit: '5', remaining: '0' }]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await begin({ key })).status).toBe(202);
    const colleague = await signIn(await tenant.userWith('accountant'));
    expect((await begin({ token: colleague.token })).status).toBe(202);
  });
});

test('five exports a minute from a user, counted over all replicas; another key has its own', async () => {
  const tenant = await createTenant('Exporter');
  const { token } = await signIn(tenant.admin);
  const ask = (api: OwnApi, credential: object): Promise<Answer> =>
    call('POST', '/api/exports', {
      ...credential,
      json: { resource: 'customers', format: 'csv' },
      headers: { 'x-forwarded-for': ownAddress() },
      api: api.url,
    });
  for (let use = 0; use < 5; use += 1) expect((await ask(use % 2 === 0 ? one : other, { token })).status).toBe(202);
  const refused = await ask(other, { token });
  expect([refused.status, refused.body['code'], budgetOf(refused)]).toEqual([
    429,
    'rate_limit_exceeded',
    { limit: '5', remaining: '0' },
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const key = await tenant.businessKeyWith(['exports:create', 'customers:read']);
  expect((await ask(one, { key })).status).toBe(202);
});
