import { Decimal } from '../../../../domain/business/decimal';
import { toDecimal128 } from '../../../../models/business/decimal128';
import { DocumentCount } from '../../../../models/business/documents/document-count';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { OpenItem } from '../../../../models/business/payments/open-item';
import { Allocation } from '../../../../models/business/payments/payment';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { checkInvariants } from '../../../../services/business/invariants/check';
import { invoiceSettlement } from '../../../../services/business/migrations/invoice-settlement';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { runMigration } from '../../../support/migrations';
import { createAndDownloadExport, parseCsvRows } from '../../../support/business/exports';

let client: BusinessClient;
let organisationId: string;
let customerId: number;
let productId: number;

/** The invoices by what happened to them: each over 100, without tax. */
const ids: Record<string, number> = {};

const issue = async (fields: object = {}, unitPrice = 100): Promise<number> =>
  getCreatedId(
    await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1, unitPrice }], ...fields }),
  );
const pay = async (documentId: number, amount: number): Promise<number> =>
  getCreatedId(
    await client.post('/api/receivables/payments', { customerId, amount, allocations: [{ documentId, amount }] }),
  );
const credit = async (invoiceId: number, amount?: number): Promise<number> => {
  const lines = amount === undefined ? {} : { lines: [{ invoiceLineId: 1, amount }] };
  return getCreatedId(await client.post('/api/credit-notes', { invoiceId, reason: 'Returned', ...lines }));
};
const getStatus = async (id: number | undefined) => getData(await client.get(`/api/invoices/${String(id)}`))['status'];
const countEvents = (type: 'invoice.issued' | 'invoice.paid', id: number | undefined): Promise<number> =>
  WebhookEvent.countDocuments({ organisationId, type, body: { $regex: `"invoiceId":${String(id)},` } });

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Statuses');
  organisationId = client.tenant.organisationId;
  customerId = await addCustomer(client);
  const rate = await client.post('/api/config/tax-rates', { name: 'Untaxed', percent: 0, category: 'Z' });
  productId = await addService(client, { taxRateId: getCreatedId(rate) });
  ids['late'] = await issue({ issueDate: '2025-01-01', paymentTerms: 'NET30' });
  ids['issued'] = await issue();
  ids['credited in part'] = await issue();
  await credit(ids['credited in part'], 40);
  ids['credited'] = await issue();
  await credit(ids['credited'], 40);
  await credit(ids['credited']);
  ids['paid and credited in part'] = await issue();
  await pay(ids['paid and credited in part'], 30);
  await credit(ids['paid and credited in part'], 20);
  ids['paid and the rest credited'] = await issue();
  await pay(ids['paid and the rest credited'], 30);
  await credit(ids['paid and the rest credited'], 70);
  ids['paid'] = await issue();
  await pay(ids['paid'], 100);
  const creditNoteId = await credit(ids['paid']);
  ids['settled by the credit of another'] = await issue();
  const use = { creditNoteId, documentId: ids['settled by the credit of another'], amount: 100 };
  expect((await client.post('/api/receivables/allocations', use)).status).toBe(201);
  ids['free'] = await issue({}, 0);
});
afterAll(closeTestPlatform);

const EXPECTED_STATUSES = {
  late: 'issued',
  issued: 'issued',
  'credited in part': 'issued',
  credited: 'credited',
  'paid and credited in part': 'partially_paid',
  'paid and the rest credited': 'paid',
  paid: 'paid',
  'settled by the credit of another': 'paid',
  free: 'paid',
};

test.each(Object.entries(EXPECTED_STATUSES))('an invoice that is %s is %s', async (name, status) => {
  expect(await getStatus(ids[name])).toBe(status);
  expect(await countEvents('invoice.paid', ids[name])).toBe(status === 'paid' ? 1 : 0);
});

test('an invoice without an amount emits its issue before its payment, also when it is issued from a draft', async () => {
  const draft = getCreatedId(
    await client.post('/api/invoices', { customerId, draft: true, lines: [{ productId, quantity: 1, unitPrice: 0 }] }),
  );
  expect(getData(await client.post(`/api/invoices/${draft}/issue`, {}))).toMatchObject({ status: 'paid', open: 0 });
  expect([await countEvents('invoice.issued', draft), await countEvents('invoice.paid', draft)]).toEqual([1, 1]);
  expect(await countEvents('invoice.issued', ids['free'])).toBe(1);
  ids['free draft'] = draft;
});

test('an allocation of an own credit note that is reversed opens the credited invoice again', async () => {
  const invoiceId = await issue();
  const creditNoteId = await credit(invoiceId);
  expect(await getStatus(invoiceId)).toBe('credited');
  const rows = getRows(await client.get('/api/receivables?state=settled&pageSize=100'));
  expect(rows.find((row) => row['id'] === invoiceId)).toMatchObject({ settled: 0, credited: 100, open: 0 });
  const item = await OpenItem.findOne({ organisationId, kind: 'credit_note', id: creditNoteId }).orFail().lean();
  const { id } = await Allocation.findOne({ organisationId, creditItemId: item._id }).orFail().lean();
  expect((await client.post(`/api/receivables/allocations/${id}/reverse`, { reason: 'Wrong' })).status).toBe(200);
  expect(await getStatus(invoiceId)).toBe('issued');
  const use = { creditNoteId, documentId: invoiceId, amount: 100 };
  expect((await client.post('/api/receivables/allocations', use)).status).toBe(201);
  expect(await getStatus(invoiceId)).toBe('credited');
  expect(await countEvents('invoice.paid', invoiceId)).toBe(0);
  ids['credited again'] = invoiceId;
});

const select = (...names: string[]): number[] => names.map((name) => Number(ids[name])).sort((a, b) => a - b);
const FILTERS: [string, () => number[]][] = [
  ['overdue', () => select('late')],
  ['credited', () => select('credited', 'credited again')],
  ['credited,overdue', () => select('credited', 'credited again', 'late')],
  ['issued,overdue', () => select('late', 'issued', 'credited in part')],
  ['partially_paid&status=overdue', () => select('paid and credited in part', 'late')],
  ['issued,partially_paid,overdue', () => select('late', 'issued', 'credited in part', 'paid and credited in part')],
];

describe('a filter by status', () => {
  test.each(FILTERS)('status=%s selects these and counts them exactly', async (query, expected) => {
    const response = await client.get(`/api/invoices?status=${query}&sortBy=id`);
    expect(getRows(response).map((row) => row['id'])).toEqual(expected());
    expect(response.body['totalCount']).toBe(expected().length);
  });

  test('selects the same rows in an export', async () => {
    const exportIds = async (resource: string, filters: object) => {
      const { file } = await createAndDownloadExport(client, { resource, format: 'csv', filters });
      return parseCsvRows(file.bytes).map((row) => Number(row['id']));
    };
    const invoices = await exportIds('invoices', { status: 'credited,overdue' });
    expect(invoices).toEqual(select('credited', 'credited again', 'late'));
    expect(await exportIds('receivables', { state: 'overdue' })).toEqual(select('late'));
  });

  test('of another list accepts several values too', async () => {
    const listed = getRows(await client.get('/api/receivables?state=overdue'));
    expect(listed.map((row) => row['id'])).toEqual(select('late'));
    expect((await client.get('/api/receivables?state=overdue,settled')).status).toBe(200);
    getCreatedId(await client.post('/api/crm/leads', { name: 'One', status: 'contacted' }));
    getCreatedId(await client.post('/api/crm/leads', { name: 'Two' }));
    expect((await client.get('/api/crm/leads?status=new,contacted')).body['totalCount']).toBe(2);
    expect((await client.get('/api/crm/leads?status=new')).body['totalCount']).toBe(1);
  });

  test.each([
    ['/api/invoices?status=issued,gone', 'draft, issued, partially_paid, paid, credited, void, overdue'],
    ['/api/invoices?status=', 'draft, issued, partially_paid, paid, credited, void, overdue'],
    ['/api/receivables?state=late', 'open, settled, void, overdue, all'],
  ])('%s is 400 and lists the accepted values', async (path, accepted) => {
    const response = await client.get(path);
    expect([response.status, String(response.body['errors'])]).toEqual([
      400,
      expect.stringContaining(`must be one or more of ${accepted}`),
    ]);
  });
});

test('invoices of earlier versions get the same statuses, counts and figures by migration', async () => {
  const platform = await getTestPlatform();
  const statuses = () => Promise.all(Object.values(ids).map(getStatus));
  const before = await statuses();
  await storeLikeEarlierVersions();
  expect(await statuses()).not.toEqual(before);
  expect(await checkInvariants(platform, organisationId)).toBeGreaterThan(0);
  await Promise.all([runMigration(platform, invoiceSettlement), runMigration(platform, invoiceSettlement)]);
  expect(await statuses()).toEqual(before);
  expect(await checkInvariants(platform, organisationId)).toBe(0);
  expect(await countEvents('invoice.paid', ids['credited'])).toBe(0);
});

/** Writes items and statuses as versions did that counted every credit note as a payment. */
async function storeLikeEarlierVersions(): Promise<void> {
  const ZERO = toDecimal128(new Decimal(0));
  const foreign = Number(ids['settled by the credit of another']);
  await OpenItem.updateOne(
    { organisationId, kind: 'invoice', id: foreign },
    { $set: { settled: ZERO, credited: toDecimal128(new Decimal(100)) } },
  );
  for (const [name, status] of [
    ['credited', 'paid'],
    ['credited in part', 'partially_paid'],
  ] as const) {
    const now = await Invoice.findOneAndUpdate({ organisationId, id: Number(ids[name]) }, { $set: { status } })
      .orFail()
      .lean();
    const row = { organisationId, list: 'invoices', day: now.issueDate, folded: false };
    await DocumentCount.insertMany([
      { ...row, status: now.status, count: -1, baseTotal: toDecimal128(new Decimal(-100)) },
      { ...row, status, count: 1, baseTotal: toDecimal128(new Decimal(100)) },
    ]);
  }
}
