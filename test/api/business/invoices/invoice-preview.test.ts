import {
  addCustomer,
  addService,
  createBusinessClient,
  createClientWithToken,
  signIn,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
let body: object;

beforeAll(async () => {
  client = await createBusinessClient('Vorschau GmbH');
  const [customerId, productId] = await Promise.all([
    addCustomer(client, { name: 'Nordlicht AG', language: 'de' }),
    addService(client, { name: 'Beratung' }),
  ]);
  body = { customerId, lines: [{ productId, quantity: 3, unitPrice: 100, details: 'Im März' }] };
});
afterAll(closeTestPlatform);

test('POST /api/invoices/preview prints the stamped page of an invoice, and creates no document', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => client.post('/api/invoices/preview', body)));
  expect([first?.status, first?.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
  const text = (await readPageTexts(first?.bytes ?? Buffer.alloc(0))).join(' ').replace(/\s+/g, ' ');
  for (const part of ['Entwurf', 'Nordlicht AG', 'Beratung', 'Im März', '360,00']) expect(text).toContain(part);
  expect((await client.get('/api/invoices')).body['totalCount']).toBe(0);
});

test('POST /api/invoices/preview names invalid fields as the invoice would, and needs the permission invoices:create', async () => {
  const invalid = await client.post('/api/invoices/preview', { ...body, customerId: 999_999 });
  expect([invalid.status, JSON.stringify(invalid.body['errors'])]).toEqual([
    400,
    expect.stringContaining('customerId'),
  ]);
  const { token } = await signIn(await client.tenant.createUserWithRole('viewer'));
  const viewer = createClientWithToken(client.tenant, token);
  expect((await viewer.post('/api/invoices/preview', body)).status).toBe(403);
});
