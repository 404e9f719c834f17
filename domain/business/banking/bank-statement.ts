import type { Decimal } from '../decimal';

/** Formats of bank statements that can be imported. */
export const STATEMENT_FORMATS = ['camt.053', 'mt940', 'csv'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** One booked entry of a bank statement, or one transaction of a collective entry. */
export interface StatementTransaction {
  /** `YYYY-MM-DD`. */
  bookingDate: string;
  valueDate: string;
  /** Positive if money was received. */
  amount: Decimal;
  currencyCode: string;
  counterpartyName: string | null;
  counterpartyIban: string | null;
  /** What the payer wrote. */
  remittance: string;
  endToEndId: string | null;
  /** Reference of the bank. */
  bankReference: string | null;
}

/** A statement of one account. */
export interface Statement {
  format: StatementFormat;
  /** Number or id that the bank gave the statement; null in CSV. */
  number: string | null;
  /** IBAN or account number; null if the file does not state it. */
  account: string | null;
  currencyCode: string;
  openingBalance: Decimal | null;
  closingBalance: Decimal | null;
  transactions: StatementTransaction[];
}

/** A file that is not a statement of its format. The message says where and what is accepted. */
export class StatementError extends Error {}

/** No bank sends longer texts, which could exceed the size of a record. */
export const MAX_TRANSACTION_TEXT_LENGTH = 10_000;

/** What is compared and searched of a text: payers write less. */
const MAX_COMPARED_TEXT_LENGTH = 1000;

/** The beginning of a text that is compared and searched, so that a long text does not keep the process busy. */
export const takeComparedText = (text: string): string =>
  // Half of a surrogate pair is no character.
  text.slice(0, MAX_COMPARED_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, '');

/** Maximum size of a file: some thousand transactions. */
export const MAX_STATEMENT_FILE_BYTES = 5 * 1024 * 1024;

/** Maximum number of characters in the texts of all transactions of a file. Those of an entry can repeat a text of it. */
export const MAX_STATEMENT_TEXT_LENGTH = 5_000_000;

/** Maximum number of statements of a file, each of which is written on its own. */
export const MAX_STATEMENTS = 1000;

/** @throws StatementError */
export function requireStatementCount(count: number): void {
  if (count > MAX_STATEMENTS) throw new StatementError(`must have at most ${MAX_STATEMENTS} statements`);
}

/** Maximum number of transactions of a file, which are written in one transaction. */
export const MAX_STATEMENT_TRANSACTIONS = 5000;

/**
 * Checked before transactions are read, so that a file of hundreds of thousands does not keep the process busy.
 * @throws StatementError
 */
export function requireTransactionCount(count: number): void {
  if (count > MAX_STATEMENT_TRANSACTIONS)
    throw new StatementError(`must have at most ${MAX_STATEMENT_TRANSACTIONS} transactions`);
}

/** The states of an imported transaction: open → matched by a payment, or ignored; both can be reopened. */
export const BANK_TRANSACTION_STATES = ['open', 'matched', 'ignored'] as const;
export type BankTransactionState = (typeof BANK_TRANSACTION_STATES)[number];

/**
 * The difference between the balances of a statement and its transactions; null if it states no balances. A statement
 * with another difference than 0 is incomplete.
 */
export function computeBalanceGap({ openingBalance, closingBalance, transactions }: Statement): Decimal | null {
  if (openingBalance === null || closingBalance === null) return null;
  return transactions
    .reduce((balance, { amount }) => balance.plus(amount), openingBalance)
    .minus(closingBalance)
    .neg();
}
