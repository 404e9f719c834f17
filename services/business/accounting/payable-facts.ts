import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { DocumentFacts } from '../../../domain/business/accounting/postings';
import type { TaxRow } from '../../../domain/business/accounting/tax-postings';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type {
  BilledReceipt,
  PayableBaseRate,
  PayableRecord,
  UnbilledReturns,
} from '../../../models/business/purchasing/purchase-order';
import { groupByTaxRate } from './journal-context';
import type { JournalContext } from './journal-context';

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

/** Net amount and tax in the currency of a document, and in base currency. */
export type PayableTotals = Pick<DocumentFacts, 'total' | 'taxTotal' | 'baseTotal' | 'baseTaxTotal'>;

function toPayableTotals(payable: PayableRecord, baseDecimals: number): PayableTotals {
  const exchangeRate = fromDecimal128(payable.exchangeRate);
  const toBase = (amount: Decimal): Decimal => round(amount.times(exchangeRate), baseDecimals);
  const [total, taxTotal] = [fromDecimal128(payable.total), fromDecimal128(payable.taxTotal)];
  return {
    total,
    taxTotal,
    baseTotal: payable.baseTotal === undefined ? toBase(total) : fromDecimal128(payable.baseTotal),
    baseTaxTotal: payable.baseTaxTotal === undefined ? toBase(taxTotal) : fromDecimal128(payable.baseTaxTotal),
  };
}

/** What the journal needs to know of a payable. */
export function toPayableFacts(
  context: Pick<JournalContext, 'taxRates' | 'baseDecimals'>,
  payable: PayableRecord,
): DocumentFacts {
  const { baseDecimals } = context;
  return {
    id: payable.id,
    number: payable.number,
    date: payable.date,
    currencyCode: payable.currencyCode,
    party: { id: payable.vendorId, name: payable.vendorName },
    rows: [...groupPayableRates(context, payable).values()],
    ...toPayableTotals(payable, baseDecimals),
    exchangeRate: fromDecimal128(payable.exchangeRate),
    decimals: getCurrencyDecimals(payable.currencyCode),
    baseDecimals,
  };
}

/** Amounts as they are stored. */
const fromStoredTotals = (stored: UnbilledReturns): PayableTotals => ({
  total: fromDecimal128(stored.total),
  taxTotal: fromDecimal128(stored.taxTotal),
  baseTotal: fromDecimal128(stored.baseTotal),
  baseTaxTotal: fromDecimal128(stored.baseTaxTotal),
});

/** What is not billed of a receipt: its amounts without what was returned before its bill. */
export function computeUnbilledTotals(receipt: PayableRecord, baseDecimals: number): PayableTotals {
  const totals = toPayableTotals(receipt, baseDecimals);
  if (receipt.unbilledReturns === undefined) return totals;
  const returned = fromStoredTotals(receipt.unbilledReturns);
  return {
    total: totals.total.minus(returned.total),
    taxTotal: totals.taxTotal.minus(returned.taxTotal),
    baseTotal: totals.baseTotal.minus(returned.baseTotal),
    baseTaxTotal: totals.baseTaxTotal.minus(returned.baseTaxTotal),
  };
}

/** What a bill replaced of a receipt. Of a bill that does not state it, the receipt says it, until the bill is void. */
export function findBilledTotals(
  bill: { billedReceipts?: readonly BilledReceipt[] } | undefined,
  receipt: PayableRecord,
  baseDecimals: number,
): PayableTotals {
  const stored = bill?.billedReceipts?.find(({ receiptId }) => receiptId === receipt.id);
  return stored === undefined ? computeUnbilledTotals(receipt, baseDecimals) : fromStoredTotals(stored);
}
