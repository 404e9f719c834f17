import { Invoice } from '../../../../models/business/invoices/invoice';
import { OpenItem } from '../../../../models/business/payments/open-item';
import { StockLedger } from '../../../../models/business/stock/stock';
import { Audit } from '../../../../models/platform/audit/audit';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { compactCounts } from '../../../../services/business/documents/document-counts';
import { call } from '../../../support/client';
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
import { buildDraftPath, createDraftHelpers } from '../../../support/business/drafting';
import { getRejection } from '../../../support/business/rejections';

let client: BusinessClient;
let organisationId: string;
let customerId: number;
let serviceId: number;

beforeAll(async () => {
  client = await createBusinessClient('Drafting GmbH');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client, { name: 'Buyer AG' });
  serviceId = await addService(client, { price: 10 });
});
afterAll(closeTestPlatform);

const { buildDraftBody, createDraft, issueDraft } = createDraftHelpers(() => ({ client, customerId, serviceId }));

describe('a draft', () => {
  test('is computed completely, without number, stock movements, receivable and event', async () => {
    const own = await createBusinessClient();
    const productId = await addProduct(own, { price: 12.5, initialStock: { quantity: 4, unitCost: 5 } });
    const buyer = await addCustomer(own);
    const response = await own.post('/api/invoices', {
      draft: true,
      customerId: buyer,
      lines: [{ productId, quantity: 9 }],
    });
    expectDocumented('post', '/api/invoices', response);
    expect(response.body['message']).toBe(`Draft ${getCreatedId(response)} created.`);
    expect(response.headers.get('location')).toBe(buildDraftPath(getCreatedId(response)));
    expect(getData(response)).toMatchObject({
      number: null,
      status: 'draft',
      total: 112.5,
      taxTotal: 22.5,
      grandTotal: 135,
      open: 0,
      overdue: false,
      contentHash: null,
      issuedAt: null,
    });
    const of = { organisationId: own.tenant.organisationId };
    expect(await StockLedger.countDocuments({ ...of, kind: 'invoice' })).toBe(0);
    expect(await OpenItem.countDocuments(of)).toBe(0);
    expect(await WebhookEvent.countDocuments(of)).toBe(0);
    expect(getData(await own.get('/api/invoices/numbering'))).toMatchObject({ last: 0, count: 0, missing: [] });
    const read = await own.get(buildDraftPath(getCreatedId(response)));
    expectDocumented('get', '/api/invoices/:id', read);
    expect(getData(read)).toEqual(getData(response));
    expect(read.headers.get('etag')).toBe(response.headers.get('etag'));
    const steps = await own.get(buildDraftPath(getCreatedId(response), '/calculation'));
    expect(JSON.stringify(getData(steps)['steps'])).toContain('9 × 12.5');
  });

  test('is validated as an invoice; a rejected draft and a dry run write nothing', async () => {
    const own = await createBusinessClient();
    const of = { organisationId: own.tenant.organisationId };
    const wrong = await own.post('/api/invoices', {
      draft: true,
      customerId: 77,
      lines: [{ productId: 77, quantity: 1 }],
    });
    expect([wrong.status, wrong.body['errors']]).toEqual([
      400,
      ['customerId: is not a customer of the company', 'lines[0].productId: is not a product of the company'],
    ]);
    const body = {
      draft: true,
      customerId: await addCustomer(own),
      lines: [{ productId: await addService(own), quantity: 1 }],
    };
    const tried = await own.post('/api/invoices?dryRun=true', body);
    expectDocumented('post', '/api/invoices', tried);
    expect(getData(tried)).toMatchObject({ id: null, number: null, grandTotal: 12 });
    expect(await Invoice.countDocuments(of)).toBe(0);
    expect((await own.get('/api/invoices')).body['totalCount']).toBe(0);
  });

  test('sent twice with one Idempotency-Key is created once; the repeat returns its current state', async () => {
    const headers = { 'idempotency-key': 'draft-once' };
    const [first, second] = await Promise.all(
      [1, 2].map(() => client.post('/api/invoices', buildDraftBody(), headers)),
    );
    if (first === undefined || second === undefined) throw new Error('two requests have two answers');
    expect(getCreatedId(second)).toBe(getCreatedId(first));
    const issued = await issueDraft(getCreatedId(first));
    const again = await client.post('/api/invoices', buildDraftBody(), headers);
    expect(getData(again)).toMatchObject({
      id: getCreatedId(first),
      number: getData(issued)['number'],
      status: 'issued',
    });
  });

  test('is listed by status, with exact totals before and after compaction, and found by name and reference', async () => {
    const own = await createBusinessClient();
    const buyer = await addCustomer(own, { name: 'Quellwasser' });
    const productId = await addService(own);
    const body = { customerId: buyer, lines: [{ productId, quantity: 1, unitPrice: 10 }] };
    const draft = (over: object) => own.post('/api/invoices', { ...body, draft: true, ...over });
    const moved = getCreatedId(await draft({ issueDate: '2025-01-10' }));
    const removed = getCreatedId(await draft({ issueDate: '2025-01-11' }));
    const issued = getCreatedId(await draft({ issueDate: '2025-01-12' }));
    await draft({ issueDate: '2025-01-13', reference: 'PO-4711' });
    await own.post('/api/invoices', body);
    expect((await own.put(buildDraftPath(moved), { issueDate: '2025-02-10' })).status).toBe(200);
    expect((await own.delete(buildDraftPath(removed))).status).toBe(200);
    expect((await own.post(buildDraftPath(issued, '/issue'), undefined)).status).toBe(409);
    expect((await own.put(buildDraftPath(issued), { issueDate: null })).status).toBe(200);
    expect((await own.post(buildDraftPath(issued, '/issue'), undefined)).status).toBe(200);
    const counts = async () =>
      Promise.all(
        [
          '',
          'status=draft',
          'status=issued',
          'dateTo=2025-01-31',
          'dateTo=2025-01-31&status=draft',
          'dateFrom=2025-02-01',
          'search=quell',
          'search=PO-4711',
        ].map(async (query) => {
          const response = await own.get(`/api/invoices?pageSize=100&${query}`);
          return [response.body['totalCount'], getRows(response).length];
        }),
      );
    const expected = [4, 2, 2, 1, 1, 3, 4, 1].map((count) => [count, count]);
    expect(await counts()).toEqual(expected);
    await compactCounts(own.tenant.organisationId, 'invoices');
    expect(await counts()).toEqual(expected);
    const byNumber = await own.get('/api/invoices?sortBy=number');
    expect(getRows(byNumber).map((row) => row['number'] === null)).toEqual([true, true, false, false]);
  });

  test('has no PDF, and cannot be voided, credited or paid: each error lists the routes that apply instead', async () => {
    const id = await createDraft();
    const responses = [
      await client.get(buildDraftPath(id, '/pdf')),
      await client.post(buildDraftPath(id, '/void'), { reason: 'No' }),
      await client.post('/api/credit-notes', { invoiceId: id, reason: 'No' }),
      await client.post('/api/receivables/payments', {
        customerId,
        amount: 5,
        allocations: [{ documentId: id, amount: 5 }],
      }),
    ];
    expect(responses.map(getRejection)).toEqual(responses.map(() => [409, 'invoice_not_issued']));
    const routes = responses.map(({ body }) => (body['details'] as { routes: string[] }).routes);
    expect(routes).toEqual([
      ['POST /api/invoices/:id/issue'],
      ['DELETE /api/invoices/:id'],
      ['PUT /api/invoices/:id', 'DELETE /api/invoices/:id'],
      ['POST /api/invoices/:id/issue'],
    ]);
    expect(await OpenItem.countDocuments({ organisationId, id })).toBe(0);
  });
});

describe('a change of a draft', () => {
  test('changes the sent fields, computes the draft again and increments the version', async () => {
    const id = await createDraft({ notes: 'First', reference: 'A-1' });
    const before = await client.get(buildDraftPath(id));
    const response = await client.put(buildDraftPath(id), {
      notes: null,
      lines: [{ productId: serviceId, quantity: 3, unitPrice: 7, discountPercent: 50 }],
    });
    expectDocumented('put', '/api/invoices/:id', response);
    expect(getData(response)).toMatchObject({ id, reference: 'A-1', notes: null, total: 10.5, taxTotal: 2.1 });
    expect(response.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const stale = await client.put(
      buildDraftPath(id),
      { notes: 'x' },
      { 'if-match': before.headers.get('etag') ?? '' },
    );
    expect(getRejection(stale)).toEqual([412, 'version_mismatch']);
    const fresh = await client.put(
      buildDraftPath(id),
      { notes: 'x' },
      { 'if-match': response.headers.get('etag') ?? '' },
    );
    expect(fresh.status).toBe(200);
    const audit = await Audit.find({ organisationId, subject: `invoice:${id}` })
      .sort({ at: 1, _id: 1 })
      .lean();
    expect(audit.map(({ action, fields }) => [action, fields])).toEqual([
      ['invoice.created', []],
      ['invoice.updated', ['notes', 'lines']],
      ['invoice.updated', ['notes']],
    ]);
  });

  test('fields can be sent back as read, and defaults remain defaults', async () => {
    const own = await createBusinessClient();
    const productId = await addProduct(own, { price: 10, initialStock: { quantity: 5 } });
    const id = getCreatedId(
      await own.post('/api/invoices', {
        draft: true,
        customerId: await addCustomer(own),
        lines: [
          { productId, quantity: 2 },
          { productId, quantity: 1, unitPrice: 4, description: 'Special' },
        ],
      }),
    );
    const read = getData(await own.get(buildDraftPath(id)));
    const back = await own.put(buildDraftPath(id), read);
    expect(back.status).toBe(200);
    expect({ ...getData(back), updatedAt: null }).toEqual({ ...read, updatedAt: null });
    await own.put(`/api/products/${productId}`, { price: 20, name: 'Renamed' });
    const [first, second] = read['lines'] as Record<string, unknown>[];
    const changed = await own.put(buildDraftPath(id), { lines: [{ ...first, quantity: 3 }, second] });
    expect(getData(changed)['lines']).toMatchObject([
      { quantity: 3, unitPrice: 20, description: 'Renamed' },
      { quantity: 1, unitPrice: 4, description: 'Special' },
    ]);
  });

  test('another customer or product does not inherit the defaults of the previous one', async () => {
    const german = await addCustomer(client, { language: 'de', paymentTerms: 'NET15' });
    const dear = await addService(client, { price: 99 });
    const id = await createDraft();
    const read = getData(await client.get(buildDraftPath(id)));
    const [line] = read['lines'] as Record<string, unknown>[];
    const moved = await client.put(buildDraftPath(id), {
      customerId: german,
      lines: [{ productId: dear, quantity: 1, unitPrice: line?.['unitPrice'], lineId: 1 }],
    });
    expect(getData(moved)).toMatchObject({ language: 'de', paymentTerms: 'NET15', lines: [{ unitPrice: 10 }] });
    const kept = await client.put(buildDraftPath(id), {
      customerId,
      language: 'de',
      lines: [{ productId: dear, quantity: 1 }],
    });
    expect(getData(kept)).toMatchObject({ language: 'de', paymentTerms: 'NET30', lines: [{ unitPrice: 99 }] });
    const cleared = await client.put(buildDraftPath(id), { language: null });
    expect(getData(cleared)).toMatchObject({ language: 'en' });
  });

  test.each([
    ['a changed total', { grandTotal: 1 }, 'grandTotal: is read-only and differs from the record'],
    ['a number', { number: 'INV-2026-000001' }, 'number: is read-only and differs from the record'],
    ['draft', { draft: true }, 'draft'],
    ['an unknown customer', { customerId: 4242 }, 'customerId: is not a customer of the company'],
    ['no lines', { lines: [] }, 'lines: must have at least 1 line'],
    ['a day that is none', { issueDate: '2026-02-30' }, 'issueDate: '],
    ['a line that is not there', { lines: [{ lineId: 9 }] }, 'lines[0].lineId: is not a line of the draft'],
    ['a line that occurs twice', { lines: [{ lineId: 1 }, { lineId: 1 }] }, 'lines[1].lineId: occurs twice'],
    ['a changed net', { lines: [{ lineId: 1, net: 5 }] }, 'lines[0].net: is read-only'],
    ['a net of a new line', { lines: [{ net: 5 }] }, 'lines[0].net: is read-only'],
  ])('%s is 400 naming it, and the draft stays', async (_what, change: object, problem) => {
    const id = await createDraft();
    const before = getData(await client.get(buildDraftPath(id)));
    const body =
      'lines' in change && Array.isArray(change.lines)
        ? { lines: change.lines.map((line: object) => ({ productId: serviceId, quantity: 1, ...line })) }
        : change;
    const response = await client.put(buildDraftPath(id), body);
    expect(response.status).toBe(400);
    expect(String(response.body['errors'])).toContain(problem);
    expect(getData(await client.get(buildDraftPath(id)))).toEqual(before);
  });

  test('a deleted draft is not listed any more, and its id is not reused', async () => {
    const id = await createDraft();
    const { headers } = await client.get(buildDraftPath(id));
    await client.put(buildDraftPath(id), { notes: 'changed' });
    const stale = await call('DELETE', buildDraftPath(id), {
      token: client.token,
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    expect(getRejection(stale)).toEqual([412, 'version_mismatch']);
    const response = await client.delete(buildDraftPath(id));
    expectDocumented('delete', '/api/invoices/:id', response);
    expect((await client.get(buildDraftPath(id))).status).toBe(404);
    expect((await client.delete(buildDraftPath(id))).status).toBe(404);
    expect((await issueDraft(id)).status).toBe(404);
    expect(await createDraft()).toBeGreaterThan(id);
    expect(await Audit.countDocuments({ organisationId, subject: `invoice:${id}`, action: 'invoice.deleted' })).toBe(1);
  });
});
