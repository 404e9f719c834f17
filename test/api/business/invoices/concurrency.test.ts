import { RetryingClient } from '../../../../bench/load/retrying-client';
import { Decimal, sum } from '../../../../domain/business/decimal';
import { fromDecimal128 } from '../../../../models/business/decimal128';
import { DocumentCount } from '../../../../models/business/documents/document-count';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { Posting } from '../../../../models/business/documents/posting';
import { OpenItem } from '../../../../models/business/payments/open-item';
import { PartyBalance } from '../../../../models/business/payments/party-balance';
import { StockBalance, StockLedger, StockValue } from '../../../../models/business/stock/stock';
import { Audit } from '../../../../models/platform/audit/audit';
import { getApiUrl, call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addProduct, addService, createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';

/** A second API process on the same database: all guarantees must hold across replicas. */
let replica: OwnApi;
beforeAll(async () => {
  replica = await startOwnApi({ RATE_LIMIT_BUSINESS_PER_MINUTE: 1_000_000, RATE_LIMIT_AUTH_PER_MINUTE: 1_000_000 });
});
afterAll(async () => {
  await replica.close();
  await closeTestPlatform();
});

/** Sends `count` requests at once, every second one to the replica; each is repeated while the service is overloaded. */
const postInParallel = (client: BusinessClient, count: number, body: object): Promise<ApiResponse[]> => {
  const connect = (api: string): RetryingClient =>
    new RetryingClient({ api: () => api, signIn: () => ({ token: client.token }) });
  const [own, other] = [connect(getApiUrl()), connect(replica.url)];
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      (index % 2 === 0 ? own : other).request('POST', '/api/invoices', { json: body }),
    ),
  );
};

const countStatuses = (responses: readonly ApiResponse[]): Record<number, number> =>
  responses.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

test('the proof of numbers is of one moment, also while invoices are issued', async () => {
  const client = await createBusinessClient();
  const body = { customerId: await addCustomer(client), lines: [{ productId: await addService(client), quantity: 1 }] };
  let isIssuing = true;
  const issued = postInParallel(client, 80, body).finally(() => (isIssuing = false));
  const proofs: Record<string, unknown>[] = [];
  const readProofs = () => Promise.all(Array.from({ length: 10 }, () => client.get('/api/invoices/numbering')));
  while (isIssuing) proofs.push(...(await readProofs()).map(getData));
  expect(countStatuses(await issued)).toEqual({ 201: 80 });
  expect(proofs.length).toBeGreaterThan(2);
  for (const proof of proofs)
    expect(proof).toMatchObject({ missing: [], count: proof['last'], checked: { valid: true, firstWrong: null } });
});

test('200 parallel invoices over two replicas: no number missing, none twice, one unbroken chain', async () => {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const body = { customerId: await addCustomer(client), lines: [{ productId: await addService(client), quantity: 1 }] };
  const responses = await postInParallel(client, 200, body);
  expect(countStatuses(responses)).toEqual({ 201: 200 });
  const records = await Invoice.find({ organisationId }).sort({ sequence: 1 }).lean();
  expect(records.map((record) => record.sequence)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(new Set(records.map((record) => record.number)).size).toBe(200);
  expect(new Set(records.map((record) => record.id)).size).toBe(200);
  expect(new Set(responses.map((response) => getData(response)['number'])).size).toBe(200);
  const year = records[0]?.year ?? 0;
  const posting = await Posting.findById(organisationId).lean();
  expect(posting?.series['s1']?.years[`y${year}`]).toEqual({ last: 200, chainHash: records.at(-1)?.chainHash });
  expect((await client.get('/api/invoices')).body['totalCount']).toBe(200);
  const counted = await DocumentCount.find({ organisationId }).lean();
  expect(counted.reduce((total, row) => total + row.count, 0)).toBe(200);
  const balance = await PartyBalance.findOne({ organisationId }).lean();
  const open = sum((await OpenItem.find({ organisationId }).lean()).map((row) => fromDecimal128(row.openBase)));
  expect(balance && fromDecimal128(balance.openBase).eq(open)).toBe(true);
});

test('200 buyers for 50 units: exactly 50 are sold, and ledger, balance and value agree', async () => {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const productId = await addProduct(client, { initialStock: { quantity: 50, unitCost: 3.33 } });
  const other = await addProduct(client, { initialStock: { quantity: 1000, unitCost: 1 } });
  const body = {
    customerId: await addCustomer(client),
    lines: [
      { productId: other, quantity: 1 },
      { productId, quantity: 1 },
    ],
  };
  const responses = await postInParallel(client, 200, body);
  expect(countStatuses(responses)).toEqual({ 201: 50, 409: 150 });
  for (const rejected of responses.filter((response) => response.status === 409))
    expect(rejected.body).toMatchObject({ code: 'insufficient_stock', details: { retryable: false } });
  const balance = await StockBalance.findOne({ organisationId, productId }).lean();
  const value = await StockValue.findOne({ organisationId, productId }).lean();
  expect(
    [balance?.onHand, value?.quantity, value?.value].map((each) => each && fromDecimal128(each).toFixed()),
  ).toEqual(['0', '0', '0']);
  for (const id of [productId, other]) {
    const ledger = await StockLedger.find({ organisationId, productId: id }).sort({ sequence: 1 }).lean();
    const held = await StockValue.findOne({ organisationId, productId: id }).lean();
    expect(ledger.map((row) => row.sequence)).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
    expect(held && fromDecimal128(held.quantity).eq(sum(ledger.map((row) => fromDecimal128(row.quantity))))).toBe(true);
    expect(held && fromDecimal128(held.value).eq(sum(ledger.map((row) => fromDecimal128(row.value))))).toBe(true);
  }
  const records = await Invoice.find({ organisationId }).sort({ sequence: 1 }).lean();
  expect(records.map((record) => record.sequence)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

test('invoices issued in one batch are accepted or rejected individually, each under its own request id', async () => {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const customerId = await addCustomer(client);
  const scarce = await addProduct(client, { initialStock: { quantity: 3 } });
  const service = await addService(client);
  // Every fifth request exceeds the stock.
  const lines = (index: number): object[] =>
    index % 5 === 0 ? [{ productId: scarce, quantity: 4 }] : [{ productId: service, quantity: index }];
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      call('POST', '/api/invoices', { json: { customerId, lines: lines(index) }, token: client.token }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map((_, index) => (index % 5 === 0 ? 409 : 201)));
  const issued = responses.filter(({ status }) => status === 201);
  const quantities = issued.map((response) => (getData(response)['lines'] as { quantity: number }[])[0]?.quantity);
  expect(quantities).toEqual(Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 5 !== 0));
  const audited = await Audit.find({ organisationId, action: 'invoice.issued' }).lean();
  expect(new Set(audited.map(({ requestId }) => requestId)).size).toBe(32);
  expect(getData(await client.get('/api/invoices/numbering'))).toMatchObject({
    last: 32,
    count: 32,
    checked: { valid: true },
  });
});

test('invoices with the same products in opposite order do not block each other', async () => {
  const client = await createBusinessClient();
  const first = await addProduct(client, { initialStock: { quantity: 100 } });
  const second = await addProduct(client, { initialStock: { quantity: 100 } });
  const customerId = await addCustomer(client);
  const lines = [
    { productId: first, quantity: 1 },
    { productId: second, quantity: 1 },
  ];
  const responses = await Promise.all([
    postInParallel(client, 25, { customerId, lines }),
    postInParallel(client, 25, { customerId, lines: [...lines].reverse() }),
  ]);
  expect(countStatuses(responses.flat())).toEqual({ 201: 50 });
});

test('a credit limit for five invoices accepts exactly five of forty', async () => {
  const client = await createBusinessClient();
  const customerId = await addCustomer(client, { creditLimit: 60 });
  const productId = await addService(client);
  const responses = await postInParallel(client, 40, {
    customerId,
    lines: [{ productId, quantity: 1, unitPrice: 10 }],
  });
  expect(countStatuses(responses)).toEqual({ 201: 5, 409: 35 });
  const balance = await PartyBalance.findOne({ organisationId: client.tenant.organisationId }).lean();
  expect(balance && fromDecimal128(balance.openBase).eq(new Decimal(60))).toBe(true);
});

test('parallel use of one Idempotency-Key over two replicas issues one invoice', async () => {
  const client = await createBusinessClient();
  const body = { customerId: await addCustomer(client), lines: [{ productId: await addService(client), quantity: 1 }] };
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      call('POST', '/api/invoices', {
        json: body,
        token: client.token,
        api: index % 2 === 0 ? getApiUrl() : replica.url,
        headers: { 'idempotency-key': 'order-1' },
      }),
    ),
  );
  expect(countStatuses(responses)).toEqual({ 201: 12 });
  expect(new Set(responses.map((response) => getData(response)['number'])).size).toBe(1);
  expect(await Invoice.countDocuments({ organisationId: client.tenant.organisationId })).toBe(1);
});
