import { findEInvoiceViolations } from '../../../../domain/business/documents/einvoice/check';
import { toCiiXml } from '../../../../domain/business/documents/einvoice/cii';
import { toElectronicInvoice } from '../../../../domain/business/documents/einvoice/from-document';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { Rendition } from '../../../../models/business/documents/rendition';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { readHybrid } from '../../../support/business/facturx';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

/** A company with or without the data that electronic invoices require. */
interface Seller {
  tenant: Tenant;
  key: string;
  productId: number;
  /** Id of a customer with an address in Spain. */
  customerId: number;
  /** Id of a customer without address. */
  nobodyId: number;
}

const createRecord = async (key: string, path: string, json: object): Promise<number> => {
  const response = await call('POST', path, { key, json });
  expect([response.status, response.bytes.toString('utf8')]).toEqual([201, response.bytes.toString('utf8')]);
  return Number((response.body['data'] as Record<string, unknown>)['id']);
};

async function createSeller(eInvoicing: 'on' | 'off'): Promise<Seller> {
  const tenant = await createTenant('Nordlicht GmbH');
  const key = await tenant.createBusinessKey(ALL_BUSINESS_PERMISSIONS);
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
    productId: await createRecord(key, '/api/products', {
      name: 'Service',
      type: 'service',
      unit: 'HUR',
      price: 99.99,
    }),
    customerId: await createRecord(key, '/api/customers', {
      name: 'Café Ñandú',
      address: { city: 'Cádiz', country: 'ES' },
    }),
    nobodyId: await createRecord(key, '/api/customers', { name: 'Nobody' }),
  };
}

const buildInvoiceBody = ({ productId, customerId }: Seller, changes: object = {}): object => ({
  customerId,
  lines: [{ productId, quantity: 3, discountPercent: 2.5 }],
  ...changes,
});

const issue = (from: Seller, changes: object = {}): Promise<number> =>
  createRecord(from.key, '/api/invoices', buildInvoiceBody(from, changes));

const download = (
  from: Seller,
  id: number,
  format: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => call('GET', `/api/invoices/${id}/pdf?format=${format}`, { key: from.key, headers });

const voidInvoice = async ({ key }: Seller, id: number): Promise<void> => {
  const response = await call('POST', `/api/invoices/${id}/void`, { key, json: { reason: 'a mistake' } });
  expect(response.status).toBe(200);
};

let enabledSeller: Seller;
let disabledSeller: Seller;

beforeAll(async () => {
  await getTestPlatform();
  [enabledSeller, disabledSeller] = await Promise.all([createSeller('on'), createSeller('off')]);
  await createRecord(enabledSeller.key, '/api/config/exchange-rates', {
    currencyCode: 'KWD',
    date: new Date().toISOString().slice(0, 10),
    rate: 3,
  });
});

afterAll(closeTestPlatform);

describe('a company with electronic invoicing on', () => {
  test.each(['', '?dryRun=true'])(
    'cannot issue an invoice that violates rules; the error lists rule ids and fields, and nothing is written%s',
    async (query) => {
      const count = () => Invoice.countDocuments({ organisationId: enabledSeller.tenant.organisationId });
      const before = await count();
      const response = await call('POST', `/api/invoices${query}`, {
        key: enabledSeller.key,
        json: buildInvoiceBody(enabledSeller, { customerId: enabledSeller.nobodyId }),
      });
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        ok: false,
        code: 'einvoice_invalid',
        details: { rules: ['BR-10', 'BR-11'] },
      });
      expect(response.body['errors']).toContainEqual(expect.stringMatching(/^customer\.address\.country: BR-11: /));
      expect(await count()).toBe(before);
    },
  );

  test.each(['', '?dryRun=true'])('cannot use a currency with three decimals%s', async (query) => {
    const json = buildInvoiceBody(enabledSeller, {
      currencyCode: 'KWD',
      lines: [{ productId: enabledSeller.productId, quantity: 1, unitPrice: 1.234 }],
    });
    const response = await call('POST', `/api/invoices${query}`, { key: enabledSeller.key, json });
    expect([response.status, response.body['code']]).toEqual([400, 'einvoice_invalid']);
    const { rules } = response.body['details'] as { rules: string[] };
    expect(rules).toEqual(expect.arrayContaining(['VOUCH-CURRENCY', 'BR-DEC-14']));
  });

  test('issues compliant invoices, and rejected ones leave no gap in the numbers', async () => {
    const first = await issue(enabledSeller);
    await call('POST', '/api/invoices', {
      key: enabledSeller.key,
      json: buildInvoiceBody(enabledSeller, { customerId: enabledSeller.nobodyId }),
    });
    const second = await issue(enabledSeller);
    const numbers = await Invoice.find({
      organisationId: enabledSeller.tenant.organisationId,
      id: { $in: [first, second] },
    })
      .sort({ sequence: 1 })
      .lean();
    expect(numbers.map(({ document }) => findEInvoiceViolations(document))).toEqual([[], []]);
    expect((numbers[1]?.sequence ?? 0) - (numbers[0]?.sequence ?? 0)).toBe(1);
  });
});

describe('the profile of a customer', () => {
  test('is checked by its own rules when an invoice is issued, and names the specification of its files', async () => {
    const company = {
      phone: '+49 40 1234567',
      email: 'billing@nordlicht.example',
      electronicAddress: '9930:DE123456789',
    };
    const address = { line1: 'Speicherstraße 14', city: 'Hamburg', postalCode: '20457', country: 'DE' };
    await call('PUT', '/api/config/company', { key: enabledSeller.key, json: { ...company, address } });
    const customerId = await createRecord(enabledSeller.key, '/api/customers', {
      name: 'Stadt Berlin',
      eInvoiceProfile: 'xrechnung',
      address: { line1: 'Rathausstraße 15', city: 'Berlin', postalCode: '10178', country: 'DE' },
    });
    const path = `/api/customers/${customerId}`;
    const rejected = await call('POST', '/api/invoices', {
      key: enabledSeller.key,
      json: buildInvoiceBody(enabledSeller, { customerId }),
    });
    expect([rejected.status, rejected.body['code']]).toEqual([400, 'einvoice_invalid']);
    expect(rejected.body['errors']).toEqual([
      expect.stringContaining('customer.electronicAddress: PEPPOL-EN16931-R010'),
      expect.stringContaining('buyerReference: BR-DE-15'),
    ]);
    const wrong = await call('PUT', path, { key: enabledSeller.key, json: { electronicAddress: '77:1' } });
    expect(wrong.body['errors']).toEqual([expect.stringContaining('electronicAddress: must be scheme:identifier')]);
    const addressed = { buyerReference: '04011000-12345-03', electronicAddress: '0204:04011000-12345-03' };
    expect((await call('PUT', path, { key: enabledSeller.key, json: addressed })).body['data']).toMatchObject(
      addressed,
    );
    const id = await issue(enabledSeller, { customerId });
    const [ubl, cii] = await Promise.all(['ubl', 'cii'].map((format) => download(enabledSeller, id, format)));
    for (const file of [ubl, cii]) {
      expect(file?.status).toBe(200);
      expect(file?.bytes.toString('utf8')).toContain('#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0<');
      expect(file?.bytes.toString('utf8')).toContain('>04011000-12345-03<');
    }
    const hybrid = await readHybrid((await download(enabledSeller, id, 'facturx')).bytes);
    expect(hybrid).toMatchObject({ fileName: 'xrechnung.xml', xml: cii?.bytes.toString('utf8') });
    await call('PUT', path, { key: enabledSeller.key, json: { eInvoiceProfile: 'peppol' } });
    const peppol = await issue(enabledSeller, { customerId, buyerReference: 'Cost centre 7' });
    const file = await download(enabledSeller, peppol, 'ubl');
    expect(file.bytes.toString('utf8')).toContain('urn:fdc:peppol.eu:2017:poacc:billing:3.0<');
    expect(file.bytes.toString('utf8')).toContain('<cbc:BuyerReference>Cost centre 7<');
  });
});

describe('GET /api/invoices/:id/pdf as electronic invoice', () => {
  test('is a PDF that embeds the electronic invoice, always with the same bytes', async () => {
    const id = await issue(enabledSeller);
    const first = await download(enabledSeller, id, 'facturx');
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const record = await Invoice.findOne({ organisationId: enabledSeller.tenant.organisationId, id }).lean();
    const hybrid = await readHybrid(first.bytes);
    expect(hybrid.relationship).toBe('Alternative');
    expect(hybrid.xml).toBe(record && toCiiXml(toElectronicInvoice(record.document)));
    expect((await download(enabledSeller, id, 'facturx')).bytes.equals(first.bytes)).toBe(true);
    const etag = first.headers.get('etag') ?? '';
    expect((await download(enabledSeller, id, 'facturx', { 'if-none-match': etag })).status).toBe(304);
    expect((await download(enabledSeller, id, 'pdf')).headers.get('etag')).not.toBe(etag);
  });

  test('is XML with number, totals and tax as issued, always with the same bytes', async () => {
    const id = await issue(enabledSeller);
    const first = await download(enabledSeller, id, 'ubl');
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(first.headers.get('content-disposition')).toMatch(/filename="INV-\d{4}-\d{6}\.xml"/);
    const xml = first.bytes.toString('utf8');
    expect(xml).toMatch(/<cbc:ID>INV-\d{4}-\d{6}<\/cbc:ID>/);
    // 3 × 99.99 = 299.97, less 2.5 % (7.50) = 292.47, and 20 % of it.
    expect(xml).toContain('<cbc:TaxExclusiveAmount currencyID="EUR">292.47</cbc:TaxExclusiveAmount>');
    expect(xml).toContain('<cbc:TaxAmount currencyID="EUR">58.49</cbc:TaxAmount>');
    expect(xml).toContain('<cbc:PayableAmount currencyID="EUR">350.96</cbc:PayableAmount>');
    expect((await download(enabledSeller, id, 'ubl')).bytes.equals(first.bytes)).toBe(true);
  });

  test('is rendered once for concurrent requests, and stored in addition to the plain PDF', async () => {
    const id = await issue(enabledSeller);
    const formats = ['pdf', 'facturx', 'ubl', 'pdf', 'facturx', 'ubl', 'facturx', 'ubl'];
    const responses = await Promise.all(formats.map((format) => download(enabledSeller, id, format)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(3);
    const kept = await Rendition.find({ organisationId: enabledSeller.tenant.organisationId, documentId: id }).lean();
    expect(kept.map(({ format, status }) => `${format} ${status}`).sort()).toEqual([
      'facturx stored',
      'pdf stored',
      'ubl stored',
    ]);
  });

  test.each(['facturx', 'ubl'])(
    'is available as %s for a compliant invoice even if electronic invoicing is off',
    async (format) => {
      const id = await issue(disabledSeller);
      expect((await download(disabledSeller, id, format)).status).toBe(200);
    },
  );

  test.each(['facturx', 'ubl'])(
    'is not available as %s for a noncompliant invoice; the plain PDF is',
    async (format) => {
      const id = await issue(disabledSeller, { customerId: disabledSeller.nobodyId });
      const response = await download(disabledSeller, id, format);
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        ok: false,
        code: 'einvoice_unfit',
        details: { rules: ['BR-10', 'BR-11'] },
      });
      expect((await download(disabledSeller, id, 'pdf')).status).toBe(200);
    },
  );

  test('does not change when the invoice is voided', async () => {
    const id = await issue(enabledSeller);
    const before = await download(enabledSeller, id, 'facturx');
    await voidInvoice(enabledSeller, id);
    expect((await download(enabledSeller, id, 'facturx')).bytes.equals(before.bytes)).toBe(true);
  });
});

describe('GET /api/credit-notes/:id/pdf', () => {
  const credit = ({ key }: Seller, json: object): Promise<ApiResponse> =>
    call('POST', '/api/credit-notes', { key, json });
  const file = ({ key }: Seller, id: number, format: string): Promise<ApiResponse> =>
    call('GET', `/api/credit-notes/${id}/pdf?format=${format}`, { key });
  const creditNoteId = (response: ApiResponse): number => {
    expect([response.status, response.bytes.toString('utf8')]).toEqual([201, response.bytes.toString('utf8')]);
    return Number((response.body['data'] as Record<string, unknown>)['id']);
  };

  test('is the credit note in every format, with the number of its invoice, always with the same bytes', async () => {
    const invoiceId = await issue(enabledSeller);
    const invoice = await Invoice.findOne({
      organisationId: enabledSeller.tenant.organisationId,
      id: invoiceId,
    }).lean();
    const lines = [{ invoiceLineId: 1, quantity: 1 }];
    const id = creditNoteId(await credit(enabledSeller, { invoiceId, reason: 'One was broken', lines }));
    const [plain, hybrid, xml] = await Promise.all(
      ['pdf', 'facturx', 'ubl'].map((format) => file(enabledSeller, id, format)),
    );
    expect([plain?.status, hybrid?.status, xml?.status]).toEqual([200, 200, 200]);
    const text = (await readPageTexts(plain?.bytes ?? Buffer.alloc(0))).join();
    for (const said of ['Credit note', 'One was broken', invoice?.number ?? '']) expect(text).toContain(said);
    expect((await readHybrid(hybrid?.bytes ?? Buffer.alloc(0))).xml).toContain('<ram:TypeCode>381</ram:TypeCode>');
    const ubl = xml?.bytes.toString('utf8') ?? '';
    expect(ubl).toMatch(/^<\?xml [^>]*>\n<CreditNote /);
    expect(ubl).toContain(`<cac:InvoiceDocumentReference><cbc:ID>${invoice?.number}</cbc:ID>`);
    expect((await file(enabledSeller, id, 'facturx')).bytes.equals(hybrid?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test('is not available electronically for a noncompliant invoice; with electronic invoicing on, the credit note is rejected', async () => {
    const own = await createSeller('off');
    const invoiceId = await issue(own, { customerId: own.nobodyId });
    const body = { invoiceId, reason: 'One was broken', lines: [{ invoiceLineId: 1, quantity: 1 }] };
    const id = creditNoteId(await credit(own, body));
    expect((await file(own, id, 'facturx')).body).toMatchObject({ code: 'einvoice_unfit' });
    expect((await file(own, id, 'pdf')).status).toBe(200);
    await call('PUT', '/api/config/company', { key: own.key, json: { eInvoicing: 'on' } });
    const rejected = await credit(own, body);
    expect([rejected.status, rejected.body['code']]).toEqual([400, 'einvoice_invalid']);
    expect(rejected.body['details']).toMatchObject({ rules: ['BR-10', 'BR-11'] });
  });

  test('is the same 404 for an unknown and for another organisation’s credit note', async () => {
    const id = creditNoteId(await credit(enabledSeller, { invoiceId: await issue(enabledSeller), reason: 'Returned' }));
    const foreign = await file(disabledSeller, id + 1000, 'pdf');
    expect(foreign.status).toBe(404);
    const stranger = await createTenant('Stranger');
    const key = await stranger.createBusinessKey(ALL_BUSINESS_PERMISSIONS);
    const theirs = await call('GET', `/api/credit-notes/${id}/pdf`, { key });
    expect([theirs.status, theirs.body['message']]).toEqual([404, foreign.body['message']]);
  });
});
