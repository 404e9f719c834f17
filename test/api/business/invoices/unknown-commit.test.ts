import mongoose from 'mongoose';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { OpenItem } from '../../../../models/business/payments/open-item';
import { StockLedger } from '../../../../models/business/stock/stock';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addProduct, createBusinessClient, getData, getCreatedId } from '../../../support/business/client';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';

/** The database commits, but the acknowledgement is lost: the client must still get its one invoice. */
let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi({ RATE_LIMIT_BUSINESS_PER_MINUTE: 100_000, RATE_LIMIT_AUTH_PER_MINUTE: 100_000 });
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

type Label = 'TransientTransactionError' | 'UnknownTransactionCommitResult';

/** Lets the next commits take effect and then reports them as failed with the label. */
function loseNextCommits(label: Label, count: number): { lost: () => number } {
  const sessions = mongoose.mongo.ClientSession.prototype;
  const commit = Object.getOwnPropertyDescriptor(sessions, 'commitTransaction')?.value as (
    ...options: unknown[]
  ) => Promise<void>;
  let lost = 0;
  jest.spyOn(sessions, 'commitTransaction').mockImplementation(async function (this: unknown, ...options: unknown[]) {
    await commit.apply(this, options);
    if (lost >= count) return;
    lost += 1;
    throw new mongoose.mongo.MongoServerError({ message: 'the answer was lost', code: 91, errorLabels: [label] });
  });
  return { lost: () => lost };
}

test.each(['TransientTransactionError', 'UnknownTransactionCommitResult'] as const)(
  'a commit with a lost acknowledgement (%s) issues one invoice, and the client gets it',
  async (label) => {
    const client = await createBusinessClient();
    const { organisationId } = client.tenant;
    const productId = await addProduct(client, { initialStock: { quantity: 5 } });
    const json = { customerId: await addCustomer(client), lines: [{ productId, quantity: 2 }] };
    const commit = loseNextCommits(label, 1);
    const response = await call('POST', '/api/invoices', {
      json,
      token: client.token,
      api: own.url,
      headers: { 'idempotency-key': 'order-1' },
    });
    expect(commit.lost()).toBe(1);
    expect(response.status).toBe(201);
    const records = await Invoice.find({ organisationId }).lean();
    expect(records.map((record) => [record.id, record.sequence])).toEqual([[getData(response)['id'], 1]]);
    expect(await OpenItem.countDocuments({ organisationId })).toBe(1);
    expect(await StockLedger.countDocuments({ organisationId, kind: 'invoice' })).toBe(1);
    expect(await WebhookEvent.countDocuments({ organisationId, type: 'invoice.issued' })).toBe(1);
    expect(getData(await client.get(`/api/products/${productId}`))).toMatchObject({ stock: 3 });
    const repeated = await client.post('/api/invoices', json, { 'idempotency-key': 'order-1' });
    expect(getData(repeated)['number']).toBe(getData(response)['number']);
    expect(getData(await client.post('/api/invoices', json))['number']).toMatch(/-000002$/);
  },
);

test.each(['TransientTransactionError', 'UnknownTransactionCommitResult'] as const)(
  'invoices that share commits with lost acknowledgements (%s) are issued once each, and each client gets its own',
  async (label) => {
    const client = await createBusinessClient();
    const { organisationId } = client.tenant;
    const productId = await addProduct(client, { initialStock: { quantity: 210 } });
    const customerId = await addCustomer(client);
    const commit = loseNextCommits(label, 3);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('POST', '/api/invoices', {
          json: { customerId, lines: [{ productId, quantity: index + 1, unitPrice: 1 }] },
          token: client.token,
          api: own.url,
        }),
      ),
    );
    expect(commit.lost()).toBe(3);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    const quantities = responses.map((response) => (getData(response)['lines'] as { quantity: number }[])[0]?.quantity);
    expect(quantities).toEqual(responses.map((_, index) => index + 1));
    const records = await Invoice.find({ organisationId }).sort({ sequence: 1 }).lean();
    expect(records.map(({ sequence }) => sequence)).toEqual(responses.map((_, index) => index + 1));
    expect(new Set(responses.map((response) => getData(response)['id']))).toEqual(new Set(records.map(({ id }) => id)));
    expect(await OpenItem.countDocuments({ organisationId })).toBe(20);
    expect(await StockLedger.countDocuments({ organisationId, kind: 'invoice' })).toBe(20);
    expect(await WebhookEvent.countDocuments({ organisationId, type: 'invoice.issued' })).toBe(20);
    expect(getData(await client.get('/api/invoices/numbering'))).toMatchObject({
      last: 20,
      count: 20,
      checked: { valid: true },
    });
  },
);

test.each(['TransientTransactionError', 'UnknownTransactionCommitResult'] as const)(
  'a draft whose commit has a lost acknowledgement (%s) is issued once, and the client gets the invoice',
  async (label) => {
    const client = await createBusinessClient();
    const { organisationId } = client.tenant;
    const productId = await addProduct(client, { initialStock: { quantity: 5 } });
    const json = { draft: true, customerId: await addCustomer(client), lines: [{ productId, quantity: 2 }] };
    const id = getCreatedId(await client.post('/api/invoices', json));
    const commit = loseNextCommits(label, 1);
    const response = await call('POST', `/api/invoices/${id}/issue`, { token: client.token, api: own.url });
    expect(commit.lost()).toBe(1);
    expect([response.status, getData(response)['id']]).toEqual([200, id]);
    expect(await OpenItem.countDocuments({ organisationId })).toBe(1);
    expect(await StockLedger.countDocuments({ organisationId, kind: 'invoice' })).toBe(1);
    expect((await client.get('/api/invoices?status=issued')).body['totalCount']).toBe(1);
    expect((await client.get('/api/invoices')).body['totalCount']).toBe(1);
    expect(getData(await client.get('/api/invoices/numbering'))).toMatchObject({ last: 1, count: 1 });
  },
);
