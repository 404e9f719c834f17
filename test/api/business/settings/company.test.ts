import sharp from 'sharp';
import { Company } from '../../../../models/business/settings/company';
import { Audit } from '../../../../models/platform/audit/audit';
import { namedLogoObjects } from '../../../../services/business/settings/company-logo';
import { sweepObjects } from '../../../../services/platform/evidence/object-sweep';
import { call } from '../../../support/client';
import { closeTestPlatform, testPlatform } from '../../../support/tenant';
import { addCustomer, addService, businessClient, dataOf, idOf } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await businessClient('Northwind');
});
afterAll(closeTestPlatform);

const COMPANY = '/api/config/company';
const LOGO = '/api/config/company/logo';
const namesIn = (answer: { body: Record<string, unknown> }): (string | undefined)[] =>
  ((answer.body['errors'] ?? []) as string[]).map((error) => error.split(':')[0]);

const picture = (format: 'png' | 'jpeg' | 'webp', side = 40): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer();

const putLogo = (owner: BusinessClient, body: Buffer, headers: Record<string, string> = {}) =>
  call('PUT', LOGO, { token: owner.token, headers, form: { logo: { body, name: 'logo.bin' } } });

async function issue(owner: BusinessClient) {
  const customerId = await addCustomer(owner);
  const productId = await addService(owner);
  return owner.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, unitPrice: 1 }] });
}

describe('the company', () => {
  test('what is read can be put back; changed parts stay changed and the rest as it was', async () => {
    const read = await client.get(COMPANY);
    expect(dataOf(read)).toMatchObject({
      legalName: 'Northwind',
      baseCurrencyCode: 'EUR',
      timeZone: 'UTC',
      logo: null,
    });
    expect((await client.put(COMPANY, dataOf(read))).status).toBe(200);
    const changed = await client.put(COMPANY, {
      taxId: 'DE123456789',
      address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' },
      iban: 'de89 3704 0044 0532 0130 00',
      bic: 'cobadeffxxx',
      language: 'de',
      taxRounding: 'per_line',
      defaultPaymentTerms: 'NET15',
      maxExchangeRateAgeDays: 3,
    });
    expect(dataOf(changed)).toMatchObject({
      legalName: 'Northwind',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE', postalCode: null },
      defaultPaymentTerms: 'NET15',
    });
    expect(dataOf(await client.put(COMPANY, { address: { city: 'Hamburg' } }))).toMatchObject({
      address: { line1: 'Hauptstraße 1', city: 'Hamburg', country: 'DE' },
    });
    expect(dataOf(await client.put(COMPANY, { iban: null }))).toMatchObject({ iban: null, bic: 'COBADEFFXXX' });
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address', 'ftp://example.com'])(
    'a web address is http or https: %s is refused',
    async (website) => {
      const refused = await client.put(COMPANY, { website });
      expect([refused.status, refused.body['errors']]).toEqual([
        400,
        ['website: must be an http or https address, like https://example.com'],
      ]);
    },
  );

  test.each(['example.com', 'https://example.com/shop'])('%s is a web address', async (website) => {
    expect(dataOf(await client.put(COMPANY, { website }))).toMatchObject({ website });
  });

  test('a name that nobody can see is refused', async () => {
    const refused = await client.put(COMPANY, { legalName: '\u200b\u2060' });
    expect([refused.status, refused.body['errors']]).toEqual([400, ['legalName: must have a visible character']]);
  });

  test('a document issued before keeps what it says', async () => {
    const own = await businessClient('Before');
    const id = String(dataOf(await issue(own))['id']);
    const before = dataOf(await own.get(`/api/invoices/${id}`));
    await own.put(COMPANY, { legalName: 'After', timeZone: 'Pacific/Auckland', taxRounding: 'per_line' });
    const after = dataOf(await own.get(`/api/invoices/${id}`));
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
    const answer = await client.put(COMPANY, json);
    expect([answer.status, namesIn(answer)]).toEqual([400, fields]);
  });

  test('If-Match lets only the first of two editors through, and a change is audited by field', async () => {
    const own = await businessClient();
    const tag = (await own.get(COMPANY)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((legalName) => own.put(COMPANY, { legalName }, { 'if-match': tag })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412, 412]);
    const rows = await Audit.find({ organisationId: own.tenant.organisationId, action: 'company.updated' }).lean();
    expect(rows.map((row) => row.fields)).toEqual([['legalName']]);
  });

  test('the base currency changes while nothing is posted, and its exchange rates go with it', async () => {
    const own = await businessClient();
    idOf(await own.post('/api/config/exchange-rates', { currencyCode: 'USD', rate: 0.9 }));
    expect(dataOf(await own.put(COMPANY, { baseCurrencyCode: 'CHF' }))).toMatchObject({ baseCurrencyCode: 'CHF' });
    expect((await own.get('/api/config/exchange-rates')).body['totalCount']).toBe(0);
    const currencies = (await own.get('/api/config/currencies?search=CHF')).body['data'];
    expect(currencies).toMatchObject([{ code: 'CHF', isBase: true, active: true }]);
    expect(dataOf(await issue(own))).toMatchObject({ grandTotal: 1.2 });
    const refused = await own.put(COMPANY, { baseCurrencyCode: 'EUR' });
    expect([refused.status, refused.body['code']]).toEqual([409, 'base_currency_in_use']);
    expect((await own.put(COMPANY, { baseCurrencyCode: 'CHF', legalName: 'Same' })).status).toBe(200);
  });

  test('goods in stock hold the base currency too', async () => {
    const own = await businessClient();
    await own.post('/api/products', { name: 'A', initialStock: { quantity: 1, unitCost: 2 } });
    expect((await own.put(COMPANY, { baseCurrencyCode: 'CHF' })).body['code']).toBe('base_currency_in_use');
  });
});

describe('the logo', () => {
  test.each(['png', 'jpeg'] as const)(
    'a %s is kept and read back byte by byte; removed, it is gone',
    async (format) => {
      const bytes = await picture(format);
      const set = await putLogo(client, bytes);
      expect(dataOf(set)).toMatchObject({ logo: LOGO });
      const read = await client.get(LOGO);
      expect([read.status, read.headers.get('content-type'), read.bytes.equals(bytes)]).toEqual([
        200,
        `image/${format}`,
        true,
      ]);
      expect(dataOf(await client.delete(LOGO))).toMatchObject({ logo: null });
      expect((await client.get(LOGO)).status).toBe(404);
    },
  );

  test('what is no whole PNG or JPEG of a sensible size is refused by name', async () => {
    const png = await picture('png');
    const cases: [Buffer, number][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
      [await picture('webp'), 415],
      [png.subarray(0, png.length - 12), 400],
      [await picture('png', 4001), 400],
      [Buffer.concat([png, Buffer.alloc(1024 * 1024)]), 413],
    ];
    for (const [body, status] of cases) {
      const answer = await putLogo(client, body);
      expect([answer.status, namesIn(answer)]).toEqual([status, ['logo']]);
    }
    expect((await call('PUT', LOGO, { token: client.token, json: {} })).status).toBe(415);
    expect((await putLogo(client, png, { 'if-match': '"999"' })).status).toBe(412);
  });

  test('one whose upload was never recorded is swept after a day; one that a document shows stays', async () => {
    const swept = await businessClient('Swept');
    const { organisationId } = swept.tenant;
    const platform = await testPlatform();
    const keyOf = async () => (await Company.findById(organisationId).orFail().lean()).logoKey ?? '';
    const put = async (side: number) => {
      expect((await putLogo(swept, await picture('png', side))).status).toBe(200);
      return keyOf();
    };
    const [printed, lost] = [await put(10), `${organisationId}/logo/${'0'.repeat(64)}`];
    await issue(swept);
    const [replaced, worn] = [await put(11), await put(12)];
    await platform.objects.put(lost, Buffer.from('x'), 'image/png');
    const elsewhere = `${organisationId}/other/kept`;
    await platform.objects.put(elsewhere, Buffer.from('x'), 'text/plain');
    const later = { ...platform, clock: { now: () => new Date(Date.now() + 25 * 3_600_000) } };
    expect(await sweepObjects(platform, `${organisationId}/`, namedLogoObjects)).toBe(0);
    expect(await sweepObjects(later, `${organisationId}/`, namedLogoObjects)).toBe(2);
    const left = await Promise.all(
      [printed, worn, elsewhere, lost, replaced].map(async (key) => (await platform.objects.get(key)) !== null),
    );
    expect(left).toEqual([true, true, true, false, false]);
  });

  test('another organisation does not see it', async () => {
    await putLogo(client, await picture('png'));
    const other = await businessClient();
    expect((await other.get(LOGO)).status).toBe(404);
  });
});
