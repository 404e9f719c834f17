import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { closeTestPlatform } from '../../../support/tenant';

interface Account {
  currencyCode: string;
  opening: number;
  closing: number;
  rows: { date: string; kind: string; number: string; amount: number; balance: number }[];
}

let client: BusinessClient;
let customerId: number;
let invoiceId: number;

const read = async (query = ''): Promise<Account[]> =>
  getData(await client.get(`/api/customers/${customerId}/statement${query}`))['accounts'] as Account[];

beforeAll(async () => {
  client = await createBusinessClient('Auszug GmbH');
  customerId = await addCustomer(client, { name: 'Konto "A", <b>AG</b>', language: 'de' });
  const productId = await addService(client);
  const lines = [{ productId, quantity: 1, unitPrice: 100 }];
  invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines, issueDate: '2026-01-15' }));
  await client.post('/api/invoices', { customerId, lines, issueDate: '2026-02-10' });
  const allocations = [{ documentId: invoiceId, amount: 50 }];
  await client.post('/api/receivables/payments', { customerId, amount: 70, date: '2026-02-20', allocations });
  await client.post('/api/credit-notes', {
    invoiceId,
    reason: 'Returned',
    issueDate: '2026-03-01',
    lines: [{ invoiceLineId: 1, quantity: 0.5 }],
  });
});
afterAll(closeTestPlatform);

test('a statement begins with the balance before it, and ends with that of the account on its last day', async () => {
  const [account] = await read('?dateFrom=2026-02-01&dateTo=2026-02-28');
  expect(account).toMatchObject({ opening: 120, closing: 170 });
  expect(account?.rows.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['invoice', 120, 240],
    ['payment', -70, 170],
  ]);
  for (const day of ['2026-01-31', '2026-02-28', '2026-12-31']) {
    const balance = getData(await client.get(`/api/customers/${customerId}/balance?asOf=${day}`));
    const [closing] = await read(`?dateTo=${day}`);
    expect(closing?.closing).toBe(balance['balance']);
  }
  const wrong = await client.get(`/api/customers/${customerId}/statement?dateFrom=2026-03-01&dateTo=2026-02-01`);
  expect([wrong.status, JSON.stringify(wrong.body['errors'])]).toEqual([400, expect.stringContaining('dateFrom')]);
});

test('it is downloaded as CSV and as PDF, with equal bytes for equal content', async () => {
  const path = `/api/customers/${customerId}/statement/file?dateFrom=2026-02-01&dateTo=2026-02-28`;
  const csv = await client.get(`${path}&format=csv`);
  expect(csv.bytes.toString('utf8').split('\r\n')).toEqual([
    '\uFEFFdate,kind,number,dueDate,currencyCode,amount,balance',
    '2026-02-01,opening,,,EUR,,120.00',
    expect.stringMatching(/^2026-02-10,invoice,INV-2026-\d+,2026-03-12,EUR,120\.00,240\.00$/),
    expect.stringMatching(/^2026-02-20,payment,[^,]+,,EUR,-70\.00,170\.00$/),
    '2026-02-28,closing,,,EUR,,170.00',
    '',
  ]);
  const [first, second] = await Promise.all([client.get(`${path}&format=pdf`), client.get(path)]);
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(first.bytes.equals(second.bytes)).toBe(true);
  const text = (await readPageTexts(first.bytes)).join(' ').replace(/\s+/g, ' ');
  for (const part of ['Kontoauszug', 'Anfangssaldo', 'Konto "A", <b>AG</b>', '170,00']) expect(text).toContain(part);
});
