import { randomBytes } from 'node:crypto';
import { loadSelfie } from '../../scripts/demo/photos';
import type { Route } from '../../api/http/route';
import { newId } from '../../lib/ids';
import { Share } from '../../models/identity/sharing/share';
import { signIn } from './business/client';
import { call } from './client';
import { COMPANY_OF_OTHER_TESTS } from './identity/company-registers';
import { importOwnList } from './identity/watch-lists';
import type { ApiResponse } from './client';
import type { Tenant } from './tenant';

/** An organisation with one record for every parameter in a path. */
export interface RouteFixture {
  tenant: Tenant;
  identityKey: string;
  businessKey: string;
  /** Ids of its records, by the path up to the parameter that identifies the record. */
  ids: Map<string, string>;
}

const parseRecordId = (response: ApiResponse, part: string): string => {
  const record = response.body[part] as { id: string | number } | undefined;
  if (record === undefined) throw new Error(`No ${part}: ${response.status} ${JSON.stringify(response.body)}`);
  return String(record.id);
};

/** Whether a route is one of `/v1`; all others are of the business API. */
export const isIdentityRoute = (route: Pick<Route, 'path'>): boolean => route.path.startsWith('/v1');

const selectKey = (world: RouteFixture, path: string): string =>
  isIdentityRoute({ path }) ? world.identityKey : world.businessKey;

/** Creates a record by a request with a JSON body. */
const createByPost =
  (path: string, part: string, json: (world: RouteFixture) => object = () => ({})) =>
  async (world: RouteFixture): Promise<string> =>
    parseRecordId(await call('POST', path, { key: selectKey(world, path), json: json(world) }), part);

/** An image for every file field. */
export const loadTestImage = async (): Promise<{ body: Buffer; name: string }> => ({
  body: await loadSelfie('anna'),
  name: 'face.jpg',
});

/** The id of a new session of the administrator. */
async function readSessionId({ tenant }: RouteFixture): Promise<string> {
  const { token } = await signIn(tenant.admin);
  const { body } = await call('GET', '/api/auth/sessions', { token });
  const [session] = body['data'] as { id: string }[];
  return session?.id ?? '';
}

/** Creates a liveness check, standalone or in a session. */
const createLivenessEvidence =
  (fields: (world: RouteFixture) => Record<string, string>) =>
  async (world: RouteFixture): Promise<string> => {
    const form = { ...fields(world), image: await loadTestImage() };
    const response = await call('POST', '/v1/biometrics/liveness?wait=0', { key: world.identityKey, form });
    const { evidence } = response.body['check'] as { evidence: { id: string }[] };
    return evidence[0]?.id ?? '';
  };

const getOwnId = (world: RouteFixture, prefix: string): string => world.ids.get(prefix) ?? '';

const buildInvoiceBody = (world: RouteFixture): object => ({
  customerId: Number(getOwnId(world, '/api/customers/:id')),
  paymentTerms: 'NET30',
  currencyCode: 'EUR',
  lines: [{ productId: Number(getOwnId(world, '/api/products/:id')), quantity: 1, unitPrice: 10 }],
  notes: '',
});

const buildGoodsBody = (quantity: number): object => ({ name: 'Walked goods', initialStock: { quantity } });

/**
 * Creates a record, by the path up to the parameter that identifies it. Every organisation creates them in this order,
 * so that business records have the same numbers in all organisations.
 */
export const RECORD_FACTORIES: Readonly<Record<string, (world: RouteFixture) => Promise<string>>> = {
  '/v1/sessions/:id': createByPost('/v1/sessions', 'session'),
  '/v1/sessions/:id/evidence/:evidenceId': createLivenessEvidence((world) => ({
    sessionId: getOwnId(world, '/v1/sessions/:id'),
  })),
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
  '/v1/sessions/workflows/:id': createByPost('/v1/sessions/workflows', 'workflow', () => ({ name: 'Walk' })),
  '/v1/checks/:id/evidence/:evidenceId': createLivenessEvidence(() => ({})),
  '/v1/checks/:id': async (world) => {
    const form = { image: await loadTestImage() };
    return parseRecordId(
      await call('POST', '/v1/biometrics/liveness?wait=0', { key: world.identityKey, form }),
      'check',
    );
  },
  '/v1/erasures/:id': async (world) => {
    const session = await createByPost('/v1/sessions', 'session')(world);
    return parseRecordId(await call('DELETE', `/v1/sessions/${session}`, { key: world.identityKey }), 'erasure');
  },
  '/v1/blocklist/documents/:id': createByPost('/v1/blocklist/documents', 'document', () => ({
    documentNumber: 'X42K90617',
    issuingState: 'UTO',
  })),
  '/v1/registers/:id': async (world) => {
    const file = { body: Buffer.from('name\nWalk Ltd\n'), name: 'companies.csv', type: 'text/csv' };
    const path = '/v1/registers/companies/import?wait=0';
    return parseRecordId(await call('POST', path, { key: world.identityKey, form: { file } }), 'register');
  },
  '/v1/aml/screenings/:id': async (world) => {
    await importOwnList(world.tenant.organisationId, [{ id: 'W1', type: 'person', name: 'Walk Walker' }], 'walk');
    const response = await call('POST', '/v1/aml/screen', {
      key: world.identityKey,
      json: { fullName: 'Walk Walker', monitoring: true },
    });
    const { hits } = response.body as { hits: { id: string }[] };
    world.ids.set('/v1/aml/hits/:id', hits[0]?.id ?? '');
    return parseRecordId(response, 'screening');
  },
  '/v1/aml/monitors/:id': async (world) => {
    const { body } = await call('GET', '/v1/aml/monitors', { key: world.identityKey });
    return (body as { monitors: { id: string }[] }).monitors[0]?.id ?? '';
  },
  '/v1/aml/lists/:id': () => Promise.resolve('walk'),
  '/v1/kyb/:id': createByPost('/v1/kyb?wait=0', 'check', () => ({ companyName: COMPANY_OF_OTHER_TESTS })),
  '/v1/biometrics/face-search/index/:id': async (world) => {
    const form = { image: await loadTestImage() };
    return parseRecordId(
      await call('POST', '/v1/biometrics/face-search/index', { key: world.identityKey, form }),
      'face',
    );
  },
  '/v1/webhooks/:id': createByPost('/v1/webhooks', 'webhook', () => ({
    url: 'https://hooks.invalid/x',
    events: ['session.completed'],
  })),
  '/v1/webhooks/:id/deliveries/:deliveryId': (world) =>
    createByPost(`/v1/webhooks/${getOwnId(world, '/v1/webhooks/:id')}/test`, 'delivery')(world),
  '/v1/keys/:id': createByPost('/v1/keys', 'key'),
  '/api/config/currencies/:id': createByPost('/api/config/currencies', 'data', () => ({ code: 'GBP' })),
  '/api/config/exchange-rates/:id': createByPost('/api/config/exchange-rates', 'data', () => ({
    currencyCode: 'GBP',
    rate: 1.1,
  })),
  '/api/config/tax-rates/:id': createByPost('/api/config/tax-rates', 'data', () => ({ name: 'Walk', percent: 7 })),
  '/api/config/document-series/:id': createByPost('/api/config/document-series', 'data', () => ({
    documentType: 'invoice',
    prefix: 'WALK',
  })),
  '/api/inventory/warehouses/:id': createByPost('/api/inventory/warehouses', 'data', () => ({ name: 'Walk' })),
  '/api/products/categories/:id': createByPost('/api/products/categories', 'data', () => ({ name: 'Walk' })),
  '/api/products/:id': createByPost('/api/products', 'data', () => ({
    code: 'WALK',
    name: 'Walk',
    type: 'service',
    price: 10,
  })),
  '/api/customers/:id': createByPost('/api/customers', 'data', () => ({ name: 'Walk' })),
  '/api/inventory/adjustments/:id': async (world) => {
    const productId = Number(await createByPost('/api/products', 'data', () => ({ name: 'Walked goods' }))(world));
    const lines = [{ productId, quantityDelta: 5, unitCost: 2 }];
    return createByPost('/api/inventory/adjustments', 'data', () => ({ warehouseId: 1, reason: 'Walk', lines }))(world);
  },
  '/api/inventory/transfers/:id': async (world) => {
    const productId = Number(await createByPost('/api/products', 'data', () => buildGoodsBody(3))(world));
    const toWarehouseId = Number(getOwnId(world, '/api/inventory/warehouses/:id'));
    const lines = [{ productId, quantity: 1 }];
    return createByPost('/api/inventory/transfers', 'data', () => ({ fromWarehouseId: 1, toWarehouseId, lines }))(
      world,
    );
  },
  '/api/receivables/payments/:id': createByPost('/api/receivables/payments', 'data', (world) => ({
    customerId: Number(getOwnId(world, '/api/customers/:id')),
    amount: 5,
  })),
  '/api/receivables/allocations/:id': async (world) => {
    const documentId = Number(await createByPost('/api/invoices', 'data', buildInvoiceBody)(world));
    const paymentId = Number(getOwnId(world, '/api/receivables/payments/:id'));
    return createByPost('/api/receivables/allocations', 'data', () => ({ paymentId, documentId, amount: 1 }))(world);
  },
  '/api/receivables/write-offs/:id': async (world) => {
    await call('PUT', '/api/config/company', { key: world.businessKey, json: { writeOffLimit: 10 } });
    const documentId = Number(await createByPost('/api/invoices', 'data', buildInvoiceBody)(world));
    const body = { documentId, amount: 1, reason: 'Walk' };
    return createByPost('/api/receivables/write-offs', 'data', () => body)(world);
  },
  '/api/bank-statements/:id': async (world) => {
    const file = { body: Buffer.from('date,amount\n2026-01-02,5\n'), name: 'walk.csv', type: 'text/csv' };
    const mapping = JSON.stringify({ bookingDate: 'date', amount: 'amount' });
    const form = { format: 'csv', mapping, file };
    const { body } = await call('POST', '/api/bank-statements', { key: world.businessKey, form });
    const [statement] = body['data'] as { id: number }[];
    world.ids.set('/api/bank-transactions/:id', '1');
    return String(statement?.id);
  },
  '/api/vendors/:id': createByPost('/api/vendors', 'data', () => ({ name: 'Walk' })),
  '/api/purchase-orders/:id': createByPost('/api/purchase-orders', 'data', (world) => ({
    vendorId: Number(getOwnId(world, '/api/vendors/:id')),
    lines: [{ productId: Number(getOwnId(world, '/api/products/:id')), quantity: 2, unitCost: 5 }],
  })),
  '/api/sales-orders/:id': createByPost('/api/sales-orders', 'data', (world) => ({
    customerId: Number(getOwnId(world, '/api/customers/:id')),
    lines: [{ productId: Number(getOwnId(world, '/api/products/:id')), quantity: 1 }],
  })),
  '/api/payables/:id': createByPost('/api/payables', 'data', (world) => ({
    vendorId: Number(getOwnId(world, '/api/vendors/:id')),
    number: 'Walk',
    date: new Date().toISOString().slice(0, 10),
    lines: [{ description: 'Walk', quantity: 1, unitCost: 100 }],
  })),
  '/api/payables/write-offs/:id': createByPost('/api/payables/write-offs', 'data', (world) => ({
    documentId: Number(getOwnId(world, '/api/payables/:id')),
    amount: 1,
    reason: 'Walk',
  })),
  '/api/vendor-returns/:id': async (world) => {
    const goods = await createByPost('/api/products', 'data', () => ({ name: 'Returned', price: 10 }))(world);
    const order = await createByPost('/api/purchase-orders', 'data', () => ({
      vendorId: Number(getOwnId(world, '/api/vendors/:id')),
      lines: [{ productId: Number(goods), quantity: 1, unitCost: 5 }],
    }))(world);
    const { body } = await call('POST', `/api/purchase-orders/${order}/receive`, { key: world.businessKey, json: {} });
    const { receipt } = body['data'] as { receipt: { id: number } };
    return createByPost('/api/vendor-returns', 'data', () => ({ receiptId: receipt.id, reason: 'Walk' }))(world);
  },
  '/api/payables/payments/:id': createByPost('/api/payables/payments', 'data', (world) => ({
    vendorId: Number(getOwnId(world, '/api/vendors/:id')),
    amount: 10,
    allocations: [],
  })),
  '/api/payables/allocations/:id': createByPost('/api/payables/allocations', 'data', (world) => ({
    paymentId: Number(getOwnId(world, '/api/payables/payments/:id')),
    documentId: Number(getOwnId(world, '/api/payables/:id')),
    amount: 1,
  })),
  '/api/crm/leads/:id': createByPost('/api/crm/leads', 'data', () => ({ name: 'Walk' })),
  '/api/crm/opportunities/:id': createByPost('/api/crm/opportunities', 'data', () => ({ name: 'Walk' })),
  '/api/exports/:id': createByPost('/api/exports', 'data', () => ({ resource: 'customers', format: 'csv' })),
  '/api/admin/users/:id': createByPost('/api/admin/users', 'data', () => ({
    email: `walk.${randomBytes(6).toString('hex')}@tenant.example`,
    name: 'Walk',
    role: 'viewer',
  })),
  '/api/auth/sessions/:id': readSessionId,
  '/v1/auth/sessions/:id': readSessionId,
  '/api/admin/users/:id/sessions/:sessionId': readSessionId,
  '/api/admin/api-keys/:id': createByPost('/api/admin/api-keys', 'data', () => ({
    name: 'Walk',
    permissions: ['products:read'],
  })),
  '/api/admin/webhooks/:id': createByPost('/api/admin/webhooks', 'data', () => ({
    url: 'https://hooks.invalid/x',
    events: ['invoice.issued'],
  })),
  '/api/admin/webhooks/:id/deliveries/:deliveryId': (world) =>
    createByPost(`/api/admin/webhooks/${getOwnId(world, '/api/admin/webhooks/:id')}/test`, 'data')(world),
  '/api/invoices/:id': createByPost('/api/invoices', 'data', buildInvoiceBody),
  '/api/credit-notes/:id': createByPost('/api/credit-notes', 'data', (world) => ({
    invoiceId: Number(getOwnId(world, '/api/invoices/:id')),
    reason: 'Walk',
  })),
  '/api/messages/:messageId': async (world) => {
    const settings = { host: 'smtp.invalid', port: 587, fromAddress: 'walk@seller.example' };
    await call('PUT', '/api/config/email', { key: world.businessKey, json: settings });
    return createByPost('/api/config/email/test', 'data', () => ({ to: 'walk@customer.example' }))(world);
  },
  '/api/invoices/:id/links/:linkId': (world) =>
    createByPost(`/api/invoices/${getOwnId(world, '/api/invoices/:id')}/links`, 'data')(world),
};
