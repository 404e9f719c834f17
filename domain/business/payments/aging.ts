import { addDays } from '../calendar';
import { ZERO } from '../decimal';
import type { Decimal } from '../decimal';

/** Days past the due date: not due yet, then by thirties. */
export const AGING_BUCKETS = ['current', 'days1to30', 'days31to60', 'days61to90', 'over90'] as const;
export type AgingBucket = (typeof AGING_BUCKETS)[number];

/** The bucket of something due on `dueDate`, looked at on `asOf`; both `YYYY-MM-DD`. Due today is still current. */
export function getAgingBucket(dueDate: string, asOf: string): AgingBucket {
  if (dueDate >= asOf) return 'current';
  if (dueDate >= addDays(asOf, -30)) return 'days1to30';
  if (dueDate >= addDays(asOf, -60)) return 'days31to60';
  return dueDate >= addDays(asOf, -90) ? 'days61to90' : 'over90';
}

/** An item's amounts as of a day: positive is owed, negative is credit not applied yet. */
export interface AgedItem {
  dueDate: string;
  amount: Decimal;
  amountBase: Decimal;
}

export type AgingAmounts = Record<AgingBucket, Decimal> & {
  /** Positive. */
  unappliedCredit: Decimal;
  /** Sum of the buckets less the credit. */
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

/** Sums items of one party and currency into its buckets, by document currency and by base currency. */
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

/** Adds rows, for totals over parties. */
export function sumAging(rows: readonly AgingAmounts[]): AgingAmounts {
  const total = createEmptyAging();
  for (const row of rows)
    for (const key of [...AGING_BUCKETS, 'unappliedCredit', 'net'] as const) total[key] = total[key].plus(row[key]);
  return total;
}
