import {
  computeBalanceGap,
  MAX_STATEMENT_TEXT_LENGTH,
  MAX_TRANSACTION_TEXT_LENGTH,
  requireStatementCount,
  requireTransactionCount,
  StatementError,
} from '../../../domain/business/banking/bank-statement';
import type { Statement, StatementFormat, StatementTransaction } from '../../../domain/business/banking/bank-statement';
import { getCurrencyDecimals, isCurrencyCode } from '../../../domain/business/currencies';
import { MAX_AMOUNT } from '../../../domain/business/decimal';
import { readCamt053 } from './formats/camt053';
import { readCsvStatement } from './formats/csv';
import type { CsvMapping } from './formats/csv';
import { readMt940 } from './formats/mt940';

/** A file with what its format does not state. */
export interface StatementFile {
  format: StatementFormat;
  bytes: Uint8Array;
  /** For CSV. */
  mapping: CsvMapping | undefined;
  /** For CSV, which states no account. */
  account: string | null;
  /** Of the rows of a CSV file without one. */
  currencyCode: string;
}

/** UTF-8, else Latin-1, which older exports of banks use. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }
}

function readFormat({ format, bytes, mapping, account, currencyCode }: StatementFile): Statement[] {
  const text = decodeText(bytes);
  if (format === 'camt.053') return readCamt053(text);
  if (format === 'mt940') return readMt940(text);
  if (mapping === undefined) throw new StatementError('needs a mapping of its columns');
  return readCsvStatement(text, mapping, { account, currencyCode });
}

const listTexts = ({ amount: _, ...texts }: StatementTransaction): string[] =>
  Object.values(texts).filter((text) => text !== null);

/** Checks what no format guarantees: lengths, currencies, decimals, and balances that add up. */
function checkStatement(statement: Statement, where: string): void {
  for (const transaction of statement.transactions) {
    const { amount, currencyCode, bookingDate } = transaction;
    if (listTexts(transaction).some((text) => text.length > MAX_TRANSACTION_TEXT_LENGTH))
      throw new StatementError(
        `${where}: ${bookingDate}: a text must have at most ${MAX_TRANSACTION_TEXT_LENGTH} characters`,
      );
    if (amount.abs().gt(MAX_AMOUNT))
      throw new StatementError(`${where}: ${bookingDate}: an amount must be at most ${MAX_AMOUNT.toFixed()}`);
    if (!isCurrencyCode(currencyCode))
      throw new StatementError(`${where}: ${bookingDate}: the currency must be an ISO 4217 code, such as EUR`);
    if (amount.decimalPlaces() > getCurrencyDecimals(currencyCode))
      throw new StatementError(
        `${where}: ${bookingDate}: ${amount.toFixed()} has too many decimals for ${currencyCode}`,
      );
  }
  const gap = computeBalanceGap(statement);
  if (gap !== null && !gap.isZero())
    throw new StatementError(
      `${where}: opening balance and transactions differ from the closing balance by ${gap.toFixed()}`,
    );
}

/** @throws StatementError if texts that the transactions of an entry share make much more text than the file has */
function requireTextLength(transactions: readonly StatementTransaction[]): void {
  const length = transactions.flatMap(listTexts).reduce((total, text) => total + text.length, 0);
  if (length > MAX_STATEMENT_TEXT_LENGTH)
    throw new StatementError(
      `must have at most ${MAX_STATEMENT_TEXT_LENGTH} characters in the texts of its transactions`,
    );
}

/**
 * Reads a file and checks it. A file can keep a thread busy for seconds, so it is read in one of `StatementThreads`.
 * @returns the statements with transactions
 * @throws StatementError with the place in the file
 */
export function readStatements(file: StatementFile): Statement[] {
  const statements = readFormat(file);
  requireStatementCount(statements.length);
  statements.forEach((statement, index) => checkStatement(statement, `statement ${index + 1}`));
  const transactions = statements.flatMap((statement) => statement.transactions);
  requireTransactionCount(transactions.length);
  requireTextLength(transactions);
  return statements.filter((statement) => statement.transactions.length > 0);
}
