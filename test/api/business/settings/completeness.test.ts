import { issueApiKey } from '../../../../services/platform/access/api-keys';
import { createOrganisation } from '../../../../services/platform/access/organisations';
import { newId } from '../../../../lib/ids';
import { call } from '../../../support/client';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

const address = { line1: 'Speicherstraße 14', postalCode: '20457', city: 'Hamburg', country: 'DE' };

/** Everything that the law requires of a German company. */
const details = {
  legalName: 'Nordlicht GmbH',
  address,
  taxId: 'DE123456788',
  taxNumber: '22/815/08150',
  registrationNumber: 'HRB 98765',
  registerName: 'Amtsgericht Hamburg',
  managingDirectors: ['Ada Nord', 'Björn Licht'],
  shareCapital: { amount: 25000, currencyCode: 'EUR' },
};

test('a new organisation cannot issue an invoice before its company is complete', async () => {
  const platform = await getTestPlatform();
  const slug = newId('org').toLowerCase().replaceAll('_', '-');
  const { _id: organisationId } = await createOrganisation(platform, { name: 'Newcomer', slug });
  const scope = { organisationId, mode: 'live' } as const;
  const permissions = [...ALL_BUSINESS_PERMISSIONS];
  const { secret: key } = await issueApiKey(platform, scope, 'business', { name: 'Test', permissions });
  const state = await call('GET', '/api/config/company/completeness', { key });
  expect(getData(state)).toMatchObject({
    complete: false,
    missing: [
      { rule: 'SELLER-COUNTRY', field: 'address.country' },
      { rule: 'SELLER-ADDRESS', field: 'address' },
    ],
  });
  expect(getData(await call('GET', '/api/config/company', { key }))['completenessChecks']).toBe('on');
});

describe('a company with completeness checks', () => {
  test('gets every missing detail named, from dry run and issue alike; a draft is stored', async () => {
    const client = await createBusinessClient('Nordlicht GmbH');
    await client.put('/api/config/company', { completenessChecks: 'on', address: { country: 'DE' }, language: 'de' });
    const lines = [{ productId: await addService(client, { price: 1000 }), quantity: 1 }];
    const body = { customerId: await addCustomer(client), lines };
    for (const query of ['', '?dryRun=true']) {
      const response = await client.post(`/api/invoices${query}`, body);
      expect([response.status, response.body['code']]).toEqual([400, 'document_incomplete']);
      expect(response.body['details']).toMatchObject({
        rules: ['SELLER-ADDRESS', 'DE-TAX-NUMBER', 'DE-REGISTER', 'DE-DIRECTORS', 'EU-BUYER-ADDRESS', 'DE-SUPPLY-DATE'],
      });
    }
    const draft = getCreatedId(await client.post('/api/invoices', { ...body, draft: true }));
    const refused = await client.post(`/api/invoices/${draft}/issue`, {});
    expect([refused.status, refused.body['code']]).toEqual([400, 'document_incomplete']);

    const updated = await client.put('/api/config/company', { ...details, defaultDeliveryDate: 'issue_date' });
    expect(getData(updated)).toMatchObject({ ...details, defaultDeliveryDate: 'issue_date' });
    expect(getData(await client.get('/api/config/company/completeness'))).toEqual({ complete: true, missing: [] });
    await client.put(`/api/customers/${body.customerId}`, {
      address: { line1: 'Allee 1', city: 'Kiel', country: 'DE' },
    });
    const issued = await client.post(`/api/invoices/${draft}/issue`, {});
    expect([issued.status, getData(issued)['deliveryDate']]).toEqual([200, getData(issued)['issueDate']]);

    const pdf = await client.get(`/api/invoices/${draft}/pdf`);
    const text = (await readPageTexts(pdf.bytes)).join('\n').replace(/\s+/g, ' ');
    for (const said of [
      'USt-IdNr. DE123456788',
      'Steuernummer 22/815/08150',
      'Register: Amtsgericht Hamburg, HRB 98765',
      'Geschäftsführung: Ada Nord, Björn Licht',
      'Stammkapital: 25.000,00 €',
      'Leistungsdatum',
    ])
      expect(text).toContain(said);
    const ubl = (await client.get(`/api/invoices/${draft}/pdf?format=ubl`)).bytes.toString('utf8');
    expect(ubl).toContain(
      '<cbc:CompanyLegalForm>Amtsgericht Hamburg; Ada Nord, Björn Licht; 25000 EUR</cbc:CompanyLegalForm>',
    );
    expect(ubl).toContain('<cbc:CompanyID>22/815/08150</cbc:CompanyID>');
  });

  test('rejects a wrong routing number, and prints the account of a company in the United States', async () => {
    const client = await createBusinessClient('Prairie LLC');
    const wrong = await client.put('/api/config/company', { routingNumber: '021000022' });
    expect([wrong.status, wrong.body['errors']]).toEqual([
      400,
      ['routingNumber: must be a routing number of nine digits with its check digit'],
    ]);
    await client.put('/api/config/company', {
      completenessChecks: 'on',
      address: { line1: '1 Main Street', city: 'Topeka', region: 'KS', postalCode: '66603', country: 'US' },
      taxId: '12-3456789',
      baseCurrencyCode: 'USD',
      bankName: 'Prairie Bank',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      paymentNote: 'A late fee of 1.5 % per month applies.',
    });
    const productId = await addService(client, { currencyCode: 'USD' });
    const body = {
      customerId: await addCustomer(client),
      lines: [{ productId, quantity: 1 }],
      issueDate: '2026-11-09',
    };
    const id = getCreatedId(await client.post('/api/invoices', body));
    const text = (await readPageTexts((await client.get(`/api/invoices/${id}/pdf`)).bytes)).join(' ');
    for (const said of ['EIN 12-3456789', '000123456789', '021000021', 'A late fee of', 'November 9, 2026'])
      expect(text.replace(/\s+/g, ' ')).toContain(said);
  });
});
