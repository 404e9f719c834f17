import { addDays } from '../calendar';
import { ZERO } from '../decimal';
import type { Decimal } from '../decimal';

/** Buckets by days past the due date: not due yet, then in steps of 30 days. */
export const AGING_BUCKETS = ['current', 'days1to30', 'days31to60', 'days61to90', 'over90'] as const;
export type AgingBucket = (typeof AGING_BUCKETS)[number];

/** Returns the bucket on `asOf` of an item due on `dueDate`, both `YYYY-MM-DD`. An item due on `asOf` is current. */
export function getAgingBucket(dueDate: string, asOf: string): AgingBucket {
  if (dueDate >= asOf) return 'current';
  if (dueDate >= addDays(asOf, -30)) return 'days1to30';
  if (dueDate >= addDays(asOf, -60)) return 'days31to60';
  return dueDate >= addDays(asOf, -90) ? 'days61to90' : 'over90';
}

/** Amounts of an item as of a day: positive for open documents, negative for unapplied credit. */
export interface AgedItem {
  dueDate: string;
  amount: Decimal;
  amountBase: Decimal;
}

export type AgingAmounts = Record<AgingBucket, Decimal> & {
  /** Unapplied credit, positive. */
  unappliedCredit: Decimal;
  /** Sum of the buckets less the unapplied credit. */
  net: Decimal;
};

const createEmptyAging = (): AgingAmounts => ({
  current: ZERO,
  days1to30: ZERO,
  days31to60: ZERO,
  days61to90: ZERO,
  over90: ZERO,
  unappliedCredit: ZERO,
  net: ZERO,
});

/** Sums the items of one party and currency by bucket, in document and base currency. */
export function computeAging(items: readonly AgedItem[], asOf: string): { amounts: AgingAmounts; base: AgingAmounts } {
  const amounts = createEmptyAging();
  const base = createEmptyAging();
  for (const item of items) {
    const credit = item.amount.isNegative() || (item.amount.isZero() && item.amountBase.isNegative());
    const bucket = getAgingBucket(item.dueDate, asOf);
    for (const [row, value] of [
      [amounts, item.amount],
      [base, item.amountBase],
    ] as const) {
      if (credit) row.unappliedCredit = row.unappliedCredit.minus(value);
      else row[bucket] = row[bucket].plus(value);
      row.net = row.net.plus(value);
    }
  }
  return { amounts, base };
}

/** Adds rows, for totals of several parties. */
export function sumAging(rows: readonly AgingAmounts[]): AgingAmounts {
  const total = createEmptyAging();
  for (const row of rows)
    for (const key of [...AGING_BUCKETS, 'unappliedCredit', 'net'] as const) total[key] = total[key].plus(row[key]);
  return total;
}
