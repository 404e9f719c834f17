import { startReceiver, verifySignature } from '../support/receiver';
import type { Receiver } from '../support/receiver';
import { closeTestPlatform } from '../support/tenant';
import { register } from '../support/webhooks';
import { addCustomer, addProduct, businessClient, dataOf } from './business-client';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(closeTestPlatform);

test('issuing an invoice tells subscribers once, signed, without a name; a refused one tells nothing', async () => {
  const client = await businessClient();
  const { secret } = await register(client.tenant.identityKey, `${receiver.url}/erp`, ['invoice.issued']);
  const productId = await addProduct(client, { initialStock: { quantity: 2 } });
  const customerId = await addCustomer(client, { name: 'Confidential customer' });
  const lines = [{ productId, quantity: 1, unitPrice: 12.5 }];
  expect((await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 3 }] })).status).toBe(409);
  expect((await client.post('/api/invoices?dryRun=true', { customerId, lines })).status).toBe(200);
  const issued = await client.post('/api/invoices', { customerId, lines }, { 'idempotency-key': 'once' });
  await client.post('/api/invoices', { customerId, lines }, { 'idempotency-key': 'once' });
  const second = await client.post('/api/invoices', { customerId, lines });

  const requests = await receiver.waitForCount(2);
  const told = requests.map((request) => JSON.parse(request.body) as { type: string; data: Record<string, unknown> });
  for (const request of requests) expect(verifySignature(request, secret)).toEqual(JSON.parse(request.body));
  const byNumber = [...told].sort((a, b) => Number(a.data['invoiceId']) - Number(b.data['invoiceId']));
  expect(byNumber.map(({ type, data }) => [type, data['invoiceId'], data['number'], data['grandTotal']])).toEqual(
    [issued, second].map((answer) => ['invoice.issued', dataOf(answer)['id'], dataOf(answer)['number'], 15]),
  );
  expect(JSON.stringify(told)).not.toContain('Confidential');
  expect(new Set(requests.map((request) => request.headers['webhook-id'])).size).toBe(2);
});
