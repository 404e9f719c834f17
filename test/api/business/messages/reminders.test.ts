import { expectDocumented } from '../../../support/business/documented';
import { addDays } from '../../../../domain/business/calendar';
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
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, getStartedWorkflow, getTestPlatform } from '../../../support/tenant';
import { workflowIds } from '../../../../workflows/contracts';

let client: BusinessClient;
let server: MailServer;
let productId: number;
let today: string;

const SCHEDULE = {
  automatic: false,
  hour: 0,
  minimumOpenAmount: 5,
  levels: [
    { daysAfterDue: 7, fee: null, interestText: {} },
    { daysAfterDue: 21, fee: 5, interestText: { en: 'Interest is charged.' } },
  ],
};

/** Issues an invoice over 120.00 that was due so many days ago. */
async function issueOverdue(customerId: number, daysAgo: number): Promise<number> {
  const lines = [{ productId, quantity: 1, unitPrice: 100 }];
  const issueDate = addDays(today, -daysAgo);
  return getCreatedId(await client.post('/api/invoices', { customerId, lines, issueDate, paymentTerms: 'CASH' }));
}

const listReminders = async (invoiceId: number): Promise<Record<string, unknown>[]> =>
  getRows(await client.get(`/api/invoices/${invoiceId}/messages`)).filter(({ kind }) => kind === 'reminder');

/** Waits until the reminders of an invoice have the statuses, the newest first. */
const waitForReminders = (invoiceId: number, ...statuses: string[]): Promise<Record<string, unknown>[]> =>
  pollUntilFound(async () => {
    const found = await listReminders(invoiceId);
    return JSON.stringify(found.map(({ status }) => status)) === JSON.stringify(statuses) ? found : undefined;
  });

const sendDue = async (): Promise<void> => {
  expect((await client.post('/api/reminders/send', undefined)).status).toBe(202);
};

beforeAll(async () => {
  [client, server] = await Promise.all([createBusinessClient('Reminding Ltd'), startMailServer()]);
  productId = await addService(client);
  const company = getData(await client.get('/api/config/company'));
  const zone = String(company['timeZone']);
  today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
  await client.put('/api/config/email', buildEmailSettings(server));
});
afterAll(async () => {
  await server.close();
  await closeTestPlatform();
});

test('the schedule names what is wrong with it, and without levels nothing is sent', async () => {
  expect(getData(await client.get('/api/config/reminders'))).toEqual({
    automatic: false,
    hour: 8,
    minimumOpenAmount: 0,
    levels: [],
  });
  const none = await client.post('/api/reminders/send', undefined);
  expect([none.status, none.body['code']]).toEqual([409, 'reminders_not_configured']);
  const wrong = await client.put('/api/config/reminders', {
    ...SCHEDULE,
    hour: 24,
    levels: [{ daysAfterDue: 7 }, { daysAfterDue: 7, fee: -1, interestText: { xx: 'x' } }],
  });
  expect(wrong.status).toBe(400);
  for (const field of ['hour', 'levels[1].fee', 'levels[1].interestText'])
    expect(JSON.stringify(wrong.body['errors'])).toContain(field);
  expect(getData(await client.put('/api/config/reminders', SCHEDULE))).toEqual(SCHEDULE);
});

describe('reminders', () => {
  test('are sent once per level to overdue invoices, with fee and interest, and stop when money arrives', async () => {
    const customerId = await addCustomer(client, { name: 'Late Ltd', email: 'late@customer.example', language: 'en' });
    const overdue = await issueOverdue(customerId, 30);
    const small = await issueOverdue(customerId, 20);
    const recent = await issueOverdue(customerId, 6);
    await client.post('/api/receivables/payments', {
      customerId,
      amount: 116,
      allocations: [{ documentId: small, amount: 116 }],
    });
    const listed = await client.get('/api/reminders');
    expect(getRows(listed)).toMatchObject([{ invoiceId: overdue, level: 1, open: 120, pausedBy: null }]);
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    const [first] = await waitForReminders(overdue, 'sent');
    expect(first).toMatchObject({ level: 1, to: 'late@customer.example', createdBy: 'system', createdByName: null });
    expect(String(first?.['text'])).toMatch(/Open amount: €?120/);
    expect(String(first?.['text'])).not.toContain('fee');
    expect(await listReminders(recent)).toEqual([]);
    expect(await listReminders(small)).toEqual([]);
    expect(getRows(await client.get('/api/reminders'))).toEqual([]);

    // The second level is due two weeks after the first was sent, not two weeks after its day.
    await getTestPlatform();
    const earlier = new Date(Date.now() - 14 * 86_400_000);
    await Message.updateOne({ _id: String(first?.['id']) }, { $set: { createdAt: earlier } });
    await sendDue();
    const [second] = await waitForReminders(overdue, 'sent', 'sent');
    expect(String(second?.['text'])).toMatch(/Reminder fee: €?5[\s\S]*Interest is charged\./);
    const mails = server.received.filter(({ to }) => to.includes('late@customer.example'));
    expect(mails.map(({ mail }) => mail.subject?.slice(0, 10))).toEqual(['Reminder 1', 'Reminder 2']);
    expect(mails[0]?.mail.attachments).toHaveLength(1);
  });

  test('that are queued are cancelled when the invoice is paid or paused before their transmission', async () => {
    const customerId = await addCustomer(client, { name: 'Prompt Ltd', email: 'prompt@customer.example' });
    const [paid, paused] = [await issueOverdue(customerId, 5), await issueOverdue(customerId, 5)];
    const schedule = { ...SCHEDULE, levels: [{ daysAfterDue: 1 }] };
    await client.put('/api/config/reminders', schedule);
    server.reply(() => ({ code: 451, text: '4.3.0 Try again later', step: 'recipient' }));
    await sendDue();
    const isDeferred = (messages: Record<string, unknown>[]): boolean =>
      (messages[0]?.['attempts'] as { result: string }[] | undefined)?.[0]?.result === 'deferred';
    for (const id of [paid, paused])
      await pollUntilFound(async () => (isDeferred(await listReminders(id)) ? true : undefined));
    await client.post('/api/receivables/payments', {
      customerId,
      amount: 120,
      allocations: [{ documentId: paid, amount: 120 }],
    });
    const pause = await client.put(`/api/invoices/${paused}/reminder-pause`, { until: addDays(today, 3) });
    expect(getData(pause)).toEqual({ until: addDays(today, 3), reason: null });
    server.reply(() => 'accept');
    for (const id of [paid, paused]) {
      const [message] = await listReminders(id);
      await client.post(`/api/messages/${String(message?.['id'])}/retry`, undefined);
    }
    expect(await waitForReminders(paid, 'cancelled')).toMatchObject([{ reason: 'invoice_settled' }]);
    expect(await waitForReminders(paused, 'cancelled')).toMatchObject([{ reason: 'reminders_paused' }]);

    const held = getRows(await client.get('/api/reminders')).filter(({ invoiceId }) => invoiceId === paused);
    expect(held).toMatchObject([{ level: 1, pausedBy: 'invoice' }]);
    const read = await client.get(`/api/invoices/${paused}/reminder-pause`);
    expectDocumented('get', '/api/invoices/:id/reminder-pause', read);
    expect(getData(read)).toEqual({ until: addDays(today, 3), reason: null });
    expect((await client.get(`/api/customers/${customerId}/reminder-pause`)).body).toMatchObject({ data: null });
    await client.put(`/api/customers/${customerId}/reminder-pause`, { reason: 'Dispute' });
    expect((await client.delete(`/api/invoices/${paused}/reminder-pause`)).status).toBe(200);
    const byCustomer = getRows(await client.get('/api/reminders')).filter(({ invoiceId }) => invoiceId === paused);
    expect(byCustomer).toMatchObject([{ pausedBy: 'customer' }]);
    const dispute = await client.get(`/api/customers/${customerId}/reminder-pause`);
    expectDocumented('get', '/api/customers/:id/reminder-pause', dispute);
    expect(getData(dispute)).toEqual({ until: null, reason: 'Dispute' });
    await client.put(`/api/invoices/${paused}/reminder-pause`, { until: '2026-01-31' });
    expect((await client.get(`/api/invoices/${paused}/reminder-pause`)).body).toMatchObject({ data: null });
    expect((await client.delete(`/api/customers/${customerId}/reminder-pause`)).status).toBe(200);
    await sendDue();
    await waitForReminders(paused, 'sent', 'cancelled');
  });

  test('that are queued are cancelled when a part is paid, and the next run states what is left', async () => {
    const customerId = await addCustomer(client, { name: 'Partly Ltd', email: 'partly@customer.example' });
    const invoiceId = await issueOverdue(customerId, 5);
    await client.put('/api/config/reminders', { ...SCHEDULE, levels: [{ daysAfterDue: 1 }] });
    server.reply(() => ({ code: 451, text: '4.3.0 Try again later', step: 'recipient' }));
    await sendDue();
    const deferred = await pollUntilFound(async () => {
      const [message] = await listReminders(invoiceId);
      return (message?.['attempts'] as { result: string }[] | undefined)?.[0]?.result === 'deferred'
        ? message
        : undefined;
    });
    const allocations = [{ documentId: invoiceId, amount: 70 }];
    await client.post('/api/receivables/payments', { customerId, amount: 70, allocations });
    server.reply(() => 'accept');
    await client.post(`/api/messages/${String(deferred['id'])}/retry`, undefined);
    const ended = await pollUntilFound(async () =>
      (await listReminders(invoiceId)).find(({ status }) => status !== 'queued'),
    );
    expect(ended).toMatchObject({ status: 'cancelled', reason: 'open_amount_changed' });
    await sendDue();
    const [sent] = await waitForReminders(invoiceId, 'sent', 'cancelled');
    expect(String(sent?.['text'])).toMatch(/Open amount: €?50/);
  });

  test('are sent by themselves once the schedule is switched on, and no more once it is off', async () => {
    await client.put('/api/config/reminders', { ...SCHEDULE, automatic: true });
    const handle = await getStartedWorkflow(workflowIds.reminderSchedule(client.tenant.organisationId));
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await client.put('/api/config/reminders', { ...SCHEDULE, automatic: false });
    await handle.result();
  });
});
