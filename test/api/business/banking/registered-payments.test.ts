import { buildCamt053, buildCamtEntry } from '../../../support/business/banking/statements';
import type { CamtEntry } from '../../../support/business/banking/statements';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

/** Bank transactions of payments and refunds that were registered before their statement was imported. */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let customerId: number;
let vendorId: number;
let serviceId: number;
beforeAll(async () => {
  client = await createBusinessClient('Registered payments');
  customerId = await addCustomer(client, { name: 'Example GmbH' });
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  serviceId = await addService(client);
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

let statements = 0;
/** Imports a statement with one entry and returns the path of its transaction. */
async function importEntry(entry: CamtEntry): Promise<string> {
  statements += 1;
  const entries = [buildCamtEntry({ date: today, reference: `REF-${statements}`, ...entry })];
  const body = Buffer.from(buildCamt053({ id: `S-${statements}`, entries }));
  const form = { format: 'camt.053', file: { body, name: 'statement', type: 'application/xml' } };
  const [statement] = getRows(await call('POST', '/api/bank-statements', { token: client.token, form }));
  const listed = await client.get(`/api/bank-transactions?statementId=${String(statement?.['id'])}`);
  return `/api/bank-transactions/${String(getRows(listed)[0]?.['id'])}`;
}

const readPayments = async (path: string): Promise<unknown[]> =>
  getRows(await client.get(`${path}/proposals`))
    .map(({ payment }) => payment)
    .filter((payment) => payment !== null);
const accept = (path: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  client.post(`${path}/accept`, body, headers);
const receive = async (amount: number): Promise<number> =>
  getCreatedId(await client.post('/api/receivables/payments', { customerId, amount, allocations: [] }));
const pay = async (amount: number): Promise<number> =>
  getCreatedId(await client.post('/api/payables/payments', { vendorId, amount, allocations: [] }));

test('a transaction is matched with the payment that was registered by hand, and nothing is posted twice', async () => {
  const lines = [{ productId: serviceId, quantity: 1, unitPrice: 123, priceIncludesTax: true }];
  const invoice = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  await client.post('/api/invoices', { customerId, lines });
  const allocations = [{ documentId: invoice, amount: 123 }];
  const payment = { customerId, amount: 123, allocations };
  const paymentId = getCreatedId(await client.post('/api/receivables/payments', payment));
  const balance = getData(await client.get(`/api/customers/${customerId}/balance`))['balance'];
  const path = await importEntry({ amount: '123.00', name: 'Example GmbH', text: 'Thanks' });

  const proposals = await client.get(`${path}/proposals`);
  expectDocumented('get', '/api/bank-transactions/:id/proposals', proposals);
  const [best, other] = getRows(proposals);
  expect(best).toMatchObject({
    partyId: customerId,
    payment: { id: paymentId, side: 'receivable', type: 'payment', date: today },
    score: 75,
    allocations: [],
  });
  expect(other).toMatchObject({ payment: null });

  const accepted = await accept(path, { paymentId });
  expectDocumented('post', '/api/bank-transactions/:id/accept', accepted);
  expect(getData(accepted)).toMatchObject({ state: 'matched', side: 'receivable', paymentId, partyId: customerId });
  expect((await client.get('/api/receivables/payments')).body['totalCount']).toBe(1);
  expect(getData(await client.get(`/api/customers/${customerId}/balance`))['balance']).toBe(balance);
});

test('undoing the match keeps the payment, which can then be matched again', async () => {
  const paymentId = await receive(31);
  const path = await importEntry({ amount: '31.00' });
  expect((await accept(path, { paymentId })).status).toBe(200);
  const reopened = await client.post(`${path}/reopen`, {});
  expect([reopened.status, getData(reopened)]).toMatchObject([200, { state: 'open', paymentId: null }]);
  expect(getData(await client.get(`/api/receivables/payments/${paymentId}`))).toMatchObject({ status: 'posted' });
  expect((await accept(path, { paymentId })).status).toBe(200);
});

test('a payment that a match posts must still be void before its transaction opens again', async () => {
  const paymentId = await receive(32);
  const path = await importEntry({ amount: '32.00' });
  await accept(path, { paymentId });
  await client.post(`${path}/reopen`, {});
  await accept(path, { partyId: customerId, allocations: [] });
  expect((await client.post(`${path}/reopen`, {})).body['code']).toBe('payment_not_void');
});

test('a payment has one transaction, also if two are matched at the same time', async () => {
  const paymentId = await receive(33);
  const paths = [await importEntry({ amount: '33.00' }), await importEntry({ amount: '33.00' })];
  const responses = await Promise.all(paths.map((path) => accept(path, { paymentId })));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(responses.find(({ status }) => status === 409)?.body['code']).toBe('payment_matched');
  for (const path of paths) expect(await readPayments(path)).toEqual([]);
});

test('refunds to a customer and from a vendor are proposed and matched, each in its direction', async () => {
  const [received, paid] = [await receive(34), await pay(34)];
  const toCustomer = await client.post('/api/receivables/refunds', { paymentId: received, amount: 14 });
  const fromVendor = await client.post('/api/payables/refunds', { paymentId: paid, amount: 14 });
  const [outgoing, incoming] = [getCreatedId(toCustomer), getCreatedId(fromVendor)];
  const out = await importEntry({ amount: '14.00', indicator: 'DBIT' });
  const back = await importEntry({ amount: '14.00' });
  expect(await readPayments(out)).toMatchObject([{ id: outgoing, side: 'receivable', type: 'refund' }]);
  expect(await readPayments(back)).toMatchObject([{ id: incoming, side: 'payable', type: 'refund' }]);
  const wrong = await accept(back, { paymentId: outgoing, side: 'receivable' });
  expect([wrong.status, wrong.body['errors']]).toEqual([
    400,
    ['paymentId: is a refund in the other direction than the transaction'],
  ]);
  for (const [path, paymentId, side] of [
    [out, outgoing, 'receivable'],
    [back, incoming, 'payable'],
  ] as const)
    expect(getData(await accept(path, { paymentId, side }))).toMatchObject({ state: 'matched', side, paymentId });
});

test('a rejected payment is not proposed again until proposals are restored, and no other one is lost', async () => {
  const [first, second] = [await receive(41), await receive(41)];
  const path = await importEntry({ amount: '41.00', name: 'Example GmbH', text: 'Thanks' });
  const readIds = async () => (await readPayments(path)).map((payment) => (payment as { id: number }).id);
  expect(await readIds()).toEqual([first, second]);
  const reject = (body: object) => client.post(`${path}/proposals/reject`, body);
  const rejected = await reject({ paymentId: first });
  expectDocumented('post', '/api/bank-transactions/:id/proposals/reject', rejected);
  expect(getData(rejected)).toMatchObject({ state: 'open', rejectedProposals: 1 });
  expect(getData(await reject({ paymentId: first, side: 'receivable' }))).toMatchObject({ rejectedProposals: 1 });
  expect(await readIds()).toEqual([second]);
  // A payment of the other side with the same id is another one.
  expect(getData(await reject({ paymentId: second, side: 'payable' }))).toMatchObject({ rejectedProposals: 2 });
  expect(await readIds()).toEqual([second]);
  expect(getData(await client.post(`${path}/proposals/restore`, {}))).toMatchObject({ rejectedProposals: 0 });
  expect(await readIds()).toEqual([first, second]);
  // Rejecting a proposal does not keep it from being chosen.
  await reject({ paymentId: first });
  expect((await accept(path, { paymentId: first })).status).toBe(200);
  expect((await reject({ paymentId: second })).body['code']).toBe('transaction_not_open');
});

test.each([
  [{ paymentId: 1, partyId: 1 }, 'partyId: is not accepted with paymentId'],
  [{ paymentId: 1, documentIds: [1] }, 'documentIds: is not accepted with paymentId'],
  [{ partyId: 1, documentIds: [1], side: 'receivable' }, 'side: is accepted only with paymentId'],
  [{ partyId: 1 }, 'documentIds: is required without paymentId'],
  [{ documentIds: [1] }, 'partyId: is required without paymentId'],
  [{}, 'partyId: is required without paymentId'],
])('a rejection of %j is refused by field', async (body, problem) => {
  const path = await importEntry({ amount: '42.00' });
  const refused = await client.post(`${path}/proposals/reject`, body);
  expect([refused.status, refused.body['errors']]).toEqual([400, [problem]]);
});

test('a payment of another amount, a void one, and a body with both or neither are refused by field', async () => {
  const [paymentId, voided] = [await receive(35), await receive(36)];
  await client.post(`/api/receivables/payments/${voided}/void`, { reason: 'Twice' });
  const path = await importEntry({ amount: '36.00' });
  expect(await readPayments(path)).toEqual([]);
  for (const [body, problem] of [
    [{ paymentId }, 'paymentId: is of 35 EUR, the transaction of 36 EUR'],
    [{ paymentId: voided }, 'paymentId: is not a posted payment or refund of the side'],
    [{ paymentId, partyId: customerId }, 'partyId: is not accepted with paymentId'],
    [{ paymentId, allocations: [] }, 'allocations: is not accepted with paymentId'],
    [{ partyId: customerId, allocations: [], side: 'receivable' }, 'side: is accepted only with paymentId'],
    [{ partyId: customerId }, 'allocations: is required without paymentId'],
    [{}, 'partyId: is required without paymentId'],
  ] as const) {
    const refused = await accept(path, body);
    expect([refused.status, refused.body['errors']]).toEqual([400, [problem]]);
  }
});

test('matching a registered payment posts nothing, so it needs no permission to post', async () => {
  const paymentId = await receive(37);
  const path = await importEntry({ amount: '37.00' });
  const key = await client.tenant.createBusinessKey(['banking:read', 'banking:update']);
  const matched = await call('POST', `${path}/accept`, { key, json: { paymentId } });
  expect(matched.status).toBe(200);
});
