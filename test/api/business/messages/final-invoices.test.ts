import { messageSchema } from '../../../../api/business/messages/message-responses';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';

const PASSWORD = 'smtp-password-1';

test('the e-mail of a final invoice names as amount to pay what deposits leave of its total', async () => {
  const server = await startMailServer({ password: PASSWORD });
  try {
    const client = await createBusinessClient('Final & sent');
    const customerId = await addCustomer(client, { name: 'Käufer', email: 'buyer@customer.example', language: 'de' });
    const productId = await addService(client);
    await client.put('/api/config/email', buildEmailSettings(server, PASSWORD));
    const issue = async (body: object) => getCreatedId(await client.post('/api/invoices', { customerId, ...body }));
    const depositId = await issue({
      deposit: true,
      lines: [{ description: 'Anzahlung', quantity: 1, unitPrice: 30 }],
    });
    const allocations = [{ documentId: depositId, amount: 36 }];
    expect((await client.post('/api/receivables/payments', { customerId, amount: 36, allocations })).status).toBe(201);
    const finalId = await issue({
      depositInvoiceIds: [depositId],
      dueDate: '2027-03-31',
      lines: [{ productId, quantity: 2, unitPrice: 50 }],
    });
    const { text } = messageSchema.parse(getData(await client.post(`/api/invoices/${finalId}/send`, {})));
    expect(text).toContain('über 120,00');
    expect(text).toMatch(/^Zu zahlen bis zum 31\. März 2027: 84,00/m);
  } finally {
    await server.close();
  }
});
