import { addDays } from '../../../../domain/business/calendar';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
let server: MailServer;
let productId: number;
let today: string;

beforeAll(async () => {
  [client, server] = await Promise.all([createBusinessClient('Credit Ltd'), startMailServer()]);
  productId = await addService(client);
  const zone = String(getData(await client.get('/api/config/company'))['timeZone']);
  today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
  await client.put('/api/config/email', buildEmailSettings(server));
  const levels = [{ daysAfterDue: 7 }];
  expect((await client.put('/api/config/reminders', { automatic: false, levels })).status).toBe(200);
});
afterAll(async () => {
  await server.close();
  await closeTestPlatform();
});

/** Issues an invoice over 120.00 that was due so many days ago. */
const issueOverdue = async (customerId: number, daysAgo: number): Promise<number> =>
  getCreatedId(
    await client.post('/api/invoices', {
      customerId,
      lines: [{ productId, quantity: 1, unitPrice: 100 }],
      issueDate: addDays(today, -daysAgo),
      paymentTerms: 'CASH',
    }),
  );

const listReminders = async (invoiceId: number): Promise<Record<string, unknown>[]> =>
  getRows(await client.get(`/api/invoices/${invoiceId}/messages`)).filter(({ kind }) => kind === 'reminder');

const waitForReminder = (invoiceId: number, status: string): Promise<Record<string, unknown>> =>
  pollUntilFound(async () => (await listReminders(invoiceId)).find((reminder) => reminder['status'] === status));

const sendDue = async (): Promise<void> => {
  expect((await client.post('/api/reminders/send', undefined)).status).toBe(202);
};

/** A payment of which nothing is applied. */
const pay = (customerId: number, amount: number) =>
  client.post('/api/receivables/payments', { customerId, amount, allocations: [] });

test('reminders are held back while credit that was not applied covers the invoice, the longest overdue first', async () => {
  const customerId = await addCustomer(client, { email: 'credit@customer.example' });
  const other = await addCustomer(client, { email: 'other@customer.example' });
  const [first, second] = [await issueOverdue(customerId, 12), await issueOverdue(customerId, 11)];
  const unpaid = await issueOverdue(other, 10);
  const paymentId = getCreatedId(await pay(customerId, 239.99));
  const listed = await client.get('/api/reminders');
  expectDocumented('get', '/api/reminders', listed);
  expect(getRows(listed)).toMatchObject([
    { invoiceId: first, obstacle: 'credit_available', pausedBy: null },
    { invoiceId: second, obstacle: null },
    { invoiceId: unpaid, obstacle: null },
  ]);
  await sendDue();
  await Promise.all([waitForReminder(second, 'sent'), waitForReminder(unpaid, 'sent')]);
  expect(await listReminders(first)).toEqual([]);
  // Applied to the other invoice, the remainder does not cover the first.
  const applied = { paymentId, documentId: second, amount: 120 };
  expect((await client.post('/api/receivables/allocations', applied)).status).toBe(201);
  expect(getRows(await client.get('/api/reminders'))).toMatchObject([{ invoiceId: first, obstacle: null }]);
  await sendDue();
  await waitForReminder(first, 'sent');
});

test('a queued reminder is cancelled when credit covers its invoice before the transmission', async () => {
  const customerId = await addCustomer(client, { email: 'late-credit@customer.example' });
  const invoiceId = await issueOverdue(customerId, 8);
  server.reply(() => ({ code: 451, text: '4.3.0 Try again later', step: 'recipient' }));
  await sendDue();
  const deferred = await pollUntilFound(async () => {
    const [message] = await listReminders(invoiceId);
    const attempts = message?.['attempts'] as { result: string }[] | undefined;
    return attempts?.[0]?.result === 'deferred' ? message : undefined;
  });
  expect((await pay(customerId, 120)).status).toBe(201);
  server.reply(() => 'accept');
  await client.post(`/api/messages/${String(deferred['id'])}/retry`, undefined);
  expect(await waitForReminder(invoiceId, 'cancelled')).toMatchObject({ reason: 'credit_available' });
});
