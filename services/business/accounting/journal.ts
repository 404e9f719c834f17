import type { ClientSession, Model } from 'mongoose';
import { compareEntries } from '../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { readOptions } from '../../../lib/mongo';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import { Deduction } from '../../../models/business/payments/deduction';
import { AccountEntry } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import { StockLedger } from '../../../models/business/stock/stock';
import {
  buildCorrectedDeductionFilter,
  buildDeductionFilter,
  buildReversedDeductionFilter,
  readDeductionEntries,
} from './deduction-entries';
import { buildBusinessDay } from './journal-context';
import type { Days, JournalContext } from './journal-context';
import {
  buildAllocationFilter,
  buildPaymentFilter,
  buildReversedAllocationFilter,
  buildVoidedPaymentFilter,
  readAllocationEntries,
  readPaymentEntries,
} from './payment-entries';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import {
  buildPayableFilter,
  buildReturnFilter,
  buildVoidedPayableFilter,
  readPurchaseEntries,
} from './purchase-entries';
import { buildBilledFilter } from './receipt-entries';
import { buildCreditNoteFilter, buildInvoiceFilter, buildVoidedInvoiceFilter, readSalesEntries } from './sales-entries';
import { buildStockGroupStages, readStockEntries } from './stock-entries';

/** Derives the entries of some days from the documents of those days, in the order of the journal. */
export async function deriveEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const read = [
    readSalesEntries,
    readPaymentEntries,
    readAllocationEntries,
    readDeductionEntries,
    readPurchaseEntries,
    readStockEntries,
  ];
  const entries: JournalEntry[] = [];
  // One after another, because a MongoDB session allows one operation at a time.
  for (const source of read) entries.push(...(await source(context, days)));
  return entries.sort(compareEntries);
}

interface DayCount {
  _id: string;
  count: number;
}

const countByDay = (
  model: Pick<Model<unknown>, 'collection'>,
  filter: object,
  field: string,
  mongoSession: ClientSession | null,
): Promise<DayCount[]> =>
  model.collection
    .aggregate<DayCount>(
      [{ $match: filter }, { $group: { _id: `$${field}`, count: { $sum: 1 } } }],
      readOptions(mongoSession),
    )
    .toArray();

/** Counts the entries of each day that has any, without deriving them; sorted by day. */
export async function countEntries(context: JournalContext, days: Days): Promise<{ date: string; count: number }[]> {
  const { mongoSession } = context;
  const sources = [
    [Invoice, buildInvoiceFilter(context, days), 'issueDate'],
    [Invoice, buildVoidedInvoiceFilter(context, days), 'voidedOn'],
    [CreditNote, buildCreditNoteFilter(context, days), 'issueDate'],
    [Payment, buildPaymentFilter(context, days), 'date'],
    [Payment, buildVoidedPaymentFilter(context, days), 'voidedOn'],
    [Allocation, buildAllocationFilter(context, days), 'date'],
    [Allocation, buildReversedAllocationFilter(context, days), 'reversedOn'],
    [Deduction, buildDeductionFilter(context, days), 'date'],
    [Deduction, buildReversedDeductionFilter(context, days), 'reversedOn'],
    [Deduction, buildCorrectedDeductionFilter(context, days), 'chargesCorrectedOn'],
    [Payable, buildPayableFilter(context, days), 'date'],
    [Payable, buildVoidedPayableFilter(context, days), 'voidedOn'],
    [AccountEntry, buildBilledFilter(context, days), 'date'],
    [VendorReturn, buildReturnFilter(context, days), 'date'],
  ] as const;
  const counts = new Map<string, number>();
  const add = (rows: readonly DayCount[]): void => {
    for (const { _id, count } of rows) counts.set(_id, (counts.get(_id) ?? 0) + count);
  };
  for (const [model, filter, field] of sources) add(await countByDay(model, filter, field, mongoSession));
  const day = buildBusinessDay(context, '$_id.at');
  add(
    await StockLedger.collection
      .aggregate<DayCount>([...buildStockGroupStages(context, days), { $group: { _id: day, count: { $sum: 1 } } }], {
        allowDiskUse: true,
        ...readOptions(mongoSession),
      })
      .toArray(),
  );
  return [...counts].map(([date, count]) => ({ date, count })).sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Maximum number of entries that are derived at once, unless one day has more. */
const WINDOW_ENTRIES = 2000;

/** Divides days into ranges of at most {@link WINDOW_ENTRIES} entries, at least one day each. */
export function planWindows(counts: readonly { date: string; count: number }[]): Days[] {
  const windows: Days[] = [];
  let [size, window]: [number, Days | null] = [0, null];
  for (const { date, count } of counts) {
    if (window === null || size + count > WINDOW_ENTRIES) {
      window = { from: date, to: date };
      windows.push(window);
      size = 0;
    }
    window.to = date;
    size += count;
  }
  return windows;
}

/** Derives the entries of a range of days, window by window. */
export async function* streamEntries(context: JournalContext, days: Days): AsyncGenerator<JournalEntry[]> {
  for (const window of planWindows(await countEntries(context, days))) yield deriveEntries(context, window);
}

/** One page of the journal and the exact number of entries. */
export async function readJournalPage(
  context: JournalContext,
  days: Days,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: JournalEntry[]; totalCount: number }> {
  const counts = await countEntries(context, days);
  const totalCount = counts.reduce((total, { count }) => total + count, 0);
  const [first, end] = [(page - 1) * pageSize, page * pageSize];
  let before = 0;
  const onPage = counts.flatMap(({ date, count }) => {
    const day = { date, before };
    before += count;
    return day.before < end && before > first ? [day] : [];
  });
  const [from, to] = [onPage[0], onPage.at(-1)];
  if (from === undefined || to === undefined) return { rows: [], totalCount };
  const entries = await deriveEntries(context, { from: from.date, to: to.date });
  return { rows: entries.slice(Math.max(first - from.before, 0), end - from.before), totalCount };
}
