import { randomBytes } from 'node:crypto';
import { selfieOf } from '../../scripts/demo/photos';
import type { Route } from '../../api/http/route';
import { newId } from '../../lib/ids';
import { Share } from '../../models/identity/sharing/share';
import { call } from './client';
import { importOwnList } from './identity/watch-lists';
import type { Answer, RequestOptions } from './client';
import { ALL_BUSINESS_PERMISSIONS, createTenant } from './tenant';
import type { Tenant } from './tenant';

/** An organisation with one record for every parameter in a path. */
export interface World {
  tenant: Tenant;
  identityKey: string;
  businessKey: string;
  /** Ids of its own records, by the path up to the parameter that names one. */
  ids: Map<string, string>;
}

const idOf = (answer: Answer, part: string): string => {
  const record = answer.body[part] as { id: string | number } | undefined;
  if (record === undefined) throw new Error(`No ${part}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return String(record.id);
};

export const isIdentity = (route: Pick<Route, 'path'>): boolean => route.path.startsWith('/v1');

const keyOf = (world: World, path: string): string => (isIdentity({ path }) ? world.identityKey : world.businessKey);

/** Makes a record by a request with a JSON body. */
const post =
  (path: string, part: string, json: (world: World) => object = () => ({})) =>
  async (world: World): Promise<string> =>
    idOf(await call('POST', path, { key: keyOf(world, path), json: json(world) }), part);

/** A file for every field that wants one. */
export const walkImage = async (): Promise<{ body: Buffer; name: string }> => ({
  body: await selfieOf('anna'),
  name: 'face.jpg',
});

/** The first picture of a liveness check, alone or in a session. */
const livenessEvidence =
  (fields: (world: World) => Record<string, string>) =>
  async (world: World): Promise<string> => {
    const form = { ...fields(world), image: await walkImage() };
    const answer = await call('POST', '/v1/biometrics/liveness?wait=0', { key: world.identityKey, form });
    const { evidence } = answer.body['check'] as { evidence: { id: string }[] };
    return evidence[0]?.id ?? '';
  };

const own = (world: World, prefix: string): string => world.ids.get(prefix) ?? '';

const walkInvoice = (world: World): object => ({
  customerId: Number(own(world, '/api/customers/:id')),
  paymentTerms: 'NET30',
  currencyCode: 'EUR',
  lines: [{ productId: Number(own(world, '/api/products/:id')), quantity: 1, unitPrice: 10 }],
  notes: '',
});

const goods = (quantity: number): object => ({ name: 'Walked goods', initialStock: { quantity } });

/**
 * How a record is made, by the path up to the parameter that names it. They are made in this order, in each
 * organisation, so that the numbers of business records are the same on purpose.
 */
const RECORDS: Readonly<Record<string, (world: World) => Promise<string>>> = {
  '/v1/sessions/:id': post('/v1/sessions', 'session'),
  '/v1/sessions/:id/evidence/:evidenceId': livenessEvidence((world) => ({ sessionId: own(world, '/v1/sessions/:id') })),
  '/v1/sessions/:id/shares/:shareId': async ({ tenant, ids }) => {
    const at = new Date();
    const share = {
      _id: newId('shr'),
      organisationId: tenant.organisationId,
      mode: 'live' as const,
      sessionId: ids.get('/v1/sessions/:id') ?? '',
      audience: 'org_walk',
      consentText: 'Walk.',
      createdBy: 'walk',
      createdAt: at,
      expiresAt: at,
    };
    await Share.create([share]);
    return share._id;
  },
  '/v1/sessions/workflows/:id': post('/v1/sessions/workflows', 'workflow', () => ({ name: 'Walk' })),
  '/v1/checks/:id/evidence/:evidenceId': livenessEvidence(() => ({})),
  '/v1/checks/:id': async (world) => {
    const form = { image: await walkImage() };
    return idOf(await call('POST', '/v1/biometrics/liveness?wait=0', { key: world.identityKey, form }), 'check');
  },
  '/v1/erasures/:id': async (world) => {
    const session = await post('/v1/sessions', 'session')(world);
    return idOf(await call('DELETE', `/v1/sessions/${session}`, { key: world.identityKey }), 'erasure');
  },
  '/v1/blocklist/documents/:id': post('/v1/blocklist/documents', 'document', () => ({
    documentNumber: 'X42K90617',
    issuingState: 'UTO',
  })),
  '/v1/registers/:id': async (world) => {
    const file = { body: Buffer.from('name\nWalk Ltd\n'), name: 'companies.csv', type: 'text/csv' };
    const path = '/v1/registers/companies/import?wait=0';
    return idOf(await call('POST', path, { key: world.identityKey, form: { file } }), 'register');
  },
  '/v1/aml/screenings/:id': async (world) => {
    await importOwnList(world.tenant.organisationId, [{ id: 'W1', type: 'person', name: 'Walk Walker' }], 'walk');
    const answer = await call('POST', '/v1/aml/screen', {
      key: world.identityKey,
      json: { fullName: 'Walk Walker', monitoring: true },
    });
    const { hits } = answer.body as { hits: { id: string }[] };
    world.ids.set('/v1/aml/hits/:id', hits[0]?.id ?? '');
    return idOf(answer, 'screening');
  },
  '/v1/aml/monitors/:id': async (world) => {
    const { body } = await call('GET', '/v1/aml/monitors', { key: world.identityKey });
    return (body as { monitors: { id: string }[] }).monitors[0]?.id ?? '';
  },
  '/v1/aml/lists/:id': () => Promise.resolve('walk'),
  '/v1/kyb/:id': post('/v1/kyb?wait=0', 'check', () => ({ companyName: 'Walk Ltd' })),
  '/v1/biometrics/face-search/index/:id': async (world) => {
    const form = { image: await walkImage() };
    return idOf(await call('POST', '/v1/biometrics/face-search/index', { key: world.identityKey, form }), 'face');
  },
  '/v1/webhooks/:id': post('/v1/webhooks', 'webhook', () => ({
    url: 'https://hooks.invalid/x',
    events: ['session.completed'],
  })),
  '/v1/webhooks/:id/deliveries/:deliveryId': (world) =>
    post(`/v1/webhooks/${own(world, '/v1/webhooks/:id')}/test`, 'delivery')(world),
  '/v1/keys/:id': post('/v1/keys', 'key'),
  '/api/config/currencies/:id': post('/api/config/currencies', 'data', () => ({ code: 'GBP' })),
  '/api/config/exchange-rates/:id': post('/api/config/exchange-rates', 'data', () => ({
    currencyCode: 'GBP',
    rate: 1.1,
  })),
  '/api/config/tax-rates/:id': post('/api/config/tax-rates', 'data', () => ({ name: 'Walk', percent: 7 })),
  '/api/config/document-series/:id': post('/api/config/document-series', 'data', () => ({
    documentType: 'invoice',
    prefix: 'WALK',
  })),
  '/api/inventory/warehouses/:id': post('/api/inventory/warehouses', 'data', () => ({ name: 'Walk' })),
  '/api/products/categories/:id': post('/api/products/categories', 'data', () => ({ name: 'Walk' })),
  '/api/products/:id': post('/api/products', 'data', () => ({
    code: 'WALK',
    name: 'Walk',
    type: 'service',
    price: 10,
  })),
  '/api/customers/:id': post('/api/customers', 'data', () => ({ name: 'Walk' })),
  '/api/inventory/adjustments/:id': async (world) => {
    const productId = Number(await post('/api/products', 'data', () => ({ name: 'Walked goods' }))(world));
    const lines = [{ productId, quantityDelta: 5, unitCost: 2 }];
    return post('/api/inventory/adjustments', 'data', () => ({ warehouseId: 1, reason: 'Walk', lines }))(world);
  },
  '/api/inventory/transfers/:id': async (world) => {
    const productId = Number(await post('/api/products', 'data', () => goods(3))(world));
    const toWarehouseId = Number(own(world, '/api/inventory/warehouses/:id'));
    const lines = [{ productId, quantity: 1 }];
    return post('/api/inventory/transfers', 'data', () => ({ fromWarehouseId: 1, toWarehouseId, lines }))(world);
  },
  '/api/receivables/payments/:id': post('/api/receivables/payments', 'data', (world) => ({
    customerId: Number(own(world, '/api/customers/:id')),
    amount: 5,
  })),
  '/api/receivables/allocations/:id': async (world) => {
    const documentId = Number(await post('/api/invoices', 'data', walkInvoice)(world));
    const paymentId = Number(own(world, '/api/receivables/payments/:id'));
    return post('/api/receivables/allocations', 'data', () => ({ paymentId, documentId, amount: 1 }))(world);
  },
  '/api/vendors/:id': post('/api/vendors', 'data', () => ({ name: 'Walk' })),
  '/api/purchase-orders/:id': post('/api/purchase-orders', 'data', (world) => ({
    vendorId: Number(own(world, '/api/vendors/:id')),
    lines: [{ productId: Number(own(world, '/api/products/:id')), quantity: 2, unitCost: 5 }],
  })),
  '/api/payables/:id': post('/api/payables', 'data', (world) => ({
    vendorId: Number(own(world, '/api/vendors/:id')),
    number: 'Walk',
    date: new Date().toISOString().slice(0, 10),
    lines: [{ description: 'Walk', quantity: 1, unitCost: 100 }],
  })),
  '/api/payables/payments/:id': post('/api/payables/payments', 'data', (world) => ({
    vendorId: Number(own(world, '/api/vendors/:id')),
    amount: 10,
    allocations: [],
  })),
  '/api/payables/allocations/:id': post('/api/payables/allocations', 'data', (world) => ({
    paymentId: Number(own(world, '/api/payables/payments/:id')),
    documentId: Number(own(world, '/api/payables/:id')),
    amount: 1,
  })),
  '/api/crm/leads/:id': post('/api/crm/leads', 'data', () => ({ name: 'Walk' })),
  '/api/crm/opportunities/:id': post('/api/crm/opportunities', 'data', () => ({ name: 'Walk' })),
  '/api/exports/:id': post('/api/exports', 'data', () => ({ resource: 'customers', format: 'csv' })),
  '/api/admin/users/:id': post('/api/admin/users', 'data', () => ({
    email: `walk.${randomBytes(6).toString('hex')}@tenant.example`,
    name: 'Walk',
    role: 'viewer',
  })),
  '/api/admin/api-keys/:id': post('/api/admin/api-keys', 'data', () => ({
    name: 'Walk',
    permissions: ['products:read'],
  })),
  '/api/admin/webhooks/:id': post('/api/admin/webhooks', 'data', () => ({
    url: 'https://hooks.invalid/x',
    events: ['invoice.issued'],
  })),
  '/api/admin/webhooks/:id/deliveries/:deliveryId': (world) =>
    post(`/api/admin/webhooks/${own(world, '/api/admin/webhooks/:id')}/test`, 'data')(world),
  '/api/invoices/:id': post('/api/invoices', 'data', walkInvoice),
  '/api/credit-notes/:id': post('/api/credit-notes', 'data', (world) => ({
    invoiceId: Number(own(world, '/api/invoices/:id')),
    reason: 'Walk',
  })),
};

/** Parameters that name no record of anybody. */
const FIXED: Readonly<Record<string, string>> = { '/v1/registers/:kind': 'companies' };

/** Makes an organisation with all its records. */
export async function buildWorld(name: string): Promise<World> {
  const tenant = await createTenant(name);
  const businessKey = await tenant.businessKeyWith(ALL_BUSINESS_PERMISSIONS);
  const world: World = { tenant, identityKey: tenant.identityKey, businessKey, ids: new Map() };
  for (const [prefix, make] of Object.entries(RECORDS)) world.ids.set(prefix, await make(world));
  return world;
}

/** The parameters of a path, each with the path up to it. */
function parametersOf(path: string): { name: string; prefix: string }[] {
  const parts = path.split('/');
  return parts.flatMap((part, index) =>
    part.startsWith(':') ? [{ name: part, prefix: parts.slice(0, index + 1).join('/') }] : [],
  );
}

/** Whether the path names a record that belongs to somebody. */
export const namesRecord = (route: Route): boolean =>
  parametersOf(route.path).some(({ prefix }) => FIXED[prefix] === undefined);

/**
 * The route's path with the ids of an organisation's own records.
 * @throws for a route whose record nobody has taught the walk to make
 */
export const pathIn = (route: Route, world: World): string =>
  parametersOf(route.path).reduce((path, { name, prefix }) => {
    const id = FIXED[prefix] ?? world.ids.get(prefix);
    if (id === undefined) throw new Error(`The walk has no record for ${prefix}: make one in RECORDS of this file.`);
    return path.replace(name, id);
  }, route.path);

/** Bodies that are right where the documented example would not do, by operation. */
const BODIES: Readonly<Record<string, object>> = {
  decideSession: { decision: 'decline', reason: 'Walk.' },
  updateProduct: { name: 'Walked' },
  updateCustomer: { name: 'Walked' },
};

const bodyOf = (route: Route): object => BODIES[route.operationId] ?? route.bodyExample ?? {};

type FormField = NonNullable<RequestOptions['form']>[string];

/** Sends a request that is right in everything but who sends it. `more` stands beside the fields of the body. */
export async function walk(
  route: Route,
  path: string,
  credential: Pick<RequestOptions, 'key'>,
  more: Record<string, string> = {},
): Promise<Answer> {
  const method = route.method.toUpperCase();
  if (route.files !== undefined) {
    const required = Object.entries(route.files).filter(([, { required: needed }]) => needed);
    const names = (required.length > 0 ? required : Object.entries(route.files).slice(0, 1)).map(([name]) => name);
    const files = await Promise.all(names.map(async (name) => [name, await walkImage()] as const));
    const fields = Object.entries<unknown>({ ...bodyOf(route) }).map(([name, value]) => [name, String(value)] as const);
    const entries: (readonly [string, FormField])[] = [...fields, ...files];
    const form = { ...Object.fromEntries<FormField>(entries), ...more };
    return call(method, path, { ...credential, form });
  }
  if (route.body === undefined) return call(method, path, credential);
  return call(method, path, { ...credential, json: { ...bodyOf(route), ...more } });
}
