import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { closeTestPlatform } from '../../../support/tenant';

const november = { start: '2026-11-01', end: '2026-11-30' };

let client: BusinessClient;
let customerId: number;
let productId: number;

const post = (fields: object, line: object = {}) =>
  client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, ...line }], ...fields });

const getFile = async (path: string) => (await client.get(path)).bytes;

beforeAll(async () => {
  client = await createBusinessClient('Nordlicht GmbH');
  const address = { line1: 'Speicherstraße 14', city: 'Hamburg', country: 'DE' };
  await client.put('/api/config/company', { taxId: 'DE123456788', address, eInvoicing: 'on', language: 'de' });
  customerId = await addCustomer(client, { address: { city: 'Berlin', country: 'DE' } });
  productId = await addService(client);
});

afterAll(closeTestPlatform);

describe('POST /api/invoices with dates of supply', () => {
  test('states them in the response, on the page and in the XML, and its credit note repeats them', async () => {
    const id = getCreatedId(await post({ deliveryPeriod: november }, { deliveryDate: '2026-11-20' }));
    const path = `/api/invoices/${id}`;
    expect(getData(await client.get(path))).toMatchObject({
      deliveryDate: null,
      deliveryPeriod: november,
      lines: [{ deliveryDate: '2026-11-20', deliveryPeriod: null }],
    });
    const [page] = await readPageTexts(await getFile(`${path}/pdf`));
    expect(page).toMatch(/Leistungszeitraum\s*1\.\s*–\s*30\. November 2026/);
    expect(page).toContain('Leistungsdatum: 20. November 2026');
    const ubl = (await getFile(`${path}/pdf?format=ubl`)).toString('utf8');
    expect(ubl).toContain(
      '<cac:InvoicePeriod><cbc:StartDate>2026-11-01</cbc:StartDate><cbc:EndDate>2026-11-30</cbc:EndDate></cac:InvoicePeriod><cac:AccountingSupplierParty>',
    );
    expect(ubl).toContain('<cbc:StartDate>2026-11-20</cbc:StartDate><cbc:EndDate>2026-11-20</cbc:EndDate>');
    const note = getCreatedId(await client.post('/api/credit-notes', { invoiceId: id, reason: 'Returned' }));
    expect(getData(await client.get(`/api/credit-notes/${note}`))).toMatchObject({
      deliveryPeriod: november,
      lines: [{ deliveryDate: '2026-11-20' }],
    });
  });

  test('reads a date-time in the time zone of the company, and a day is BT-72', async () => {
    const id = getCreatedId(await post({ deliveryDate: '2026-11-20T23:30:00Z' }));
    expect(getData(await client.get(`/api/invoices/${id}`))['deliveryDate']).toBe('2026-11-20');
    const ubl = (await getFile(`/api/invoices/${id}/pdf?format=ubl`)).toString('utf8');
    expect(ubl).toContain('<cbc:ActualDeliveryDate>2026-11-20</cbc:ActualDeliveryDate>');
  });

  test('names every wrong date', async () => {
    const response = await post(
      { deliveryDate: '2026-11-20', deliveryPeriod: november },
      { deliveryPeriod: { start: '2026-11-02', end: '2026-11-01' } },
    );
    expect([response.status, response.body['errors']]).toEqual([
      400,
      [
        'deliveryPeriod: must not be sent together with deliveryDate; send one of them',
        'lines[0].deliveryPeriod.end: must not be before the start, 2026-11-02',
      ],
    ]);
    const outside = await post({ deliveryPeriod: november }, { deliveryDate: '2026-12-01' });
    expect(outside.body['errors']).toEqual([
      "lines[0].deliveryDate: must lie in the document's deliveryPeriod, 2026-11-01 to 2026-11-30",
    ]);
    expect((await post({ deliveryPeriod: { start: '2026-11-31', end: '2026-12-01' } })).status).toBe(400);
  });

  test('does not invent a date for a supply within the Union', async () => {
    const rate = {
      name: 'Intra-Community',
      percent: 0,
      category: 'K',
      exemptionReason: 'Art. 138 Directive 2006/112/EC',
    };
    const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
    const spain = await addCustomer(client, { taxId: 'ESB12345674', address: { city: 'Cádiz', country: 'ES' } });
    const refused = await post({ customerId: spain }, { taxRateId });
    expect([refused.status, refused.body['code']]).toEqual([400, 'einvoice_invalid']);
    expect(refused.body['errors']).toEqual([expect.stringMatching(/^deliveryDate: BR-IC-11: /)]);
    getCreatedId(await post({ customerId: spain, deliveryDate: '2026-11-19' }, { taxRateId }));
  });
});

describe('PUT /api/invoices/:id of a draft with dates of supply', () => {
  test('keeps dates that are sent back, and a day replaces a period', async () => {
    const id = getCreatedId(await post({ draft: true, deliveryPeriod: november }));
    const path = `/api/invoices/${id}`;
    const kept = await client.put(path, getData(await client.get(path)));
    expect([kept.status, getData(kept)['deliveryPeriod']]).toEqual([200, november]);
    const day = await client.put(path, { deliveryDate: '2026-11-20' });
    expect(getData(day)).toMatchObject({ deliveryDate: '2026-11-20', deliveryPeriod: null });
    const none = await client.put(path, { deliveryDate: null });
    expect(getData(none)).toMatchObject({ deliveryDate: null, deliveryPeriod: null });
    await client.put(path, { deliveryDate: '2026-11-20' });
    const issued = await client.post(`${path}/issue`, {});
    expect([issued.status, getData(issued)['deliveryDate']]).toEqual([200, '2026-11-20']);
  });
});
