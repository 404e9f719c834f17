import { businessRoutes } from '../../../api/business';
import { identityRoutes } from '../../../api/identity';
import type { Route } from '../../../api/http/route';
import { listRolePermissions, ROLES } from '../../../domain/business/access/permissions';
import { IDENTITY_ROLES, listIdentityRolePermissions } from '../../../domain/identity/access/roles';
import { listAcceptedPermissions } from '../../support/accepted-permissions';
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
    .filter((route) => !listAcceptedPermissions(route).some((each) => permissions.includes(each)))
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
});

describe('a user signed in from a browser', () => {
  test.each(IDENTITY_ROLES)(
    'with the identity role %s uses exactly the routes of its permissions in both APIs',
    async (role) => {
      // Each identity role is combined with another business role, and one with none.
      const business = ROLES[IDENTITY_ROLES.indexOf(role) + 1] ?? null;
      const { headers } = await signInFromBrowser(await tenant.createUserWithRoles({ identity: role, business }));
      const identity = await requestAll(guarded(identityRoutes), { headers });
      expect(listRejected(identity, 403)).toEqual(
        listForbidden(guarded(identityRoutes), listIdentityRolePermissions(role)),
      );
      const permissions = business === null ? [] : listRolePermissions(business);
      const statuses = await requestAll(guarded(businessRoutes), { headers });
      expect(listRejected(statuses, 403)).toEqual(listForbidden(guarded(businessRoutes), permissions));
      expect([...listRejected(identity, 401), ...listRejected(statuses, 401)]).toEqual([]);
    },
  );

  test('without an identity role has no access to any guarded route of the identity API', async () => {
    const routes = guarded(identityRoutes);
    const { headers } = await signInFromBrowser(await tenant.createUserWithRole('admin'));
    expect(listRejected(await requestAll(routes, { headers }), 403)).toHaveLength(routes.length);
  });
});

test('the token of a business role gives no access to the identity API, nor an identity role a token', async () => {
  const routes = guarded(identityRoutes);
  const { token } = await signIn(await tenant.createUserWithRole('viewer'));
  expect(listRejected(await requestAll(routes, { token }), 401)).toHaveLength(routes.length);
  const user = await tenant.createIdentityUser('admin');
  expect((await call('POST', '/api/auth/login', { json: user })).status).toBe(401);
});
