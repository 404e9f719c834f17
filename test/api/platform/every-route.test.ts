import { z } from 'zod';
import { businessRoutes } from '../../../api/business';
import { identityRoutes } from '../../../api/identity';
import type { Route } from '../../../api/http/route';
import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import { call } from '../../support/client';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { buildWorld, isIdentity, namesRecord, pathIn, walk } from '../../support/route-records';
import type { World } from '../../support/route-records';

/** Every route of both APIs, walked with the wrong credentials. A new route is walked without being listed here. */
const ROUTES: readonly Route[] = [...identityRoutes, ...businessRoutes];
const protectedRoutes = ROUTES.filter((route) => route.permission !== 'public');
const withPermission = protectedRoutes.filter((route) => route.permission !== 'any');
const withRecord = protectedRoutes.filter(namesRecord);
const takesSession = (route: Route): boolean =>
  isIdentity(route) && route.body instanceof z.ZodObject && 'sessionId' in route.body.shape;
const isList = (route: Route): boolean =>
  route.method === 'get' && !namesRecord(route) && !/pdf|export|logo/.test(route.path);

const titled = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

describe('every route', () => {
  let ours: World;
  let theirs: World;
  let stranger: Tenant;
  let strangersBusinessKey: string;
  let testKey: string;
  const strangersKey = (route: Route): string => (isIdentity(route) ? stranger.identityKey : strangersBusinessKey);
  beforeAll(async () => {
    ours = await buildWorld('Ours');
    theirs = await buildWorld('Theirs');
    stranger = await createTenant('Stranger');
    strangersBusinessKey = await stranger.businessKeyWith(ALL_BUSINESS_PERMISSIONS);
    testKey = await theirs.tenant.identityKeyWith([...IDENTITY_PERMISSIONS], { mode: 'test' });
  });
  afterAll(closeTestPlatform);

  test.each(titled(protectedRoutes))('%s without a credential is 401', async (_title, route) => {
    const answer = await walk(route, pathIn(route, ours), {});
    expect(answer.status).toBe(401);
    expect(answer.body['ok']).toBe(false);
  });

  test.each(titled(withPermission))('%s with a key that lacks the permission is 403', async (_title, route) => {
    const others: readonly string[] = isIdentity(route) ? IDENTITY_PERMISSIONS : ALL_BUSINESS_PERMISSIONS;
    const rest = others.filter((permission) => permission !== route.permission);
    const key = isIdentity(route)
      ? await ours.tenant.identityKeyWith(IDENTITY_PERMISSIONS.filter((each) => each !== route.permission))
      : await ours.tenant.businessKeyWith(rest);
    const answer = await walk(route, pathIn(route, ours), { key });
    expect(answer.status).toBe(403);
    expect(JSON.stringify(answer.body)).toContain(route.permission);
  });

  test.each(titled(withRecord))('%s does not know another organisation’s record', async (_title, route) => {
    const answer = await walk(route, pathIn(route, theirs), { key: strangersKey(route) });
    expect([answer.status, answer.body]).toMatchObject([404, { ok: false }]);
  });

  test.each(titled(withRecord.filter(isIdentity)))(
    '%s does not know a live record with a test key of the same organisation',
    async (_title, route) => {
      const answer = await walk(route, pathIn(route, theirs), { key: testKey });
      expect([answer.status, answer.body]).toMatchObject([404, { ok: false }]);
    },
  );

  test.each(titled(protectedRoutes.filter(takesSession)))(
    '%s takes nothing for another organisation’s session',
    async (_title, route) => {
      const sessionId = theirs.ids.get('/v1/sessions/:id') ?? '';
      const answer = await walk(route, pathIn(route, ours), { key: ours.identityKey }, { sessionId });
      expect([answer.status, answer.body]).toMatchObject([404, { ok: false }]);
    },
  );

  test.each(titled(protectedRoutes.filter(isList)))('%s shows a stranger nobody’s records', async (_title, route) => {
    const answer = await walk(route, route.path, { key: strangersKey(route) });
    expect(answer.status).toBe(200);
    const shown = answer.bytes.toString('utf8');
    for (const [prefix, id] of theirs.ids) if (prefix.startsWith('/v1')) expect(shown).not.toContain(id);
  });

  test('the same numbers in two organisations are different records', async () => {
    const invoices = '/api/invoices/:id';
    expect(ours.ids.get(invoices)).toBe(theirs.ids.get(invoices));
    const read = async (world: World): Promise<unknown> => {
      const answer = await call('GET', `/api/invoices/${world.ids.get(invoices) ?? ''}`, { key: world.businessKey });
      return (answer.body['data'] as { createdAt: unknown }).createdAt;
    };
    expect(await read(ours)).not.toEqual(await read(theirs));
  });

  test('a key of one API opens nothing of the other', async () => {
    expect((await call('GET', '/api/products', { key: ours.identityKey })).status).toBe(401);
    expect((await call('GET', '/v1/sessions', { key: ours.businessKey })).status).toBe(401);
  });
});
