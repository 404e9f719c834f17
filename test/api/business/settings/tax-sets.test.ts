import { issueApiKey } from '../../../../services/platform/access/api-keys';
import { createOrganisation } from '../../../../services/platform/access/organisations';
import { newId } from '../../../../lib/ids';
import { call } from '../../../support/client';
import { getCreatedId, getData, getRows } from '../../../support/business/client';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

const request = (key: string) => ({
  get: (path: string) => call('GET', path, { key }),
  post: (path: string, json: object) => call('POST', path, { key, json }),
  put: (path: string, json: object) => call('PUT', path, { key, json }),
});
type Requests = ReturnType<typeof request>;

/** A new organisation, as an administrator creates it. */
async function createNewcomer(): Promise<Requests> {
  const platform = await getTestPlatform();
  const slug = newId('org').toLowerCase().replaceAll('_', '-');
  const { _id: organisationId } = await createOrganisation(platform, { name: 'Newcomer', slug });
  const input = { name: 'Test', permissions: [...ALL_BUSINESS_PERMISSIONS] };
  const { secret } = await issueApiKey(platform, { organisationId, mode: 'live' }, 'business', input);
  return request(secret);
}

const address = { line1: 'Allee 1', city: 'Kiel', country: 'DE' };

describe('the tax rates of a company', () => {
  let client: Requests;
  let goodsId: number;
  let serviceId: number;

  const issue = async (customer: object, fields: object = {}) => {
    const customerId = getCreatedId(await client.post('/api/customers', { name: 'Customer', ...customer }));
    const lines = [goodsId, serviceId].map((productId) => ({ productId, quantity: 1 }));
    return client.post('/api/invoices', { customerId, lines, deliveryDate: '2026-11-20', ...fields });
  };
  const getCategories = (response: Awaited<ReturnType<typeof issue>>): unknown[] => {
    expect([response.status, response.bytes.toString('utf8')]).toEqual([201, response.bytes.toString('utf8')]);
    return (getData(response)['lines'] as Record<string, unknown>[]).map((line) => line['taxCategory']);
  };

  beforeAll(async () => {
    client = await createNewcomer();
    await client.put('/api/config/company', { address, taxId: 'DE123456788', language: 'de' });
    const goods = { name: 'Lamp', price: 100, initialStock: { quantity: 50, unitCost: 10 } };
    goodsId = getCreatedId(await client.post('/api/products', goods));
    serviceId = getCreatedId(await client.post('/api/products', { name: 'Advice', type: 'service', price: 100 }));
  });

  test('do not exist before the set of a country is chosen, and an invoice says so', async () => {
    expect(getData(await client.get('/api/config/company'))['defaultTaxRateId']).toBeNull();
    expect(getRows(await client.get('/api/config/tax-rates'))).toEqual([]);
    const refused = await issue({ address });
    const problem = expect.stringMatching(
      /^lines\[[01]\]\.taxRateId: is required: .*POST \/api\/config\/tax-sets/,
    ) as string;
    expect([refused.status, refused.body['errors']]).toEqual([400, [problem, problem]]);
    const unknown = await client.post('/api/config/tax-sets', { country: 'BR' });
    expect([unknown.status, unknown.body['errors']]).toEqual([
      400,
      [expect.stringMatching(/^country: must be one of /)],
    ]);
  });

  test('are created by the set of the country once, with the standard rate as default', async () => {
    const sets = getRows(await client.get('/api/config/tax-sets'));
    expect(sets.find(({ country }) => country === 'DE')).toMatchObject({
      taxRates: [
        { percent: 19 },
        { percent: 7 },
        { category: 'K' },
        { category: 'AE' },
        { category: 'G' },
        { category: 'O' },
      ],
    });
    const applied = await Promise.all([1, 2].map(() => client.post('/api/config/tax-sets', {})));
    expect(applied.map(({ status }) => status)).toEqual([200, 200]);
    const rates = getRows(await client.get('/api/config/tax-rates'));
    expect(rates).toHaveLength(6);
    expect(getData(await client.get('/api/config/company'))['defaultTaxRateId']).toBe(
      rates.find(({ percent }) => percent === 19)?.['id'],
    );
  });

  test('follow from country and verified VAT identifier of the customer, or from its own profile', async () => {
    expect(getCategories(await issue({ address }))).toEqual(['S', 'S']);
    const spain = { taxId: 'ESB12345674', address: { line1: 'Calle 3', city: 'Cádiz', country: 'ES' } };
    expect(getCategories(await issue(spain))).toEqual(['S', 'S']);
    const verified = { ...spain, taxIdVerifiedOn: '2026-11-01' };
    expect(getCategories(await issue(verified))).toEqual(['K', 'AE']);
    const swiss = { address: { line1: 'Gasse 3', city: 'Bern', country: 'CH' } };
    expect(getCategories(await issue(swiss))).toEqual(['G', 'O']);
    expect(getCategories(await issue({ ...verified, taxProfile: 'domestic' }))).toEqual(['S', 'S']);
    const exempt = await issue({ address, taxProfile: 'exempt' });
    expect(exempt.body['errors']).toContain(
      'lines[0].taxRateId: is required: the company has no tax rate with profile exempt for goods',
    );
  });

  test('have names and exemption reasons in the language of the document', async () => {
    const spain = { taxId: 'ESB12345674', taxIdVerifiedOn: '2026-11-01', language: 'es' };
    const issued = await issue({ ...spain, address: { line1: 'Calle 3', city: 'Cádiz', country: 'ES' } });
    expect(getData(issued)['taxes']).toMatchObject([
      { name: 'Entrega intracomunitaria', exemptionReason: expect.stringContaining('artículo 138') as string },
      { name: 'Inversión del sujeto pasivo' },
    ]);
    const id = getCreatedId(issued);
    const [page] = await readPageTexts((await client.get(`/api/invoices/${id}/pdf`)).bytes);
    expect(page?.replace(/\s+/g, ' ')).toContain('Entrega intracomunitaria exenta de IVA, artículo 138');
    const credited = await client.post('/api/credit-notes', { invoiceId: id, reason: 'Devolución' });
    expect(getData(credited)['taxes']).toMatchObject([{ category: 'K' }, { category: 'AE' }]);
  });

  test('apply to orders and bills of a vendor too', async () => {
    const vendor = {
      name: 'Vendor',
      taxId: 'FR40303265045',
      taxIdVerifiedOn: '2026-11-01',
      address: { country: 'FR' },
    };
    const vendorId = getCreatedId(await client.post('/api/vendors', vendor));
    const lines = [{ productId: goodsId, quantity: 1, unitCost: 10 }];
    const order = await client.post('/api/purchase-orders', { vendorId, lines });
    expect([order.status, getData(order)['taxTotal']]).toEqual([201, 0]);
    const number = 'F-1';
    const bill = await client.post('/api/payables', { vendorId, number, date: '2026-11-10', lines });
    expect([bill.status, getData(bill)['taxTotal']]).toEqual([201, 0]);
  });

  test('need a VAT identifier that can be verified; a new one is not', async () => {
    const wrong = await client.post('/api/customers', {
      name: 'X',
      taxId: 'DE123456789',
      taxIdVerifiedOn: '2026-11-01',
    });
    expect([wrong.status, wrong.body['errors']]).toEqual([
      400,
      ['taxIdVerifiedOn: needs a taxId with the structure and check digits of a VAT identifier'],
    ]);
    const sent = { name: 'X', taxId: 'DE123456788', taxIdVerifiedOn: '2026-11-01' };
    const id = getCreatedId(await client.post('/api/customers', sent));
    expect(getData(await client.put(`/api/customers/${id}`, { name: 'Y' }))['taxIdVerifiedOn']).toBe('2026-11-01');
    const changed = await client.put(`/api/customers/${id}`, { taxId: 'ATU12345675' });
    expect(getData(changed)['taxIdVerifiedOn']).toBeNull();
  });

  test('of a small business charge no VAT, with the reason of its country', async () => {
    const small = await createNewcomer();
    await small.put('/api/config/company', { address, taxNumber: '22/815/08150', language: 'de' });
    await small.post('/api/config/tax-sets', { smallBusiness: true });
    const productId = getCreatedId(await small.post('/api/products', { name: 'Advice', type: 'service', price: 10 }));
    const customerId = getCreatedId(await small.post('/api/customers', { name: 'Customer', address }));
    const issued = await small.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] });
    expect(getData(issued)).toMatchObject({
      taxTotal: 0,
      taxes: [{ category: 'E', exemptionReason: 'Kein Ausweis von Umsatzsteuer, da Kleinunternehmer gemäß § 19 UStG' }],
    });
  });
});

test('a plain rate is not taken for one of several taxes with the same percentage', async () => {
  const client = await createNewcomer();
  const plain = { name: 'BC', category: 'S', percent: 12 };
  const plainId = getCreatedId(await client.post('/api/config/tax-rates', plain));
  const apply = async () => {
    const set = getData(await client.post('/api/config/tax-sets', { country: 'CA' }));
    const { taxRates } = set as { taxRates: { id: number; percent: number; components: unknown }[] };
    return taxRates.filter(({ percent }) => percent === 12);
  };
  const [rate, ...others] = await apply();
  expect(others).toEqual([]);
  expect(rate?.id).not.toBe(plainId);
  expect(rate?.components).toMatchObject([{ percent: 5 }, { percent: 7 }]);
  expect(await apply()).toMatchObject([{ id: rate?.id }]);
});

test('a rate of several taxes states each of them, on credit notes to the cent', async () => {
  const client = await createNewcomer();
  const canadian = { line1: '1 Rue', city: 'Montréal', region: 'QC', postalCode: 'H2X 1Y4', country: 'CA' };
  await client.put('/api/config/company', { address: canadian, taxId: '123456782 RT0001', baseCurrencyCode: 'CAD' });
  const wrong = await client.post('/api/config/tax-rates', {
    name: 'Quebec',
    percent: 15,
    components: [
      { name: 'GST', percent: 5 },
      { name: 'QST', percent: 9.975 },
    ],
  });
  expect([wrong.status, wrong.body['errors']]).toEqual([
    400,
    ['components: must have percentages that add up to percent'],
  ]);
  const set = await client.post('/api/config/tax-sets', {});
  const { taxRates } = getData(set) as { taxRates: Record<string, unknown>[] };
  const taxRateId = taxRates.find(({ percent }) => percent === 14.975)?.['id'];
  const product = { name: 'Advice', type: 'service', price: 33.37, currencyCode: 'CAD', taxRateId };
  const productId = getCreatedId(await client.post('/api/products', product));
  const customerId = getCreatedId(await client.post('/api/customers', { name: 'Client', address: canadian }));
  const body = { customerId, lines: [{ productId, quantity: 3 }], language: 'fr' };
  const issued = await client.post('/api/invoices', body);
  // 100.11 × 14.975 % = 14.99, which both taxes share by their percentages.
  expect(getData(issued)).toMatchObject({
    total: 100.11,
    taxTotal: 14.99,
    taxes: [
      {
        percent: 14.975,
        components: [
          { name: 'GST/TPS', percent: 5, tax: 5.01 },
          { name: 'QST/TVQ', percent: 9.975, tax: 9.98 },
        ],
      },
    ],
  });
  const id = getCreatedId(issued);
  const text = (await readPageTexts((await client.get(`/api/invoices/${id}/pdf`)).bytes))
    .join(' ')
    .replace(/\s+/g, ' ');
  expect(text).toMatch(/GST\/TPS 5 % 100,11 5,01 QST\/TVQ 9,975 % 100,11 9,98/);
  const credited = [0, 0];
  for (const quantity of [1, 1, 1]) {
    const lines = [{ invoiceLineId: 1, quantity }];
    const note = await client.post('/api/credit-notes', { invoiceId: id, reason: 'Returned', lines });
    const [tax] = getData(note)['taxes'] as { components: { tax: number }[] }[];
    tax?.components.forEach((component, index) => {
      credited[index] = Math.round(((credited[index] ?? 0) + component.tax) * 100) / 100;
    });
  }
  expect(credited).toEqual([5.01, 9.98]);
});

test('the choice of tax rates is a first step of a new company until it has rates', async () => {
  const newcomer = await createNewcomer();
  const readStep = async () => {
    const { steps } = getData(await newcomer.get('/api/setup')) as { steps: { step: string; done: boolean }[] };
    return steps.find(({ step }) => step === 'tax_rates_chosen');
  };
  expect(await readStep()).toMatchObject({ done: false });
  await newcomer.post('/api/config/tax-sets', { country: 'DE' });
  expect(await readStep()).toMatchObject({ done: true });
});
