import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { startReceiver, verifySignature } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';
import { closeTestPlatform } from '../../../support/tenant';
import { registerWebhook } from '../../../support/webhooks';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
} from '../../../support/business/client';
import { EVENT_PAYLOAD_SCHEMAS } from '../../../../services/platform/webhooks/event-payloads';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(closeTestPlatform);

test('an administrator reads and changes a webhook', async () => {
  const client = await createBusinessClient();
  const json = { url: 'https://receiver.example/hook', events: ['invoice.paid'] };
  const { secret, ...created } = getData(await client.post('/api/admin/webhooks', json));
  expect(secret).toMatch(/^whsec_/);
  const path = `/api/admin/webhooks/${String(created['id'])}`;
  const updated = await client.put(path, { events: ['invoice.voided', 'invoice.issued'], description: 'ERP' });
  const expected = { ...created, events: ['invoice.issued', 'invoice.voided'], description: 'ERP' };
  expect([updated.status, getData(updated)]).toEqual([200, expected]);
  expect(getData(await client.get(path))).toEqual(expected);
  expect((await client.put(path, { url: 'https://localhost/' })).status).toBe(400);
  expect((await client.delete(path)).body).toMatchObject({ data: { id: created['id'], deleted: true } });
  expect((await client.get(path)).status).toBe(404);
});

test('issuing an invoice emits one signed event without names; a rejected invoice emits none', async () => {
  const client = await createBusinessClient();
  const { secret } = await registerWebhook(client.tenant.identityKey, `${receiver.url}/erp`, ['invoice.issued']);
  const productId = await addProduct(client, { initialStock: { quantity: 2 } });
  const customerId = await addCustomer(client, { name: 'Confidential customer' });
  const lines = [{ productId, quantity: 1, unitPrice: 12.5 }];
  expect((await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 3 }] })).status).toBe(409);
  expect((await client.post('/api/invoices?dryRun=true', { customerId, lines })).status).toBe(200);
  const issued = await client.post('/api/invoices', { customerId, lines }, { 'idempotency-key': 'once' });
  await client.post('/api/invoices', { customerId, lines }, { 'idempotency-key': 'once' });
  const second = await client.post('/api/invoices', { customerId, lines });

  const requests = await receiver.waitForCount(2);
  const events = requests.map((request) => JSON.parse(request.body) as { type: string; data: Record<string, unknown> });
  for (const request of requests) expect(verifySignature(request, secret)).toEqual(JSON.parse(request.body));
  const byNumber = [...events].sort((a, b) => Number(a.data['invoiceId']) - Number(b.data['invoiceId']));
  expect(byNumber.map(({ type, data }) => [type, data['invoiceId'], data['number'], data['grandTotal']])).toEqual(
    [issued, second].map((response) => ['invoice.issued', getData(response)['id'], getData(response)['number'], 15]),
  );
  expect(JSON.stringify(events)).not.toContain('Confidential');
  expect(new Set(requests.map((request) => request.headers['webhook-id'])).size).toBe(2);
});

test('payments, credit notes and voids emit events with the documented fields and their amounts', async () => {
  const client = await createBusinessClient();
  const customerId = await addCustomer(client);
  const lines = [{ productId: await addService(client), quantity: 1, unitPrice: 10 }];
  const invoice = async (): Promise<number> => getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const [paid, credited, voided] = [await invoice(), await invoice(), await invoice()];
  // More than the invoice: the event has what was received, not what was allocated.
  const allocations = [{ documentId: paid, amount: 12 }];
  const payment = getData(await client.post('/api/receivables/payments', { customerId, amount: 20, allocations }));
  const note = getData(await client.post('/api/credit-notes', { invoiceId: credited, reason: 'Returned' }));
  expect((await client.post(`/api/invoices/${voided}/void`, { reason: 'Mistake' })).status).toBe(200);

  const expected = {
    'payment.received': { paymentId: payment['id'], customerId, amount: 20, currencyCode: 'EUR' },
    'invoice.paid': { invoiceId: paid, customerId, grandTotal: 12 },
    'credit_note.issued': { creditNoteId: note['id'], number: note['number'], invoiceId: credited, grandTotal: 12 },
    'invoice.voided': { invoiceId: voided, customerId, grandTotal: 12 },
  } as const;
  for (const type of ['payment.received', 'invoice.paid', 'credit_note.issued', 'invoice.voided'] as const) {
    const events = await WebhookEvent.find({ organisationId: client.tenant.organisationId, type }).lean();
    const bodies = events.map(({ body }) => (JSON.parse(body ?? '{}') as { data?: unknown }).data);
    expect(bodies).toMatchObject([expected[type]]);
    expect(EVENT_PAYLOAD_SCHEMAS[type].strict().parse(bodies[0])).toEqual(bodies[0]);
  }
});

describe('the event of low stock', () => {
  type StockEvent = { type: string; data: Record<string, unknown> };
  const parseEvents = (requests: readonly { body: string }[]): StockEvent[] =>
    requests.map((request) => JSON.parse(request.body) as StockEvent);

  test('is emitted once per crossing of the level by any issue of goods, with ids and quantities only', async () => {
    const client = await createBusinessClient();
    const { secret } = await registerWebhook(client.tenant.identityKey, `${receiver.url}/erp`, ['stock.low']);
    const customerId = await addCustomer(client);
    const productId = await addProduct(client, {
      name: 'Confidential goods',
      reorderLevel: 5,
      initialStock: { quantity: 8, unitCost: 2 },
    });
    const sell = (quantity: number) => client.post('/api/invoices', { customerId, lines: [{ productId, quantity }] });
    const adjust = (quantityDelta: number) =>
      client.post('/api/inventory/adjustments', {
        warehouseId: 1,
        reason: 'Count',
        lines: [{ productId, quantityDelta }],
      });
    expect(
      (await client.post('/api/invoices?dryRun=true', { customerId, lines: [{ productId, quantity: 4 }] })).status,
    ).toBe(200);
    expect((await sell(9)).status).toBe(409);
    for (const quantity of [2, 1, 1]) expect((await sell(quantity)).status).toBe(201);
    const warehouse = getData(await client.post('/api/inventory/warehouses', { name: 'Second' }))['id'];
    const lines = [{ productId, quantity: 3 }];
    const moved = await client.post('/api/inventory/transfers', {
      fromWarehouseId: 1,
      toWarehouseId: warehouse,
      lines,
    });
    expect(moved.status).toBe(201);
    for (const delta of [5, -4]) expect((await adjust(delta)).status).toBe(201);

    const requests = await receiver.waitForCount(2);
    for (const request of requests) expect(verifySignature(request, secret)).toEqual(JSON.parse(request.body));
    expect(parseEvents(requests).map(({ type, data }) => [type, data])).toEqual([
      ['stock.low', { productId, quantity: 5, reorderLevel: 5 }],
      ['stock.low', { productId, quantity: 5, reorderLevel: 5 }],
    ]);
    const events = { organisationId: client.tenant.organisationId, type: 'stock.low' } as const;
    expect(await WebhookEvent.countDocuments(events)).toBe(2);
  });

  test('is emitted once if ten concurrent sales cross the level, and not for products without a level or inactive ones', async () => {
    const client = await createBusinessClient();
    const customerId = await addCustomer(client);
    const initialStock = { quantity: 10, unitCost: 1 };
    const watched = await addProduct(client, { reorderLevel: 6, initialStock });
    const free = await addProduct(client, { initialStock });
    const retired = await addProduct(client, { reorderLevel: 6, initialStock });
    await client.delete(`/api/products/${retired}`);
    const lines = [watched, free].map((productId) => ({ productId, quantity: 1 }));
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/api/invoices', { customerId, lines })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    await client.post('/api/inventory/adjustments', {
      warehouseId: 1,
      reason: 'Scrapped',
      lines: [{ productId: retired, countedQuantity: 0 }],
    });
    const events = await WebhookEvent.find({
      organisationId: client.tenant.organisationId,
      type: 'stock.low',
    }).lean();
    expect(events.map(({ body }) => (JSON.parse(body ?? '') as StockEvent).data)).toEqual([
      { productId: watched, quantity: 6, reorderLevel: 6 },
    ]);
  });
});
