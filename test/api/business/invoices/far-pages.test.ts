import mongoose from 'mongoose';
import { addDays } from '../../../../domain/business/calendar';
import { Invoice } from '../../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../../models/business/invoices/invoice';
import { seedInvoices } from '../../../../bench/business/seed/seed-invoices';
import type { SeededInvoices } from '../../../../bench/business/seed/seed-invoices';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addService, createBusinessClient } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

/** Enough rows that some pages are farther from both ends than a list skips row by row. */
const SEEDED = 9000;
const PAGE_SIZE = 100;

type StoredRow = Pick<InvoiceRecord, 'id' | 'issueDate' | 'dueDate' | 'number' | 'status' | 'tokens' | 'grandTotal'>;
type Row = StoredRow & { amount: number };

const ROW_FIELDS = { id: 1, issueDate: 1, dueDate: 1, number: 1, status: 1, tokens: 1, grandTotal: 1 };

/** Reads the fields by which the lists are sorted and filtered, in one batch: the driver repeats no read of a further one. */
const readRows = (organisationId: string): Promise<StoredRow[]> =>
  Invoice.find({ organisationId }, ROW_FIELDS)
    .batchSize(SEEDED + PAGE_SIZE)
    .lean<StoredRow[]>()
    .exec();

let client: BusinessClient;
let seeded: SeededInvoices;
let rows: Row[];
beforeAll(async () => {
  client = await createBusinessClient();
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  const { organisationId } = client.tenant;
  seeded = await seedInvoices(db, organisationId, SEEDED);
  // An invoice whose count row is not compacted yet.
  const lines = [{ productId: await addService(client), quantity: 1 }];
  await client.post('/api/invoices', { customerId: await addCustomer(client), lines });
  const stored = await readRows(organisationId);
  rows = stored.map((row) => ({ ...row, amount: Number(row.grandTotal.toString()) }));
});
afterAll(closeTestPlatform);

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Expected ids of the list, computed from the rows alone. */
function selectIds(keep: (row: Row) => boolean, by: 'id' | 'issueDate' | 'dueDate' | 'number' | 'amount', dir: string) {
  const sorted = rows.filter(keep).sort((a, b) => compare(a[by], b[by]) || a.id - b.id);
  return (dir === 'desc' ? sorted.reverse() : sorted).map(({ id }) => id);
}

const matchAll = (): boolean => true;
const laterDay = (): string => addDays(seeded.from, 90);

const LISTS: Record<string, { query: () => string; ids: () => number[] }> = {
  'newest first': { query: () => '', ids: () => selectIds(matchAll, 'issueDate', 'desc') },
  'oldest first': { query: () => 'sortDir=asc', ids: () => selectIds(matchAll, 'issueDate', 'asc') },
  'one status': {
    query: () => 'status=issued',
    ids: () => selectIds(({ status }) => status === 'issued', 'issueDate', 'desc'),
  },
  'some days': {
    query: () => `sortDir=asc&dateFrom=${laterDay()}`,
    ids: () => selectIds(({ issueDate }) => issueDate >= laterDay(), 'issueDate', 'asc'),
  },
  'one word': {
    query: () => 'search=inv',
    ids: () => selectIds(({ tokens }) => tokens.includes('inv'), 'issueDate', 'desc'),
  },
  'two words, oldest first': {
    query: () => 'search=inv%20c&sortDir=asc',
    ids: () => selectIds(({ tokens }) => ['inv', 'c'].every((word) => tokens.includes(word)), 'issueDate', 'asc'),
  },
  'a word in a status': {
    query: () => 'search=inv&status=issued',
    ids: () => selectIds(({ tokens, status }) => status === 'issued' && tokens.includes('inv'), 'issueDate', 'desc'),
  },
  'a word by amount': {
    query: () => 'search=inv&sortBy=grandTotal&sortDir=asc',
    ids: () => selectIds(({ tokens }) => tokens.includes('inv'), 'amount', 'asc'),
  },
  'by number': { query: () => 'sortBy=number&sortDir=asc', ids: () => selectIds(matchAll, 'number', 'asc') },
  'by due date': { query: () => 'sortBy=dueDate&sortDir=desc', ids: () => selectIds(matchAll, 'dueDate', 'desc') },
  'by amount': { query: () => 'sortBy=grandTotal&sortDir=asc', ids: () => selectIds(matchAll, 'amount', 'asc') },
};

test.each(Object.keys(LISTS))('every page of a long list, %s, holds its own rows and the exact total', async (name) => {
  const list = LISTS[name];
  if (list === undefined) throw new Error(name);
  const ids = list.ids();
  const last = Math.ceil(ids.length / PAGE_SIZE);
  const middle = Math.ceil(last / 2);
  expect(middle * PAGE_SIZE).toBeGreaterThan(2000);
  for (const page of [1, 2, 21, middle - 1, middle, middle + 1, last - 21, last - 1, last, last + 1]) {
    const { body } = await client.get(`/api/invoices?page=${page}&pageSize=${PAGE_SIZE}&${list.query()}`);
    const got = (body['data'] as { id: number }[]).map(({ id }) => id);
    expect({ page, total: body['totalCount'], got }).toEqual({
      page,
      total: ids.length,
      got: ids.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    });
  }
});
