import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
let customerId: number;
let productId: number;
let seriesId: number;

beforeAll(async () => {
  client = await createBusinessClient('Deposit dates');
  customerId = await addCustomer(client);
  productId = await addService(client);
  const series = { documentType: 'invoice', prefix: 'DEP' };
  seriesId = getCreatedId(await client.post('/api/config/document-series', series));
});
afterAll(closeTestPlatform);

const issue = (body: object) => client.post('/api/invoices', { customerId, ...body });
const issueDeposit = async (issueDate: string): Promise<number> =>
  getCreatedId(
    await issue({
      deposit: true,
      seriesId,
      issueDate,
      lines: [{ description: 'Deposit', quantity: 1, unitPrice: 100 }],
    }),
  );
const pay = async (documentId: number, amount: number, date: string): Promise<number> => {
  const allocations = [{ documentId, amount }];
  return getCreatedId(await client.post('/api/receivables/payments', { customerId, amount, date, allocations }));
};
const buildFinal = (depositId: number, issueDate: string) => ({
  issueDate,
  lines: [{ productId, quantity: 1, unitPrice: 1000 }],
  depositInvoiceIds: [depositId],
});

test('an invoice does not deduct a deposit before the day on which it was paid completely', async () => {
  const depositId = await issueDeposit('2025-03-03');
  await pay(depositId, 60, '2025-03-05');
  await pay(depositId, 60, '2025-03-07');
  const problem = 'issueDate: must not be before 2025-03-07, when the deposit of depositInvoiceIds[0] was paid';
  for (const path of ['/api/invoices', '/api/invoices?dryRun=true'])
    for (const issueDate of ['2025-03-01', '2025-03-06']) {
      const early = await client.post(path, { customerId, ...buildFinal(depositId, issueDate) });
      expect([early.status, early.body['errors']]).toEqual([400, [problem]]);
    }
  const final = await issue(buildFinal(depositId, '2025-03-07'));
  expect([final.status, getData(final)]).toMatchObject([201, { issueDate: '2025-03-07', prepaid: { amount: 120 } }]);
});

test('a draft whose deposit was paid again on a later day than its own is not issued', async () => {
  const depositId = await issueDeposit('2025-04-01');
  const paymentId = await pay(depositId, 120, '2025-04-02');
  const draft = getCreatedId(await issue({ draft: true, ...buildFinal(depositId, '2025-04-03') }));
  await client.post(`/api/receivables/payments/${paymentId}/void`, { reason: 'Returned' });
  await pay(depositId, 120, '2025-04-04');
  const issued = await client.post(`/api/invoices/${draft}/issue`, undefined);
  expect([issued.status, issued.body['errors']]).toEqual([
    400,
    ['issueDate: must not be before 2025-04-04, when the deposit of depositInvoiceIds[0] was paid'],
  ]);
});
