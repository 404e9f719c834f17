import { Audit } from '../../../../models/platform/audit/audit';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  createClientWithToken,
  getData,
  getCreatedId,
  getRows,
  signIn,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { daysFromToday } from '../../../support/days';
import { listErrorFields, listErrors } from '../../../support/business/rejections';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

/** Issues an invoice of one line of 100. */
async function issue(owner: BusinessClient, fields: object = {}, line: object = {}) {
  const customerId = await addCustomer(owner);
  const productId = await addService(owner);
  return owner.post('/api/invoices', {
    customerId,
    lines: [{ productId, quantity: 1, unitPrice: 100, ...line }],
    ...fields,
  });
}

describe('currencies', () => {
  test('a new company has only its base currency, which cannot be deactivated', async () => {
    const own = await createBusinessClient();
    const listed = await own.get('/api/config/currencies');
    expect(listed.body).toMatchObject({ totalCount: 1, data: [{ id: 1, code: 'EUR', decimals: 2, isBase: true }] });
    const rejected = await own.put('/api/config/currencies/1', { active: false });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'base_currency']);
  });

  test('a currency can be added once, is hidden if inactive, and can be activated again', async () => {
    const id = getCreatedId(await client.post('/api/config/currencies', { code: 'KWD' }));
    expect(getData(await client.put(`/api/config/currencies/${id}`, {}))).toMatchObject({ code: 'KWD', decimals: 3 });
    expect((await client.post('/api/config/currencies', { code: 'KWD' })).body['code']).toBe('code_taken');
    expect((await client.put(`/api/config/currencies/${id}`, { active: false })).status).toBe(200);
    expect((await client.get('/api/config/currencies?search=kwd')).body['totalCount']).toBe(0);
    expect((await client.get('/api/config/currencies?search=kwd&active=false')).body['totalCount']).toBe(1);
    const rejected = await client.post('/api/config/exchange-rates', { currencyCode: 'KWD', rate: 3 });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'currency_inactive']);
    expect(getData(await client.put(`/api/config/currencies/${id}`, { active: true }))).toMatchObject({ active: true });
    expect((await client.post('/api/config/exchange-rates', { currencyCode: 'KWD', rate: 3 })).status).toBe(201);
  });

  test('an inactive currency cannot be used in new documents', async () => {
    const own = await createBusinessClient();
    getCreatedId(await own.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.9 }));
    expect((await issue(own, { currencyCode: 'USD' })).status).toBe(201);
    const [usd] = getRows(await own.get('/api/config/currencies?search=USD'));
    await own.put(`/api/config/currencies/${String(usd?.['id'])}`, { active: false });
    const rejected = await issue(own, { currencyCode: 'USD' });
    expect([rejected.status, listErrors(rejected)]).toEqual([400, ['currencyCode: is an inactive currency']]);
  });

  test.each([[{}], [{ code: 'eur' }], [{ code: 'XAU' }], [{ code: 1 }], [{ code: 'USD', rate: 1 }]])(
    '%j is 400',
    async (json) => {
      expect((await client.post('/api/config/currencies', json)).status).toBe(400);
    },
  );
});

describe('exchange rates', () => {
  test('a rate adds its currency, is listed newest first and filtered by currency and day', async () => {
    const own = await createBusinessClient();
    for (const [currencyCode, date, rate] of [
      ['USD', '2026-01-05', 0.9],
      ['USD', '2026-03-05', 0.91],
      ['GBP', '2026-02-05', 1.123456789],
    ] as const)
      getCreatedId(await own.post('/api/config/exchange-rates', { currencyCode, date, rate }));
    const listed = await own.get('/api/config/exchange-rates');
    expect(getRows(listed).map((row) => [row['currencyCode'], row['date'], row['rate']])).toEqual([
      ['USD', '2026-03-05', 0.91],
      ['GBP', '2026-02-05', 1.123456789],
      ['USD', '2026-01-05', 0.9],
    ]);
    const days = async (query: string): Promise<unknown[]> =>
      getRows(await own.get(`/api/config/exchange-rates?${query}`)).map((row) => row['date']);
    expect(await days('currencyCode=USD')).toEqual(['2026-03-05', '2026-01-05']);
    expect(await days('dateFrom=2026-02-05&dateTo=2026-02-05')).toEqual(['2026-02-05']);
    expect(await days('search=gbp')).toEqual(['2026-02-05']);
    expect(await days('sortBy=date&pageSize=1&page=2')).toEqual(['2026-02-05']);
    const currencies = getRows(await own.get('/api/config/currencies?sortBy=code'));
    expect(currencies.map((row) => row['code'])).toEqual(['EUR', 'GBP', 'USD']);
  });

  test('a currency has one rate per day, also under concurrent requests; a correction applies to later documents', async () => {
    const own = await createBusinessClient();
    const rate = { currencyCode: 'USD', date: daysFromToday(0), rate: 0.9 };
    const responses = await Promise.all(Array.from({ length: 8 }, () => own.post('/api/config/exchange-rates', rate)));
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const id = Number(
      getData(responses.find((response) => response.status === 201) ?? responses[0] ?? ({ body: {} } as never))['id'],
    );
    const first = await issue(own, { currencyCode: 'USD' });
    expect(getData(first)).toMatchObject({ exchangeRate: 0.9 });
    expect(getData(await own.put(`/api/config/exchange-rates/${id}`, { rate: 0.8 }))).toMatchObject({ rate: 0.8 });
    expect(getData(await issue(own, { currencyCode: 'USD' }))).toMatchObject({ exchangeRate: 0.8 });
    const kept = await own.get(`/api/invoices/${String(getData(first)['id'])}`);
    expect(getData(kept)).toMatchObject({ exchangeRate: 0.9 });
  });

  test('the day is read in the time zone of the company', async () => {
    const own = await createBusinessClient();
    await own.put('/api/config/company', { timeZone: 'Pacific/Auckland' });
    const response = await own.post('/api/config/exchange-rates', {
      currencyCode: 'USD',
      date: '2026-01-05T12:00:00Z',
      rate: 0.9,
    });
    expect(getData(response)).toMatchObject({ date: '2026-01-06' });
  });

  test.each([
    [{ rate: 1 }, 'currencyCode'],
    [{ currencyCode: 'EUR', rate: 1 }, 'currencyCode'],
    [{ currencyCode: 'usd', rate: 1 }, 'currencyCode'],
    [{ currencyCode: 'USD' }, 'rate'],
    [{ currencyCode: 'USD', rate: 0 }, 'rate'],
    [{ currencyCode: 'USD', rate: -1 }, 'rate'],
    [{ currencyCode: 'USD', rate: '1' }, 'rate'],
    [{ currencyCode: 'USD', rate: 1.2345678901 }, 'rate'],
    [{ currencyCode: 'USD', rate: 1, date: 5 }, 'date'],
    [{ currencyCode: 'USD', rate: 1, date: '2026-02-30' }, 'date'],
    [{ currencyCode: 'USD', rate: 1, base: 'EUR' }, 'base'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post('/api/config/exchange-rates', json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });
});

describe('tax rates', () => {
  test('a created rate can be read and sent back as it is, and a stale If-Match is rejected', async () => {
    const created = await client.post('/api/config/tax-rates', {
      name: 'Reduced',
      percent: 7,
      validFrom: '2021-01-01',
    });
    const id = getCreatedId(created);
    const read = await client.get(`/api/config/tax-rates/${id}`);
    expect(getData(read)).toEqual(getData(created));
    expect(getData(read)).toMatchObject({ percent: 7, category: 'S', validFrom: '2021-01-01', active: true });
    expect((await client.put(`/api/config/tax-rates/${id}`, { ...getData(read), name: 'Reduced rate' })).status).toBe(
      200,
    );
    const stale = await client.put(
      `/api/config/tax-rates/${id}`,
      { name: 'Other' },
      { 'if-match': read.headers.get('etag') ?? '' },
    );
    expect(stale.status).toBe(412);
    expect(getRows(await client.get('/api/config/tax-rates?search=reduced')).map((row) => row['id'])).toEqual([id]);
  });

  test.each([
    [{ percent: 7 }, ['name']],
    [{ name: 'A' }, ['percent']],
    [{ name: 'A', percent: 101 }, ['percent']],
    [{ name: 'A', percent: 7.12345 }, ['percent']],
    [{ name: 'A', percent: '7' }, ['percent']],
    [{ name: 'A', percent: 0 }, ['percent']],
    [{ name: 'A', percent: 7, category: 'X' }, ['category']],
    [{ name: 'A', percent: 7, category: 'Z' }, ['percent']],
    [{ name: 'A', percent: 7, category: 'E' }, ['percent', 'exemptionReason']],
    [{ name: 'A', percent: 0, category: 'AE' }, ['exemptionReason']],
    [{ name: 'A', percent: 7, exemptionReason: 'None' }, ['exemptionReason']],
    [{ name: 'A', percent: 7, validFrom: '2026-01-02', validTo: '2026-01-01' }, ['validTo']],
    [{ name: 'A', percent: 7, validTo: '2026-13-01' }, ['validTo']],
    [{ name: 'A', percent: 7, successorId: 999 }, ['successorId']],
    [{ name: 'A', percent: 7, active: 'yes' }, ['active']],
    [{ name: 'A', percent: 7, rate: 7 }, ['rate']],
  ])('%j is 400 naming %j', async (json, fields) => {
    const response = await client.post('/api/config/tax-rates', json);
    expect([response.status, listErrorFields(response)]).toEqual([400, fields]);
  });

  test('percentage and category cannot change once a document has been issued with the rate; a successor replaces it', async () => {
    const own = await createBusinessClient();
    const old = getCreatedId(await own.post('/api/config/tax-rates', { name: '16 %', percent: 16 }));
    expect(getData(await own.put(`/api/config/tax-rates/${old}`, { percent: 19 }))).toMatchObject({ percent: 19 });
    expect(getData(await issue(own, {}, { taxRateId: old }))).toMatchObject({ taxTotal: 19 });
    for (const change of [{ percent: 16 }, { category: 'L' }]) {
      const rejected = await own.put(`/api/config/tax-rates/${old}`, change);
      expect([rejected.status, rejected.body['code']]).toEqual([409, 'tax_rate_in_use']);
      expect(rejected.body['message']).toContain('successorId');
    }
    expect((await own.put(`/api/config/tax-rates/${old}`, { percent: 19, name: 'Until now' })).status).toBe(200);
    const next = getCreatedId(
      await own.post('/api/config/tax-rates', { name: '21 %', percent: 21, validFrom: daysFromToday(0) }),
    );
    const handover = { validTo: daysFromToday(-1), successorId: next };
    expect((await own.put(`/api/config/tax-rates/${old}`, handover)).status).toBe(200);
    expect(getData(await issue(own, {}, { taxRateId: old }))).toMatchObject({ taxTotal: 21 });
  });

  test('the same holds if the tax table of every document lists its lines under an equal rate', async () => {
    const own = await createBusinessClient();
    const [first, second] = [
      getCreatedId(await own.post('/api/config/tax-rates', { name: 'Books', percent: 7 })),
      getCreatedId(await own.post('/api/config/tax-rates', { name: 'Food', percent: 7 })),
    ];
    const [customerId, productId] = await Promise.all([addCustomer(own), addService(own)]);
    const lines = [first, second].map((taxRateId) => ({ productId, quantity: 1, taxRateId }));
    expect((await own.post('/api/invoices', { customerId, lines })).status).toBe(201);
    for (const id of [first, second]) {
      const rejected = await own.put(`/api/config/tax-rates/${id}`, { percent: 5 });
      expect([rejected.status, rejected.body['code']]).toEqual([409, 'tax_rate_in_use']);
    }
    const third = getCreatedId(await own.post('/api/config/tax-rates', { name: 'Papers', percent: 7 }));
    expect((await own.put(`/api/config/tax-rates/${third}`, { percent: 5 })).status).toBe(200);
  });

  test('successors cannot form a cycle', async () => {
    const first = getCreatedId(await client.post('/api/config/tax-rates', { name: 'One', percent: 1 }));
    const second = getCreatedId(
      await client.post('/api/config/tax-rates', { name: 'Two', percent: 2, successorId: first }),
    );
    for (const successorId of [first, second]) {
      const rejected = await client.put(`/api/config/tax-rates/${first}`, { successorId });
      expect([rejected.status, listErrorFields(rejected)]).toEqual([400, ['successorId']]);
    }
  });

  test('the default rate of the company cannot be deactivated; an inactive rate is hidden and cannot be used in new documents', async () => {
    const rejected = await client.put('/api/config/tax-rates/1', { active: false });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'is_default']);
    const id = getCreatedId(await client.post('/api/config/tax-rates', { name: 'Retired', percent: 5 }));
    expect((await client.put(`/api/config/tax-rates/${id}`, { active: false })).status).toBe(200);
    expect((await client.get('/api/config/tax-rates?search=retired')).body['totalCount']).toBe(0);
    expect((await client.get('/api/config/tax-rates?search=retired&active=all')).body['totalCount']).toBe(1);
    const document = await issue(client, {}, { taxRateId: id });
    expect([document.status, listErrors(document)]).toEqual([400, ['lines[0].taxRateId: is an inactive tax rate']]);
    const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Rates Ltd' }));
    const productId = await addProduct(client, { price: 1 });
    const lines = [{ productId, quantity: 1, unitCost: 1, taxRateId: id }];
    const bill = { vendorId, number: 'B-1', date: new Date().toISOString().slice(0, 10), lines };
    for (const bought of [
      await client.post('/api/purchase-orders', { vendorId, lines }),
      await client.post('/api/payables', bill),
    ])
      expect([bought.status, listErrors(bought)]).toEqual([400, ['lines[0].taxRateId: is an inactive tax rate']]);
    const company = await client.put('/api/config/company', { defaultTaxRateId: id });
    expect([company.status, listErrorFields(company)]).toEqual([400, ['defaultTaxRateId']]);
  });
});

describe('the period lock', () => {
  test('rejects postings on locked days, is moved back only with a reason, and both are audited', async () => {
    const own = await createBusinessClient();
    expect(getData(await own.get('/api/config/period-lock'))).toEqual({ lockedThrough: null });
    const lockedThrough = daysFromToday(-1);
    expect(getData(await own.put('/api/config/period-lock', { lockedThrough }))).toEqual({ lockedThrough });
    const rejected = await issue(own, { issueDate: lockedThrough });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'period_locked']);
    expect((await issue(own)).status).toBe(201);
    for (const earlier of [daysFromToday(-2), null]) {
      const silent = await own.put('/api/config/period-lock', { lockedThrough: earlier });
      expect([silent.status, listErrorFields(silent)]).toEqual([400, ['reason']]);
    }
    const opened = await own.put('/api/config/period-lock', { lockedThrough: null, reason: 'Late bill' });
    expect(getData(opened)).toEqual({ lockedThrough: null });
    const rows = await Audit.find({ organisationId: own.tenant.organisationId, action: /^period\./ })
      .sort({ _id: 1 })
      .lean();
    expect(rows.map((row) => [row.action, row.reason])).toEqual([
      ['period.locked', null],
      ['period.reopened', 'Late bill'],
    ]);
  });

  test('can be set by administrators and accountants, and not to a future day', async () => {
    const accountant = createClientWithToken(
      client.tenant,
      (await signIn(await client.tenant.createUserWithRole('accountant'))).token,
    );
    const sales = createClientWithToken(
      client.tenant,
      (await signIn(await client.tenant.createUserWithRole('sales'))).token,
    );
    expect((await accountant.put('/api/config/period-lock', { lockedThrough: '2020-12-31' })).status).toBe(200);
    expect((await sales.put('/api/config/period-lock', { lockedThrough: '2020-12-31' })).status).toBe(403);
    const future = await accountant.put('/api/config/period-lock', { lockedThrough: daysFromToday(2) });
    expect([future.status, listErrorFields(future)]).toEqual([400, ['lockedThrough']]);
    expect((await accountant.put('/api/config/period-lock', {})).status).toBe(400);
  });

  test('with a lock and concurrent postings of its day, every document is dated after the lock or was issued before it', async () => {
    const own = await createBusinessClient();
    const customerId = await addCustomer(own);
    const productId = await addService(own);
    const lines = [{ productId, quantity: 1, unitPrice: 1 }];
    const issueDate = daysFromToday(0);
    const responses = await Promise.all([
      ...Array.from({ length: 10 }, () => own.post('/api/invoices', { customerId, issueDate, lines })),
      own.put('/api/config/period-lock', { lockedThrough: issueDate }),
    ]);
    expect(responses.pop()?.status).toBe(200);
    expect(responses.every((response) => response.status === 201 || response.body['code'] === 'period_locked')).toBe(
      true,
    );
    const issued = responses.filter((response) => response.status === 201).length;
    expect((await own.get('/api/invoices')).body['totalCount']).toBe(issued);
    expect((await own.post('/api/invoices', { customerId, issueDate, lines })).body['code']).toBe('period_locked');
  });
});

test('a key without config:update reads the configuration and changes nothing', async () => {
  const key = await client.tenant.createBusinessKey(['config:read', 'inventory:read']);
  for (const path of [
    '/api/config/company',
    '/api/config/currencies',
    '/api/config/exchange-rates',
    '/api/config/tax-rates',
    '/api/config/document-series',
    '/api/config/period-lock',
    '/api/inventory/warehouses',
  ])
    expect((await call('GET', path, { key })).status).toBe(200);
  expect((await call('PUT', '/api/config/company', { key, json: { legalName: 'X' } })).status).toBe(403);
});
