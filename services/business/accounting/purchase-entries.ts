import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import {
  postBill,
  postReceipt,
  postReceiptBilled,
  postReceiptReturn,
  postVendorCreditNote,
} from '../../../domain/business/accounting/postings';
import type { DocumentFacts } from '../../../domain/business/accounting/postings';
import type { TaxRow } from '../../../domain/business/accounting/tax-postings';
import { readOptions } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableBaseRate, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import { groupByTaxRate, onDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';

/** A stored rate of a credit note in base currency, as the journal needs it. */
const toFixedAmounts = ({ net, tax, components, creditedBefore: before }: PayableBaseRate): Partial<TaxRow> => ({
  base: {
    net: fromDecimal128(net),
    tax: fromDecimal128(tax),
    ...(components && { components: components.map(fromDecimal128) }),
  },
  creditedBefore: { base: fromDecimal128(before.base), amount: fromDecimal128(before.amount) },
});

/** Net amounts and taxes of a payable by the key of their rate, with those in base currency if it fixes them. */
export const groupPayableRates = (
  context: Pick<JournalContext, 'taxRates'>,
  { lines, baseRates }: PayableRecord,
): Map<string, TaxRow> => {
  const amounts = lines.map(({ taxRateId, net, tax }) => ({
    taxRateId,
    net: fromDecimal128(net),
    tax: fromDecimal128(tax),
  }));
  const rows = [...groupByTaxRate(context, amounts)].map(([key, row]): [string, TaxRow] => {
    const fixed = baseRates?.find(({ rate }) => rate === key);
    return [key, fixed === undefined ? row : { ...row, ...toFixedAmounts(fixed) }];
  });
  return new Map(rows);
};

/** What the journal needs to know of a payable. */
export function toPayableFacts(
  context: Pick<JournalContext, 'taxRates' | 'baseDecimals'>,
  payable: PayableRecord,
): DocumentFacts {
  const { baseDecimals } = context;
  const exchangeRate = fromDecimal128(payable.exchangeRate);
  const toBase = (amount: Decimal): Decimal => round(amount.times(exchangeRate), baseDecimals);
  const [total, taxTotal] = [fromDecimal128(payable.total), fromDecimal128(payable.taxTotal)];
  return {
    id: payable.id,
    number: payable.number,
    date: payable.date,
    currencyCode: payable.currencyCode,
    party: { id: payable.vendorId, name: payable.vendorName },
    rows: [...groupPayableRates(context, payable).values()],
    total,
    taxTotal,
    baseTotal: payable.baseTotal === undefined ? toBase(total) : fromDecimal128(payable.baseTotal),
    baseTaxTotal: payable.baseTaxTotal === undefined ? toBase(taxTotal) : fromDecimal128(payable.baseTaxTotal),
    exchangeRate,
    decimals: getCurrencyDecimals(payable.currencyCode),
    baseDecimals,
  };
}

/** The amounts of a receipt that its bill replaces: without what was returned before. */
function toUnbilledFacts(context: JournalContext, receipt: PayableRecord): DocumentFacts {
  const facts = toPayableFacts(context, receipt);
  const { unbilledReturns: returned } = receipt;
  if (returned === undefined) return facts;
  return {
    ...facts,
    total: facts.total.minus(fromDecimal128(returned.total)),
    taxTotal: facts.taxTotal.minus(fromDecimal128(returned.taxTotal)),
    baseTotal: facts.baseTotal.minus(fromDecimal128(returned.baseTotal)),
    baseTaxTotal: facts.baseTaxTotal.minus(fromDecimal128(returned.baseTaxTotal)),
  };
}

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

/** The day on which a bill replaces a receipt is that of the entry of its open item. */
export const buildBilledFilter = ({ organisationId }: JournalContext, days: Days) =>
  ({ organisationId, side: 'payable', date: onDays(days), kind: 'billed' }) as const;

async function readReceiptsByIds(
  { organisationId, mongoSession }: JournalContext,
  ids: readonly number[],
): Promise<Map<number, PayableRecord>> {
  if (ids.length === 0) return new Map();
  const receipts = await Payable.find({ organisationId, id: { $in: [...ids] }, type: 'receipt' })
    .setOptions(readOptions(mongoSession))
    .lean<PayableRecord[]>();
  return new Map(receipts.map((receipt) => [receipt.id, receipt]));
}

async function readBilledReceipts(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession, chartOn } = context;
  const billed = await AccountEntry.find(buildBilledFilter(context, days), { itemId: 1, date: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<Pick<AccountEntryRecord, 'itemId' | 'date'>[]>();
  if (billed.length === 0) return [];
  const items = await OpenItem.find({ _id: { $in: billed.map(({ itemId }) => itemId) } }, { id: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<Pick<OpenItemRecord, '_id' | 'id'>[]>();
  const receipts = await readReceiptsByIds(
    context,
    items.map(({ id }) => id),
  );
  const byItem = new Map(items.map(({ _id, id }) => [_id.toHexString(), receipts.get(id)]));
  return billed.flatMap(({ itemId, date }) => {
    const receipt = byItem.get(itemId.toHexString());
    return receipt === undefined
      ? []
      : [postReceiptBilled(chartOn(receipt.date), toUnbilledFacts(context, receipt), date)];
  });
}

/** Entries of receipts, of the bills that replace them, of other bills and of credit notes of vendors. */
export async function readPurchaseEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession, chartOn } = context;
  const payables = await Payable.find(buildPayableFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<PayableRecord[]>();
  const select = (type: PayableRecord['type']) => payables.filter((payable) => payable.type === type);
  const stockValues = await readStockValues(
    context,
    select('receipt').map(({ id }) => id),
  );
  const received = await readReceiptsByIds(
    context,
    select('bill').flatMap(({ receiptIds }) => receiptIds),
  );
  const postRecord = (payable: PayableRecord): JournalEntry => {
    const chart = chartOn(payable.date);
    const facts = toPayableFacts(context, payable);
    if (payable.type === 'receipt')
      return postReceipt(chart, { ...facts, stockValue: stockValues.get(payable.id) ?? ZERO });
    if (payable.type === 'credit_note') {
      const { returnedCost, exchangeDifference } = payable;
      if (returnedCost === undefined) return postVendorCreditNote(chart, facts);
      const exchange = exchangeDifference === undefined ? ZERO : fromDecimal128(exchangeDifference);
      return postVendorCreditNote(chart, facts, fromDecimal128(returnedCost), exchange);
    }
    const receipts = payable.receiptIds.flatMap((id) => {
      const receipt = received.get(id);
      return receipt === undefined ? [] : [toUnbilledFacts(context, receipt)];
    });
    const exchange = payable.exchangeDifference;
    return postBill(chart, {
      ...facts,
      received:
        receipts.length === 0
          ? null
          : { base: sum(receipts.map(({ baseTotal }) => baseTotal)), amount: sum(receipts.map(({ total }) => total)) },
      exchangeDifference: exchange === undefined || receipts.length === 0 ? ZERO : fromDecimal128(exchange),
    });
  };
  const replaced = await readBilledReceipts(context, days);
  return [...payables.map(postRecord), ...replaced, ...(await readReturnEntries(context, days))];
}
