import { businessRoutes } from '../../../../api/business';
import type { Route } from '../../../../api/http/route';
import { PERMISSIONS, listRolePermissions, ROLES } from '../../../../domain/business/access/permissions';
import { listAcceptedPermissions } from '../../../support/accepted-permissions';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  createClientWithToken,
  getData,
  signIn,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';

/** Walks every route of the business API, so that one added later is held to the same. */
const protectedRoutes = businessRoutes.filter((route) => route.permission !== 'public');
const routesWithPermission = protectedRoutes.filter((route) => route.permission !== 'any');
const withTitles = (routes: readonly Route[]) =>
  routes.map((route): [string, Route] => [`${route.method.toUpperCase()} ${route.path}`, route]);

/** More than a new company has by itself, so that this number is theirs alone. */
const OTHER_RECORD_COUNT = 4;
/** Lists of which everybody has exactly one entry of their own. */
const LISTED_RESOURCES = [
  'customers',
  'vendors',
  'products',
  'products/categories',
  'invoices',
  'crm/leads',
  'crm/opportunities',
  'config/exchange-rates',
];
const CODES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK'];

let ownClient: BusinessClient;
let otherClient: BusinessClient;

/** Creates some records of every kind; `prefix` names their organisation. */
async function createRecords(client: BusinessClient, prefix: string, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    const customerId = await addCustomer(client, { name: `${prefix} customer ${index}` });
    const productId = await addProduct(client, {
      name: `${prefix} product ${index}`,
      initialStock: { quantity: 9, unitCost: 1.25 },
    });
    await client.post('/api/products/categories', { name: `${prefix} category ${index}` });
    await client.post('/api/inventory/warehouses', { name: `${prefix} warehouse ${index}` });
    await client.post('/api/vendors', { name: `${prefix} vendor ${index}` });
    await client.post('/api/crm/leads', { name: `${prefix} lead ${index}` });
    await client.post('/api/crm/opportunities', { name: `${prefix} opportunity ${index}` });
    await client.post('/api/config/tax-rates', { name: `${prefix} rate ${index}`, percent: index });
    await client.post('/api/config/document-series', { documentType: 'invoice', prefix: `${prefix}${index}` });
    await client.post('/api/config/currencies', { code: CODES[index] });
    await client.post('/api/config/exchange-rates', { currencyCode: CODES[index], rate: 1.5 });
    await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, unitPrice: 1.1 }] });
  }
}

beforeAll(async () => {
  ownClient = await createBusinessClient();
  otherClient = await createBusinessClient();
  await createRecords(ownClient, 'Mine', 1);
  await createRecords(otherClient, 'Theirs', OTHER_RECORD_COUNT);
});
afterAll(closeTestPlatform);

const buildPath = (route: Route, id: number): string => route.path.replace(':id', String(id));
const buildBody = (route: Route): { json?: unknown } => (route.body === undefined ? {} : { json: {} });

describe('credentials', () => {
  test.each(withTitles(protectedRoutes))(
    '%s without one, with a wrong one or a revoked session is 401',
    async (_name, route) => {
      const method = route.method.toUpperCase();
      const wrong = [
        {},
        { token: 'x.y.z' },
        { key: 'erp_x' },
        { key: ownClient.tenant.identityKey },
        { token: ownClient.tenant.identityKey },
      ];
      for (const credential of wrong) {
        const response = await call(method, buildPath(route, 1), { ...buildBody(route), ...credential });
        expect(response.status).toBe(401);
        expect(response.body).toMatchObject({ ok: false, code: 'unauthorized' });
      }
    },
  );

  test.each(withTitles(routesWithPermission))(
    '%s without its permission is 403 naming it, with it alone is not',
    async (_name, route) => {
      const method = route.method.toUpperCase();
      const others = await ownClient.tenant.createBusinessKey(
        PERMISSIONS.filter((permission) => !listAcceptedPermissions(route).includes(permission)),
      );
      const rejected = await call(method, buildPath(route, 1), { ...buildBody(route), key: others });
      expect(rejected.status).toBe(403);
      expect(rejected.body).toMatchObject({ ok: false, code: 'forbidden' });
      expect(rejected.body['message']).toContain(route.permission);
      for (const permission of listAcceptedPermissions(route)) {
        const key = await ownClient.tenant.createBusinessKey([permission]);
        expect((await call(method, buildPath(route, 999_999), { ...buildBody(route), key })).status).not.toBe(403);
      }
    },
  );

  test.each(ROLES)('the role %s has exactly the documented permissions', async (role) => {
    const client = createClientWithToken(
      otherClient.tenant,
      (await signIn(await otherClient.tenant.createUserWithRole(role))).token,
    );
    const allowed = new Set<string>(listRolePermissions(role));
    for (const route of routesWithPermission) {
      const response = await call(route.method.toUpperCase(), buildPath(route, 999_999), {
        ...buildBody(route),
        token: client.token,
      });
      expect([route.path, response.status === 403]).toEqual([
        route.path,
        !listAcceptedPermissions(route).some((permission) => allowed.has(permission)),
      ]);
    }
  });
});

describe('isolation of organisations', () => {
  const withId = routesWithPermission.filter((route) => route.path.includes(':id'));

  test.each(withTitles(withId))(
    '%s of an id that only another organisation has is 404, like an id that does not exist',
    async (_name, route) => {
      const method = route.method.toUpperCase();
      const [other, missing] = [OTHER_RECORD_COUNT, 999_999].map((id) =>
        call(method, buildPath(route, id), {
          ...(route.bodyExample === undefined ? buildBody(route) : { json: route.bodyExample }),
          token: ownClient.token,
        }),
      );
      const [first, second] = [await other, await missing];
      expect([first?.status, second?.status]).toEqual([404, 404]);
      expect(first?.body['message']).toBe(second?.body['message']);
    },
  );

  test('the same id is a different record in each organisation', async () => {
    for (const [resource, field] of [
      ['customers', 'name'],
      ['vendors', 'name'],
      ['crm/leads', 'name'],
      ['crm/opportunities', 'name'],
      ['products', 'name'],
      ['invoices', 'customerName'],
    ] as const) {
      expect(String(getData(await ownClient.get(`/api/${resource}/1`))[field])).toMatch(/^Mine /);
      expect(String(getData(await otherClient.get(`/api/${resource}/1`))[field])).toMatch(/^Theirs /);
    }
  });

  test('no list or search shows another organisation’s records', async () => {
    for (const resource of LISTED_RESOURCES) {
      const all = await ownClient.get(`/api/${resource}`);
      expect(all.body['totalCount']).toBe(1);
      expect(all.bytes.toString('utf8')).not.toContain('Theirs');
      expect((await ownClient.get(`/api/${resource}?search=theirs`)).body['totalCount']).toBe(0);
    }
  });

  test('a document cannot name another organisation’s customer or product', async () => {
    const response = await ownClient.post('/api/invoices', {
      customerId: OTHER_RECORD_COUNT,
      lines: [{ productId: OTHER_RECORD_COUNT, quantity: 1, unitPrice: 1 }],
    });
    expect(response.status).toBe(400);
    expect(response.body['errors']).toEqual([
      'customerId: is not a customer of the company',
      'lines[0].productId: is not a product of the company',
    ]);
  });

  test('invoice numbers start at 1 in each organisation', async () => {
    for (const client of [ownClient, otherClient])
      expect(String(getData(await client.get('/api/invoices/1'))['number'])).toMatch(/-000001$/);
  });
});

describe('responses', () => {
  test('match the OpenAPI document and contain no raw decimal, internal id or search token', async () => {
    const serviceId = await addService(ownClient);
    const invoice = { customerId: 1, lines: [{ productId: serviceId, quantity: 1.5, unitPrice: 0.1 }] };
    const seen: [string, string, ApiResponse][] = [
      ['get', '/api/auth/me', await ownClient.get('/api/auth/me')],
      ['post', '/api/auth/login', await call('POST', '/api/auth/login', { json: ownClient.tenant.admin })],
      ['get', '/api/products', await ownClient.get('/api/products')],
      ['get', '/api/products/:id', await ownClient.get('/api/products/1')],
      ['post', '/api/products', await ownClient.post('/api/products', { name: 'A' })],
      ['post', '/api/products', await ownClient.post('/api/products?dryRun=true', { name: 'A' })],
      ['put', '/api/products/:id', await ownClient.put('/api/products/1', { price: 1.5 })],
      ['get', '/api/products/categories', await ownClient.get('/api/products/categories')],
      ['post', '/api/products/categories', await ownClient.post('/api/products/categories', { name: 'New' })],
      ['get', '/api/customers', await ownClient.get('/api/customers')],
      ['get', '/api/customers/:id', await ownClient.get('/api/customers/1')],
      ['post', '/api/customers', await ownClient.post('/api/customers', { name: 'A', creditLimit: 12.5 })],
      ['post', '/api/customers', await ownClient.post('/api/customers?dryRun=true', { name: 'A' })],
      ['put', '/api/customers/:id', await ownClient.put('/api/customers/1', { creditLimit: 99.99 })],
      ['get', '/api/invoices', await ownClient.get('/api/invoices')],
      ['get', '/api/invoices/:id', await ownClient.get('/api/invoices/1')],
      ['post', '/api/invoices', await ownClient.post('/api/invoices', invoice)],
      ['post', '/api/invoices', await ownClient.post('/api/invoices?dryRun=true', invoice)],
      ['get', '/api/invoices/:id/calculation', await ownClient.get('/api/invoices/1/calculation')],
      ['get', '/api/invoices/numbering', await ownClient.get('/api/invoices/numbering')],
      ['post', '/api/credit-notes', await ownClient.post('/api/credit-notes', { invoiceId: 1, reason: 'A' })],
      [
        'post',
        '/api/credit-notes',
        await ownClient.post('/api/credit-notes?dryRun=true', { invoiceId: 2, reason: 'A' }),
      ],
      ['get', '/api/credit-notes', await ownClient.get('/api/credit-notes')],
      ['get', '/api/credit-notes/:id', await ownClient.get('/api/credit-notes/1')],
      [
        'post',
        '/api/receivables/payments',
        await ownClient.post('/api/receivables/payments', { customerId: 1, amount: 1 }),
      ],
      [
        'post',
        '/api/receivables/payments',
        await ownClient.post('/api/receivables/payments?dryRun=true', { customerId: 1, amount: 1 }),
      ],
      ['get', '/api/receivables/payments', await ownClient.get('/api/receivables/payments')],
      ['get', '/api/receivables/payments/:id', await ownClient.get('/api/receivables/payments/1')],
      ['get', '/api/receivables', await ownClient.get('/api/receivables?state=all')],
      ['get', '/api/receivables/aging', await ownClient.get('/api/receivables/aging')],
      ['get', '/api/customers/:id/balance', await ownClient.get('/api/customers/1/balance')],
      ['get', '/api/inventory/stock', await ownClient.get('/api/inventory/stock')],
      ['get', '/api/inventory/adjustments', await ownClient.get('/api/inventory/adjustments')],
      ['delete', '/api/products/:id', await ownClient.delete(`/api/products/${serviceId}`)],
    ];
    for (const [method, path, response] of seen) expectDocumented(method, path, response);
  });

  test('every example in the OpenAPI document matches its schema', () => {
    for (const route of businessRoutes)
      for (const reply of Object.values(route.replies))
        if ('schema' in reply && reply.example !== undefined)
          expect(reply.schema.parse(reply.example)).toEqual(reply.example);
  });

  test('every body example in the OpenAPI document is accepted by its schema', () => {
    for (const route of businessRoutes)
      if (route.bodyExample !== undefined && route.body !== undefined)
        expect(route.body.safeParse(route.bodyExample).success).toBe(true);
  });

  test('an unknown route is 404 and another method 405, in the envelope', async () => {
    expect((await ownClient.get('/api/unicorns')).body).toMatchObject({ ok: false, code: 'not_found' });
    const method = await ownClient.delete('/api/customers/1');
    expect(method.status).toBe(405);
    expect(method.headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS');
  });
});
