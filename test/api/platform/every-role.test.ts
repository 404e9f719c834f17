import { businessRoutes } from '../../../api/business';
import { identityRoutes } from '../../../api/identity';
import type { Route } from '../../../api/http/route';
import { listRolePermissions, ROLES } from '../../../domain/business/access/permissions';
import { IDENTITY_ROLES, listIdentityRolePermissions } from '../../../domain/identity/access/roles';
import { signInFromBrowser } from '../../support/browser';
import { signIn } from '../../support/business/client';
import { call } from '../../support/client';
import type { RequestOptions } from '../../support/client';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

const guarded = (routes: readonly Route[]): Route[] =>
  routes.filter(({ permission }) => permission !== 'public' && permission !== 'any');

/** The status of every route for a credential, with records that do not exist and without a body. */
async function requestAll(routes: readonly Route[], credential: RequestOptions): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  for (const { method, path } of routes) {
    const response = await call(method.toUpperCase(), path.replace(/:\w+/g, '999999999'), credential);
    statuses.set(`${method.toUpperCase()} ${path}`, response.status);
  }
  return statuses;
}

/** The routes that reject a credential. */
const listRejected = (statuses: ReadonlyMap<string, number>, status: number): string[] =>
  [...statuses].filter(([, received]) => received === status).map(([title]) => title);

const listForbidden = (routes: readonly Route[], permissions: readonly string[]): string[] =>
  routes
    .filter(({ permission }) => !permissions.includes(permission))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Roles');
});
afterAll(closeTestPlatform);

describe('a user with a role of the business API', () => {
  test.each(ROLES)('%s uses exactly the routes of its permissions', async (role) => {
    const routes = guarded(businessRoutes);
    const { token } = await signIn(await tenant.createUserWithRole(role));
    const statuses = await requestAll(routes, { token });
    expect(listRejected(statuses, 403)).toEqual(listForbidden(routes, listRolePermissions(role)));
    expect(listRejected(statuses, 401)).toEqual([]);
  });

  test('has no access to any route of the identity API', async () => {
    const user = await tenant.createUserWithRole('viewer');
    const routes = guarded(identityRoutes);
    const { token } = await signIn(user);
    expect(listRejected(await requestAll(routes, { token }), 401)).toHaveLength(routes.length);
    const { response } = await signInFromBrowser(user);
    expect([response.status, response.body['error']]).toMatchObject([403, { code: 'role_without_access' }]);
  });
});

describe('a user with a role of the identity API', () => {
  test.each(IDENTITY_ROLES)('%s uses exactly the routes of its permissions', async (role) => {
    const routes = guarded(identityRoutes);
    const { headers } = await signInFromBrowser(await tenant.createIdentityUser(role));
    const statuses = await requestAll(routes, { headers });
    expect(listRejected(statuses, 403)).toEqual(listForbidden(routes, listIdentityRolePermissions(role)));
    expect(listRejected(statuses, 401)).toEqual([]);
  });

  test('has no access to any route of the business API', async () => {
    const user = await tenant.createIdentityUser('admin');
    const routes = guarded(businessRoutes);
    const { headers } = await signInFromBrowser(user);
    expect(listRejected(await requestAll(routes, { headers }), 401)).toHaveLength(routes.length);
    expect((await call('POST', '/api/auth/login', { json: user })).status).toBe(401);
  });
});
