import { Decimal } from '../../../domain/business/decimal';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { OpenItem } from '../../../models/business/payments/open-item';
import { StockBalance, StockLedger, StockValue } from '../../../models/business/stock/stock';
import { createInvoice } from '../../../services/business/invoices/invoices';
import { issueStock } from '../../../services/business/stock/stock-movements';
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
import type { BusinessClient } from '../../support/business/client';
import { startOwnApi } from '../../support/business/own-api';
import { getRejection } from '../../support/business/rejections';
import type { OwnApi } from '../../support/business/own-api';

/** Two requests at once that must not both be right, over two replicas. */
let replica: OwnApi;
beforeAll(async () => {
  replica = await startOwnApi({ RATE_LIMIT_BUSINESS_PER_MINUTE: 1_000_000, RATE_LIMIT_AUTH_PER_MINUTE: 1_000_000 });
});
afterAll(async () => {
  await replica.close();
  await closeTestPlatform();
});

const ROUNDS = 6;
const callReplica = (client: BusinessClient, method: string, path: string, json: unknown): Promise<ApiResponse> =>
  call(method, path, { token: client.token, json, api: replica.url });
const changeCurrencyToFrancs = (client: BusinessClient) =>
  callReplica(client, 'PUT', '/api/config/company', { baseCurrencyCode: 'CHF' });

/** Ends in one currency whatever came first: what is posted is in the base currency the company has now. */
async function expectOneWinner(client: BusinessClient, posted: ApiResponse, changed: ApiResponse): Promise<string> {
  const codes = new Set(['base_currency_in_use', 'base_currency_changed']);
  const statuses = [posted.status, changed.status];
  expect([
    [201, 409],
    [409, 200],
    [201, 200],
  ]).toContainEqual(statuses);
  for (const response of [posted, changed])
    if (response.status === 409) expect(codes).toContain(String(response.body['code']));
  const company = await Company.findById(client.tenant.organisationId).orFail().lean();
  expect(company.baseCurrencyCode).toBe(changed.status === 200 ? 'CHF' : 'EUR');
  return company.baseCurrencyCode;
}

test('a change of base currency and the first invoice at once never leave an invoice in the currency before', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = await createBusinessClient();
    const body = {
      customerId: await addCustomer(client),
      lines: [{ productId: await addService(client), quantity: 1, unitPrice: 10 }],
    };
    const [posted, changed] = await Promise.all([client.post('/api/invoices', body), changeCurrencyToFrancs(client)]);
    const base = await expectOneWinner(client, posted, changed);
    if (posted.status === 201)
      expect(getData(posted)).toMatchObject({ currencyCode: base, base: { currencyCode: base } });
    else expect(await OpenItem.countDocuments({ organisationId: client.tenant.organisationId })).toBe(0);
    const again = await client.post('/api/invoices', body);
    expect(getData(again)).toMatchObject({ base: { currencyCode: base } });
  }
});

test('a change of base currency and an exchange rate at once leave no rate to the currency before, and no inactive base', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = await createBusinessClient();
    const addRate = (day: number) =>
      client.post('/api/config/exchange-rates', { currencyCode: 'CHF', date: `2026-01-0${day}`, rate: 1.05 });
    const known = await addRate(9);
    expect(known.status).toBe(201);
    const currencies = getRows(await client.get('/api/config/currencies'));
    const francs = Number(currencies.find(({ code }) => code === 'CHF')?.['id']);
    const [changed, deactivated, ...added] = await Promise.all([
      changeCurrencyToFrancs(client),
      client.put(`/api/config/currencies/${francs}`, { active: false }),
      ...[1, 2, 3, 4].map(addRate),
    ]);
    expect(changed.status).toBe(200);
    for (const { status, body } of [deactivated, ...added].filter((each) => each.status >= 400))
      expect([
        [400, undefined],
        [409, 'base_currency'],
        [409, 'base_currency_changed'],
        [409, 'currency_inactive'],
      ]).toContainEqual([status, status === 400 ? undefined : body['code']]);
    expect(getRows(await client.get('/api/config/exchange-rates'))).toEqual([]);
    expect(getData(await client.get(`/api/config/currencies/${francs}`))).toMatchObject({ code: 'CHF', active: true });
  }
});

test('a change of base currency and the first payment, receipt of stock or opening stock at once: one is refused', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = await createBusinessClient();
    const customerId = await addCustomer(client);
    const productId = await addProduct(client);
    const firsts: [string, object][] = [
      ['/api/receivables/payments', { customerId, amount: 5 }],
      [
        '/api/inventory/adjustments',
        { warehouseId: 1, reason: 'Found', lines: [{ productId, quantityDelta: 2, unitCost: 3 }] },
      ],
      ['/api/products', { name: 'Opening', initialStock: { quantity: 1, unitCost: 3 } }],
    ];
    const [path, body] = firsts[round % firsts.length] ?? ['', {}];
    const [posted, changed] = await Promise.all([client.post(path, body), changeCurrencyToFrancs(client)]);
    // Posted after the change, it is in the new currency; before it, the change is refused.
    await expectOneWinner(client, posted, changed);
    const { organisationId } = client.tenant;
    const written =
      (await StockLedger.countDocuments({ organisationId })) + (await OpenItem.countDocuments({ organisationId }));
    expect(written).toBe(posted.status === 201 ? 1 : 0);
    expect((await client.post(path, { ...body, name: `Again ${round}` })).status).not.toBe(500);
  }
});

test('what was worked out in the base currency before is refused, not posted, and the same request then passes', async () => {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const platform = await getTestPlatform();
  const input = {
    customerId: await addCustomer(client),
    lines: [{ productId: await addService(client), quantity: new Decimal(1), unitPrice: new Decimal(10) }],
  };
  const company = await Company.findById(organisationId).orFail().lean<CompanyRecord>();
  const before = {
    organisationId,
    mode: 'live',
    id: 'test',
    permissions: new Set<string>(),
    company,
    key: null,
  } as const;
  expect((await changeCurrencyToFrancs(client)).status).toBe(200);
  const late = createInvoice(platform, before, input, undefined);
  await expect(late).rejects.toMatchObject({ code: 'base_currency_changed', status: 409 });
  expect(await OpenItem.countDocuments({ organisationId })).toBe(0);
  const now = await Company.findById(organisationId).orFail().lean<CompanyRecord>();
  const issued = await createInvoice(platform, { ...before, company: now }, input, undefined);
  expect(issued.record).toMatchObject({ sequence: 1, document: { baseCurrencyCode: 'CHF' } });
});

test('goods that arrive in a warehouse while it is closed: one is refused, and no goods are in a closed warehouse', async () => {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const productId = await addProduct(client, { initialStock: { quantity: 100, unitCost: 1 } });
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = getCreatedId(await client.post('/api/inventory/warehouses', { name: `Closing ${round}` }));
    const arrival: [string, object] =
      round % 2 === 0
        ? ['/api/inventory/transfers', { fromWarehouseId: 1, toWarehouseId: id, lines: [{ productId, quantity: 1 }] }]
        : [
            '/api/inventory/adjustments',
            { warehouseId: id, reason: 'Found', lines: [{ productId, quantityDelta: 1, unitCost: 1 }] },
          ];
    const [arrived, closed] = await Promise.all([
      client.post(...arrival),
      callReplica(client, 'PUT', `/api/inventory/warehouses/${id}`, { active: false }),
    ]);
    if (arrived.status === 201) expect(getRejection(closed)).toEqual([409, 'warehouse_not_empty']);
    else {
      expect([400, 409]).toContain(arrived.status);
      expect(closed.status).toBe(200);
    }
    const held = await StockBalance.find({ organisationId, warehouseId: id }).lean();
    expect(held.map(({ onHand }) => onHand.toString())).toEqual(arrived.status === 201 ? ['1'] : []);
  }
});

test('goods do not come back into a warehouse that was closed: the refusal says to open it', async () => {
  const client = await createBusinessClient();
  const other = getCreatedId(await client.post('/api/inventory/warehouses', { name: 'Seasonal' }));
  const productId = await addProduct(client, { initialStock: { quantity: 2, unitCost: 1 } });
  const moved = { fromWarehouseId: 1, toWarehouseId: other, lines: [{ productId, quantity: 2 }] };
  expect((await client.post('/api/inventory/transfers', moved)).status).toBe(201);
  const lines = [{ productId, quantity: 2, warehouseId: other }];
  const id = getCreatedId(await client.post('/api/invoices', { customerId: await addCustomer(client), lines }));
  expect((await client.put(`/api/inventory/warehouses/${other}`, { active: false })).status).toBe(200);
  const rejected = await client.post(`/api/invoices/${id}/void`, { reason: 'Wrong' });
  expect(getRejection(rejected)).toEqual([409, 'warehouse_inactive']);
  expect(getData(await client.get(`/api/invoices/${id}`))).toMatchObject({ status: 'issued' });
  expect((await client.put(`/api/inventory/warehouses/${other}`, { active: true })).status).toBe(200);
  expect((await client.post(`/api/invoices/${id}/void`, { reason: 'Wrong' })).status).toBe(200);
});

test('goods that come in after a transaction took its snapshot are sold by its next attempt, not refused', async () => {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const productId = await addProduct(client, { initialStock: { quantity: 1, unitCost: 2 } });
  const { warehouseId } = await StockBalance.findOne({ organisationId, productId }).orFail().lean();
  const named = { productId, productCode: 'P', productName: 'Goods', warehouseId };
  const line = { ...named, lineId: 1, field: 'lines[0].quantity', quantity: new Decimal(3) };
  const posting = { organisationId, kind: 'invoice', invoiceId: 1, baseDecimals: 2, at: new Date() } as const;
  let attempts = 0;
  await runTransaction(await getTestPlatform(), async (unit) => {
    attempts += 1;
    await StockValue.findOne({ organisationId, productId }).session(unit.mongoSession).lean();
    if (attempts === 1)
      expect(
        await client.post('/api/inventory/adjustments', {
          warehouseId,
          reason: 'Counted',
          lines: [{ productId, countedQuantity: 6, unitCost: 2 }],
        }),
      ).toMatchObject({ status: 201 });
    await issueStock(unit, posting, [line]);
  });
  expect(attempts).toBe(2);
  expect(getData(await client.get(`/api/products/${productId}`))).toMatchObject({ stock: 3 });
});
