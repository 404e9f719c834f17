import { businessRoutes } from '../../api/business';
import { identityRoutes } from '../../api/identity';
import type { Route } from '../../api/route';
import { selfieOf } from '../../scripts/demo/photos';
import { call } from '../support/client';
import type { Answer, RequestOptions } from '../support/client';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';

/** Every route of both APIs, walked with the wrong credentials. A new route is walked without being listed here. */
const ROUTES: readonly Route[] = [...identityRoutes, ...businessRoutes];
const isIdentity = (route: Route): boolean => route.path.startsWith('/v1');
const title = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;
const protectedRoutes = ROUTES.filter((route) => route.permission !== 'public');
const withPermission = protectedRoutes.filter((route) => route.permission !== 'any');
const withId = protectedRoutes.filter((route) => route.path.includes(':id'));

/** Bodies that are right, so that nothing but the record can be wrong. */
const BODIES: Record<string, object> = {
  decideSession: { decision: 'decline', reason: 'Walk.' },
  updateProduct: { name: 'Walked' },
  updateCustomer: { name: 'Walked' },
};

interface World {
  tenant: Tenant;
  /** Ids of the tenant's own records, by the first part of the path after the prefix. */
  ids: Record<string, string>;
  identityKey: string;
  businessKey: string;
}

const idOf = (answer: Answer, part: string): string => {
  const record = answer.body[part] as { id: string | number } | undefined;
  if (record === undefined) throw new Error(`No ${part}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return String(record.id);
};

/** The same records, made in the same order in each organisation, so that their numbers are the same. */
async function build(name: string): Promise<World> {
  const tenant = await createTenant(name);
  const identity = { key: tenant.identityKey };
  const business = { key: await tenant.businessKeyWith(ALL_BUSINESS_PERMISSIONS) };
  const session = idOf(await call('POST', '/v1/sessions', { ...identity, json: {} }), 'session');
  const image = { body: await selfieOf('anna'), name: 'face.jpg' };
  const check = idOf(await call('POST', '/v1/biometrics/liveness?wait=0', { ...identity, form: { image } }), 'check');
  const erased = idOf(await call('POST', '/v1/sessions', { ...identity, json: {} }), 'session');
  const erasure = idOf(await call('DELETE', `/v1/sessions/${erased}`, identity), 'erasure');
  const csv = { body: Buffer.from('name\nWalk Ltd\n'), name: 'companies.csv', type: 'text/csv' };
  const register = idOf(
    await call('POST', '/v1/registers/companies/import?wait=0', { ...identity, form: { file: csv } }),
    'register',
  );
  const webhook = idOf(
    await call('POST', '/v1/webhooks', {
      ...identity,
      json: { url: 'https://hooks.example.com/x', events: ['session.completed'] },
    }),
    'webhook',
  );
  const key = idOf(await call('POST', '/v1/keys', { ...identity, json: {} }), 'key');
  const product = idOf(
    await call('POST', '/api/products', {
      ...business,
      json: { code: 'WALK', name: 'Walk', type: 'service', price: 10 },
    }),
    'data',
  );
  const customer = idOf(
    await call('POST', '/api/customers', { ...business, json: { name: `Customer of ${name}` } }),
    'data',
  );
  const line = { productId: Number(product), quantity: 1, unitPrice: 10 };
  const invoice = idOf(
    await call('POST', '/api/invoices', {
      ...business,
      json: { customerId: Number(customer), paymentTerms: 'NET30', currencyCode: 'EUR', lines: [line], notes: '' },
    }),
    'data',
  );
  return {
    tenant,
    ids: {
      sessions: session,
      checks: check,
      registers: register,
      erasures: erasure,
      webhooks: webhook,
      keys: key,
      products: product,
      customers: customer,
      invoices: invoice,
    },
    identityKey: identity.key,
    businessKey: business.key,
  };
}

const collection = (route: Route): string => route.path.split('/')[2] ?? '';

function request(route: Route, id: string, credential: Pick<RequestOptions, 'key'>): Promise<Answer> {
  const body = BODIES[route.operationId];
  const needsBody = route.body !== undefined && route.files === undefined;
  return call(route.method.toUpperCase(), route.path.replace(':id', id), {
    ...credential,
    ...(needsBody ? { json: body ?? {} } : {}),
  });
}

describe('every route', () => {
  let ours: World;
  let theirs: World;
  beforeAll(async () => {
    ours = await build('Ours');
    theirs = await build('Theirs');
  });
  afterAll(closeTestPlatform);

  test.each(protectedRoutes.map((route) => [title(route), route] as const))(
    '%s without a credential is 401',
    async (_title, route) => {
      const answer = await request(route, '1', {});
      expect(answer.status).toBe(401);
      expect(answer.body['ok']).toBe(false);
    },
  );

  test.each(withPermission.map((route) => [title(route), route] as const))(
    '%s with a key that lacks the permission is 403',
    async (_title, route) => {
      const key = isIdentity(route)
        ? await ours.tenant.identityKeyWith([route.permission === 'keys:read' ? 'sessions:read' : 'keys:read'])
        : await ours.tenant.businessKeyWith([route.permission === 'config:read' ? 'crm:read' : 'config:read']);
      const answer = await request(route, ours.ids[collection(route)] ?? '1', { key });
      expect(answer.status).toBe(403);
      expect(JSON.stringify(answer.body)).toContain(route.permission);
    },
  );

  test.each(withId.map((route) => [title(route), route] as const))(
    '%s does not know another organisation’s record',
    async (_title, route) => {
      const id = theirs.ids[collection(route)];
      if (id === undefined) throw new Error(`The walk has no record of ${collection(route)}: make one in build().`);
      const stranger = await createTenant('Stranger');
      const key = isIdentity(route) ? stranger.identityKey : await stranger.businessKeyWith(ALL_BUSINESS_PERMISSIONS);
      const answer = await request(route, id, { key });
      expect(answer.status).toBe(404);
    },
  );

  test('the same numbers in two organisations are different records', async () => {
    expect(ours.ids['invoices']).toBe(theirs.ids['invoices']);
    const read = async (world: World): Promise<string> => {
      const answer = await call('GET', `/api/invoices/${world.ids['invoices'] ?? ''}`, { key: world.businessKey });
      return JSON.stringify(answer.body);
    };
    expect(await read(ours)).toContain('Ours');
    expect(await read(ours)).not.toContain('Theirs');
    expect(await read(theirs)).toContain('Theirs');
  });

  test('a key of one API opens nothing of the other', async () => {
    expect((await call('GET', '/api/products', { key: ours.identityKey })).status).toBe(401);
    expect((await call('GET', '/v1/sessions', { key: ours.businessKey })).status).toBe(401);
  });
});
