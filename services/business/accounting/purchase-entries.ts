import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { reverseEntry } from '../../../domain/business/accounting/journal';
import type { JournalEntry, JournalEntryKind } from '../../../domain/business/accounting/journal';
import {
  postBill,
  postReceipt,
  postReceiptReturn,
  postVendorCreditNote,
} from '../../../domain/business/accounting/postings';
import { readOptions } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import { onDays, onOptionalDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';
import { findBilledTotals, toPayableFacts } from './payable-facts';
import { readBilledReceipts, readReceiptsByIds } from './receipt-entries';

/** Returns of goods that had not been billed; others are credit notes. */
export const buildReturnFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  date: onDays(days),
  creditNoteId: null,
});

async function readReturnEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { baseDecimals, mongoSession, chartOn } = context;
  const returns = await VendorReturn.find(buildReturnFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<VendorReturnRecord[]>();
  return returns.map((record) =>
    postReceiptReturn(chartOn(record.date), {
      id: record.id,
      number: record.number,
      date: record.date,
      currencyCode: record.currencyCode,
      party: { id: record.vendorId, name: record.vendorName },
      rows: [],
      total: fromDecimal128(record.total),
      taxTotal: fromDecimal128(record.taxTotal),
      baseTotal: fromDecimal128(record.baseTotal),
      baseTaxTotal: fromDecimal128(record.baseTaxTotal),
      exchangeRate: fromDecimal128(record.exchangeRate),
      decimals: getCurrencyDecimals(record.currencyCode),
      baseDecimals,
      stockValue: fromDecimal128(record.cost),
    }),
  );
}

/** The value of the goods that each receipt brought into stock. */
async function readStockValues(
  { organisationId, mongoSession }: JournalContext,
  receiptIds: readonly number[],
): Promise<Map<number, Decimal>> {
  if (receiptIds.length === 0) return new Map();
  const rows = await StockLedger.find(
    { organisationId, kind: 'receipt', sourceId: { $in: [...receiptIds] } },
    { sourceId: 1, value: 1 },
  )
    .setOptions(readOptions(mongoSession))
    .lean<Pick<StockLedgerRecord, 'sourceId' | 'value'>[]>();
  const values = new Map<number, Decimal>();
  for (const { sourceId, value } of rows)
    values.set(sourceId ?? 0, (values.get(sourceId ?? 0) ?? ZERO).plus(fromDecimal128(value)));
  return values;
}

/** The condition of the receipts, bills and credit notes of vendors of some days. */
export const buildPayableFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  date: onDays(days),
});

/** The condition of the bills and credit notes of vendors that were voided on some days. */
export const buildVoidedPayableFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  voidedOn: onOptionalDays(days),
});

/** What the entries of payables depend on, besides the payable: receipts by id, and the values that entered stock. */
interface PayableSources {
  received: ReadonlyMap<number, PayableRecord>;
  stockValues: ReadonlyMap<number, Decimal>;
}

function postRecord(
  context: JournalContext,
  { received, stockValues }: PayableSources,
  payable: PayableRecord,
): JournalEntry {
  const chart = context.chartOn(payable.date);
  const facts = toPayableFacts(context, payable);
  if (payable.type === 'receipt')
    return postReceipt(chart, { ...facts, stockValue: stockValues.get(payable.id) ?? ZERO });
  const { returnedCost, exchangeDifference } = payable;
  const exchange = exchangeDifference === undefined ? ZERO : fromDecimal128(exchangeDifference);
  if (payable.type === 'credit_note')
    return returnedCost === undefined
      ? postVendorCreditNote(chart, facts)
      : postVendorCreditNote(chart, facts, fromDecimal128(returnedCost), exchange);
  const receipts = payable.receiptIds.flatMap((id) => {
    const receipt = received.get(id);
    return receipt === undefined ? [] : [findBilledTotals(payable, receipt, context.baseDecimals)];
  });
  return postBill(chart, {
    ...facts,
    received:
      receipts.length === 0
        ? null
        : { base: sum(receipts.map(({ baseTotal }) => baseTotal)), amount: sum(receipts.map(({ total }) => total)) },
    exchangeDifference: receipts.length === 0 ? ZERO : exchange,
  });
}

/** Reverses the entry of a bill or credit note that was voided. */
function postVoid(context: JournalContext, sources: PayableSources, payable: PayableRecord): JournalEntry {
  const kind: JournalEntryKind = payable.type === 'bill' ? 'bill_void' : 'vendor_credit_note_void';
  return reverseEntry(postRecord(context, sources, payable), {
    id: `${kind}:${payable.id}`,
    kind,
    date: payable.voidedOn ?? payable.date,
    description: payable.vendorName,
  });
}

/** Entries of receipts, of the bills that replace them, of other bills, of credit notes of vendors and of voids. */
export async function readPurchaseEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession } = context;
  const payables = await Payable.find(buildPayableFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<PayableRecord[]>();
  const voided = await Payable.find(buildVoidedPayableFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<PayableRecord[]>();
  const receiptIds = payables.flatMap(({ type, id }) => (type === 'receipt' ? [id] : []));
  const billed = [...payables, ...voided].flatMap((payable) => (payable.type === 'bill' ? payable.receiptIds : []));
  const sources = {
    stockValues: await readStockValues(context, receiptIds),
    received: await readReceiptsByIds(context, billed),
  };
  return [
    ...payables.map((payable) => postRecord(context, sources, payable)),
    ...voided.map((payable) => postVoid(context, sources, payable)),
    ...(await readBilledReceipts(context, days)),
    ...(await readReturnEntries(context, days)),
  ];
}
