import { messageSchema } from '../../../../api/business/messages/message-responses';
import { addDays, toCalendarDate } from '../../../../domain/business/calendar';
import { workflowIds } from '../../../../workflows/contracts';
import { addCustomer, addService, createBusinessClient, getCreatedId, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildReport } from '../../../support/business/delivery-report';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailReply, MailServer } from '../../../support/business/mail-server';
import { call } from '../../../support/client';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, getStartedWorkflow } from '../../../support/tenant';

const PASSWORD = 'smtp-password-1';
const NO_SUCH_USER = { code: 550, text: '5.1.1 No such user', step: 'recipient' } as const;
const UNWANTED_CONTENT = { code: 554, text: '5.7.1 Message refused by content filter', step: 'data' } as const;
const LEVELS = [{ daysAfterDue: 1 }, { daysAfterDue: 30 }];

let client: BusinessClient;
let server: MailServer;
let productId: number;

type SentMessage = ReturnType<typeof messageSchema.parse>;

/** Issues an invoice over 120.00 that was due five days ago. */
async function issueOverdue(customerId: number): Promise<number> {
  const lines = [{ productId, quantity: 1, unitPrice: 100 }];
  const issueDate = addDays(toCalendarDate(new Date(), 'UTC'), -5);
  return getCreatedId(await client.post('/api/invoices', { customerId, lines, issueDate, paymentTerms: 'CASH' }));
}

/** Waits until the reminders of an invoice have the statuses, the newest first. */
const waitForReminders = (invoiceId: number, ...statuses: string[]): Promise<SentMessage[]> =>
  pollUntilFound(async () => {
    const all = getRows(await client.get(`/api/invoices/${invoiceId}/messages`)).map((row) => messageSchema.parse(row));
    const found = all.filter(({ kind }) => kind === 'reminder');
    return found.map(({ status }) => status).join() === statuses.join() ? found : undefined;
  });

const sendDue = async (): Promise<void> => {
  expect((await client.post('/api/reminders/send', undefined)).status).toBe(202);
};

const retry = (message: SentMessage | undefined) =>
  client.post(`/api/messages/${message?.id ?? 'none'}/retry`, undefined);

/** Reports that the message did not reach its recipient. @param status enhanced status code (RFC 3463) */
const reportBounce = async (id: string, status: string): Promise<void> => {
  const key = await client.tenant.createBusinessKey(['messages:report']);
  const message = buildReport({ id, names: 'envelope', action: 'failed', status });
  const form = { report: { body: Buffer.from(message.replace(/\n/g, '\r\n')), name: 'message.eml' } };
  const response = await call('POST', '/api/messages/delivery-reports', { key, form });
  expect([response.status, response.body['data']]).toEqual([200, { outcome: 'recorded', messageId: id }]);
};

const findDue = async (invoiceId: number): Promise<Record<string, unknown>[]> =>
  getRows(await client.get('/api/reminders')).filter((each) => each['invoiceId'] === invoiceId);

interface Failure {
  invoiceId: number;
  customerId: number;
  failed: SentMessage;
}

/** Has the mail server refuse the first reminder of new invoices, one for each customer. */
async function failReminders(emails: readonly string[], refusal: MailReply = NO_SUCH_USER): Promise<Failure[]> {
  const invoices: Omit<Failure, 'failed'>[] = [];
  for (const email of emails) {
    const customerId = await addCustomer(client, { name: `Owner of ${email}`, email });
    invoices.push({ customerId, invoiceId: await issueOverdue(customerId) });
  }
  server.reply(() => refusal);
  await sendDue();
  const failures: Failure[] = [];
  for (const invoice of invoices)
    for (const failed of await waitForReminders(invoice.invoiceId, 'failed')) failures.push({ ...invoice, failed });
  server.reply(() => 'accept');
  return failures;
}

async function failReminder(email: string, refusal?: MailReply): Promise<Failure> {
  const [failure] = await failReminders([email], refusal);
  if (failure === undefined) throw new Error('the reminder did not fail');
  return failure;
}

beforeAll(async () => {
  [client, server] = await Promise.all([
    createBusinessClient('Reminding & failing'),
    startMailServer({ password: PASSWORD }),
  ]);
  productId = await addService(client);
  await client.put('/api/config/email', buildEmailSettings(server, PASSWORD));
  await client.put('/api/config/reminders', { automatic: false, hour: 0, minimumOpenAmount: 5, levels: LEVELS });
});
afterAll(async () => {
  await server.close();
  await closeTestPlatform();
});

describe('a reminder that could not be sent', () => {
  test('does not count for its level: the next run sends the level to the present address, once, and not to one that was refused', async () => {
    const { invoiceId, customerId, failed } = await failReminder('wrong@customer.example');
    expect(await findDue(invoiceId)).toMatchObject([{ level: 1, obstacle: 'address_refused' }]);
    const other = await issueOverdue(await addCustomer(client, { name: 'Other Ltd', email: 'other@customer.example' }));
    await sendDue();
    await waitForReminders(other, 'sent');
    await waitForReminders(invoiceId, 'failed');
    await client.put(`/api/customers/${customerId}`, { email: 'right@customer.example' });
    await Promise.all([sendDue(), sendDue()]);
    const [sent] = await waitForReminders(invoiceId, 'sent', 'failed');
    expect(sent).toMatchObject({ level: 1, to: 'right@customer.example' });
    expect(await findDue(invoiceId)).toEqual([]);
    const retried = await retry(failed);
    expect([retried.status, retried.body['code']]).toEqual([409, 'reminder_not_due']);
    expect(retried.body['message']).toContain('later reminder');
  });

  test('is sent again on request while nothing has replaced it, and then counts', async () => {
    const { invoiceId, failed } = await failReminder('again@customer.example');
    expect((await retry(failed)).status).toBe(202);
    await waitForReminders(invoiceId, 'sent');
    expect(await findDue(invoiceId)).toEqual([]);
  });

  test('which was returned after it was sent does not count either: it is sent again to another address, or on request', async () => {
    const customerId = await addCustomer(client, { name: 'Full Ltd', email: 'full@customer.example' });
    const invoiceId = await issueOverdue(customerId);
    await sendDue();
    const [first] = await waitForReminders(invoiceId, 'sent');
    await reportBounce(first?.id ?? '', '5.2.2');
    expect(await findDue(invoiceId)).toMatchObject([{ level: 1, obstacle: 'address_refused' }]);
    expect((await retry(first)).status).toBe(202);
    await waitForReminders(invoiceId, 'sent');
    expect(await findDue(invoiceId)).toEqual([]);

    await reportBounce(first?.id ?? '', '5.1.1');
    await client.put(`/api/customers/${customerId}`, { email: 'empty@customer.example' });
    await sendDue();
    const [second] = await waitForReminders(invoiceId, 'sent', 'bounced');
    expect(second).toMatchObject({ level: 1, to: 'empty@customer.example' });
  });

  test('for its content is sent by the next run to the same address, with the text that has been corrected, and then counts', async () => {
    const { invoiceId, failed } = await failReminder('filtered@customer.example', UNWANTED_CONTENT);
    expect(failed).toMatchObject({ status: 'failed', reason: 'rejected' });
    expect(await findDue(invoiceId)).toMatchObject([{ level: 1, obstacle: null }]);
    const template = { kind: 'reminder', language: 'en', subject: 'Reminder', text: 'Please pay {{openAmount}}.' };
    expect((await client.put('/api/config/email/templates', template)).status).toBe(200);
    await sendDue();
    const [sent] = await waitForReminders(invoiceId, 'sent', 'failed');
    expect(sent).toMatchObject({ level: 1, to: 'filtered@customer.example' });
    expect(sent?.text).toContain('Please pay');
    expect(await findDue(invoiceId)).toEqual([]);
  });

  test('which was returned for its content after it was sent is sent by the next run to the same address', async () => {
    const customerId = await addCustomer(client, { name: 'Filter Ltd', email: 'late-filter@customer.example' });
    const invoiceId = await issueOverdue(customerId);
    await sendDue();
    const [first] = await waitForReminders(invoiceId, 'sent');
    await reportBounce(first?.id ?? '', '5.6.1');
    expect(await findDue(invoiceId)).toMatchObject([{ level: 1, obstacle: null }]);
    await sendDue();
    await waitForReminders(invoiceId, 'sent', 'bounced');
  });

  test('is replaced by the next run when its content was erased', async () => {
    const { invoiceId, failed } = await failReminder('erased@customer.example');
    expect((await client.delete(`/api/messages/${failed.id}`)).status).toBe(200);
    await sendDue();
    await waitForReminders(invoiceId, 'sent', 'failed');
  });

  test('is not sent again for an invoice that is paid, partly paid, paused or void, and the answer says why', async () => {
    const names = ['paid', 'partly', 'paused', 'void'];
    const [paid, partly, paused, voided] = await failReminders(names.map((name) => `${name}@customer.example`));
    if (paid === undefined || partly === undefined || paused === undefined || voided === undefined)
      throw new Error('a reminder did not fail');
    for (const [{ invoiceId, customerId }, amount] of [[paid, 120] as const, [partly, 20] as const])
      await client.post('/api/receivables/payments', {
        customerId,
        amount,
        allocations: [{ documentId: invoiceId, amount }],
      });
    await client.put(`/api/invoices/${paused.invoiceId}/reminder-pause`, {});
    await client.post(`/api/invoices/${voided.invoiceId}/void`, { reason: 'Wrong' });
    const cases = [
      [paid, 'reminder_not_due', 'nothing is open'],
      [partly, 'reminder_not_due', 'amount that is open has changed'],
      [paused, 'reminder_not_due', 'paused'],
      [voided, 'already_void', 'void'],
    ] as const;
    for (const [{ invoiceId, failed }, code, message] of cases) {
      const response = await retry(failed);
      expect([response.status, response.body['code']]).toEqual([409, code]);
      expect(response.body['message']).toContain(message);
      await waitForReminders(invoiceId, 'failed');
    }
  });
});

test('a due reminder names why it is not sent: no e-mail address, a pause, no e-mail settings', async () => {
  const customerId = await addCustomer(client, { name: 'Silent Ltd' });
  const invoiceId = await issueOverdue(customerId);
  const addressed = await issueOverdue(await addCustomer(client, { name: 'Loud Ltd', email: 'loud@customer.example' }));
  const silent = { level: 1, pausedBy: null, obstacle: 'no_email_address' };
  expect(await findDue(invoiceId)).toMatchObject([silent]);
  expect(await findDue(addressed)).toMatchObject([{ pausedBy: null, obstacle: null }]);
  await sendDue();
  await waitForReminders(addressed, 'sent');
  expect(await findDue(invoiceId)).toMatchObject([silent]);

  await client.put(`/api/customers/${customerId}/reminder-pause`, {});
  expect(await findDue(invoiceId)).toMatchObject([{ pausedBy: 'customer', obstacle: 'reminders_paused' }]);
  await client.delete(`/api/customers/${customerId}/reminder-pause`);
  await client.put(`/api/customers/${customerId}`, { email: 'silent@customer.example' });
  expect(await findDue(invoiceId)).toMatchObject([{ obstacle: null }]);
  expect((await client.delete('/api/config/email')).status).toBe(200);
  expect(await findDue(invoiceId)).toMatchObject([{ obstacle: 'email_not_configured' }]);
});

test('a change of the time zone of the company moves the next run of its reminder schedule', async () => {
  await client.put('/api/config/company', { timeZone: 'UTC' });
  await client.put('/api/config/reminders', { automatic: true, hour: 12, minimumOpenAmount: 5, levels: LEVELS });
  const workflow = await getStartedWorkflow(workflowIds.reminderSchedule(client.tenant.organisationId));
  /** Hours of UTC at which the timers of the schedule end; the last is the next run. */
  const readTimers = async (): Promise<number[]> =>
    ((await workflow.fetchHistory()).events ?? []).flatMap(({ eventTime, timerStartedEventAttributes: timer }) => {
      if (timer == null) return [];
      const endsAt = Number(eventTime?.seconds ?? 0) + Number(timer.startToFireTimeout?.seconds ?? 0);
      return [Math.round((endsAt % 86_400) / 3600)];
    });
  const waitForRun = (hour: number) =>
    pollUntilFound(async () => ((await readTimers()).at(-1) === hour ? true : undefined));
  await waitForRun(12);
  expect((await client.put('/api/config/company', { timeZone: 'Asia/Tokyo' })).status).toBe(200);
  await waitForRun(3);
  await client.put('/api/config/reminders', { automatic: false, hour: 12, minimumOpenAmount: 5, levels: LEVELS });
  await workflow.result();
});
