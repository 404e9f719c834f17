import { Types } from 'mongoose';
import { OpenItem } from '../../../../models/business/payments/open-item';
import { StockLedger } from '../../../../models/business/stock/stock';
import { TaxRate } from '../../../../models/business/settings/tax-rate';
import { Audit } from '../../../../models/platform/audit/audit';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { buildDraftPath, createDraftHelpers } from '../../../support/business/drafting';
import { getRejection } from '../../../support/business/rejections';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { DAY_MS } from '../../../../domain/durations';

let client: BusinessClient;
let organisationId: string;
let customerId: number;
let serviceId: number;
let replica: OwnApi;

beforeAll(async () => {
  client = await createBusinessClient('Drafting GmbH');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client, { name: 'Buyer AG' });
  serviceId = await addService(client, { price: 10 });
  replica = await startOwnApi({ RATE_LIMIT_BUSINESS_PER_MINUTE: 1_000_000, RATE_LIMIT_AUTH_PER_MINUTE: 1_000_000 });
});
afterAll(async () => {
  await replica.close();
  await closeTestPlatform();
});

const { createDraft, issueDraft } = createDraftHelpers(() => ({ client, customerId, serviceId }));

describe('issuing a draft', () => {
  test('has all effects of an invoice: number, stock, receivable, event, audit row; the id stays', async () => {
    const own = await createBusinessClient();
    const of = { organisationId: own.tenant.organisationId };
    const productId = await addProduct(own, { price: 10, initialStock: { quantity: 4, unitCost: 5 } });
    const body = { customerId: await addCustomer(own), lines: [{ productId, quantity: 3 }] };
    const id = getCreatedId(await own.post('/api/invoices', { ...body, draft: true }));
    const tried = await own.post(`${buildDraftPath(id, '/issue')}?dryRun=true`, undefined);
    expectDocumented('post', '/api/invoices/:id/issue', tried);
    expect(getData(tried)).toMatchObject({ id: null, number: null, grandTotal: 36 });
    expect(await StockLedger.countDocuments({ ...of, kind: 'invoice' })).toBe(0);
    const response = await own.post(buildDraftPath(id, '/issue'), undefined);
    expectDocumented('post', '/api/invoices/:id/issue', response);
    expect(getData(response)).toMatchObject({
      id,
      number: expect.stringMatching(/-000001$/) as string,
      status: 'issued',
      open: 36,
    });
    expect(getData(await own.get(`/api/products/${productId}`))).toMatchObject({ stock: 1 });
    expect(await OpenItem.countDocuments({ ...of, kind: 'invoice', id })).toBe(1);
    expect(await WebhookEvent.countDocuments({ ...of, type: 'invoice.issued' })).toBe(1);
    const audit = await Audit.find({ ...of, subject: `invoice:${id}` })
      .sort({ at: 1, _id: 1 })
      .lean();
    expect(audit.map(({ action }) => action)).toEqual(['invoice.created', 'invoice.issued']);
    const second = await own.post('/api/invoices', { ...body, lines: [{ productId, quantity: 1 }] });
    expect(getData(second)['number']).toMatch(/-000002$/);
    expect(getData(await own.get('/api/invoices/numbering'))).toMatchObject({
      count: 2,
      missing: [],
      checked: { valid: true },
    });
  });

  test('uses the current prices, rates and defaults; fields that were sent stay', async () => {
    const own = await createBusinessClient();
    const buyer = await addCustomer(own);
    const productId = await addService(own, { price: 10 });
    const lines = [
      { productId, quantity: 1 },
      { productId, quantity: 1, unitPrice: 4 },
    ];
    const earlier = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
    await own.post('/api/config/exchange-rates', { currencyCode: 'USD', date: earlier, rate: 0.5 });
    const id = getCreatedId(
      await own.post('/api/invoices', { draft: true, customerId: buyer, currencyCode: 'USD', lines: lines.slice(1) }),
    );
    const plain = getCreatedId(await own.post('/api/invoices', { draft: true, customerId: buyer, lines }));
    await own.put(`/api/products/${productId}`, { price: 15 });
    await own.put(`/api/customers/${buyer}`, { paymentTerms: 'NET60' });
    await own.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.8 });
    await TaxRate.updateOne(
      { organisationId: own.tenant.organisationId },
      { $set: { percent: Types.Decimal128.fromString('10') } },
    );
    expect(getData(await own.post(buildDraftPath(id, '/issue'), undefined))).toMatchObject({
      exchangeRate: 0.8,
      total: 4,
    });
    expect(getData(await own.post(buildDraftPath(plain, '/issue'), undefined))).toMatchObject({
      paymentTerms: 'NET60',
      total: 19,
      taxTotal: 1.9,
    });
  });

  test('rejects goods that are not available any more and leaves the draft unchanged', async () => {
    const own = await createBusinessClient();
    const buyer = await addCustomer(own);
    const goods = await addProduct(own, { initialStock: { quantity: 1 } });
    const id = getCreatedId(
      await own.post('/api/invoices', { draft: true, customerId: buyer, lines: [{ productId: goods, quantity: 2 }] }),
    );
    const before = getData(await own.get(buildDraftPath(id)));
    const short = await own.post(buildDraftPath(id, '/issue'), undefined);
    expect(getRejection(short)).toEqual([409, 'insufficient_stock']);
    expect(getRejection(await own.post(`${buildDraftPath(id, '/issue')}?dryRun=true`, undefined))).toEqual([
      409,
      'insufficient_stock',
    ]);
    await own.delete(`/api/products/${goods}`);
    await own.put(`/api/customers/${buyer}`, { active: false });
    const inactive = await own.post(buildDraftPath(id, '/issue'), undefined);
    expect([inactive.status, inactive.body['errors']]).toEqual([
      400,
      ['customerId: is an inactive customer', 'lines[0].productId: is an inactive product'],
    ]);
    expect(getData(await own.get(buildDraftPath(id)))).toEqual(before);
    expect(getData(await own.get('/api/invoices/numbering'))).toMatchObject({ last: 0 });
  });

  test('rejects a violation of EN 16931 if electronic invoicing is on, and keeps the draft', async () => {
    const own = await createBusinessClient();
    const body = { customerId: await addCustomer(own), lines: [{ productId: await addService(own), quantity: 1 }] };
    await own.put('/api/config/company', { eInvoicing: 'on' });
    expect(getRejection(await own.post('/api/invoices', body))).toEqual([400, 'einvoice_invalid']);
    const id = getCreatedId(await own.post('/api/invoices', { ...body, draft: true }));
    expect(getRejection(await own.post(buildDraftPath(id, '/issue'), undefined))).toEqual([400, 'einvoice_invalid']);
  });

  test('twenty requests at once on two replicas issue it once; the others get an error with the number', async () => {
    const id = await createDraft();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('POST', buildDraftPath(id, '/issue'), {
          token: client.token,
          ...(index % 2 === 0 ? {} : { api: replica.url }),
        }),
      ),
    );
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const number = won[0] === undefined ? '' : String(getData(won[0])['number']);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(getRejection(response)).toEqual([409, 'invoice_already_issued']);
      expect(response.body['message']).toContain(number);
    }
    expect(await OpenItem.countDocuments({ organisationId, kind: 'invoice', id })).toBe(1);
  });

  test('repeated with its Idempotency-Key returns the same invoice', async () => {
    const id = await createDraft();
    const responses = await Promise.all([1, 2, 3].map(() => issueDraft(id, { 'idempotency-key': `issue-${id}` })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(responses.map((response) => getData(response)['number'])).size).toBe(1);
  });

  test('honours If-Match: a version that the client has not read is not issued', async () => {
    const id = await createDraft();
    const { headers } = await client.get(buildDraftPath(id));
    await client.put(buildDraftPath(id), { notes: 'seen by nobody' });
    expect(getRejection(await issueDraft(id, { 'if-match': headers.get('etag') ?? '' }))).toEqual([
      412,
      'version_mismatch',
    ]);
    expect((await client.get(buildDraftPath(id))).body).toMatchObject({ data: { status: 'draft' } });
  });

  test('concurrent changes are part of the invoice or rejected, and never change it afterwards', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await createDraft({ reference: 'R0' });
      const puts = Array.from({ length: 6 }, (_, index) =>
        call('PUT', buildDraftPath(id), {
          token: client.token,
          json: { reference: `R${index + 1}`, lines: [{ productId: serviceId, quantity: index + 2, unitPrice: 10 }] },
          ...(index % 2 === 0 ? {} : { api: replica.url }),
        }),
      );
      const issued = await issueDraft(id);
      const responses = await Promise.all(puts);
      expect(issued.status).toBe(200);
      for (const response of responses) expect([200, 409]).toContain(response.status);
      const read = getData(await client.get(buildDraftPath(id)));
      expect({ ...read, updatedAt: null }).toEqual({ ...getData(issued), updatedAt: null });
      const applied = responses.flatMap((response, index) => (response.status === 200 ? [index + 1] : []));
      const appliedIndex = Number(String(read['reference']).slice(1));
      expect([0, ...applied]).toContain(appliedIndex);
      expect(read['total']).toBe(appliedIndex === 0 ? 20 : (appliedIndex + 1) * 10);
      expect(getData(await client.get('/api/invoices/numbering'))).toMatchObject({ checked: { valid: true } });
    }
  });

  test('an issued invoice cannot be changed or deleted: the error lists the routes for void and credit note', async () => {
    const id = await createDraft();
    await issueDraft(id);
    const before = getData(await client.get(buildDraftPath(id)));
    const responses = [
      await client.put(buildDraftPath(id), { notes: 'x' }),
      await client.put(buildDraftPath(id), before),
      await client.put(buildDraftPath(id), { grandTotal: 1 }),
      await client.delete(buildDraftPath(id)),
      await issueDraft(id),
      await client.post(`${buildDraftPath(id, '/issue')}?dryRun=true`, undefined),
    ];
    expect(responses.map(getRejection)).toEqual(responses.map(() => [409, 'invoice_already_issued']));
    expect(responses[0]?.body['details']).toMatchObject({
      routes: ['POST /api/invoices/:id/void', 'POST /api/credit-notes'],
    });
    expect(getData(await client.get(buildDraftPath(id)))).toEqual(before);
  });
});
