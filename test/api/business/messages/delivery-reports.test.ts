import { newId } from '../../../../lib/ids';
import { Message } from '../../../../models/business/messages/message';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';
import { listMessageEvents, parseMessage, readMessage, waitForMessageStatus } from '../../../support/business/messages';
import { call } from '../../../support/client';
import { buildReport } from '../../../support/business/delivery-report';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';

const PASSWORD = 'smtp-password-1';
let client: BusinessClient;
let server: MailServer;
let customerId: number;
let productId: number;
let key: string;

beforeAll(async () => {
  [client, server] = await Promise.all([createBusinessClient('Reports'), startMailServer({ password: PASSWORD })]);
  key = await client.tenant.createBusinessKey(['messages:report']);
  customerId = await addCustomer(client, { name: 'Buyer', email: 'buyer@customer.example' });
  productId = await addService(client);
  const settings = { ...buildEmailSettings(server, PASSWORD), bounceAddress: 'bounces@seller.example' };
  expect((await client.put('/api/config/email', settings)).status).toBe(200);
});
afterAll(async () => {
  await server.close();
  await closeTestPlatform();
});

/** Sends a new invoice. @returns the id of its message, which the server has accepted */
async function sendInvoice(recipients: object = {}): Promise<string> {
  const lines = [{ productId, quantity: 1 }];
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const { id } = parseMessage(getData(await client.post(`/api/invoices/${invoiceId}/send`, recipients)));
  await waitForMessageStatus(client, id, 'sent');
  return id;
}

const MEGABYTE = 1024 * 1024;
/** A report about a message that was not sent: it is recognised as one, and has no effect. */
const REPORT = buildReport({ id: newId('msg'), names: 'envelope', action: 'failed', status: '5.1.1' });

const nest = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
  ).join('');

async function submitReport(message: string, by = key): Promise<[number, unknown]> {
  const form = { report: { body: Buffer.from(message.replace(/\n/g, '\r\n')), name: 'message.eml' } };
  const { status, body } = await call('POST', '/api/messages/delivery-reports', { key: by, form });
  return [status, body['data']];
}

test('a report sets a message that was sent to bounced, whichever way it names it, once', async () => {
  const ids: string[] = [];
  for (const names of ['envelope', 'address', 'headers'] as const) {
    const id = await sendInvoice();
    ids.push(id);
    const delayed = await submitReport(buildReport({ id, names, action: 'delayed', status: '4.4.7' }));
    expect(delayed).toEqual([200, { outcome: 'recorded', messageId: id }]);
    const { status, reports } = await readMessage(client, id);
    expect([status, reports]).toMatchObject(['sent', [{ action: 'delayed', status: '4.4.7' }]]);
    const failed = buildReport({ id, names, action: 'failed', status: '5.1.1' });
    await Promise.all([submitReport(failed), submitReport(failed)]);
    const bounced = await waitForMessageStatus(client, id, 'bounced');
    expect(bounced).toMatchObject({ reason: 'delivery_failed' });
    expect(bounced.reports.map(({ action }) => action)).toEqual(['delayed', 'failed']);
  }
  const [first = ''] = ids;
  expect(await listMessageEvents(client, first, customerId)).toEqual([
    { type: 'message.sent', reason: null },
    { type: 'message.bounced', reason: 'delivery_failed' },
  ]);
  const theirKey = await (await createTenant('Stranger')).createBusinessKey(['messages:report']);
  const theirs = await submitReport(
    buildReport({ id: first, names: 'address', action: 'failed', status: '5.0.0' }),
    theirKey,
  );
  expect(theirs).toEqual([200, { outcome: 'unknown_message', messageId: null }]);
});

test('a report about none of several recipients is recorded, and the message stays sent', async () => {
  const id = await sendInvoice({ to: ['a@customer.example', 'b@customer.example'] });
  const fields = { id, names: 'envelope', action: 'failed', status: '5.1.1' } as const;
  await submitReport(buildReport({ ...fields, recipient: 'forwarded@elsewhere.example' }));
  const { status, reason, recipients, reports } = await readMessage(client, id);
  expect([status, reason, recipients.map((each) => each.status)]).toEqual(['sent', null, ['sent', 'sent']]);
  expect(reports).toMatchObject([{ action: 'failed', status: '5.1.1' }]);
  expect(await listMessageEvents(client, id, customerId)).toEqual([{ type: 'message.sent', reason: null }]);
  await submitReport(buildReport({ ...fields, recipient: 'B@customer.example' }));
  const bounced = await readMessage(client, id);
  expect([bounced.status, ...bounced.recipients.map((each) => each.status)]).toEqual(['bounced', 'sent', 'bounced']);
});

test('a message without a recipient to send it to is not queued again', async () => {
  const id = await sendInvoice({ to: ['a@customer.example', 'b@customer.example'] });
  await getTestPlatform();
  // Earlier versions stored this after a report about none of the recipients.
  await Message.updateOne({ _id: id }, { $set: { status: 'bounced', reason: 'delivery_failed' } });
  const retried = await client.post(`/api/messages/${id}/retry`, {});
  expect([retried.status, retried.body['code']]).toEqual([409, 'message_ended']);
  expect(await readMessage(client, id)).toMatchObject({ status: 'bounced', reason: 'delivery_failed' });
});

test('any other message is accepted without an effect', async () => {
  for (const text of ['\n', 'Subject: Out of office\n\nBack on Monday.', 'x'.repeat(100_000)])
    expect(await submitReport(text)).toEqual([200, { outcome: 'not_a_report', messageId: null }]);
});

test.each([
  ['whose parts are nested deeply', nest(1000)],
  ['with headers of several megabytes', `Subject: ${'a'.repeat(3 * MEGABYTE)}\n\ntext\n`],
])('a message %s is accepted without an effect, as every other one that is no report', async (_title, message) => {
  expect(await submitReport(message)).toEqual([200, { outcome: 'not_a_report', messageId: null }]);
});

test('a report that returns a large message is read', async () => {
  const returned = REPORT.replace('\nText\n', `\n${'returned line\n'.repeat(500_000)}`);
  expect(await submitReport(returned)).toEqual([200, { outcome: 'unknown_message', messageId: null }]);
});

test('only the beginning of a message is read, so that one of millions of lines delays no other request', async () => {
  const [headers = '', ...parts] = REPORT.split('\n\n');
  const late = [headers, '\n'.repeat(MEGABYTE), ...parts].join('\n\n');
  expect(await submitReport(late)).toEqual([200, { outcome: 'not_a_report', messageId: null }]);
});
