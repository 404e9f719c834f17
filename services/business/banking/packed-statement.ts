import type { Statement, StatementTransaction } from '../../../domain/business/banking/bank-statement';
import { Decimal } from '../../../domain/business/decimal';

/** A statement as threads exchange it, with decimals as texts. */
type PackedStatement = Omit<Statement, 'openingBalance' | 'closingBalance' | 'transactions'> & {
  openingBalance: string | null;
  closingBalance: string | null;
  transactions: (Omit<StatementTransaction, 'amount'> & { amount: string })[];
};

/** What a thread answers: the statements of a file, or what is wrong with it. */
export type StatementThreadReply = { statements: PackedStatement[] } | { problem: string };

/** For another thread. */
export const packStatement = (statement: Statement): PackedStatement => ({
  ...statement,
  openingBalance: statement.openingBalance?.toFixed() ?? null,
  closingBalance: statement.closingBalance?.toFixed() ?? null,
  transactions: statement.transactions.map((each) => ({ ...each, amount: each.amount.toFixed() })),
});

const unpackBalance = (balance: string | null): Decimal | null => (balance === null ? null : new Decimal(balance));

/** From another thread. */
export const unpackStatement = (packed: PackedStatement): Statement => ({
  ...packed,
  openingBalance: unpackBalance(packed.openingBalance),
  closingBalance: unpackBalance(packed.closingBalance),
  transactions: packed.transactions.map((each) => ({ ...each, amount: new Decimal(each.amount) })),
});
