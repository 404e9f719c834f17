import { Message } from '../../../../models/business/messages/message';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildReport } from '../../../support/business/delivery-report';
import { startMailServer } from '../../../support/business/mail-server';
import type { MailServer, ReceivedMail } from '../../../support/business/mail-server';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { call } from '../../../support/client';
import { closeTestPlatform, getStartedWorkflow, getTestPlatform } from '../../../support/tenant';
import { workflowIds } from '../../../../workflows/contracts';
import { parseMessage, waitForMessage, waitForMessageStatus } from '../../../support/business/messages';
import type { SentMessage } from '../../../support/business/messages';

let client: BusinessClient;
let server: MailServer;
let customerId: number;
let invoiceId: number;

async function send(body: object): Promise<SentMessage> {
  const response = await client.post(`/api/invoices/${invoiceId}/send`, body);
  expect([response.status, response.body['errors']]).toEqual([202, undefined]);
  return parseMessage(getData(response));
}

const waitFor = (id: string, passes: (message: SentMessage) => boolean): Promise<SentMessage> =>
  waitForMessage(client, id, passes);
const waitForStatus = (id: string, status: SentMessage['status']): Promise<SentMessage> =>
  waitForMessageStatus(client, id, status);

const listReceived = (id: string): ReceivedMail[] => server.received.filter(({ envelopeId }) => envelopeId === id);

const listStatuses = ({ recipients }: SentMessage): unknown[] =>
  recipients.map(({ address, field, status, replyCode }) => [address, field, status, replyCode]);

beforeAll(async () => {
  [client, server] = await Promise.all([createBusinessClient('Versand <GmbH>'), startMailServer()]);
  customerId = await addCustomer(client, { name: 'Käufer <AG>', email: 'buyer@customer.example', language: 'de' });
  const productId = await addService(client);
  const lines = [{ productId, quantity: 2, unitPrice: 50 }];
  invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines, issueDate: '2026-02-10' }));
  const settings = {
    host: '127.0.0.1',
    port: server.port,
    security: 'starttls',
    caCertificate: server.caCertificate,
    fromAddress: 'billing@seller.example',
    bounceAddress: 'bounces@seller.example',
  };
  expect((await client.put('/api/config/email', settings)).status).toBe(200);
});
beforeEach(() => server.reply(() => 'accept'));
afterAll(async () => {
  await server.close();
  await closeTestPlatform();
});

describe('a message to several recipients', () => {
  test('is transmitted once to all, names to and cc, and hides bcc', async () => {
    const { id } = await send({
      to: ['a@customer.example', 'b@customer.example'],
      cc: ['c@customer.example', 'A@customer.example'],
      bcc: ['hidden@seller.example'],
    });
    const sent = await waitForStatus(id, 'sent');
    expect([sent.to, sent.reason]).toEqual(['a@customer.example', null]);
    expect(listStatuses(sent)).toEqual([
      ['a@customer.example', 'to', 'sent', 250],
      ['b@customer.example', 'to', 'sent', 250],
      ['c@customer.example', 'cc', 'sent', 250],
      ['hidden@seller.example', 'bcc', 'sent', 250],
    ]);
    const [received, ...others] = listReceived(id);
    expect(others).toEqual([]);
    expect(received?.to).toEqual(sent.recipients.map(({ address }) => address));
    expect(received?.mail.to?.map(({ address }) => address)).toEqual(['a@customer.example', 'b@customer.example']);
    expect(received?.mail.cc?.map(({ address }) => address)).toEqual(['c@customer.example']);
    expect(received?.raw.toString('latin1')).not.toContain('hidden');
  });

  test('goes to the address of the customer without to', async () => {
    const message = await send({ cc: ['c@customer.example'] });
    expect(listStatuses(message)).toEqual([
      ['buyer@customer.example', 'to', 'queued', null],
      ['c@customer.example', 'cc', 'queued', null],
    ]);
    await waitForStatus(message.id, 'sent');
  });

  test('has valid addresses, and at most 20', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `a${index}@customer.example`);
    const cases: [object, string][] = [
      [{ to: 5 }, 'to: must be an email address, or a list of 1 to 20'],
      [{ to: [] }, 'to: must have at least one address'],
      [{ to: ['a@customer.example', 'x'] }, 'must be an email address'],
      [{ cc: ['x'] }, 'must be an email address'],
      [{ bcc: 'a@customer.example' }, 'bcc: must be an array'],
      [
        { to: many, cc: many.map((each) => `c${each}`) },
        'to: must have at most 20 recipients together with cc and bcc',
      ],
    ];
    for (const [body, expected] of cases) {
      const response = await client.post(`/api/invoices/${invoiceId}/send`, body);
      expect([response.status, JSON.stringify(response.body['errors'])]).toEqual([
        400,
        expect.stringContaining(expected),
      ]);
    }
  });

  test('is sent to those whom the server accepts, again to those it defers, and not to those it refuses', async () => {
    let isDeferred = true;
    server.reply((_, to) => {
      if (to.startsWith('nobody')) return { code: 550, text: '5.1.1 No such user', step: 'recipient' };
      if (to.startsWith('later') && isDeferred) return { code: 450, text: '4.2.1 Later', step: 'recipient' };
      return 'accept';
    });
    const { id } = await send({
      to: ['a@customer.example', 'nobody@customer.example'],
      bcc: ['later@customer.example'],
    });
    const waiting = await waitFor(id, ({ attempts }) => attempts[0]?.result === 'accepted');
    expect(waiting).toMatchObject({ status: 'queued', reason: null });
    expect(waiting.sentAt).not.toBeNull();
    expect(listStatuses(waiting)).toEqual([
      ['a@customer.example', 'to', 'sent', 250],
      ['nobody@customer.example', 'to', 'failed', 550],
      ['later@customer.example', 'bcc', 'queued', 450],
    ]);
    isDeferred = false;
    expect((await client.post(`/api/messages/${id}/retry`, undefined)).status).toBe(202);
    const sent = await waitForStatus(id, 'sent');
    expect(sent.reason).toBe('some_recipients_failed');
    expect(sent.recipients.map(({ status }) => status)).toEqual(['sent', 'failed', 'sent']);
    const [first, second] = listReceived(id);
    expect([first?.to, second?.to]).toEqual([['a@customer.example'], ['later@customer.example']]);
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);

    // The addresses are in the message alone.
    const { organisationId } = client.tenant;
    const events = await WebhookEvent.find({ organisationId, subjectId: id }).lean();
    expect(events.map(({ body }) => body).join()).toMatch(/some_recipients_failed/);
    await getTestPlatform();
    const workflow = await getStartedWorkflow(workflowIds.messageDeliveries(organisationId));
    const payloads = ((await workflow.fetchHistory()).events ?? []).flatMap((event) => [
      ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []),
      ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ]);
    const contents = payloads.map(({ data }) => Buffer.from(data ?? []).toString());
    expect(contents.join()).toContain(organisationId);
    expect(contents.join()).not.toContain('customer.example');
    expect(JSON.stringify(events)).not.toContain('customer.example');
  });

  test('fails if the server refuses all, and a retry is for all of them', async () => {
    server.reply(() => ({ code: 550, text: '5.1.1 No such user', step: 'recipient' }));
    const { id } = await send({ to: ['a@customer.example'], cc: ['b@customer.example'] });
    expect(await waitForStatus(id, 'failed')).toMatchObject({ reason: 'rejected' });
    server.reply(() => 'accept');
    await client.post(`/api/messages/${id}/retry`, undefined);
    const sent = await waitForStatus(id, 'sent');
    expect([sent.reason, sent.recipients.map(({ status }) => status)]).toEqual([null, ['sent', 'sent']]);
  });

  test('which has bounced for the recipient that a delivery report names is sent again to this one alone, on request', async () => {
    const { id } = await send({ to: ['a@customer.example', 'buyer@customer.example'] });
    await waitForStatus(id, 'sent');
    const key = await client.tenant.createBusinessKey(['messages:report']);
    const body = Buffer.from(buildReport({ id, names: 'envelope', action: 'failed', status: '5.1.1' }));
    await call('POST', '/api/messages/delivery-reports', { key, form: { report: { body, name: 'report.eml' } } });
    const bounced = await waitForStatus(id, 'bounced');
    expect(bounced.recipients.map(({ status }) => status)).toEqual(['sent', 'bounced']);
    expect((await client.post(`/api/messages/${id}/retry`, undefined)).status).toBe(202);
    const sent = await waitForStatus(id, 'sent');
    expect(sent.recipients.map(({ status }) => status)).toEqual(['sent', 'sent']);
    expect(listReceived(id).map(({ to }) => to)).toEqual([
      ['a@customer.example', 'buyer@customer.example'],
      ['buyer@customer.example'],
    ]);
    const erased = parseMessage(getData(await client.delete(`/api/messages/${id}`)));
    expect([erased.to, erased.recipients.map(({ address }) => address)]).toEqual([null, [null, null]]);
    await getTestPlatform();
    expect(JSON.stringify(await Message.findById(id).lean())).not.toContain('customer.example');
  });
});

test('a message has its text as plain text and as HTML, with links and without anything that is loaded', async () => {
  const { id, text } = await send({});
  await waitForStatus(id, 'sent');
  const [received] = listReceived(id);
  const { mail } = received ?? {};
  expect(received?.raw.toString('latin1')).toMatch(/Content-Type: multipart\/alternative/);
  expect(mail?.text?.trim()).toBe(text?.trim());
  const link = /https?:\/\/\S+/.exec(text ?? '')?.[0] ?? 'no link';
  expect(mail?.html).toContain(`<a href="${link}">${link}</a>`);
  expect(mail?.html).toContain('Versand &lt;GmbH&gt;');
  expect(mail?.html).not.toMatch(/<(img|link|script|iframe|style)\b|src=|url\(/i);
});

test('a repeated request with its Idempotency-Key returns its message also after customer and invoice have changed', async () => {
  const own = await addCustomer(client, { name: 'Later', email: 'later@customer.example' });
  const lines = [{ productId: await addService(client), quantity: 1 }];
  const id = getCreatedId(await client.post('/api/invoices', { customerId: own, lines }));
  const requests: [string, object][] = [
    [`/api/invoices/${id}/send`, {}],
    [`/api/customers/${own}/statement/send`, { dateFrom: '2026-02-01', dateTo: '2026-02-28' }],
  ];
  const request = ([path, body]: [string, object]) => client.post(path, body, { 'Idempotency-Key': `later-${own}` });
  const first = await Promise.all(requests.map(request));
  expect((await client.put(`/api/customers/${own}`, { email: null })).status).toBe(200);
  expect((await client.post(`/api/invoices/${id}/void`, { reason: 'Wrong' })).status).toBe(200);
  const readIds = (responses: typeof first) =>
    responses.map(({ status, body }) => [status, parseMessage(body['data']).id]);
  expect(readIds(await Promise.all(requests.map(request)))).toEqual(readIds(first));
  const fresh = await Promise.all(requests.map(([path, body]) => client.post(path, body)));
  expect(fresh.map(({ status }) => status)).toEqual([409, 400]);
});

describe('POST /api/customers/:id/statement/send', () => {
  const period = { dateFrom: '2026-02-01', dateTo: '2026-02-28' };

  test('sends the statement of the period as PDF and CSV, in the language of the customer, once for one key', async () => {
    const path = `/api/customers/${customerId}/statement`;
    const body = { ...period, cc: ['office@customer.example'] };
    const headers = { 'Idempotency-Key': `statement-${customerId}` };
    const [first, second] = await Promise.all([
      client.post(`${path}/send`, body, headers),
      client.post(`${path}/send`, body, headers),
    ]);
    expect([first.status, first.body['message']]).toEqual([202, 'The message is being sent.']);
    const { id } = parseMessage(getData(first));
    expect(parseMessage(getData(second)).id).toBe(id);
    const sent = await waitForStatus(id, 'sent');
    expect(sent).toMatchObject({ kind: 'statement', documentKind: 'statement', customerId, formats: ['pdf', 'csv'] });
    expect(sent.recipients.map(({ address }) => address)).toEqual([
      'buyer@customer.example',
      'office@customer.example',
    ]);
    expect(sent.text).toMatch(/Endsaldo: 120,00\s€/);

    const [received, ...others] = listReceived(id);
    expect(others).toEqual([]);
    expect(received?.mail.subject).toMatch(/^Kontoauszug von Versand <GmbH>: .*2026 bis .*2026$/);
    const [pdf, csv] = received?.mail.attachments ?? [];
    expect([pdf?.filename, csv?.filename]).toEqual([
      expect.stringMatching(/2026-02-01 2026-02-28\.pdf$/),
      expect.stringMatching(/2026-02-01 2026-02-28\.csv$/),
    ]);
    const file = await client.get(`${path}/file?dateFrom=${period.dateFrom}&dateTo=${period.dateTo}&format=csv`);
    expect(Buffer.from(csv?.content as ArrayBuffer).equals(file.bytes)).toBe(true);
    const pages = await readPageTexts(Buffer.from(pdf?.content as ArrayBuffer));
    expect(pages.join(' ')).toContain('Kontoauszug');
    expect(getRows(await client.get(`${path}/messages`))).toMatchObject([{ id, status: 'sent' }]);
  });

  test('uses the formats, subject and text of the request', async () => {
    const content = { subject: 'Saldo {{openAmount}}', text: 'Bis {{periodTo}}', formats: ['csv'] };
    const response = await client.post(`/api/customers/${customerId}/statement/send`, { ...period, ...content });
    const sent = await waitForStatus(parseMessage(getData(response)).id, 'sent');
    expect([sent.subject, sent.text]).toEqual([expect.stringMatching(/^Saldo 120,00\s€$/), 'Bis 28. Februar 2026\n']);
    expect(listReceived(sent.id)[0]?.mail.attachments).toHaveLength(1);
  });

  test('needs a customer with an address, a period and known placeholders', async () => {
    const silent = await addCustomer(client, { name: 'Silent' });
    const cases: [number, object, number, string][] = [
      [silent, period, 400, 'to: is required'],
      [customerId, { dateFrom: '2026-03-01', dateTo: '2026-02-01' }, 400, 'dateFrom'],
      [customerId, { ...period, formats: ['ubl'] }, 400, 'accepts pdf, csv'],
      [customerId, { ...period, text: '{{x}}' }, 400, 'text: accepts'],
    ];
    for (const [id, body, status, expected] of cases) {
      const response = await client.post(`/api/customers/${id}/statement/send`, body);
      expect([response.status, JSON.stringify(response.body['errors'])]).toEqual([
        status,
        expect.stringContaining(expected),
      ]);
    }
    const stranger = await createBusinessClient('Stranger');
    for (const response of [
      await stranger.post(`/api/customers/${customerId + 100}/statement/send`, period),
      await stranger.get(`/api/customers/${customerId + 100}/statement/messages`),
    ])
      expect(response.status).toBe(404);
    const own = await addCustomer(stranger, { name: 'Own', email: 'own@customer.example' });
    const unset = await stranger.post(`/api/customers/${own}/statement/send`, period);
    expect([unset.status, unset.body['code']]).toEqual([409, 'email_not_configured']);
  });
});
