import { Decimal, round, ZERO } from '../decimal';

/** Amounts of one open item in its own currency and in base currency, at the rate frozen when it was posted. */
export interface OpenAmounts {
  original: Decimal;
  originalBase: Decimal;
  open: Decimal;
  openBase: Decimal;
}

/**
 * Base amount that taking `taken` out of an item relieves: the cumulative share of what was posted, rounded, minus what
 * earlier takings relieved, so that the last one takes the rest and nothing is left over.
 * base = round(originalBase × (original − open + taken) ÷ original) − (originalBase − openBase).
 * @throws RangeError when more is taken than is open
 */
export function computeRelievedBase(item: OpenAmounts, amount: Decimal, baseDecimals: number): Decimal {
  if (amount.gt(item.open)) throw new RangeError('more is taken than is open');
  if (amount.eq(item.open)) return item.openBase;
  const cumulative = item.original.minus(item.open).plus(amount);
  const due = round(item.originalBase.times(cumulative).div(item.original), baseDecimals);
  // After a reversal out of order the earlier takings can be a unit above their share.
  return Decimal.max(due.minus(item.originalBase.minus(item.openBase)), ZERO);
}

/** What a credit note does to the receivable of the invoice it credits. */
export interface InvoiceCredit {
  /** In the currency of both. */
  applied: Decimal;
  /** What that takes from the base amount of the credit note, */
  consumed: Decimal;
  /** and from that of the invoice. */
  relieved: Decimal;
}

/**
 * Applies a credit note to its own invoice, first to what is open. Both were converted at one rate, so that one takes
 * from the other what the document says; they differ only where payments in between left the invoice a unit more or
 * less, and the last to settle it takes that.
 */
export function applyCreditToInvoice(invoice: OpenAmounts, credit: { amount: Decimal; base: Decimal }): InvoiceCredit {
  const applied = Decimal.min(invoice.open, credit.amount);
  const relieved = applied.eq(invoice.open) ? invoice.openBase : Decimal.min(credit.base, invoice.openBase);
  const consumed = applied.eq(credit.amount) ? credit.base : Decimal.min(credit.base, relieved);
  return { applied, consumed, relieved };
}

/** One document to be settled, oldest due first. */
export interface OpenDocument {
  id: number;
  dueDate: string;
  open: Decimal;
}

export interface AllocationShare {
  id: number;
  amount: Decimal;
}

/** Spreads `amount` over documents in the order of their due dates, then ids; what none takes is left as credit. */
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
