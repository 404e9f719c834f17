import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import { listErrorFields } from '../../../support/business/rejections';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
});
afterAll(closeTestPlatform);

/** Issues an invoice with one line of 100. */
async function issueInvoice(seriesId: number) {
  const customerId = await addCustomer(client);
  const productId = await addService(client);
  return client.post('/api/invoices', { customerId, seriesId, lines: [{ productId, quantity: 1, unitPrice: 100 }] });
}

test('a new series numbers its invoices from 1; its prefix is unique', async () => {
  const created = await client.post('/api/config/document-series', {
    documentType: 'invoice',
    prefix: 'SHOP',
    padding: 4,
  });
  const seriesId = getCreatedId(created);
  expect(getData(created)).toMatchObject({ exampleNumber: expect.stringMatching(/^SHOP-\d{4}-0001$/) as string });
  expect(getData(created)).toMatchObject({ active: true });
  expect(String(getData(await issueInvoice(seriesId))['number'])).toMatch(/^SHOP-\d{4}-0001$/);
  const duplicate = await client.post('/api/config/document-series', { documentType: 'credit_note', prefix: 'SHOP' });
  expect([duplicate.status, duplicate.body['code']]).toEqual([409, 'prefix_taken']);
  const listed = await client.get('/api/config/document-series?documentType=invoice');
  expect(getRows(listed).map((row) => row['prefix'])).toEqual(['INV', 'SHOP']);
});

test('an inactive series numbers nothing; the default series cannot be deactivated', async () => {
  const seriesId = getCreatedId(
    await client.post('/api/config/document-series', { documentType: 'invoice', prefix: 'OLD' }),
  );
  expect((await client.put(`/api/config/document-series/${seriesId}`, { active: false })).status).toBe(200);
  const rejected = await issueInvoice(seriesId);
  expect([rejected.status, listErrorFields(rejected)]).toEqual([400, ['seriesId']]);
  const changed = await client.put(`/api/config/document-series/${seriesId}`, { prefix: 'NEW' });
  expect([changed.status, listErrorFields(changed)]).toEqual([400, ['prefix']]);
  expect((await client.put('/api/config/document-series/1', { active: false })).body['code']).toBe('is_default');
});

test.each([
  [{ prefix: 'A' }, 'documentType'],
  [{ documentType: 'quote', prefix: 'A' }, 'documentType'],
  [{ documentType: 'invoice' }, 'prefix'],
  [{ documentType: 'invoice', prefix: 'A/B' }, 'prefix'],
  [{ documentType: 'invoice', prefix: '1A' }, 'prefix'],
  [{ documentType: 'invoice', prefix: 'A', padding: 0 }, 'padding'],
  [{ documentType: 'invoice', prefix: 'A', padding: 11 }, 'padding'],
])('%j is 400 naming %s', async (json, field) => {
  const response = await client.post('/api/config/document-series', json);
  expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
});

test('a credit note has the series that it names, else the active one with the lowest id', async () => {
  const own = await createBusinessClient();
  const lines = [{ productId: await addService(own), quantity: 1, unitPrice: 100 }];
  const invoiceId = getCreatedId(await own.post('/api/invoices', { customerId: await addCustomer(own), lines }));
  const addSeries = async (documentType: string, prefix: string): Promise<number> =>
    getCreatedId(await own.post('/api/config/document-series', { documentType, prefix, padding: 4 }));
  const seriesId = await addSeries('credit_note', 'SHOPCR');
  const credit = (fields: object) =>
    own.post('/api/credit-notes', {
      invoiceId,
      reason: 'Returned',
      lines: [{ invoiceLineId: 1, amount: 10 }],
      ...fields,
    });
  const named = await credit({ seriesId });
  expect([named.status, getData(named)['number']]).toEqual([201, expect.stringMatching(/^SHOPCR-\d{4}-0001$/)]);
  expect(String(getData(await credit({}))['number'])).not.toMatch(/^SHOPCR/);
  const invoiceSeries = await addSeries('invoice', 'SHOPIN');
  await own.put(`/api/config/document-series/${seriesId}`, { active: false });
  for (const refused of [await credit({ seriesId }), await credit({ seriesId: invoiceSeries })])
    expect([refused.status, refused.body['errors']]).toEqual([
      400,
      ['seriesId: is not an active series of credit notes of the company'],
    ]);
});
