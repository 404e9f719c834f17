import { ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import type { Account } from './accounts';
import type { JournalEntry } from './journal';

/** The movements of one account over some days, in base currency. */
export interface AccountTotals extends Account {
  /** Balance before the first day; debits are positive. */
  opening: Decimal;
  debit: Decimal;
  credit: Decimal;
  /** Opening balance plus debits less credits. */
  closing: Decimal;
}

/** Sums journal entries by account. */
export class TrialBalance {
  private readonly accounts = new Map<string, AccountTotals>();

  /** @param from first day of the report; entries before it are part of the opening balances */
  constructor(private readonly from: string) {}

  /** Adds the lines of an entry to their accounts, in the base currency. */
  add({ date, lines }: JournalEntry): void {
    for (const { account, base } of lines) {
      const { number, name } = account;
      const totals = this.accounts.get(number) ?? {
        number,
        name,
        opening: ZERO,
        debit: ZERO,
        credit: ZERO,
        closing: ZERO,
      };
      if (date < this.from) totals.opening = totals.opening.plus(base);
      else if (base.isNegative()) totals.credit = totals.credit.minus(base);
      else totals.debit = totals.debit.plus(base);
      totals.closing = totals.closing.plus(base);
      this.accounts.set(number, totals);
    }
  }

  /** The accounts with movements, by number. */
  list(): AccountTotals[] {
    return [...this.accounts.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
  }
}
