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
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
let customerId: number;
let productId: number;

beforeAll(async () => {
  client = await createBusinessClient('Write-offs');
  await client.put('/api/config/company', { writeOffLimit: 5 });
  customerId = await addCustomer(client, { name: 'Zahlt Pünktlich AG' });
  productId = await addService(client, { name: 'Advice', price: 100 });
});
afterAll(closeTestPlatform);

const pay = (amount: number, date: string, fields: object) =>
  client.post('/api/receivables/payments', { customerId, amount, date, ...fields });
const writeOff = (body: object) => client.post('/api/receivables/write-offs', body);

test('write-offs are listed by document, payment, credit note and words of the number, customer and reason, also void ones', async () => {
  const documentId = getCreatedId(
    await client.post('/api/invoices', { customerId, issueDate: '2025-09-01', lines: [{ productId, quantity: 1 }] }),
  );
  const number = String(getData(await client.get(`/api/invoices/${documentId}`))['number']);
  // Of 120 with tax.
  await pay(118, '2025-09-02', { allocations: [{ documentId, amount: 118 }] });
  const charged = getCreatedId(await writeOff({ documentId, date: '2025-09-03', reason: 'Charges abroad' }));
  const path = `/api/receivables/write-offs/${charged}/void`;
  expect((await client.post(path, { reason: 'Paid' })).status).toBe(200);
  const paymentId = getCreatedId(await pay(1.5, '2025-09-04', { allocations: [] }));
  const unused = getCreatedId(await writeOff({ paymentId, date: '2025-09-05', reason: 'Small credit' }));
  // 2 of 6 with tax settle what is open again of the invoice.
  const creditNoteId = getCreatedId(
    await client.post('/api/credit-notes', {
      invoiceId: documentId,
      issueDate: '2025-09-06',
      reason: 'Returned',
      lines: [{ invoiceLineId: 1, amount: 5 }],
    }),
  );
  const rest = getCreatedId(await writeOff({ creditNoteId, date: '2025-09-07', reason: 'Not wanted' }));
  const ids = async (query: string, side = 'receivables') => {
    const list = await client.get(`/api/${side}/write-offs?${query}`);
    expectDocumented('get', `/api/${side}/write-offs`, list);
    expect(list.body['totalCount']).toBe(getRows(list).length);
    return getRows(list).map(({ id }) => id);
  };
  expect(await ids(`documentId=${documentId}`)).toEqual([charged]);
  expect(await ids(`paymentId=${paymentId}`)).toEqual([unused]);
  expect(await ids(`creditNoteId=${creditNoteId}`)).toEqual([rest]);
  expect(await ids(`documentId=${documentId}&paymentId=${paymentId}`)).toEqual([]);
  expect(await ids('documentId=999999')).toEqual([]);
  expect(await ids(`documentId=${documentId}`, 'payables')).toEqual([]);
  expect(await ids(`search=${number}`)).toEqual([charged]);
  expect(await ids(`search=${encodeURIComponent('pünktlich abroad')}`)).toEqual([charged]);
  expect(await ids('search=nothing')).toEqual([]);
});
