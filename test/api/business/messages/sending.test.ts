import { EmailSettings } from '../../../../models/business/messages/email-settings';
import { Message } from '../../../../models/business/messages/message';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';
import { call } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  listMessageEvents,
  parseMessage,
  waitForMessage,
  waitForMessageStatus,
} from '../../../support/business/messages';
import type { SentMessage } from '../../../support/business/messages';

const PASSWORD = 'smtp-password-1';
let client: BusinessClient;
let server: MailServer;
let customerId: number;
let productId: number;

async function issueInvoice(fields: object = {}): Promise<number> {
  const lines = [{ productId, quantity: 2, unitPrice: 50 }];
  return getCreatedId(await client.post('/api/invoices', { customerId, lines, ...fields }));
}

async function send(invoiceId: number, body: object = {}, headers: Record<string, string> = {}): Promise<SentMessage> {
  const response = await client.post(`/api/invoices/${invoiceId}/send`, body, headers);
  expect([response.status, response.body['message']]).toEqual([202, 'The message is being sent.']);
  return parseMessage(getData(response));
}

const settings = (fields: object = {}): object => ({
  ...buildEmailSettings(server, PASSWORD),
  bounceAddress: 'bounces@seller.example',
  ...fields,
});

const waitFor = (id: string, passes: (message: SentMessage) => boolean): Promise<SentMessage> =>
  waitForMessage(client, id, passes);
const waitForStatus = (id: string, status: SentMessage['status']): Promise<SentMessage> =>
  waitForMessageStatus(client, id, status);

beforeAll(async () => {
  [client, server] = await Promise.all([createBusinessClient('Mail & Söhne'), startMailServer({ password: PASSWORD })]);
  customerId = await addCustomer(client, { name: 'Käufer AG', email: 'buyer@customer.example', language: 'de' });
  productId = await addService(client);
});
afterAll(async () => {
  await server.close();
  await closeTestPlatform();
});

describe('the e-mail settings', () => {
  test('are required before anything is sent', async () => {
    expect((await client.get('/api/config/email')).body).toEqual({ ok: true, data: null });
    const response = await client.post(`/api/invoices/${await issueInvoice()}/send`, {});
    expect([response.status, response.body['code']]).toEqual([409, 'email_not_configured']);
  });

  test('name what is wrong with each field', async () => {
    const wrong = await client.put('/api/config/email', { host: 'smtp example', port: 0, fromAddress: 'x', user: 'u' });
    expect(wrong.status).toBe(400);
    for (const field of ['host', 'port', 'fromAddress']) expect(JSON.stringify(wrong.body['errors'])).toContain(field);
    const halves = await client.put('/api/config/email', settings({ password: undefined, caCertificate: 'no' }));
    expect(JSON.stringify(halves.body['errors'])).toMatch(/password.*is required with a user.*caCertificate/);
  });

  test('keep the password sealed, and for the server that it was set for', async () => {
    const stored = await client.put('/api/config/email', settings());
    expect(stored.status).toBe(200);
    expect(getData(stored)).toMatchObject({ security: 'starttls', hasPassword: true, formats: ['pdf'] });
    await getTestPlatform();
    const record = await EmailSettings.findById(client.tenant.organisationId).lean();
    expect(JSON.stringify([stored.body, record])).not.toContain(PASSWORD);
    const kept = await client.put('/api/config/email', settings({ password: undefined, fromName: 'Seller' }));
    expect(getData(kept)).toMatchObject({ hasPassword: true, fromName: 'Seller' });
    const elsewhere = await client.put('/api/config/email', settings({ password: undefined, host: 'evil.example' }));
    expect([elsewhere.status, JSON.stringify(elsewhere.body['errors'])]).toEqual([
      400,
      expect.stringContaining('password: must be sent again'),
    ]);
  });

  test('are tested by a message of their own', async () => {
    const response = await client.post('/api/config/email/test', { to: 'me@seller.example' });
    const message = await waitForStatus(parseMessage(getData(response)).id, 'sent');
    expect(message).toMatchObject({ kind: 'test', documentId: null, createdByName: 'Test admin' });
    const received = server.received.at(-1);
    expect(received).toMatchObject({ secure: true, user: 'billing', to: ['me@seller.example'] });
  });
});

describe('POST /api/invoices/:id/send', () => {
  test('sends the document over TLS with its files, once for one Idempotency-Key', async () => {
    const id = await issueInvoice();
    const before = server.received.length;
    const headers = { 'Idempotency-Key': `send-${id}` };
    const [first, second] = await Promise.all([send(id, {}, headers), send(id, {}, headers)]);
    expect(second.id).toBe(first.id);
    expect(first).toMatchObject({ kind: 'invoice', to: 'buyer@customer.example', language: 'de' });
    // The other response is a repetition, which may come after the message was sent.
    expect([first.status, second.status]).toContain('queued');
    const sent = await waitForStatus(first.id, 'sent');
    expect(sent.attempts).toMatchObject([{ number: 1, result: 'accepted', replyCode: 250, enhancedCode: '2.0.0' }]);

    const mails = server.received.slice(before);
    expect(mails).toHaveLength(1);
    const [received] = mails;
    expect(received).toMatchObject({
      secure: true,
      from: `bounces+${first.id}@seller.example`,
      to: ['buyer@customer.example'],
      envelopeId: first.id,
    });
    const number = String(getData(await client.get(`/api/invoices/${id}`))['number']);
    expect(received?.mail).toMatchObject({
      messageId: `<${first.id}@seller.example>`,
      subject: `Rechnung ${number} von Mail & Söhne`,
      from: { name: 'Seller', address: 'billing@seller.example' },
    });
    expect(received?.mail.text).toContain('120,00');
    const pdf = await client.get(`/api/invoices/${id}/pdf`);
    const [attachment] = received?.mail.attachments ?? [];
    expect(attachment).toMatchObject({ filename: `${number}.pdf`, mimeType: 'application/pdf' });
    expect(Buffer.from(attachment?.content as ArrayBuffer).equals(pdf.bytes)).toBe(true);

    const listed = await client.get(`/api/invoices/${id}/messages`);
    expect(getRows(listed)).toMatchObject([{ id: first.id, status: 'sent' }]);
  });

  test('attaches PDF and XML, and uses the subject and text of the request', async () => {
    await client.put('/api/config/company', {
      legalName: 'Mail & Söhne',
      taxId: 'DE123456789',
      address: { line1: 'Weg 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
    });
    const buyer = await addCustomer(client, {
      name: 'XML {{total}}',
      taxId: 'DE987654321',
      address: { line1: 'Platz 2', city: 'Bonn', postalCode: '53111', country: 'DE' },
    });
    const id = await issueInvoice({ customerId: buyer });
    const missing = await client.post(`/api/invoices/${id}/send`, { formats: ['pdf'] });
    expect([missing.status, JSON.stringify(missing.body['errors'])]).toEqual([
      400,
      expect.stringContaining('to: is required'),
    ]);
    const unknown = await client.post(`/api/invoices/${id}/send`, { to: 'x@customer.example', text: 'Hallo {{x' });
    expect([unknown.status, JSON.stringify(unknown.body['errors'])]).toEqual([
      400,
      expect.stringContaining('text: accepts'),
    ]);
    const content = { subject: 'Nr. {{documentNumber}}', text: 'Hallo {{customerName}}' };
    const message = await send(id, { to: 'xml@customer.example', formats: ['pdf', 'ubl'], ...content });
    // A value with the form of a placeholder is not replaced again.
    expect(message.text).toBe('Hallo XML {{total}}\n');
    await waitForStatus(message.id, 'sent');
    const mail = server.received.find(({ envelopeId }) => envelopeId === message.id)?.mail;
    expect(mail?.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf', 'application/xml']);
  });

  test('repeats what a server defers, and gives up what it rejects', async () => {
    const id = await issueInvoice();
    server.reply((count) => (count === 1 ? { code: 450, text: '4.7.1 Greylisted', step: 'recipient' } : 'accept'));
    const greylisted = await send(id);
    const waiting = await waitFor(greylisted.id, ({ attempts }) => attempts[0]?.result === 'deferred');
    expect(waiting).toMatchObject({
      status: 'queued',
      attempts: [{ replyCode: 450, enhancedCode: '4.7.1', error: 'refused' }],
    });
    expect(Date.parse(waiting.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(30_000);
    expect((await client.post(`/api/messages/${greylisted.id}/retry`, undefined)).status).toBe(202);
    expect((await waitForStatus(greylisted.id, 'sent')).attempts).toHaveLength(2);

    server.reply(() => ({ code: 550, text: '5.1.1 No such user', step: 'recipient' }));
    const rejected = await waitForStatus((await send(id)).id, 'failed');
    expect(rejected).toMatchObject({
      reason: 'rejected',
      nextAttemptAt: null,
      attempts: [{ result: 'rejected', replyCode: 550, enhancedCode: '5.1.1' }],
    });
    server.reply(() => 'accept');
    await client.post(`/api/messages/${rejected.id}/retry`, undefined);
    await waitForStatus(rejected.id, 'sent');
    expect(await listMessageEvents(client, rejected.id, customerId)).toEqual([
      { type: 'message.failed', reason: 'rejected' },
      { type: 'message.sent', reason: null },
    ]);
    const again = await client.post(`/api/messages/${rejected.id}/retry`, undefined);
    expect([again.status, again.body['code']]).toEqual([409, 'message_ended']);
  });

  test('repeats a message whose outcome is unknown with the same Message-ID and the same bytes', async () => {
    const before = server.received.length;
    server.reply((count) => (count === 1 ? 'cut' : 'accept'));
    const message = await send(await issueInvoice());
    const waiting = await waitFor(message.id, ({ attempts }) => attempts[0]?.result === 'unknown');
    expect(waiting.status).toBe('queued');
    await client.post(`/api/messages/${message.id}/retry`, undefined);
    await waitForStatus(message.id, 'sent');
    const [first, second] = server.received.slice(before);
    expect(second?.mail.messageId).toBe(`<${message.id}@seller.example>`);
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
  });

  test('waits during an outage and while the password is wrong, and sends without a request afterwards', async () => {
    server.reply(() => 'accept');
    await client.put('/api/config/email', settings({ password: 'wrong' }));
    const refused = await send(await issueInvoice());
    const waiting = await waitFor(refused.id, ({ attempts }) => attempts[0]?.result === 'deferred');
    expect(waiting.attempts).toMatchObject([{ error: 'authentication_failed', replyCode: 535 }]);
    await client.put('/api/config/email', settings({ port: 1 }));
    const offline = await send(await issueInvoice());
    const refusedByGuard = await waitFor(offline.id, ({ attempts }) => attempts[0]?.result === 'deferred');
    expect(refusedByGuard.attempts).toMatchObject([{ error: 'address_not_public', replyCode: null }]);
    await client.put('/api/config/email', settings());
    // What the timer of the workflow does, without the wait.
    await Message.updateMany({ _id: { $in: [refused.id, offline.id] } }, { $set: { nextAttemptAt: new Date() } });
    await send(await issueInvoice());
    expect((await waitForStatus(refused.id, 'sent')).attempts).toHaveLength(2);
    await waitForStatus(offline.id, 'sent');
  });

  test('needs TLS: a server whose certificate is not trusted gets neither message nor password', async () => {
    await client.put('/api/config/email', settings({ caCertificate: null }));
    const message = await send(await issueInvoice());
    const waiting = await waitFor(message.id, ({ attempts }) => attempts[0]?.result === 'deferred');
    await client.put('/api/config/email', settings());
    expect(waiting.attempts).toMatchObject([{ error: 'tls_failed' }]);
    expect(server.received.filter(({ envelopeId }) => envelopeId === message.id)).toEqual([]);
  });

  test('rejects a draft and a void invoice', async () => {
    const draft = await client.post('/api/invoices', { customerId, draft: true, lines: [{ productId, quantity: 1 }] });
    const unsent = await client.post(`/api/invoices/${getCreatedId(draft)}/send`, {});
    expect([unsent.status, unsent.body['code']]).toEqual([409, 'invoice_not_issued']);
    const id = await issueInvoice();
    await client.post(`/api/invoices/${id}/void`, { reason: 'Wrong' });
    const voided = await client.post(`/api/invoices/${id}/send`, {});
    expect([voided.status, voided.body['code']]).toEqual([409, 'already_void']);
  });
});

test('a company changes the texts per language, with known placeholders only', async () => {
  const path = '/api/config/email/templates';
  const template = { kind: 'invoice', language: 'de', subject: 'Nr. {{documentNumber}}', text: 'Summe {{total}}' };
  const wrong = await client.put(path, { ...template, text: '{{constructor}}' });
  expect([wrong.status, JSON.stringify(wrong.body['errors'])]).toEqual([
    400,
    expect.stringContaining('{{customerName}}'),
  ]);
  expect(getData(await client.put(path, template))).toEqual({ ...template, changed: true });
  const message = await send(await issueInvoice());
  expect([message.subject, message.text]).toEqual([
    expect.stringMatching(/^Nr\. \S+$/),
    expect.stringMatching(/^Summe \d{3},00\s€\n$/),
  ]);
  const reset = await client.delete(`${path}?kind=invoice&language=de`);
  expect(getData(reset)).toMatchObject({ changed: false, subject: expect.stringContaining('Rechnung') as string });
  expect(getRows(await client.get(path))).toHaveLength(16);
});

test('a text that was changed or reset meanwhile is not overwritten', async () => {
  const path = '/api/config/email/templates';
  const template = { kind: 'reminder', language: 'en', subject: 'Reminder', text: 'Please pay.' };
  // Covers operations: getEmailTemplate, setEmailTemplate, resetEmailTemplate.
  const read = async (): Promise<string> => {
    const response = await client.get(`${path}/reminder/en`);
    expect(response.status).toBe(200);
    return response.headers.get('etag') ?? '';
  };
  const original = await read();
  const changed = await client.put(path, template, { 'if-match': original });
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, await read()]);
  expect(getData(await client.get(`${path}/reminder/en`))).toEqual({ ...template, changed: true });
  expect((await client.put(path, { ...template, text: 'Other' }, { 'if-match': original })).status).toBe(412);
  const query = { kind: 'reminder', language: 'en' };
  const reset = (etag: string) =>
    call('DELETE', `${path}?${new URLSearchParams(query).toString()}`, {
      token: client.token,
      headers: { 'if-match': etag },
    });
  expect((await reset(original)).status).toBe(412);
  expect((await reset(await read())).status).toBe(200);
  expect(await read()).toBe(original);
  expect((await client.get(`${path}/reminder/fr-CA`)).status).toBe(404);
});

test('a credit note is sent like an invoice', async () => {
  const note = await client.post('/api/credit-notes', { invoiceId: await issueInvoice(), reason: 'Returned' });
  const id = getCreatedId(note);
  const response = await client.post(`/api/credit-notes/${id}/send`, {});
  const message = await waitForStatus(parseMessage(getData(response)).id, 'sent');
  expect(message).toMatchObject({
    kind: 'credit_note',
    subject: expect.stringContaining('Rechnungskorrektur') as string,
  });
  expect(getRows(await client.get(`/api/credit-notes/${id}/messages`))).toHaveLength(1);
});

test('the content of a message is erased on request, and a queued one is cancelled', async () => {
  await client.put('/api/config/email', settings({ port: 1 }));
  const message = await send(await issueInvoice());
  await waitFor(message.id, ({ attempts }) => attempts[0]?.result === 'deferred');
  const erased = getData(await client.delete(`/api/messages/${message.id}`));
  expect(erased).toMatchObject({ status: 'cancelled', reason: 'erased', to: null, subject: null, text: null });
  expect((await client.delete('/api/config/email')).status).toBe(200);
  expect((await client.get('/api/config/email')).body['data']).toBeNull();
});
