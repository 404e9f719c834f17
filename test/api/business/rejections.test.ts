import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import { newId } from '../../../lib/ids';
import { Counter } from '../../../models/platform/transactions/counter';
import type { Platform } from '../../../services/platform/platform';
import { runIdempotently } from '../../../services/platform/transactions/idempotency';
import type { Claim } from '../../../services/platform/transactions/idempotency';
import { runTransaction } from '../../../services/platform/transactions/unit-of-work';
import { call } from '../../support/client';
import type { ApiResponse } from '../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../support/business/client';
import { getRejection } from '../../support/business/rejections';
import type { BusinessClient } from '../../support/business/client';

let client: BusinessClient;
let customerId: number;
let productId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Refusals');
  [customerId, productId] = await Promise.all([addCustomer(client), addService(client)]);
});
afterAll(closeTestPlatform);

const createInvoice = async (): Promise<number> =>
  getCreatedId(await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] }));

describe('a body', () => {
  test('that is no JSON, or too large, or of another kind is refused in the envelope', async () => {
    expect(getRejection(await client.postText('/api/customers', '{"name": '))).toEqual([400, 'invalid_json']);
    for (const text of ['null', '[]', '7', '"text"']) {
      const { status, body } = await client.postText('/api/customers', text);
      expect([status, body['code'], body['message']]).toEqual([400, 'invalid_request', 'body: must be an object']);
    }
    const address = await client.post('/api/customers', { name: 'A', email: `a@${'b'.repeat(64)}.example` });
    expect([address.status, address.body['message']]).toEqual([400, 'email: must be an email address']);
    const large = await client.post('/api/customers', { name: 'x'.repeat(10_000_000) });
    expect(getRejection(large)).toEqual([413, 'body_too_large']);
    const encoded = await client.postText('/api/customers', '{}', { 'content-encoding': 'compress' });
    expect([encoded.status, encoded.body['message']]).toEqual([415, 'Content-Encoding: accepts gzip, deflate and br.']);
    const form = await client.postText('/api/customers', 'name=A', { 'content-type': 'text/plain' });
    expect(getRejection(form)).toEqual([415, 'unsupported_media_type']);
    const logo = { body: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1024 * 1024)]) };
    const put = await call('PUT', '/api/config/company/logo', { token: client.token, form: { logo } });
    expect(getRejection(put)).toEqual([413, 'file_too_large']);
  });
});

describe('an Idempotency-Key', () => {
  test('returns the record that it created also after what the record refers to was deactivated', async () => {
    const own = await createBusinessClient('Later');
    const [buyer, goods, owner] = await Promise.all([
      addCustomer(own),
      addProduct(own),
      own
        .post('/api/admin/users', { email: `owner-${own.tenant.organisationId}@example.com`, name: 'O', role: 'sales' })
        .then(getData),
    ]);
    const [vendorId, categoryId, leadId] = await Promise.all([
      own.post('/api/vendors', { name: 'Later Ltd' }).then(getCreatedId),
      own.post('/api/products/categories', { name: 'Later' }).then(getCreatedId),
      own.post('/api/crm/leads', { name: 'Later' }).then(getCreatedId),
    ]);
    const ownerId = Number((owner['user'] as { id: number } | undefined)?.id ?? owner['id']);
    const requests: [string, object][] = [
      ['/api/purchase-orders', { vendorId, lines: [{ productId: goods, quantity: 1, unitCost: 1 }] }],
      ['/api/sales-orders', { customerId: buyer, lines: [{ productId: goods, quantity: 1 }] }],
      ['/api/products', { name: 'Categorised', categoryId }],
      ['/api/crm/leads', { name: 'Owned', ownerId }],
      ['/api/crm/opportunities', { name: 'Deal', customerId: buyer, ownerId }],
      [`/api/crm/leads/${leadId}/convert`, { customerId: buyer }],
    ];
    const send = ([path, json]: [string, object]) => own.post(path, json, { 'idempotency-key': 'later-1' });
    const sent: ApiResponse[] = [];
    for (const request of requests) sent.push(await send(request));
    const changes = [
      own.delete(`/api/products/${goods}`),
      own.put(`/api/customers/${buyer}`, { active: false }),
      own.put(`/api/vendors/${vendorId}`, { active: false }),
      own.put(`/api/products/categories/${categoryId}`, { active: false }),
      own.put(`/api/admin/users/${ownerId}`, { active: false }),
    ];
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    for (const [index, request] of requests.entries()) {
      const repeated = await send(request);
      const readId = (response?: ApiResponse) => (response?.body['data'] as { id?: number } | undefined)?.id;
      expect([request[0], repeated.status, readId(repeated)]).toEqual([
        request[0],
        sent[index]?.status,
        readId(sent[index]),
      ]);
      const fresh = await own.post(request[0], request[1]);
      expect([request[0], [400, 409].includes(fresh.status)]).toEqual([request[0], true]);
    }
  });

  test('used with another body is refused; with another route or by another user it is another key', async () => {
    const header = { 'idempotency-key': 'refusals-1' };
    const first = await client.post('/api/customers', { name: 'Once' }, header);
    expect(getRejection(await client.post('/api/customers', { name: 'Other' }, header))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect(getCreatedId(await client.post('/api/customers', { name: 'Once' }, header))).toBe(getCreatedId(first));
    expect((await client.post('/api/vendors', { name: 'Once' }, header)).status).toBe(201);
    const apiKey = await client.tenant.createBusinessKey(['customers:create']);
    const other = await call('POST', '/api/customers', { key: apiKey, json: { name: 'Once' }, headers: header });
    expect(getCreatedId(other)).not.toBe(getCreatedId(first));
  });

  test('whose first request still runs is refused after a while, with a time to wait', async () => {
    const platform = await getTestPlatform();
    const { organisationId } = client.tenant;
    const use = { organisationId, credentialId: 'twin', route: 'POST /x', key: 'k', fingerprint: 'f' };
    let [begun, finish] = [() => {}, () => {}];
    const running = new Promise<void>((resolve) => (begun = resolve));
    const held = new Promise<void>((resolve) => (finish = resolve));
    const replay = (id: string) => Promise.resolve(id);
    const work = () => {
      begun();
      return held.then(() => 'done');
    };
    const first = runIdempotently(platform, use, work, replay);
    await running;
    await expect(runIdempotently(platform, use, () => Promise.resolve('twice'), replay)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      details: { retryAfterSeconds: 5 },
    });
    finish();
    expect(await first).toBe('done');
  });

  test('of a request whose process was killed is taken over, and the late process has no effect', async () => {
    const platform = await getTestPlatform();
    const { organisationId } = client.tenant;
    const use = { organisationId, credentialId: 'late', route: 'POST /x', key: 'k', fingerprint: 'f' };
    const replay = (id: string) => Promise.resolve(id);
    // A process without a heartbeat counts as dead, also if it was only paused.
    const paused: Platform = { ...platform, processId: newId('prc') };
    const writeCounter = (by: Platform, value: number) => (claim: Claim) =>
      runTransaction(by, async (unit) => {
        await Counter.create([{ _id: `${organisationId}.late-${value}`, value }], { session: unit.mongoSession });
        await claim(unit, String(value), 201);
        return String(value);
      });
    let takenOver: string | undefined;
    const late = runIdempotently(
      paused,
      use,
      async (claim) => {
        takenOver = await runIdempotently(platform, use, writeCounter(platform, 2), replay);
        return writeCounter(paused, 1)(claim);
      },
      replay,
    );
    await expect(late).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(takenOver).toBe('2');
    expect(await Counter.find({ _id: new RegExp(`^${organisationId}.late-`) }).lean()).toMatchObject([{ value: 2 }]);
    expect(await runIdempotently(platform, use, writeCounter(platform, 3), replay)).toBe('2');
  });
});

describe('a refused posting', () => {
  const today = new Date().toISOString().slice(0, 10);

  test('uses no number: the next accepted one has the number after the last', async () => {
    const [buyer, vendorId, goods, warehouse] = await Promise.all([
      addCustomer(client),
      client.post('/api/vendors', { name: 'Numbers Ltd' }).then(getCreatedId),
      addProduct(client, { initialStock: { quantity: 5, unitCost: 1 } }),
      client.post('/api/inventory/warehouses', { name: 'Second' }).then(getCreatedId),
    ]);
    const first = Number(getRows(await client.get('/api/inventory/warehouses?sortBy=id'))[0]?.['id']);
    const invoiceLines = [{ productId, quantity: 1 }];
    const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId: buyer, lines: invoiceLines }));
    const order = getCreatedId(
      await client.post('/api/purchase-orders', { vendorId, lines: [{ productId: goods, quantity: 9, unitCost: 1 }] }),
    );
    const payable = (number: string) => ({
      vendorId,
      number,
      date: today,
      lines: [{ description: 'Rent', quantity: 1, unitCost: 1 }],
    });
    const large = { ...payable('B-0'), lines: [{ description: 'Rent', quantity: 1, unitCost: 9 }] };
    const bill = getCreatedId(await client.post('/api/payables', large));
    const payment = (amount: number, documentId: number, applied: number) => ({
      customerId: buyer,
      amount,
      method: 'cash',
      allocations: [{ documentId, amount: applied }],
    });
    const move = (quantity: number) => ({
      fromWarehouseId: first,
      toWarehouseId: warehouse,
      lines: [{ productId: goods, quantity }],
    });
    /** Path, an accepted body, and one that is refused only when it is posted. */
    const postings: [string, object, object][] = [
      ['/api/receivables/payments', payment(2, invoiceId, 1), payment(9_000_000, invoiceId, 9_000_000)],
      [
        '/api/credit-notes',
        { invoiceId, reason: 'Returned', lines: [{ invoiceLineId: 1, amount: 0.01 }] },
        { invoiceId, reason: 'Returned', lines: [{ invoiceLineId: 1, amount: 9000 }] },
      ],
      [
        '/api/inventory/adjustments',
        { warehouseId: first, reason: 'counted', lines: [{ productId: goods, quantityDelta: -1 }] },
        { warehouseId: first, reason: 'counted', lines: [{ productId: goods, quantityDelta: -9000 }] },
      ],
      ['/api/inventory/transfers', move(1), move(9000)],
      ['/api/payables', payable('B-1'), payable('B-0')],
      ['/api/payables/credit-notes', { ...payable('C-1'), payableId: bill }, { ...payable('C-1'), payableId: bill }],
      [
        `/api/purchase-orders/${order}/receive`,
        { lines: [{ lineId: 1, quantity: 1 }] },
        { lines: [{ lineId: 1, quantity: 9000 }] },
      ],
    ];
    const readId = (response: ApiResponse): number => {
      const data = getData(response);
      return Number((data['receipt'] as { id: number } | undefined)?.id ?? data['id']);
    };
    for (const [path, accepted, refused] of postings) {
      const before = await client.post(path, accepted);
      expect([path, before.status]).toEqual([path, 201]);
      const refusal = await client.post(path, refused);
      expect([path, refusal.body['ok']]).toEqual([path, false]);
      const again = 'number' in accepted ? { ...accepted, number: `${String(accepted.number)}-2` } : accepted;
      const after = await client.post(path, again);
      expect([path, readId(after)]).toEqual([path, readId(before) + 1]);
    }
  });
});

test('a repeated void, reversal, placing, cancellation or reopening with the same key takes effect once', async () => {
  const [vendorId, invoiceId] = await Promise.all([
    client.post('/api/vendors', { name: 'Once Ltd' }).then(getCreatedId),
    createInvoice(),
  ]);
  const order = getCreatedId(
    await client.post('/api/purchase-orders', {
      vendorId,
      draft: true,
      lines: [{ productId: await addProduct(client), quantity: 1, unitCost: 1 }],
    }),
  );
  const payment = getData(await client.post('/api/receivables/payments', { customerId, amount: 5, method: 'cash' }));
  const [allocation] = payment['allocations'] as { id: number }[];
  const deal = getCreatedId(await client.post('/api/crm/opportunities', { name: 'Deal' }));
  await client.put(`/api/crm/opportunities/${deal}/stage`, { stage: 'lost', lostReason: 'Price' });
  const exported = Number(getData(await client.post('/api/exports', { resource: 'customers', format: 'csv' }))['id']);
  const send = (method: 'post' | 'put', path: string, json: object, key: string) =>
    client[method](path, json, { 'idempotency-key': key });
  const actions: ['post' | 'put', string, object][] = [
    ['post', `/api/receivables/allocations/${allocation?.id ?? 0}/reverse`, { reason: 'Wrong invoice' }],
    ['post', `/api/receivables/payments/${String(payment['id'])}/void`, { reason: 'Bounced' }],
    ['post', `/api/invoices/${invoiceId}/void`, { reason: 'Wrong customer' }],
    ['post', `/api/purchase-orders/${order}/place`, {}],
    ['post', `/api/purchase-orders/${order}/cancel`, { reason: 'Sold out' }],
    ['put', `/api/crm/opportunities/${deal}/stage`, { stage: 'negotiation', reason: 'They came back' }],
  ];
  for (const [method, path, json] of actions) {
    const first = await send(method, path, json, 'once');
    expect([path, first.status]).toEqual([path, 200]);
    const second = await send(method, path, json, 'once');
    expect([path, second.status, getData(second)]).toEqual([path, 200, getData(first)]);
    const reused = await send(method, path, { ...json, reason: 'Another' }, 'once');
    if (!path.endsWith('/place')) expect([path, reused.status]).toEqual([path, 422]);
  }
  const ended = await send('post', `/api/exports/${exported}/cancel`, {}, 'once');
  expect([200, 409]).toContain(ended.status);
  expect((await send('post', `/api/exports/${exported}/cancel`, {}, 'once')).status).toBe(ended.status);
  expect(getRejection(await send('post', `/api/invoices/${invoiceId}/void`, { reason: 'Again' }, 'other'))).toEqual([
    409,
    'already_void',
  ]);
});

test('If-Match of an older version is refused, and one that names no version too', async () => {
  const id = await addCustomer(client);
  const etag = (await client.get(`/api/customers/${id}`)).headers.get('etag') ?? '';
  expect((await client.put(`/api/customers/${id}`, { name: 'New' }, { 'if-match': etag })).status).toBe(200);
  const stale = await client.put(`/api/customers/${id}`, { name: 'Newer' }, { 'if-match': etag });
  expect(getRejection(stale)).toEqual([412, 'version_mismatch']);
  for (const odd of [`W/x${etag}`, '"nothing"', 'nothing', `${etag}, "2"`]) {
    const rejected = await client.put(`/api/customers/${id}`, { name: 'Newer' }, { 'if-match': odd });
    expect([odd, ...getRejection(rejected)]).toEqual([odd, 400, 'invalid_request']);
  }
  expect(getData(await client.get(`/api/customers/${id}`))).toMatchObject({ name: 'New' });
});

test('an allocation is reversed once', async () => {
  const id = await createInvoice();
  const paid = await client.post('/api/receivables/payments', { customerId, amount: 5, method: 'cash' });
  const [allocation] = getData(paid)['allocations'] as { id: number; documentId: number }[];
  expect(allocation?.documentId).toBe(id);
  const route = `/api/receivables/allocations/${allocation?.id ?? 0}/reverse`;
  expect((await client.post(route, { reason: 'Wrong invoice' })).status).toBe(200);
  expect(getRejection(await client.post(route, { reason: 'Again' }))).toEqual([409, 'allocation_reversed']);
});

test('without an active series of credit notes there is no credit note', async () => {
  const own = await createBusinessClient('No series');
  const [buyer, service] = await Promise.all([addCustomer(own), addService(own)]);
  const lines = [{ productId: service, quantity: 1 }];
  const invoiceId = getCreatedId(await own.post('/api/invoices', { customerId: buyer, lines }));
  const series = getRows(await own.get('/api/config/document-series'));
  const id = Number(series.find((row) => row['documentType'] === 'credit_note')?.['id']);
  const put = await own.put(`/api/config/document-series/${id}`, { active: false });
  expect(put.status).toBe(200);
  expect(getRejection(await own.post('/api/credit-notes', { invoiceId, reason: 'Returned' }))).toEqual([
    409,
    'no_series',
  ]);
});

test('an organisation has so many webhooks and no more', async () => {
  const own = await createBusinessClient('Webhooks');
  const add = () => own.post('/api/admin/webhooks', { url: 'https://receiver.example/hook', events: ['invoice.paid'] });
  const first = await WebhookEndpoint.findById(getData(await add())['id'])
    .orFail()
    .lean();
  await WebhookEndpoint.insertMany(Array.from({ length: 49 }, () => ({ ...first, _id: newId('whk') })));
  expect(getRejection(await add())).toEqual([409, 'webhook_limit_reached']);
});
