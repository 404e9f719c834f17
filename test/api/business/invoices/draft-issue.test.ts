import { Types } from 'mongoose';
import { OpenItem } from '../../../../models/business/payments/open-item';
import { StockLedger } from '../../../../models/business/stock/stock';
import { TaxRate } from '../../../../models/business/settings/tax-rate';
import { Audit } from '../../../../models/platform/audit/audit';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addProduct, addService, businessClient, dataOf, idOf } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { draftPath, drafting, refusal } from '../../../support/business/drafting';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';

let client: BusinessClient;
let organisationId: string;
let customerId: number;
let serviceId: number;
let replica: OwnApi;

beforeAll(async () => {
  client = await businessClient('Drafting GmbH');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client, { name: 'Buyer AG' });
  serviceId = await addService(client, { price: 10 });
  replica = await startOwnApi({ RATE_LIMIT_BUSINESS_PER_MINUTE: 1_000_000, RATE_LIMIT_AUTH_PER_MINUTE: 1_000_000 });
});
afterAll(async () => {
  await replica.close();
  await closeTestPlatform();
});

const { keep, issue } = drafting(() => ({ client, customerId, serviceId }));

describe('issuing a draft', () => {
  test('is issuing an invoice: number, stock, receivable, event, audit; the id stays', async () => {
    const own = await businessClient();
    const of = { organisationId: own.tenant.organisationId };
    const productId = await addProduct(own, { price: 10, initialStock: { quantity: 4, unitCost: 5 } });
    const body = { customerId: await addCustomer(own), lines: [{ productId, quantity: 3 }] };
    const id = idOf(await own.post('/api/invoices', { ...body, draft: true }));
    const tried = await own.post(`${draftPath(id, '/issue')}?dryRun=true`, undefined);
    expectDocumented('post', '/api/invoices/:id/issue', tried);
    expect(dataOf(tried)).toMatchObject({ id: null, number: null, grandTotal: 36 });
    expect(await StockLedger.countDocuments({ ...of, kind: 'invoice' })).toBe(0);
    const answer = await own.post(draftPath(id, '/issue'), undefined);
    expectDocumented('post', '/api/invoices/:id/issue', answer);
    expect(dataOf(answer)).toMatchObject({
      id,
      number: expect.stringMatching(/-000001$/) as string,
      status: 'issued',
      open: 36,
    });
    expect(dataOf(await own.get(`/api/products/${productId}`))).toMatchObject({ stock: 1 });
    expect(await OpenItem.countDocuments({ ...of, kind: 'invoice', id })).toBe(1);
    expect(await WebhookEvent.countDocuments({ ...of, type: 'invoice.issued' })).toBe(1);
    const audit = await Audit.find({ ...of, subject: `invoice:${id}` })
      .sort({ at: 1, _id: 1 })
      .lean();
    expect(audit.map(({ action }) => action)).toEqual(['invoice.created', 'invoice.issued']);
    const second = await own.post('/api/invoices', { ...body, lines: [{ productId, quantity: 1 }] });
    expect(dataOf(second)['number']).toMatch(/-000002$/);
    expect(dataOf(await own.get('/api/invoices/numbering'))).toMatchObject({
      count: 2,
      missing: [],
      checked: { valid: true },
    });
  });

  test('takes prices, rates and defaults of now, but what was sent stays', async () => {
    const own = await businessClient();
    const buyer = await addCustomer(own);
    const productId = await addService(own, { price: 10 });
    const lines = [
      { productId, quantity: 1 },
      { productId, quantity: 1, unitPrice: 4 },
    ];
    const earlier = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await own.post('/api/config/exchange-rates', { currencyCode: 'USD', date: earlier, rate: 0.5 });
    const id = idOf(
      await own.post('/api/invoices', { draft: true, customerId: buyer, currencyCode: 'USD', lines: lines.slice(1) }),
    );
    const plain = idOf(await own.post('/api/invoices', { draft: true, customerId: buyer, lines }));
    await own.put(`/api/products/${productId}`, { price: 15 });
    await own.put(`/api/customers/${buyer}`, { paymentTerms: 'NET60' });
    await own.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.8 });
    await TaxRate.updateOne(
      { organisationId: own.tenant.organisationId },
      { $set: { percent: Types.Decimal128.fromString('10') } },
    );
    expect(dataOf(await own.post(draftPath(id, '/issue'), undefined))).toMatchObject({ exchangeRate: 0.8, total: 4 });
    expect(dataOf(await own.post(draftPath(plain, '/issue'), undefined))).toMatchObject({
      paymentTerms: 'NET60',
      total: 19,
      taxTotal: 1.9,
    });
  });

  test('refuses what can no longer be sold, and then the draft is as it was', async () => {
    const own = await businessClient();
    const buyer = await addCustomer(own);
    const goods = await addProduct(own, { initialStock: { quantity: 1 } });
    const id = idOf(
      await own.post('/api/invoices', { draft: true, customerId: buyer, lines: [{ productId: goods, quantity: 2 }] }),
    );
    const before = dataOf(await own.get(draftPath(id)));
    const short = await own.post(draftPath(id, '/issue'), undefined);
    expect(refusal(short)).toEqual([409, 'insufficient_stock']);
    expect(refusal(await own.post(`${draftPath(id, '/issue')}?dryRun=true`, undefined))).toEqual([
      409,
      'insufficient_stock',
    ]);
    await own.delete(`/api/products/${goods}`);
    await own.put(`/api/customers/${buyer}`, { active: false });
    const inactive = await own.post(draftPath(id, '/issue'), undefined);
    expect([inactive.status, inactive.body['errors']]).toEqual([
      400,
      ['customerId: is an inactive customer', 'lines[0].productId: is an inactive product'],
    ]);
    expect(dataOf(await own.get(draftPath(id)))).toEqual(before);
    expect(dataOf(await own.get('/api/invoices/numbering'))).toMatchObject({ last: 0 });
  });

  test('refuses for a company of electronic invoices what breaks a rule, a draft it keeps', async () => {
    const own = await businessClient();
    const body = { customerId: await addCustomer(own), lines: [{ productId: await addService(own), quantity: 1 }] };
    await own.put('/api/config/company', { eInvoicing: 'on' });
    expect(refusal(await own.post('/api/invoices', body))).toEqual([400, 'einvoice_invalid']);
    const id = idOf(await own.post('/api/invoices', { ...body, draft: true }));
    expect(refusal(await own.post(draftPath(id, '/issue'), undefined))).toEqual([400, 'einvoice_invalid']);
  });

  test('twenty at once over two replicas issue it once, the others are told the number', async () => {
    const id = await keep();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('POST', draftPath(id, '/issue'), {
          token: client.token,
          ...(index % 2 === 0 ? {} : { api: replica.url }),
        }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const number = won[0] === undefined ? '' : String(dataOf(won[0])['number']);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([409, 'invoice_already_issued']);
      expect(answer.body['message']).toContain(number);
    }
    expect(await OpenItem.countDocuments({ organisationId, kind: 'invoice', id })).toBe(1);
  });

  test('repeated under its Idempotency-Key answers the same invoice', async () => {
    const id = await keep();
    const answers = await Promise.all([1, 2, 3].map(() => issue(id, { 'idempotency-key': `issue-${id}` })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => dataOf(answer)['number'])).size).toBe(1);
  });

  test('honours If-Match: what the client has not seen is not issued', async () => {
    const id = await keep();
    const { headers } = await client.get(draftPath(id));
    await client.put(draftPath(id), { notes: 'seen by nobody' });
    expect(refusal(await issue(id, { 'if-match': headers.get('etag') ?? '' }))).toEqual([412, 'version_mismatch']);
    expect((await client.get(draftPath(id))).body).toMatchObject({ data: { status: 'draft' } });
  });

  test('changes racing an issue are in the invoice or refused, and never change it afterwards', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await keep({ reference: 'R0' });
      const puts = Array.from({ length: 6 }, (_, index) =>
        call('PUT', draftPath(id), {
          token: client.token,
          json: { reference: `R${index + 1}`, lines: [{ productId: serviceId, quantity: index + 2, unitPrice: 10 }] },
          ...(index % 2 === 0 ? {} : { api: replica.url }),
        }),
      );
      const issued = await issue(id);
      const answers = await Promise.all(puts);
      expect(issued.status).toBe(200);
      for (const answer of answers) expect([200, 409]).toContain(answer.status);
      const read = dataOf(await client.get(draftPath(id)));
      expect({ ...read, updatedAt: null }).toEqual({ ...dataOf(issued), updatedAt: null });
      const applied = answers.flatMap((answer, index) => (answer.status === 200 ? [index + 1] : []));
      const shown = Number(String(read['reference']).slice(1));
      expect([0, ...applied]).toContain(shown);
      expect(read['total']).toBe(shown === 0 ? 20 : (shown + 1) * 10);
      expect(dataOf(await client.get('/api/invoices/numbering'))).toMatchObject({ checked: { valid: true } });
    }
  });

  test('an issued invoice cannot be changed or deleted: the refusal names void and credit note', async () => {
    const id = await keep();
    await issue(id);
    const before = dataOf(await client.get(draftPath(id)));
    const answers = [
      await client.put(draftPath(id), { notes: 'x' }),
      await client.put(draftPath(id), before),
      await client.put(draftPath(id), { grandTotal: 1 }),
      await client.delete(draftPath(id)),
      await issue(id),
      await client.post(`${draftPath(id, '/issue')}?dryRun=true`, undefined),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [409, 'invoice_already_issued']));
    expect(answers[0]?.body['details']).toMatchObject({
      routes: ['POST /api/invoices/:id/void', 'POST /api/credit-notes'],
    });
    expect(dataOf(await client.get(draftPath(id)))).toEqual(before);
  });
});
