import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApiKey } from '../../../models/platform/access/api-key';
import { LoginSession } from '../../../models/platform/access/login-session';
import { User } from '../../../models/platform/access/user';
import { createApiKey } from '../../../services/platform/access/api-keys';
import type { KeyParent } from '../../../services/platform/access/key-creator';
import { setTemporaryPassword } from '../../../services/platform/access/password-change';
import { signIn } from '../../support/business/client';
import { call, getApiUrl } from '../../support/client';
import { pollUntilFound } from '../../support/poll';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Changes');
});
afterAll(closeTestPlatform);

interface Answer {
  status: number | undefined;
  body: string;
}

/** Begins a POST whose body arrives only when the returned function is called. */
function beginPost(path: string, headers: Record<string, string>, json: object): () => Promise<Answer> {
  const body = JSON.stringify(json);
  const sent: ClientRequest = request(`${getApiUrl()}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then((received) => resolve({ status: response.statusCode, body: received }), reject);
    });
  });
  sent.write(body.slice(0, 1));
  return () => {
    sent.end(body.slice(1));
    return answer;
  };
}

describe('a request whose body is still arriving', () => {
  test('has no effect once its key was revoked', async () => {
    const created = await call('POST', '/v1/keys', {
      key: tenant.identityKey,
      json: { permissions: ['webhooks:write'] },
    });
    const { key, secret } = created.body as { key: { id: string }; secret: string };
    const complete = beginPost(
      '/v1/webhooks',
      { 'x-api-key': secret },
      { url: 'https://late.example.com/', events: ['*'] },
    );
    await pollUntilFound(async () => (await ApiKey.findById(key.id).lean())?.lastUsedAt ?? undefined);
    expect((await call('DELETE', `/v1/keys/${key.id}`, { key: tenant.identityKey })).status).toBe(200);
    expect(await complete()).toMatchObject({ status: 401 });
    const { body } = await call('GET', '/v1/webhooks', { key: tenant.identityKey });
    expect(body).toMatchObject({ webhooks: [] });
  });

  test('has no effect once its user lost the permission', async () => {
    const account = await tenant.createUserWithRole('admin');
    const { token } = await signIn(account);
    const user = await User.findOne({ email: account.email }).orFail().lean();
    // The time of the last request is written again, so that it shows that the request was authenticated.
    await LoginSession.updateMany({ userId: user._id }, { lastSeenAt: new Date(0) });
    const json = { email: `late.${account.email}`, name: 'Late', role: 'admin' };
    const complete = beginPost('/api/admin/users', { authorization: `Bearer ${token}` }, json);
    const seen = { userId: user._id, lastSeenAt: { $gt: new Date(0) } };
    await pollUntilFound(async () => (await LoginSession.exists(seen)) ?? undefined);
    const { token: admin } = await signIn(tenant.admin);
    const demoted = await call('PUT', `/api/admin/users/${user.id}`, { token: admin, json: { role: 'viewer' } });
    expect(demoted.status).toBe(200);
    expect(await complete()).toMatchObject({ status: 403 });
    expect(await User.exists({ email: json.email })).toBeNull();
  });
});

describe('a user whose request to create an API key was authenticated before', () => {
  /** A new administrator with a session, as the creator of a key that may read products. */
  async function authenticate(): Promise<{ parent: KeyParent; token: string }> {
    const account = await tenant.createUserWithRole('admin');
    const { token } = await signIn(account);
    const { _id, organisationId } = await User.findOne({ email: account.email }).orFail().lean();
    const session = await LoginSession.findOne({ userId: _id }).orFail().lean();
    const parent: KeyParent = {
      id: _id,
      organisationId,
      mode: 'live',
      api: 'business',
      kind: 'user',
      sessionId: session._id,
      ancestors: [_id],
      permissions: new Set(['config:update']),
      allowedIps: [],
      expiresAt: null,
    };
    return { parent, token };
  }

  const create = async (parent: KeyParent) =>
    createApiKey(await getTestPlatform(), parent, { name: 'Late', permissions: ['config:update'] }, undefined);

  test('creates it while nothing has changed', async () => {
    const { parent } = await authenticate();
    expect(await create(parent)).toMatchObject({ record: { createdBy: parent.id } });
  });

  test('creates none with a permission that the role of the user no longer has', async () => {
    const { parent } = await authenticate();
    await User.updateOne({ _id: parent.id }, { role: 'viewer' });
    await expect(create(parent)).rejects.toMatchObject({ status: 403 });
  });

  test('creates none after the password was reset', async () => {
    const { parent } = await authenticate();
    await setTemporaryPassword(await getTestPlatform(), parent.id, { keepKeys: false });
    await expect(create(parent)).rejects.toMatchObject({ status: 401 });
  });

  test('creates none after the session was signed out', async () => {
    const { parent, token } = await authenticate();
    expect((await call('POST', '/api/auth/logout', { token })).status).toBe(200);
    await expect(create(parent)).rejects.toMatchObject({ status: 401 });
  });
});
