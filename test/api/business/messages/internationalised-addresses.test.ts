import { messageSchema } from '../../../../api/business/messages/message-responses';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildReport } from '../../../support/business/delivery-report';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';
import { call } from '../../../support/client';
import { pollUntilFound } from '../../../support/poll';

const PASSWORD = 'smtp-password-1';

let client: BusinessClient;
let server: MailServer;
let invoiceId: number;

async function sendAndWait(body: object, status: string) {
  const { id } = messageSchema.parse(getData(await client.post(`/api/invoices/${invoiceId}/send`, body)));
  return pollUntilFound(async () => {
    const message = messageSchema.parse(getData(await client.get(`/api/messages/${id}`)));
    return message.status === status ? message : undefined;
  });
}

beforeAll(async () => {
  [client, server] = await Promise.all([
    createBusinessClient('Müller & Söhne'),
    startMailServer({ password: PASSWORD }),
  ]);
  await client.put('/api/config/email', {
    ...buildEmailSettings(server, PASSWORD),
    fromAddress: 'rechnung@söhne.example',
    bounceAddress: 'bounces@söhne.example',
  });
  const customerId = await addCustomer(client, { name: 'Müller', email: 'info@müller.example' });
  expect(getData(await client.get(`/api/customers/${customerId}`))).toMatchObject({ email: 'info@müller.example' });
  const lines = [{ productId: await addService(client), quantity: 1 }];
  invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
});
afterAll(() => server.close());

test('an address whose domain is internationalised is kept as it was sent, and transmitted in ASCII', async () => {
  const sent = await sendAndWait({}, 'sent');
  expect(sent.to).toBe('info@müller.example');
  const received = server.received.find(({ envelopeId }) => envelopeId === sent.id);
  // The server of the tests shows envelopes decoded.
  expect(received?.to).toEqual(['info@müller.example']);
  const head = received?.raw.toString('latin1').split('\r\n\r\n')[0];
  expect(head).toContain('rechnung@xn--shne-5qa.example');
  expect(head).toMatch(/^To: info@xn--mller-kva\.example\r?$/m);
});

test('the server can refuse one such recipient, and a delivery report can name another', async () => {
  server.reply((_, to) =>
    to.startsWith('wrong@') ? { code: 550, text: '5.1.1 No such user', step: 'recipient' } : 'accept',
  );
  const sent = await sendAndWait({ to: ['info@müller.example', 'wrong@müller.example'] }, 'sent');
  expect(sent.recipients.map(({ status, replyCode }) => [status, replyCode])).toEqual([
    ['sent', 250],
    ['failed', 550],
  ]);
  const key = await client.tenant.createBusinessKey(['messages:report']);
  const report = buildReport({ id: sent.id, names: 'envelope', action: 'failed', status: '5.1.1' });
  const body = Buffer.from(report.replaceAll(/[\w.+-]+@customer\.example/g, 'info@xn--mller-kva.example'));
  await call('POST', '/api/messages/delivery-reports', { key, form: { report: { body, name: 'report.eml' } } });
  const bounced = messageSchema.parse(getData(await client.get(`/api/messages/${sent.id}`)));
  expect(bounced.recipients.map(({ status }) => status)).toEqual(['bounced', 'failed']);
});

test('what is no address is refused, with what is accepted', async () => {
  for (const email of ['info@müller', 'jürgen@müller.example', 'info@mü ller.example', 'info@müller.example\n', 5]) {
    const response = await client.post('/api/customers', { name: 'X', email });
    expect([response.status, response.body['errors']]).toEqual([400, ['email: must be an email address']]);
  }
  const long = await client.post('/api/customers', { name: 'X', email: `${'x'.repeat(250)}@customer.example` });
  expect(long.body['errors']).toEqual(['email: must have at most 254 characters']);
});
