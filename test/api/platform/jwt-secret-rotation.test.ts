import { randomUUID } from 'node:crypto';
import { loadConfig, requireJwtSecret } from '../../../lib/config';
import { signInFromBrowser } from '../../support/browser';
import { signIn } from '../../support/business/client';
import { startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { call } from '../../support/client';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

const SUCCESSOR = 'a new secret of more than thirty-two characters';

/** The API while the secret of the stack is replaced, and after the secret was removed. */
let both: OwnApi;
let after: OwnApi;
let tenant: Tenant;

const startWith = (jwtSecrets: string[]): Promise<OwnApi> =>
  startOwnApi({
    jwtSecrets,
    RATE_LIMIT_AUTH_PER_MINUTE: 100_000,
    RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000,
  });

beforeAll(async () => {
  tenant = await createTenant('Secrets');
  both = await startWith([SUCCESSOR, requireJwtSecret(loadConfig())]);
  after = await startWith([SUCCESSOR]);
});
afterAll(async () => {
  await Promise.all([both.close(), after.close()]);
  await closeTestPlatform();
});

const getMe = async (token: string, api: string): Promise<number> =>
  (await call('GET', '/api/auth/me', { token, api })).status;

describe('while a JWT secret is replaced', () => {
  test('users stay signed in to the business API, and their next tokens outlive the earlier secret', async () => {
    const before = await signIn(tenant.admin);
    expect(await getMe(before.token, both.url)).toBe(200);
    expect(await getMe(before.token, after.url)).toBe(401);
    const refreshed = await call('POST', '/api/auth/refresh', {
      api: both.url,
      json: { refreshToken: before.refreshToken },
    });
    expect(refreshed.status).toBe(200);
    const { token } = refreshed.body['data'] as { token: string };
    expect(await getMe(token, after.url)).toBe(200);
  });

  test('a page keeps its CSRF token', async () => {
    const { headers } = await signInFromBrowser(tenant.admin);
    const create = (api: string) => call('POST', '/v1/sessions', { api, headers, json: { features: ['id'] } });
    expect((await create(both.url)).status).toBe(201);
    const refused = await create(after.url);
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'csrf_token_invalid' } }]);
  });

  test('a request with a password is repeated under its Idempotency-Key', async () => {
    const { token } = await signIn(tenant.admin);
    const headers = { 'idempotency-key': randomUUID() };
    const json = { name: 'Twice', email: `${randomUUID()}@tenant.example`, role: 'viewer' };
    const create = (api?: string) =>
      call('POST', '/api/admin/users', { token, headers, json, ...(api === undefined ? {} : { api }) });
    const first = await create();
    const second = await create(both.url);
    const getId = ({ body }: typeof first) => (body['data'] as { id: number }).id;
    expect([first.status, second.status, getId(second)]).toEqual([201, 201, getId(first)]);
  });
});
