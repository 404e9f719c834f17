import { buildCamt053, buildCamtEntry, buildMt940 } from '../../../support/business/banking/statements';
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

const today = new Date().toISOString().slice(0, 10);
const IBAN = 'DE02120300000000202051';

let client: BusinessClient;
let customerId: number;
let serviceId: number;
beforeAll(async () => {
  client = await createBusinessClient('Banking');
  customerId = await addCustomer(client, { name: 'Example GmbH' });
  serviceId = await addService(client);
});
afterAll(closeTestPlatform);

const importFile = (format: string, text: string, fields: Record<string, string> = {}): Promise<ApiResponse> =>
  call('POST', '/api/bank-statements', {
    token: client.token,
    form: { format, ...fields, file: { body: Buffer.from(text), name: 'statement', type: 'application/octet-stream' } },
  });

/** Issues an invoice with the open amount. */
async function issueInvoice(total: number): Promise<{ id: number; number: string; open: number }> {
  const lines = [{ productId: serviceId, quantity: 1, unitPrice: total, priceIncludesTax: true }];
  const response = await client.post('/api/invoices', { customerId, lines });
  const { number, grandTotal } = getData(response);
  return { id: getCreatedId(response), number: String(number), open: Number(grandTotal) };
}

let statements = 0;
/** Imports a statement with one entry and returns its transaction. */
async function importEntry(entry: CamtEntry): Promise<number> {
  statements += 1;
  const entries = [buildCamtEntry({ date: today, reference: `REF-${statements}`, ...entry })];
  const response = await importFile('camt.053', buildCamt053({ id: `S-${statements}`, entries }));
  expect(response.status).toBe(201);
  const [statement] = getRows(response);
  const listed = await client.get(`/api/bank-transactions?statementId=${String(statement?.['id'])}`);
  return Number(getRows(listed)[0]?.['id']);
}

const getProposals = async (id: number) =>
  getRows(await client.get(`/api/bank-transactions/${id}/proposals`)) as {
    partyId: number;
    score: number;
    allocations: { documentId: number; amount: number }[];
    evidence: { reason: string }[];
  }[];

test('a statement is imported once: the second import has no effect', async () => {
  const entries = [
    buildCamtEntry({ amount: '10.00', name: 'Unknown Payer', date: today }),
    buildCamtEntry({ amount: '10.00', name: 'Unknown Payer', date: today }),
    buildCamtEntry({ amount: '3.50', indicator: 'DBIT', name: 'Bank', text: 'Fee', date: today }),
  ];
  const text = buildCamt053({ entries, id: 'ONCE', opening: '0.00', closing: '16.50' });
  const first = await importFile('camt.053', text);
  expectDocumented('post', '/api/bank-statements', first);
  expect(first.status).toBe(201);
  const [statement] = getRows(first);
  expect(statement).toMatchObject({ number: 'ONCE', transactionCount: 3, importedCount: 3, closingBalance: 16.5 });
  const again = await importFile('camt.053', text);
  expectDocumented('post', '/api/bank-statements', again);
  expect([again.status, getRows(again)]).toEqual([200, [statement]]);
  const id = String(statement?.['id']);
  const read = await client.get(`/api/bank-statements/${id}`);
  expectDocumented('get', '/api/bank-statements/:id', read);
  const list = await client.get('/api/bank-statements');
  expectDocumented('get', '/api/bank-statements', list);
  expect(list.body['totalCount']).toBe(1);
  const transactions = await client.get(`/api/bank-transactions?statementId=${id}&search=unknown`);
  expectDocumented('get', '/api/bank-transactions', transactions);
  expect(transactions.body['totalCount']).toBe(2);
});

test('a transaction of an overlapping statement is imported once, and concurrent imports write one statement', async () => {
  const entries = ['A', 'B', 'C'].map((name) => buildCamtEntry({ amount: '1.00', name, date: today }));
  await importFile('camt.053', buildCamt053({ id: 'FIRST', entries: entries.slice(0, 2) }));
  const second = buildCamt053({ id: 'SECOND', entries });
  const responses = await Promise.all(Array.from({ length: 4 }, () => importFile('camt.053', second)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  expect(getRows(responses[0] as ApiResponse)[0]).toMatchObject({ transactionCount: 3, importedCount: 1 });
});

test('a repeated import with an Idempotency-Key has the response of the first', async () => {
  const send = (key: string, text: string) =>
    call('POST', '/api/bank-statements', {
      token: client.token,
      headers: { 'Idempotency-Key': key },
      form: { format: 'camt.053', file: { body: Buffer.from(text), name: 'statement', type: 'application/xml' } },
    });
  const text = buildCamt053({ id: 'REPEATED', entries: [buildCamtEntry({ amount: '3.00', date: today })] });
  const first = await send('repeated-import', text);
  const second = await send('repeated-import', text);
  expect([first.status, second.status, second.body['message']]).toEqual([201, 201, '1 of 1 statements imported.']);
  expect(second.body['data']).toEqual(first.body['data']);
  const other = await send('other-import', text);
  expect([other.status, (await send('other-import', text)).status]).toEqual([200, 200]);
});

test.each([':61:2601310131C1,2,3NTRFNONREF', ':61:2601310131C1,NTRF'])(
  'an MT940 file with the line %s never causes an internal error',
  async (line) => {
    const response = await importFile('mt940', buildMt940([line], 'C260131EUR1,2,3'));
    expect([response.status, response.body['errors']]).toEqual([400, [expect.stringMatching(/^file: .*must be/)]]);
  },
);

test('a mapping that names an inherited property is rejected as a missing column', async () => {
  const mapping = JSON.stringify({ bookingDate: 'day', amount: 'constructor' });
  const response = await importFile('csv', 'day,sum\n2026-01-31,1\n', { mapping });
  expect([response.status, response.body['errors']]).toEqual([
    400,
    [expect.stringContaining('lacks mapped columns (amount: constructor)')],
  ]);
});

test('MT940 and CSV are imported, CSV by the mapping of its columns', async () => {
  const mt940 = await importFile('mt940', buildMt940([':61:2601310131C5,NTRFNONREF'], 'C260131EUR5,00'));
  expect([mt940.status, getRows(mt940)[0]]).toMatchObject([201, { format: 'mt940', account: '37040044/0532013000' }]);
  const mapping = JSON.stringify({ bookingDate: 'Day', amount: 'Sum', delimiter: ';', decimalSeparator: ',' });
  const csv = await importFile('csv', 'Day;Sum\n2026-01-31;-2,50\n', { mapping, account: 'SAVINGS' });
  expect([csv.status, getRows(csv)[0]]).toMatchObject([
    201,
    { format: 'csv', account: 'SAVINGS', currencyCode: 'EUR' },
  ]);
});

test.each([
  ['camt.053', 'hello', {}, /^file: is not well-formed XML/],
  [
    'camt.053',
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
    {},
    /^file: must not have a document type/,
  ],
  [
    'camt.053',
    buildCamt053({ entries: [buildCamtEntry({ amount: '1.00' })], opening: '0.00', closing: '2.00' }),
    {},
    /differ from the closing balance by 1$/,
  ],
  [
    'camt.053',
    // Reading ends at the limit, before the entry that is not well-formed.
    buildCamt053({ entries: [buildCamtEntry({ amount: '1.00' }).repeat(5001), '<Ntry><Amt Ccy=1/></Ntry>'] }),
    {},
    /^file: must have at most 5000 transactions$/,
  ],
  ['camt.053', buildCamt053({ entries: [buildCamtEntry({ amount: '1.005' })] }), {}, /has too many decimals for EUR/],
  ['mt940', ':20:X', {}, /^file: message 1: must have an opening and a closing balance/],
  ['csv', 'a,b\n1,2\n', {}, /^mapping: is required for CSV/],
  ['csv', 'a,b\n1,2\n', { mapping: '{' }, /^mapping: must be JSON/],
  ['csv', 'a,b\n1,2\n', { mapping: '{"bookingDate":"a"}' }, /^mapping\.amount: /],
  ['csv', 'a,b\n1,2\n', { mapping: '{"bookingDate":"a","amount":"c"}' }, /^file: lacks mapped columns \(amount: c\)/],
  [
    'csv',
    `a,b,c\n2026-01-31,1,${'x'.repeat(10_001)}\n`,
    { mapping: '{"bookingDate":"a","amount":"b","remittance":"c"}' },
    /a text must have at most 10000 characters/,
  ],
  [
    'csv',
    'a,b\n2026-01-31,1000000000000\n',
    { mapping: '{"bookingDate":"a","amount":"b"}' },
    /an amount must be at most 999999999999\.99/,
  ],
  ['ofx', 'x', {}, /^format: must be one of camt\.053, mt940, csv/],
])('a wrong %s file is rejected with the place and changes nothing', async (format, text, fields, problem) => {
  const before = await client.get('/api/bank-transactions');
  const response = await importFile(format, text, fields);
  expect(response.status).toBe(400);
  expect((response.body['errors'] as string[])[0]).toMatch(problem);
  expect((await client.get('/api/bank-transactions')).body['totalCount']).toBe(before.body['totalCount']);
});

describe('matching', () => {
  test('an accepted proposal posts one payment, and later transactions of the account are recognised', async () => {
    const invoice = await issueInvoice(119);
    const id = await importEntry({ amount: '119.00', name: 'EXAMPLE GMBH', iban: IBAN, text: `RG ${invoice.number}` });
    const proposals = await client.get(`/api/bank-transactions/${id}/proposals`);
    expectDocumented('get', '/api/bank-transactions/:id/proposals', proposals);
    const [best] = await getProposals(id);
    expect(best).toMatchObject({
      score: 100,
      partyId: customerId,
      allocations: [{ documentId: invoice.id, amount: 119 }],
    });
    const body = { partyId: customerId, allocations: [{ documentId: invoice.id, amount: 119 }] };
    const accepted = await client.post(`/api/bank-transactions/${id}/accept`, body);
    expectDocumented('post', '/api/bank-transactions/:id/accept', accepted);
    const { state, paymentId } = getData(accepted);
    expect(state).toBe('matched');
    const payment = getData(await client.get(`/api/receivables/payments/${String(paymentId)}`));
    expect(payment).toMatchObject({ amount: 119, date: today, method: 'bank_transfer', unapplied: 0 });
    expect(getData(await client.get(`/api/invoices/${invoice.id}`))['status']).toBe('paid');
    expect(await getProposals(id)).toEqual([]);

    const next = await issueInvoice(50);
    const [known] = await getProposals(await importEntry({ amount: '50.00', iban: IBAN, text: 'Thanks' }));
    expect(known).toMatchObject({ partyId: customerId, allocations: [{ documentId: next.id }] });
    expect(known?.evidence.map(({ reason }) => reason)).toEqual(['amount', 'account']);
  });

  test('a rejected proposal is not made again until proposals are restored, and no other one is lost', async () => {
    const [one, two] = [await issueInvoice(70), await issueInvoice(70)];
    const id = await importEntry({ amount: '70.00', name: 'EXAMPLE GMBH', text: 'Thanks' });
    const listAlone = async () =>
      (await getProposals(id))
        .filter(({ allocations }) => allocations.length === 1)
        .map(({ allocations }) => allocations[0]?.documentId);
    expect(await listAlone()).toEqual([one.id, two.id]);
    const path = `/api/bank-transactions/${id}/proposals`;
    const body = { partyId: customerId, documentIds: [one.id] };
    const rejected = await client.post(`${path}/reject`, body);
    expectDocumented('post', '/api/bank-transactions/:id/proposals/reject', rejected);
    expect(getData(rejected)).toMatchObject({ state: 'open', rejectedProposals: 1 });
    expect(getData(await client.post(`${path}/reject`, body))).toMatchObject({ rejectedProposals: 1 });
    expect(await listAlone()).toEqual([two.id]);
    const restored = await client.post(`${path}/restore`, {});
    expectDocumented('post', '/api/bank-transactions/:id/proposals/restore', restored);
    expect(getData(restored)).toMatchObject({ rejectedProposals: 0 });
    expect(await listAlone()).toEqual([one.id, two.id]);
    await client.post(`/api/bank-transactions/${id}/ignore`, { reason: 'Twice' });
    for (const [name, json] of [['reject', body] as const, ['restore', {}] as const]) {
      const late = await client.post(`${path}/${name}`, json);
      expect([late.status, late.body['code']]).toEqual([409, 'transaction_not_open']);
    }
  });

  test('of concurrent acceptances one takes effect, and a repeated request has the same result', async () => {
    const invoice = await issueInvoice(30);
    const id = await importEntry({ amount: '30.00', text: invoice.number });
    const body = { partyId: customerId, allocations: [{ documentId: invoice.id, amount: 30 }] };
    const accept = (key: string) =>
      client.post(`/api/bank-transactions/${id}/accept`, body, { 'Idempotency-Key': key });
    const responses = await Promise.all(['one', 'two', 'three'].map((name) => accept(`bank-${id}-${name}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body['code']).toBe('transaction_not_open');
    const winner = ['one', 'two', 'three'][responses.findIndex(({ status }) => status === 200)] ?? '';
    const repeated = await accept(`bank-${id}-${winner}`);
    expect([repeated.status, getData(repeated)['state']]).toEqual([200, 'matched']);
    const payments = await client.get(`/api/receivables/payments?search=${invoice.number}`);
    expect(payments.body['totalCount']).toBe(1);
  });

  test('money that was paid settles a bill', async () => {
    const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
    const lines = [{ description: 'Paper', quantity: 1, unitCost: 40 }];
    const bill = getData(await client.post('/api/payables', { vendorId, number: 'BILL-4711', date: today, lines }));
    const amount = Number(bill['grandTotal']);
    const id = await importEntry({ amount: amount.toFixed(2), indicator: 'DBIT', name: 'Supplies', text: 'BILL 4711' });
    const [best] = await getProposals(id);
    expect(best).toMatchObject({ partyId: vendorId, score: 100 });
    const accepted = await client.post(`/api/bank-transactions/${id}/accept`, {
      partyId: vendorId,
      allocations: best?.allocations.map(({ documentId, amount: part }) => ({ documentId, amount: part })),
    });
    expect(getData(accepted)).toMatchObject({ state: 'matched', side: 'payable', amount: -amount });
    const { paymentId } = getData(accepted);
    const reopen = () => client.post(`/api/bank-transactions/${id}/reopen`, {});
    const refused = await reopen();
    expect([refused.status, refused.body['code']]).toEqual([409, 'payment_not_void']);
    expect((await client.post(`/api/payables/payments/${String(paymentId)}/void`, { reason: 'Wrong' })).status).toBe(
      200,
    );
    expect(getData(await reopen())).toMatchObject({ state: 'open', paymentId: null });
  });

  test('a matched transaction opens again once its payment is void, an ignored one at any time', async () => {
    const id = await importEntry({ amount: '12.00', text: 'Advance' });
    const path = `/api/bank-transactions/${id}`;
    const accepted = await client.post(`${path}/accept`, { partyId: customerId, allocations: [] });
    const paymentId = String(getData(accepted)['paymentId']);
    expect((await client.post(`${path}/reopen`, {})).body['code']).toBe('payment_not_void');
    await client.post(`/api/receivables/payments/${paymentId}/void`, { reason: 'Wrong customer' });
    const reopened = await client.post(`${path}/reopen`, {});
    expectDocumented('post', '/api/bank-transactions/:id/reopen', reopened);
    expect(getData(reopened)).toMatchObject({ state: 'open', paymentId: null });
    const ignored = await client.post(`${path}/ignore`, { reason: 'Bank fee' });
    expectDocumented('post', '/api/bank-transactions/:id/ignore', ignored);
    expect(getData(ignored)).toMatchObject({ state: 'ignored', ignoreReason: 'Bank fee' });
    const refused = await client.post(`${path}/accept`, { partyId: customerId, allocations: [] });
    expect([refused.status, refused.body['code']]).toEqual([409, 'transaction_not_open']);
    expect(getData(await client.post(`${path}/reopen`, {}))['state']).toBe('open');
    const read = await client.get(path);
    expectDocumented('get', '/api/bank-transactions/:id', read);
  });

  test('an unknown party is named by its field of the request', async () => {
    const id = await importEntry({ amount: '3.00', text: 'Unknown' });
    const refused = await client.post(`/api/bank-transactions/${id}/accept`, { partyId: 999_999, allocations: [] });
    expect([refused.status, refused.body['errors']]).toEqual([400, ['partyId: is not a customer of the company']]);
  });

  test('a booking date in the future or in a locked period is named as that of the transaction', async () => {
    const match = { partyId: customerId, allocations: [] };
    const early = await importEntry({ amount: '3.00', text: 'Tomorrow', date: '2999-01-01' });
    const refused = await client.post(`/api/bank-transactions/${early}/accept`, match);
    expect([refused.status, refused.body['errors']]).toEqual([
      400,
      [expect.stringMatching(/^bookingDate: must not be after today, /)],
    ]);
    const late = await importEntry({ amount: '3.00', text: 'Last year', date: '2020-01-01' });
    expect((await client.put('/api/config/period-lock', { lockedThrough: '2020-12-31' })).status).toBe(200);
    const locked = await client.post(`/api/bank-transactions/${late}/accept`, match);
    expect([locked.status, locked.body['code'], locked.body['errors']]).toEqual([
      409,
      'period_locked',
      [expect.stringMatching(/^bookingDate: /)],
    ]);
  });

  test('a match that cannot be posted leaves the transaction open', async () => {
    const invoice = await issueInvoice(20);
    const id = await importEntry({ amount: '25.00', text: invoice.number });
    const body = { partyId: customerId, allocations: [{ documentId: invoice.id, amount: 25 }] };
    const refused = await client.post(`/api/bank-transactions/${id}/accept`, body);
    expect([refused.status, refused.body['code']]).toEqual([409, 'allocation_exceeds_open']);
    expect(getData(await client.get(`/api/bank-transactions/${id}`))['state']).toBe('open');
  });

  test('reading needs banking:read, importing banking:create, accepting banking:update and the right to post', async () => {
    const id = await importEntry({ amount: '1.00' });
    const path = `/api/bank-transactions/${id}`;
    const { tenant } = client;
    const reader = await tenant.createBusinessKey(['banking:read']);
    const clerk = await tenant.createBusinessKey(['banking:read', 'banking:update']);
    expect((await call('GET', path, { key: reader })).status).toBe(200);
    expect((await call('POST', `${path}/ignore`, { key: reader, json: { reason: 'x' } })).status).toBe(403);
    const importing = { format: 'camt.053', file: { body: Buffer.from('x'), name: 'x', type: 'text/xml' } };
    expect((await call('POST', '/api/bank-statements', { key: clerk, form: importing })).status).toBe(403);
    const accepting = { partyId: customerId, allocations: [] };
    const refused = await call('POST', `${path}/accept`, { key: clerk, json: accepting });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining('receivables:create'),
    ]);
    const creator = await tenant.createBusinessKey(['banking:create']);
    expect((await call('GET', path, { key: creator })).status).toBe(403);
  });
});

test('the reference of a payment has the first 100 characters of the remittance, none of them divided', async () => {
  const text = `${'x'.repeat(99)}\u{1F4B6}\u{1F4B6}`;
  const id = await importEntry({ amount: '10.00', text, endToEndId: 'E2E-1' });
  const body = { partyId: customerId, allocations: [] };
  const matched = getData(await client.post(`/api/bank-transactions/${id}/accept`, body));
  const payment = getData(await client.get(`/api/receivables/payments/${String(matched['paymentId'])}`));
  expect(payment['reference']).toBe(`${'x'.repeat(99)}\u{1F4B6}`);
});
