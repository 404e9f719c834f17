import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';
import { parseMessage, readMessage, waitForMessage } from '../../../support/business/messages';

const PASSWORD = 'smtp-password-1';

let client: BusinessClient;
let server: MailServer;
let customerId: number;
let productId: number;

async function sendInvoice(): Promise<{ invoiceId: number; messageId: string }> {
  const lines = [{ productId, quantity: 1 }];
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const { id } = parseMessage(getData(await client.post(`/api/invoices/${invoiceId}/send`, {})));
  return { invoiceId, messageId: id };
}

async function voidInvoice(id: number): Promise<void> {
  expect((await client.post(`/api/invoices/${id}/void`, { reason: 'Issued by mistake' })).status).toBe(200);
}

beforeAll(async () => {
  [client, server] = await Promise.all([
    createBusinessClient('Voided & sent'),
    startMailServer({ password: PASSWORD }),
  ]);
  customerId = await addCustomer(client, { name: 'Buyer', email: 'buyer@customer.example' });
  productId = await addService(client);
  await client.put('/api/config/email', buildEmailSettings(server, PASSWORD));
});
afterAll(() => server.close());

describe('voiding an invoice whose e-mail was not delivered', () => {
  test('cancels a message that waits for its next attempt', async () => {
    server.reply(() => ({ code: 451, text: '4.3.0 Down for maintenance', step: 'recipient' }));
    const { invoiceId, messageId } = await sendInvoice();
    const other = await sendInvoice();
    await waitForMessage(client, messageId, ({ attempts }) => attempts[0]?.result === 'deferred');
    await voidInvoice(invoiceId);
    expect(await readMessage(client, messageId)).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled',
      nextAttemptAt: null,
      recipients: [{ status: 'cancelled' }],
    });
    expect(await readMessage(client, other.messageId)).toMatchObject({ status: 'queued' });
    const retried = await client.post(`/api/messages/${messageId}/retry`, undefined);
    expect([retried.status, retried.body['code']]).toEqual([409, 'message_ended']);
  });

  test('does not let a failed message be transmitted again', async () => {
    server.reply(() => ({ code: 550, text: '5.1.1 No such user', step: 'recipient' }));
    const { invoiceId, messageId } = await sendInvoice();
    await waitForMessage(client, messageId, ({ status }) => status === 'failed');
    await voidInvoice(invoiceId);
    server.reply(() => 'accept');
    const retried = await client.post(`/api/messages/${messageId}/retry`, undefined);
    expect([retried.status, retried.body['code']]).toEqual([409, 'already_void']);
    expect(await readMessage(client, messageId)).toMatchObject({ status: 'failed' });
    expect(server.received.filter(({ envelopeId }) => envelopeId === messageId)).toEqual([]);
  });
});
