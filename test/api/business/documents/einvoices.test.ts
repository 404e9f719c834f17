import { unfitnessOf } from '../../../../domain/business/documents/einvoice/check';
import { ciiXml } from '../../../../domain/business/documents/einvoice/cii';
import { electronicInvoice } from '../../../../domain/business/documents/einvoice/from-document';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { Rendition } from '../../../../models/business/documents/rendition';
import { call } from '../../../support/client';
import type { Answer } from '../../../support/client';
import { readHybrid } from '../../../support/business/facturx';
import { textOfPages } from '../../../support/business/printed-pdf';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, createTenant, testPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

/** A company with what an electronic invoice needs of it, or without. */
interface Seller {
  tenant: Tenant;
  key: string;
  productId: number;
  /** A customer with an address in Spain. */
  customerId: number;
  /** One with no address. */
  nobodyId: number;
}

const created = async (key: string, path: string, json: object): Promise<number> => {
  const answer = await call('POST', path, { key, json });
  expect([answer.status, answer.bytes.toString('utf8')]).toEqual([201, answer.bytes.toString('utf8')]);
  return Number((answer.body['data'] as Record<string, unknown>)['id']);
};

async function seller(eInvoicing: 'on' | 'off'): Promise<Seller> {
  const tenant = await createTenant('Nordlicht GmbH');
  const key = await tenant.businessKeyWith(ALL_BUSINESS_PERMISSIONS);
  const company = await call('PUT', '/api/config/company', {
    key,
    json: {
      eInvoicing,
      taxId: 'DE123456789',
      iban: 'DE89370400440532013000',
      address: { line1: 'Speicherstraße 14', city: 'Hamburg', country: 'DE' },
    },
  });
  expect([company.status, (company.body['data'] as Record<string, unknown>)['eInvoicing']]).toEqual([200, eInvoicing]);
  return {
    tenant,
    key,
    productId: await created(key, '/api/products', { name: 'Service', type: 'service', unit: 'HUR', price: 99.99 }),
    customerId: await created(key, '/api/customers', { name: 'Café Ñandú', address: { city: 'Cádiz', country: 'ES' } }),
    nobodyId: await created(key, '/api/customers', { name: 'Nobody' }),
  };
}

const body = ({ productId, customerId }: Seller, changes: object = {}): object => ({
  customerId,
  lines: [{ productId, quantity: 3, discountPercent: 2.5 }],
  ...changes,
});

const issue = (from: Seller, changes: object = {}): Promise<number> =>
  created(from.key, '/api/invoices', body(from, changes));

const download = (from: Seller, id: number, format: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call('GET', `/api/invoices/${id}/pdf?format=${format}`, { key: from.key, headers });

const voided = async ({ key }: Seller, id: number): Promise<void> => {
  const answer = await call('POST', `/api/invoices/${id}/void`, { key, json: { reason: 'a mistake' } });
  expect(answer.status).toBe(200);
};

let on: Seller;
let off: Seller;

beforeAll(async () => {
  await testPlatform();
  [on, off] = await Promise.all([seller('on'), seller('off')]);
  await created(on.key, '/api/config/exchange-rates', {
    currencyCode: 'KWD',
    date: new Date().toISOString().slice(0, 10),
    rate: 3,
  });
});

afterAll(closeTestPlatform);

describe('a company with electronic invoicing on', () => {
  test.each(['', '?dryRun=true'])(
    'is refused an invoice that breaks rules, by id and field, and none is written%s',
    async (query) => {
      const count = () => Invoice.countDocuments({ organisationId: on.tenant.organisationId });
      const before = await count();
      const answer = await call('POST', `/api/invoices${query}`, {
        key: on.key,
        json: body(on, { customerId: on.nobodyId }),
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        ok: false,
        code: 'einvoice_invalid',
        details: { rules: ['BR-10', 'BR-11'] },
      });
      expect(answer.body['errors']).toContainEqual(expect.stringMatching(/^customer\.address\.country: BR-11: /));
      expect(await count()).toBe(before);
    },
  );

  test.each(['', '?dryRun=true'])('is refused a currency of three decimals%s', async (query) => {
    const json = body(on, { currencyCode: 'KWD', lines: [{ productId: on.productId, quantity: 1, unitPrice: 1.234 }] });
    const answer = await call('POST', `/api/invoices${query}`, { key: on.key, json });
    expect([answer.status, answer.body['code']]).toEqual([400, 'einvoice_invalid']);
    const { rules } = answer.body['details'] as { rules: string[] };
    expect(rules).toEqual(expect.arrayContaining(['VOUCH-CURRENCY', 'BR-DEC-14']));
  });

  test('issues what is fit, and its numbers have no gap for what was refused', async () => {
    const first = await issue(on);
    await call('POST', '/api/invoices', { key: on.key, json: body(on, { customerId: on.nobodyId }) });
    const second = await issue(on);
    const numbers = await Invoice.find({ organisationId: on.tenant.organisationId, id: { $in: [first, second] } })
      .sort({ sequence: 1 })
      .lean();
    expect(numbers.map(({ document }) => unfitnessOf(document))).toEqual([[], []]);
    expect((numbers[1]?.sequence ?? 0) - (numbers[0]?.sequence ?? 0)).toBe(1);
  });
});

describe('GET /api/invoices/:id/pdf as electronic invoice', () => {
  test('is a PDF that holds the invoice it shows, the same bytes ever after', async () => {
    const id = await issue(on);
    const first = await download(on, id, 'facturx');
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const record = await Invoice.findOne({ organisationId: on.tenant.organisationId, id }).lean();
    const hybrid = await readHybrid(first.bytes);
    expect(hybrid.relationship).toBe('Alternative');
    expect(hybrid.xml).toBe(record && ciiXml(electronicInvoice(record.document)));
    expect((await download(on, id, 'facturx')).bytes.equals(first.bytes)).toBe(true);
    const etag = first.headers.get('etag') ?? '';
    expect((await download(on, id, 'facturx', { 'if-none-match': etag })).status).toBe(304);
    expect((await download(on, id, 'pdf')).headers.get('etag')).not.toBe(etag);
  });

  test('is XML that says number, totals and tax as issued, the same bytes ever after', async () => {
    const id = await issue(on);
    const first = await download(on, id, 'ubl');
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(first.headers.get('content-disposition')).toMatch(/filename="INV-\d{4}-\d{6}\.xml"/);
    const xml = first.bytes.toString('utf8');
    expect(xml).toMatch(/<cbc:ID>INV-\d{4}-\d{6}<\/cbc:ID>/);
    // 3 × 99.99 = 299.97, less 2.5 % (7.50) = 292.47, and 20 % of it.
    expect(xml).toContain('<cbc:TaxExclusiveAmount currencyID="EUR">292.47</cbc:TaxExclusiveAmount>');
    expect(xml).toContain('<cbc:TaxAmount currencyID="EUR">58.49</cbc:TaxAmount>');
    expect(xml).toContain('<cbc:PayableAmount currencyID="EUR">350.96</cbc:PayableAmount>');
    expect((await download(on, id, 'ubl')).bytes.equals(first.bytes)).toBe(true);
  });

  test('is made once for many that ask at the same time, and stored beside the plain PDF', async () => {
    const id = await issue(on);
    const formats = ['pdf', 'facturx', 'ubl', 'pdf', 'facturx', 'ubl', 'facturx', 'ubl'];
    const answers = await Promise.all(formats.map((format) => download(on, id, format)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(3);
    const kept = await Rendition.find({ organisationId: on.tenant.organisationId, documentId: id }).lean();
    expect(kept.map(({ format, status }) => `${format} ${status}`).sort()).toEqual([
      'facturx stored',
      'pdf stored',
      'ubl stored',
    ]);
  });

  test.each(['facturx', 'ubl'])(
    'as %s is had of a fit invoice although the company never asked for the rules',
    async (format) => {
      const id = await issue(off);
      expect((await download(off, id, format)).status).toBe(200);
    },
  );

  test.each(['facturx', 'ubl'])(
    'as %s is refused for an invoice that is not fit, by rule; its plain PDF is not',
    async (format) => {
      const id = await issue(off, { customerId: off.nobodyId });
      const answer = await download(off, id, format);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ ok: false, code: 'einvoice_unfit', details: { rules: ['BR-10', 'BR-11'] } });
      expect((await download(off, id, 'pdf')).status).toBe(200);
    },
  );

  test('stays what it was once the invoice is void', async () => {
    const id = await issue(on);
    const before = await download(on, id, 'facturx');
    await voided(on, id);
    expect((await download(on, id, 'facturx')).bytes.equals(before.bytes)).toBe(true);
  });
});

describe('GET /api/credit-notes/:id/pdf', () => {
  const credit = ({ key }: Seller, json: object): Promise<Answer> => call('POST', '/api/credit-notes', { key, json });
  const file = ({ key }: Seller, id: number, format: string): Promise<Answer> =>
    call('GET', `/api/credit-notes/${id}/pdf?format=${format}`, { key });
  const creditNoteId = (answer: Answer): number => {
    expect([answer.status, answer.bytes.toString('utf8')]).toEqual([201, answer.bytes.toString('utf8')]);
    return Number((answer.body['data'] as Record<string, unknown>)['id']);
  };

  test('is the credit note in every format, naming its invoice, the same bytes ever after', async () => {
    const invoiceId = await issue(on);
    const invoice = await Invoice.findOne({ organisationId: on.tenant.organisationId, id: invoiceId }).lean();
    const lines = [{ invoiceLineId: 1, quantity: 1 }];
    const id = creditNoteId(await credit(on, { invoiceId, reason: 'One was broken', lines }));
    const [plain, hybrid, xml] = await Promise.all(['pdf', 'facturx', 'ubl'].map((format) => file(on, id, format)));
    expect([plain?.status, hybrid?.status, xml?.status]).toEqual([200, 200, 200]);
    const text = (await textOfPages(plain?.bytes ?? Buffer.alloc(0))).join();
    for (const said of ['Credit note', 'One was broken', invoice?.number ?? '']) expect(text).toContain(said);
    expect((await readHybrid(hybrid?.bytes ?? Buffer.alloc(0))).xml).toContain('<ram:TypeCode>381</ram:TypeCode>');
    const ubl = xml?.bytes.toString('utf8') ?? '';
    expect(ubl).toMatch(/^<\?xml [^>]*>\n<CreditNote /);
    expect(ubl).toContain(`<cac:InvoiceDocumentReference><cbc:ID>${invoice?.number}</cbc:ID>`);
    expect((await file(on, id, 'facturx')).bytes.equals(hybrid?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test('is refused by rule as electronic document of an unfit invoice, and the note itself once the company asks', async () => {
    const own = await seller('off');
    const invoiceId = await issue(own, { customerId: own.nobodyId });
    const body = { invoiceId, reason: 'One was broken', lines: [{ invoiceLineId: 1, quantity: 1 }] };
    const id = creditNoteId(await credit(own, body));
    expect((await file(own, id, 'facturx')).body).toMatchObject({ code: 'einvoice_unfit' });
    expect((await file(own, id, 'pdf')).status).toBe(200);
    await call('PUT', '/api/config/company', { key: own.key, json: { eInvoicing: 'on' } });
    const refused = await credit(own, body);
    expect([refused.status, refused.body['code']]).toEqual([400, 'einvoice_invalid']);
    expect(refused.body['details']).toEqual({ rules: ['BR-10', 'BR-11'] });
  });

  test('is the same 404 for an unknown and for another organisation’s credit note', async () => {
    const id = creditNoteId(await credit(on, { invoiceId: await issue(on), reason: 'Returned' }));
    const foreign = await file(off, id + 1000, 'pdf');
    expect(foreign.status).toBe(404);
    const stranger = await createTenant('Stranger');
    const key = await stranger.businessKeyWith(ALL_BUSINESS_PERMISSIONS);
    const theirs = await call('GET', `/api/credit-notes/${id}/pdf`, { key });
    expect([theirs.status, theirs.body['message']]).toEqual([404, foreign.body['message']]);
  });
});
