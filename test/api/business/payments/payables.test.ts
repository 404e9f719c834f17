import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { daysFromToday } from '../../../support/days';

let client: BusinessClient;
let vendorId: number;

beforeAll(async () => {
  client = await createBusinessClient('Payables');
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd', paymentTerms: 'NET30' }));
});
afterAll(closeTestPlatform);

const today = daysFromToday(0);

/** Creates a bill with this amount before the default tax of 20 %. */
const createBill = async (owner: BusinessClient, vendor: number, number: string, net: number, fields: object = {}) =>
  getCreatedId(
    await owner.post('/api/payables', {
      vendorId: vendor,
      number,
      date: today,
      lines: [{ description: 'Work', quantity: 1, unitCost: net }],
      ...fields,
    }),
  );

const getAging = async (owner: BusinessClient, side: string, query: string) => {
  const response = await owner.get(`/api/${side}/aging?${query}`);
  expectDocumented('get', `/api/${side}/aging`, response);
  return (getData(response)['rows'] as { amounts: Record<string, number> }[]).map(({ amounts }) => amounts);
};

describe('payables', () => {
  test('are settled by credit from a payment, and the allocation can be reversed', async () => {
    const vendor = getCreatedId(await client.post('/api/vendors', { name: 'Credit Ltd' }));
    const documentId = await createBill(client, vendor, 'CREDIT-1', 50);
    const payment = { vendorId: vendor, amount: 25, allocations: [] };
    const paymentId = getCreatedId(await client.post('/api/payables/payments', payment));
    const applied = await client.post('/api/payables/allocations', { paymentId, documentId, amount: 25 });
    expect([applied.status, getData(applied)]).toMatchObject([201, { documentId, amount: 25 }]);
    const reversal = `/api/payables/allocations/${String(getData(applied)['id'])}/reverse`;
    const reversed = await client.post(reversal, { reason: 'Wrong bill' });
    expect(getData(reversed)['reversedOn']).toBe(today);
    expect((await client.post(reversal, { reason: 'Again' })).body['code']).toBe('allocation_reversed');
  });

  test('are aged by due date as of any day, with unapplied credit; the net equals the balance', async () => {
    const vendor = getCreatedId(await client.post('/api/vendors', { name: 'Ageing Ltd' }));
    const buckets: [number, number][] = [
      [5, 10],
      [-10, 20],
      [-45, 30],
      [-75, 40],
      [-100, 50],
    ];
    for (const [due, net] of buckets)
      await createBill(client, vendor, `AGE-${net}`, net, { date: daysFromToday(-110), dueDate: daysFromToday(due) });
    await client.post('/api/payables/payments', { vendorId: vendor, amount: 12, allocations: [] });
    const [row] = await getAging(client, 'payables', `vendorId=${vendor}`);
    expect(row).toMatchObject({
      current: 12,
      days1to30: 24,
      days31to60: 36,
      days61to90: 48,
      over90: 60,
      unappliedCredit: 12,
      net: 168,
    });
    expect(getData(await client.get(`/api/vendors/${vendor}/balance`))).toMatchObject({ balance: 168, credit: 12 });
    const [before] = await getAging(client, 'payables', `vendorId=${vendor}&asOf=${daysFromToday(-1)}`);
    expect(before).toMatchObject({ net: 180, unappliedCredit: 0 });
    expect(await getAging(client, 'payables', `vendorId=${vendor}&asOf=${daysFromToday(-111)}`)).toEqual([]);
  });

  test('payments to vendors are listed, read, filtered and counted exactly', async () => {
    const vendor = getCreatedId(await client.post('/api/vendors', { name: 'Zinc Works' }));
    const pay = (amount: number, fields: object = {}) =>
      client.post('/api/payables/payments', { vendorId: vendor, amount, allocations: [], ...fields });
    const ids = [
      getCreatedId(await pay(10, { reference: 'TR-881', date: daysFromToday(-3) })),
      getCreatedId(await pay(20)),
      getCreatedId(await pay(30)),
    ];
    const listed = await client.get(`/api/payables/payments?vendorId=${vendor}&sortBy=id`);
    expectDocumented('get', '/api/payables/payments', listed);
    expect(listed.body['totalCount']).toBe(3);
    expect(getRows(listed).map((row) => [row['id'], row['vendorId'], row['amount'], row['status']])).toEqual([
      [ids[0], vendor, 10, 'posted'],
      [ids[1], vendor, 20, 'posted'],
      [ids[2], vendor, 30, 'posted'],
    ]);
    const listIds = async (query: string) =>
      getRows(await client.get(`/api/payables/payments?vendorId=${vendor}&sortBy=id&${query}`)).map((row) => row['id']);
    expect(await listIds('pageSize=1&page=2')).toEqual([ids[1]]);
    expect(await listIds(`dateTo=${daysFromToday(-1)}`)).toEqual([ids[0]]);
    expect(await listIds('search=tr-881')).toEqual([ids[0]]);
    expect(await listIds('search=zinc')).toEqual(ids);
    const read = await client.get(`/api/payables/payments/${String(ids[0])}`);
    expectDocumented('get', '/api/payables/payments/:id', read);
    expect(getData(read)).toMatchObject({ reference: 'TR-881', unapplied: 10 });
  });

  test('voiding a payment restores the open amounts of its bills, once', async () => {
    const before = Number(getData(await client.get(`/api/vendors/${vendorId}/balance`))['balance']);
    const billId = await createBill(client, vendorId, 'V-1', 50);
    const paymentId = getCreatedId(
      await client.post('/api/payables/payments', {
        vendorId,
        amount: 60,
        allocations: [{ documentId: billId, amount: 60 }],
      }),
    );
    const open = async () => {
      const rows = getRows(await client.get(`/api/payables?vendorId=${vendorId}&state=all&pageSize=100`));
      return rows.find((row) => row['id'] === billId)?.['open'];
    };
    expect(await open()).toBe(0);
    const path = `/api/payables/payments/${paymentId}/void`;
    const responses = await Promise.all([1, 2, 3].map(() => client.post(path, { reason: 'Bounced' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const response of responses)
      if (response.status === 200) {
        expectDocumented('post', '/api/payables/payments/:id/void', response);
        expect(getData(response)).toMatchObject({ status: 'void', voidReason: 'Bounced' });
      } else expect(response.body['code']).toBe('already_void');
    expect(await open()).toBe(60);
    expect(getData(await client.get(`/api/vendors/${vendorId}/balance`))).toMatchObject({ balance: before + 60 });
    expect((await client.post('/api/payables/payments/999999/void', { reason: 'x' })).status).toBe(404);
  });
});

test('receivables as of yesterday still show an invoice that was voided today', async () => {
  const customerId = await addCustomer(client);
  const lines = [{ productId: await addService(client), quantity: 1, unitPrice: 100 }];
  const yesterday = daysFromToday(-1);
  const id = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: yesterday, lines }));
  expect((await client.post(`/api/invoices/${id}/void`, { reason: 'Wrong customer' })).status).toBe(200);
  expect(await getAging(client, 'receivables', `customerId=${customerId}&asOf=${yesterday}`)).toMatchObject([
    { current: 120, net: 120 },
  ]);
  expect(await getAging(client, 'receivables', `customerId=${customerId}`)).toEqual([]);
  const balance = async (query: string) =>
    getData(await client.get(`/api/customers/${customerId}/balance${query}`))['balance'];
  expect([await balance(`?asOf=${yesterday}`), await balance('')]).toEqual([120, 0]);
});

describe('applying credit', () => {
  test.each([
    [{ amount: 0 }, 'amount: must be greater than 0'],
    [{ amount: 0.001 }, 'amount: must be greater than 0, with at most 2 decimals in EUR'],
    [{ amount: 1, settled: 0 }, 'settled'],
    [{ amount: -1 }, 'amount'],
  ])('%j is 400 naming the field, and nothing is applied', async (fields: object, problem) => {
    const customerId = await addCustomer(client);
    const lines = [{ productId: await addService(client), quantity: 1, unitPrice: 100 }];
    const documentId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
    const paymentId = getCreatedId(
      await client.post('/api/receivables/payments', { customerId, amount: 50, allocations: [] }),
    );
    const response = await client.post('/api/receivables/allocations', { paymentId, documentId, ...fields });
    expect(response.status).toBe(400);
    expect(String(response.body['errors'])).toContain(problem);
    expect(getData(await client.get(`/api/receivables/payments/${paymentId}`))).toMatchObject({ unapplied: 50 });
  });

  test('in another currency the settled amount must be greater than 0', async () => {
    await client.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.9 });
    const customerId = await addCustomer(client);
    const lines = [{ productId: await addService(client), quantity: 1, unitPrice: 100 }];
    const documentId = getCreatedId(await client.post('/api/invoices', { customerId, currencyCode: 'USD', lines }));
    const paymentId = getCreatedId(
      await client.post('/api/receivables/payments', { customerId, amount: 50, allocations: [] }),
    );
    const apply = (settled: number) =>
      client.post('/api/receivables/allocations', { paymentId, documentId, amount: 9, settled });
    const rejected = await apply(0);
    expect([rejected.status, rejected.body['errors']]).toEqual([400, ['settled: must be greater than 0']]);
    expect((await apply(10)).status).toBe(201);
  });
});

describe('a tax rate', () => {
  test('that is used by an order or a bill keeps its percentage', async () => {
    const rate = async (name: string) => getCreatedId(await client.post('/api/config/tax-rates', { name, percent: 7 }));
    const [ordered, billed, free] = [await rate('Ordered'), await rate('Billed'), await rate('Free')];
    const productId = await addProduct(client);
    const order = { vendorId, lines: [{ productId, quantity: 1, unitCost: 5, taxRateId: ordered }] };
    expect((await client.post('/api/purchase-orders', order)).status).toBe(201);
    const lines = [{ description: 'Work', quantity: 1, unitCost: 5, taxRateId: billed }];
    await createBill(client, vendorId, 'TAX-1', 5, { lines });
    const change = (id: number) => client.put(`/api/config/tax-rates/${id}`, { percent: 8 });
    expect([await change(ordered), await change(billed)].map(({ body }) => body['code'])).toEqual([
      'tax_rate_in_use',
      'tax_rate_in_use',
    ]);
    expect((await change(free)).status).toBe(200);
  });
});

describe('a delivery of more than was ordered', () => {
  test('is accepted within the tolerance of the company and rejected beyond it', async () => {
    const own = await createBusinessClient();
    const supplier = getCreatedId(await own.post('/api/vendors', { name: 'Generous Ltd' }));
    const productId = await addProduct(own);
    const order = async () =>
      getCreatedId(
        await own.post('/api/purchase-orders', {
          vendorId: supplier,
          lines: [{ productId, quantity: 10, unitCost: 2 }],
        }),
      );
    const receive = (id: number, quantity: number) =>
      own.post(`/api/purchase-orders/${id}/receive`, { lines: [{ lineId: 1, quantity }] });
    expect((await receive(await order(), 11)).body['code']).toBe('over_receipt');
    const put = await own.put('/api/config/company', { overReceiptTolerancePercent: 12.5 });
    expectDocumented('put', '/api/config/company', put);
    expect(getData(await own.get('/api/config/company'))).toMatchObject({ overReceiptTolerancePercent: 12.5 });
    expect((await own.put('/api/config/company', getData(put))).status).toBe(200);
    const id = await order();
    const beyond = await receive(id, 11.26);
    expect([beyond.status, beyond.body['errors']]).toEqual([409, ['lines[0].quantity: must be at most 11.25']]);
    const taken = await receive(id, 11.25);
    expect(taken.status).toBe(201);
    expect(getData(taken)['order']).toMatchObject({ status: 'received', lines: [{ received: 11.25 }] });
    expect((await receive(id, 0.01)).status).toBe(409);
    for (const overReceiptTolerancePercent of [-1, 100.1, 0.00001, '5', null])
      expect((await own.put('/api/config/company', { overReceiptTolerancePercent })).status).toBe(400);
  });
});
