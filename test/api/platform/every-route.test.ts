import { z } from 'zod';
import { businessRoutes } from '../../../api/business';
import { identityRoutes } from '../../../api/identity';
import type { Route } from '../../../api/http/route';
import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import { listAcceptedPermissions } from '../../support/accepted-permissions';
import { call } from '../../support/client';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { createRouteFixture, hasRecordParameter, buildRecordPath, sendValidRequest } from '../../support/route-records';
import { isIdentityRoute } from '../../support/record-factories';
import type { RouteFixture } from '../../support/record-factories';

/** Calls every route of both APIs with wrong credentials. New routes are included automatically. */
const ALL_ROUTES: readonly Route[] = [...identityRoutes, ...businessRoutes];
const protectedRoutes = ALL_ROUTES.filter((route) => route.permission !== 'public');
const routesWithPermission = protectedRoutes.filter((route) => route.permission !== 'any');
const routesWithRecord = protectedRoutes.filter(hasRecordParameter);
const takesSession = (route: Route): boolean =>
  isIdentityRoute(route) && route.body instanceof z.ZodObject && 'sessionId' in route.body.shape;
/** A list of what belongs to one record needs its id, which is unique in an organisation only. */
const needsQuery = (route: Route): boolean => route.query?.safeParse({}).success === false;
const isList = (route: Route): boolean =>
  route.method === 'get' && !hasRecordParameter(route) && !needsQuery(route) && !/pdf|export|logo/.test(route.path);

const withTitles = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

describe('every route', () => {
  let ours: RouteFixture;
  let theirs: RouteFixture;
  let stranger: Tenant;
  let strangersBusinessKey: string;
  let testKey: string;
  const strangersKey = (route: Route): string => (isIdentityRoute(route) ? stranger.identityKey : strangersBusinessKey);
  beforeAll(async () => {
    ours = await createRouteFixture('Ours');
    theirs = await createRouteFixture('Theirs');
    stranger = await createTenant('Stranger');
    strangersBusinessKey = await stranger.createBusinessKey(ALL_BUSINESS_PERMISSIONS);
    testKey = await theirs.tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
  });
  afterAll(closeTestPlatform);

  test.each(withTitles(protectedRoutes))('%s without a credential is 401', async (_title, route) => {
    const response = await sendValidRequest(route, buildRecordPath(route, ours), {});
    expect(response.status).toBe(401);
    expect(response.body['ok']).toBe(false);
  });

  test.each(withTitles(routesWithPermission))(
    '%s with a key that lacks the permission is 403',
    async (_title, route) => {
      const others: readonly string[] = isIdentityRoute(route) ? IDENTITY_PERMISSIONS : ALL_BUSINESS_PERMISSIONS;
      const accepted = listAcceptedPermissions(route);
      const rest = others.filter((permission) => !accepted.includes(permission));
      const key = isIdentityRoute(route)
        ? await ours.tenant.createIdentityKey(IDENTITY_PERMISSIONS.filter((each) => !accepted.includes(each)))
        : await ours.tenant.createBusinessKey(rest);
      const response = await sendValidRequest(route, buildRecordPath(route, ours), { key });
      expect(response.status).toBe(403);
      expect(JSON.stringify(response.body)).toContain(route.permission);
    },
  );

  test.each(withTitles(ALL_ROUTES))('%s with an unknown query parameter is 400 and names it', async (_title, route) => {
    const key = isIdentityRoute(route) ? ours.identityKey : ours.businessKey;
    const path = `${buildRecordPath(route, ours)}?unknownParameter=true`;
    const response = await sendValidRequest(route, path, route.permission === 'public' ? {} : { key });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain('unknownParameter');
  });

  test.each(withTitles(routesWithRecord))('%s with a record of another organisation is 404', async (_title, route) => {
    const response = await sendValidRequest(route, buildRecordPath(route, theirs), { key: strangersKey(route) });
    expect([response.status, response.body]).toMatchObject([404, { ok: false }]);
  });

  test.each(withTitles(routesWithRecord.filter(isIdentityRoute)))(
    '%s with a live record and a test key of the same organisation is 404',
    async (_title, route) => {
      const response = await sendValidRequest(route, buildRecordPath(route, theirs), { key: testKey });
      expect([response.status, response.body]).toMatchObject([404, { ok: false }]);
    },
  );

  test.each(withTitles(protectedRoutes.filter(takesSession)))(
    '%s with a session of another organisation is 404',
    async (_title, route) => {
      const sessionId = theirs.ids.get('/v1/sessions/:id') ?? '';
      const response = await sendValidRequest(
        route,
        buildRecordPath(route, ours),
        { key: ours.identityKey },
        { sessionId },
      );
      expect([response.status, response.body]).toMatchObject([404, { ok: false }]);
    },
  );

  test.each(withTitles(protectedRoutes.filter(isList)))(
    '%s does not list records of other organisations',
    async (_title, route) => {
      const response = await sendValidRequest(route, buildRecordPath(route, ours), { key: strangersKey(route) });
      expect(response.status).toBe(200);
      const text = response.bytes.toString('utf8');
      for (const [prefix, id] of theirs.ids) if (prefix.startsWith('/v1')) expect(text).not.toContain(id);
    },
  );

  test('the same number identifies different records in two organisations', async () => {
    const invoices = '/api/invoices/:id';
    expect(ours.ids.get(invoices)).toBe(theirs.ids.get(invoices));
    const read = async (world: RouteFixture): Promise<unknown> => {
      const response = await call('GET', `/api/invoices/${world.ids.get(invoices) ?? ''}`, { key: world.businessKey });
      return (response.body['data'] as { createdAt: unknown }).createdAt;
    };
    expect(await read(ours)).not.toEqual(await read(theirs));
  });

  test('a key of one API is rejected by the other', async () => {
    expect((await call('GET', '/api/products', { key: ours.identityKey })).status).toBe(401);
    expect((await call('GET', '/v1/sessions', { key: ours.businessKey })).status).toBe(401);
  });
});
