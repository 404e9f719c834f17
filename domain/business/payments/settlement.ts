import { Decimal, round, sum, ZERO } from '../decimal';

/** Amounts of one open item in its own currency and in base currency, at the exchange rate of posting. */
export interface OpenAmounts {
  original: Decimal;
  originalBase: Decimal;
  open: Decimal;
  openBase: Decimal;
}

/**
 * Computes the base amount by which a reduction of the open amount reduces an item: the rounded cumulative share of the
 * posted amount, less earlier reductions, so that the last reduction leaves no remainder.
 * base = round(originalBase × (original − open + taken) ÷ original) − (originalBase − openBase).
 * @throws RangeError if the reduction exceeds the open amount
 */
export function computeRelievedBase(item: OpenAmounts, amount: Decimal, baseDecimals: number): Decimal {
  if (amount.gt(item.open)) throw new RangeError('the reduction exceeds the open amount');
  if (amount.eq(item.open)) return item.openBase;
  const cumulative = item.original.minus(item.open).plus(amount);
  const due = round(item.originalBase.times(cumulative).div(item.original), baseDecimals);
  // After a reversal out of order, earlier reductions can exceed their share by one unit.
  return Decimal.max(due.minus(item.originalBase.minus(item.openBase)), ZERO);
}

/** Effect of a credit note on the receivable of its invoice, or on the payable of its bill. */
export interface DocumentCredit {
  /** Applied amount in the currency of both documents. */
  applied: Decimal;
  /** Reduction of the base amount of the credit note. */
  consumed: Decimal;
  /** Reduction of the base amount of the invoice or bill. */
  relieved: Decimal;
}

/**
 * Applies a credit note to its own invoice or bill, first to what is open. Both were converted at one rate, so that one
 * takes from the other what the document says; they differ only where payments in between left the debit a unit more or
 * less, and the last to settle it takes that.
 */
export function applyCreditToDocument(debit: OpenAmounts, credit: { amount: Decimal; base: Decimal }): DocumentCredit {
  const applied = Decimal.min(debit.open, credit.amount);
  const relieved = applied.eq(debit.open) ? debit.openBase : Decimal.min(credit.base, debit.openBase);
  const consumed = applied.eq(credit.amount) ? credit.base : Decimal.min(credit.base, relieved);
  return { applied, consumed, relieved };
}

/** A document to settle, oldest due first. */
export interface OpenDocument {
  id: number;
  dueDate: string;
  open: Decimal;
}

export interface AllocationShare {
  id: number;
  amount: Decimal;
}

/** A document to settle, with the discount that a payment of the rest is granted today; 0 if there is none. */
export interface DiscountedDocument extends OpenDocument {
  discount: Decimal;
}

const payableOf = ({ open, discount }: DiscountedDocument): Decimal =>
  discount.lt(open) ? open.minus(discount) : open;

const settleWithDiscount = (document: DiscountedDocument): AllocationShare & { discount: Decimal } => {
  const amount = payableOf(document);
  return { id: document.id, amount, discount: document.open.minus(amount) };
};

/**
 * Plans what a payment settles. A payment of exactly the discounted amount of one document settles that, and one of the
 * discounted amounts of all documents settles all; any other is distributed from the oldest due date, without discounts.
 */
export function planSettlement(
  amount: Decimal,
  documents: readonly DiscountedDocument[],
): (AllocationShare & { discount: Decimal })[] {
  const discounted = documents.filter((document) => payableOf(document).lt(document.open));
  const one = discounted.find((document) => payableOf(document).eq(amount));
  if (one !== undefined) return [settleWithDiscount(one)];
  if (discounted.length > 0 && sum(documents.map(payableOf)).eq(amount)) return documents.map(settleWithDiscount);
  return allocateOldestFirst(amount, documents).map((share) => ({ ...share, discount: ZERO }));
}

/** Distributes `amount` over documents in the order of their due dates, then ids; the rest remains as credit. */
export function allocateOldestFirst(amount: Decimal, documents: readonly OpenDocument[]): AllocationShare[] {
  const shares: AllocationShare[] = [];
  let remaining = amount;
  const sorted = documents.toSorted((a, b) => (a.dueDate === b.dueDate ? a.id - b.id : a.dueDate < b.dueDate ? -1 : 1));
  for (const { id, open } of sorted) {
    if (remaining.lte(ZERO)) break;
    const share = open.lt(remaining) ? open : remaining;
    if (share.gt(ZERO)) shares.push({ id, amount: share });
    remaining = remaining.minus(share);
  }
  return shares;
}
