import sharp from 'sharp';
import { Company } from '../../../../models/business/settings/company';
import { Audit } from '../../../../models/platform/audit/audit';
import { findReferencedLogoObjects } from '../../../../services/business/settings/company-logo';
import { sweepObjects } from '../../../../services/platform/evidence/object-sweep';
import { call } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { addCustomer, addService, createBusinessClient, getData, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { HOUR_MS } from '../../../../domain/durations';
import { listErrorFields } from '../../../support/business/rejections';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Northwind');
});
afterAll(closeTestPlatform);

const COMPANY_PATH = '/api/config/company';
const LOGO_PATH = '/api/config/company/logo';

const createImage = (format: 'png' | 'jpeg' | 'webp', side = 40): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer();

const putLogo = (owner: BusinessClient, body: Buffer, headers: Record<string, string> = {}) =>
  call('PUT', LOGO_PATH, { token: owner.token, headers, form: { logo: { body, name: 'logo.bin' } } });

async function issueInvoice(owner: BusinessClient) {
  const customerId = await addCustomer(owner);
  const productId = await addService(owner);
  return owner.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, unitPrice: 1 }] });
}

test('moving the time zone west never turns the latest documents into future ones', async () => {
  const own = await createBusinessClient('Travellers');
  const customerId = await addCustomer(own);
  const lines = [{ productId: await addService(own), quantity: 1, unitPrice: 100 }];
  const issue = () => own.post('/api/invoices', { customerId, lines });
  // 25 hours apart: every time has an earlier date there.
  expect((await own.put(COMPANY_PATH, { timeZone: 'Pacific/Kiritimati' })).status).toBe(200);
  const first = getData(await issue());
  const today = first['issueDate'];
  expect((await own.put(COMPANY_PATH, { timeZone: 'Pacific/Pago_Pago' })).status).toBe(200);
  const second = await issue();
  expect([second.status, getData(second)['issueDate']]).toEqual([201, today]);
  const payment = { customerId, amount: 1, allocations: [{ documentId: first['id'], amount: 1 }] };
  expect(getData(await own.post('/api/receivables/payments', payment))).toMatchObject({ date: today });
  const note = await own.post('/api/credit-notes', { invoiceId: first['id'], reason: 'Returned' });
  expect([note.status, getData(note)['issueDate']]).toEqual([201, today]);
  const refund = await own.post('/api/receivables/refunds', { creditNoteId: getData(note)['id'], amount: 1 });
  expect([refund.status, getData(refund)['date']]).toEqual([201, today]);
  const voided = await own.post(`/api/invoices/${String(getData(second)['id'])}/void`, { reason: 'Wrong' });
  expect(getData(voided)).toMatchObject({ status: 'void', voidedOn: today });
});

describe('the company', () => {
  test('a response can be sent back as it is; sent fields change and others do not', async () => {
    const read = await client.get(COMPANY_PATH);
    expect(getData(read)).toMatchObject({
      legalName: 'Northwind',
      baseCurrencyCode: 'EUR',
      timeZone: 'UTC',
      logo: null,
    });
    expect((await client.put(COMPANY_PATH, getData(read))).status).toBe(200);
    const changed = await client.put(COMPANY_PATH, {
      taxId: 'DE123456789',
      address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' },
      iban: 'de89 3704 0044 0532 0130 00',
      bic: 'cobadeffxxx',
      language: 'de',
      taxRounding: 'per_line',
      defaultPaymentTerms: 'NET15',
      maxExchangeRateAgeDays: 3,
    });
    expect(getData(changed)).toMatchObject({
      legalName: 'Northwind',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE', postalCode: null },
      defaultPaymentTerms: 'NET15',
    });
    expect(getData(await client.put(COMPANY_PATH, { address: { city: 'Hamburg' } }))).toMatchObject({
      address: { line1: 'Hauptstraße 1', city: 'Hamburg', country: 'DE' },
    });
    expect(getData(await client.put(COMPANY_PATH, { iban: null }))).toMatchObject({ iban: null, bic: 'COBADEFFXXX' });
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address', 'ftp://example.com'])(
    'a web address is http or https: %s is refused',
    async (website) => {
      const rejected = await client.put(COMPANY_PATH, { website });
      expect([rejected.status, rejected.body['errors']]).toEqual([
        400,
        ['website: must be an http or https address, like https://example.com'],
      ]);
    },
  );

  test.each(['example.com', 'https://example.com/shop'])('%s is accepted as a website', async (website) => {
    expect(getData(await client.put(COMPANY_PATH, { website }))).toMatchObject({ website });
  });

  test('a name without visible characters is rejected', async () => {
    const rejected = await client.put(COMPANY_PATH, { legalName: '\u200b\u2060' });
    expect([rejected.status, rejected.body['errors']]).toEqual([400, ['legalName: must have a visible character']]);
  });

  test('an issued document does not change', async () => {
    const own = await createBusinessClient('Before');
    const id = String(getData(await issueInvoice(own))['id']);
    const before = getData(await own.get(`/api/invoices/${id}`));
    await own.put(COMPANY_PATH, { legalName: 'After', timeZone: 'Pacific/Auckland', taxRounding: 'per_line' });
    const after = getData(await own.get(`/api/invoices/${id}`));
    for (const field of ['issueDate', 'dueDate', 'taxTotal', 'seller']) expect(after[field]).toEqual(before[field]);
  });

  test.each([
    [{ legalName: '' }, ['legalName']],
    [{ legalName: null }, ['legalName']],
    [{ email: 'nobody' }, ['email']],
    [{ iban: 'DE89370400440532013001' }, ['iban']],
    [{ iban: 'DE8937040044053201300' }, ['iban']],
    [{ bic: 'COBADEF' }, ['bic']],
    [{ iban: 'XX', bic: 'X', timeZone: 'Mars/Base' }, ['iban', 'bic', 'timeZone']],
    [{ timeZone: '+02:00x' }, ['timeZone']],
    [{ baseCurrencyCode: 'XAU' }, ['baseCurrencyCode']],
    [{ language: 'xx' }, ['language']],
    [{ taxRounding: 'never' }, ['taxRounding']],
    [{ defaultPaymentTerms: 'NET31' }, ['defaultPaymentTerms']],
    [
      { defaultTaxRateId: 99, defaultWarehouseId: 99, defaultSeriesId: 99 },
      ['defaultTaxRateId', 'defaultWarehouseId', 'defaultSeriesId'],
    ],
    [{ defaultSeriesId: 2 }, ['defaultSeriesId']],
    [{ maxExchangeRateAgeDays: -1 }, ['maxExchangeRateAgeDays']],
    [{ address: { country: 'ZZ' } }, ['address.country']],
    [{ logo: 'https://example.com/x.png' }, ['logo']],
    [{ logoKey: 'x' }, ['logoKey']],
  ])('%j is 400 naming %j', async (json, fields) => {
    const response = await client.put(COMPANY_PATH, json);
    expect([response.status, listErrorFields(response)]).toEqual([400, fields]);
  });

  test('with If-Match the second of two editors is rejected, and a change is audited by field', async () => {
    const own = await createBusinessClient();
    const tag = (await own.get(COMPANY_PATH)).headers.get('etag') ?? '';
    const responses = await Promise.all(
      ['A', 'B', 'C'].map((legalName) => own.put(COMPANY_PATH, { legalName }, { 'if-match': tag })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 412, 412]);
    const rows = await Audit.find({ organisationId: own.tenant.organisationId, action: 'company.updated' }).lean();
    expect(rows.map((row) => row.fields)).toEqual([['legalName']]);
  });

  test('the base currency can change while nothing is posted, which deletes the exchange rates', async () => {
    const own = await createBusinessClient();
    getCreatedId(await own.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.9 }));
    expect(getData(await own.put(COMPANY_PATH, { baseCurrencyCode: 'CHF' }))).toMatchObject({
      baseCurrencyCode: 'CHF',
    });
    expect((await own.get('/api/config/exchange-rates')).body['totalCount']).toBe(0);
    const currencies = (await own.get('/api/config/currencies?search=CHF')).body['data'];
    expect(currencies).toMatchObject([{ code: 'CHF', isBase: true, active: true }]);
    expect(getData(await issueInvoice(own))).toMatchObject({ grandTotal: 1.2 });
    const rejected = await own.put(COMPANY_PATH, { baseCurrencyCode: 'EUR' });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'base_currency_in_use']);
    expect((await own.put(COMPANY_PATH, { baseCurrencyCode: 'CHF', legalName: 'Same' })).status).toBe(200);
  });

  test('the base currency cannot change while there are goods in stock', async () => {
    const own = await createBusinessClient();
    await own.post('/api/products', { name: 'A', initialStock: { quantity: 1, unitCost: 2 } });
    expect((await own.put(COMPANY_PATH, { baseCurrencyCode: 'CHF' })).body['code']).toBe('base_currency_in_use');
  });
});

describe('the preview of settings', () => {
  test('prints a sample invoice with the changed settings, of a company without documents, and changes nothing', async () => {
    const own = await createBusinessClient('Sample');
    const before = getData(await own.get(COMPANY_PATH));
    const texts = { legalName: 'Neue Namen GmbH', paymentNote: 'Danke für Ihren Auftrag' };
    const changes = { ...texts, language: 'de', defaultTaxRateId: null };
    const printed = await own.post(`${COMPANY_PATH}/preview`, changes);
    expect([printed.status, printed.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const text = (await readPageTexts(printed.bytes)).join(' ').replace(/\s+/g, ' ');
    for (const part of ['Neue Namen GmbH', 'Danke für Ihren Auftrag', 'Entwurf', 'Musterkunde', '460,00'])
      expect(text).toContain(part);
    expect(getData(await own.get(COMPANY_PATH))).toEqual(before);
    expect((await own.get('/api/invoices')).body['totalCount']).toBe(0);
  });

  test('names wrong fields as the change would', async () => {
    const response = await client.post(`${COMPANY_PATH}/preview`, { iban: 'DE00', timeZone: 'Mars/Base' });
    expect([response.status, listErrorFields(response).sort()]).toEqual([400, ['iban', 'timeZone']]);
  });
});

describe('the logo', () => {
  test.each(['png', 'jpeg'] as const)(
    'a %s is kept and read back byte by byte; removed, it is gone',
    async (format) => {
      const bytes = await createImage(format);
      const set = await putLogo(client, bytes);
      expect(getData(set)).toMatchObject({ logo: LOGO_PATH });
      const read = await client.get(LOGO_PATH);
      expect([read.status, read.headers.get('content-type'), read.bytes.equals(bytes)]).toEqual([
        200,
        `image/${format}`,
        true,
      ]);
      expect(getData(await client.delete(LOGO_PATH))).toMatchObject({ logo: null });
      expect((await client.get(LOGO_PATH)).status).toBe(404);
    },
  );

  test('a file that is not a complete PNG or JPEG of an accepted size is rejected with its field', async () => {
    const png = await createImage('png');
    const cases: [Buffer, number][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
      [await createImage('webp'), 415],
      [png.subarray(0, png.length - 12), 400],
      [await createImage('png', 4001), 400],
      [await createImage('png', 2001), 400],
      [Buffer.concat([png, Buffer.from('%PDF-1.7')]), 400],
      [Buffer.concat([png, Buffer.alloc(1024 * 1024)]), 413],
    ];
    for (const [body, status] of cases) {
      const response = await putLogo(client, body);
      expect([response.status, listErrorFields(response)]).toEqual([status, ['logo']]);
    }
    expect((await call('PUT', LOGO_PATH, { token: client.token, json: {} })).status).toBe(415);
    expect((await putLogo(client, png, { 'if-match': '"999"' })).status).toBe(412);
  });

  test('an upload without a record is removed after a day; a logo that a document refers to stays', async () => {
    const swept = await createBusinessClient('Swept');
    const { organisationId } = swept.tenant;
    const platform = await getTestPlatform();
    const getLogoKey = async () => (await Company.findById(organisationId).orFail().lean()).logoKey ?? '';
    const put = async (side: number) => {
      expect((await putLogo(swept, await createImage('png', side))).status).toBe(200);
      return getLogoKey();
    };
    const [printed, lost] = [await put(10), `${organisationId}/logo/${'0'.repeat(64)}`];
    await issueInvoice(swept);
    const [previous, current] = [await put(11), await put(12)];
    await platform.objects.put(lost, Buffer.from('x'), 'image/png');
    const elsewhere = `${organisationId}/other/kept`;
    await platform.objects.put(elsewhere, Buffer.from('x'), 'text/plain');
    const later = { ...platform, clock: { now: () => new Date(Date.now() + 25 * HOUR_MS) } };
    expect(await sweepObjects(platform, `${organisationId}/`, findReferencedLogoObjects)).toMatchObject({ removed: 0 });
    expect(await sweepObjects(later, `${organisationId}/`, findReferencedLogoObjects)).toMatchObject({ removed: 2 });
    const left = await Promise.all(
      [printed, current, elsewhere, lost, previous].map(async (key) => (await platform.objects.get(key)) !== null),
    );
    expect(left).toEqual([true, true, true, false, false]);
  });

  test('a logo that is uploaded again while its earlier upload is removed is not lost', async () => {
    const own = await createBusinessClient('Uploaded again');
    const { organisationId } = own.tenant;
    const platform = await getTestPlatform();
    const png = await createImage('png');
    await putLogo(own, png);
    await own.delete(LOGO_PATH);
    const later = { ...platform, clock: { now: () => new Date(Date.now() + 25 * HOUR_MS) } };
    const { removed } = await sweepObjects(later, `${organisationId}/`, async (keys) => {
      const referenced = await findReferencedLogoObjects(keys);
      await putLogo(own, png);
      return referenced;
    });
    expect(removed).toBe(1);
    const read = await own.get(LOGO_PATH);
    expect([read.status, read.bytes.equals(png)]).toEqual([200, true]);
  });

  test('is not visible to another organisation', async () => {
    await putLogo(client, await createImage('png'));
    const other = await createBusinessClient();
    expect((await other.get(LOGO_PATH)).status).toBe(404);
  });
});
