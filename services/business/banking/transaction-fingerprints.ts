import type { ClientSession } from 'mongoose';
import type { Statement, StatementTransaction } from '../../../domain/business/banking/bank-statement';
import { toCanonicalJson } from '../../../domain/canonical-json';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { BankStatement, BankTransaction } from '../../../models/business/banking/bank-statement';
import type { BankStatementRecord, BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';

/** How many transactions of each content there are. */
export type TransactionCounts = ReadonlyMap<string, number>;

const describeContent = (account: string | null, { amount, ...fields }: StatementTransaction): string =>
  toCanonicalJson({ account, ...fields, amount: amount.toFixed() });

/**
 * Fingerprints of the transactions of a statement: equal for the same transaction in another statement of the account.
 * Of several equal transactions of one day, each has the next ordinal.
 * @param before those of the statements that it follows, whose ordinals are taken
 * @returns the fingerprints, and the counts with the transactions of the statement
 */
export function fingerprintTransactions(
  { account, transactions }: Statement,
  before: TransactionCounts = new Map(),
): { fingerprints: string[]; counts: TransactionCounts } {
  const counts = new Map(before);
  const fingerprints = transactions.map((transaction) => {
    const content = describeContent(account, transaction);
    const ordinal = counts.get(content) ?? 0;
    counts.set(content, ordinal + 1);
    return sha256Hex(`${content}#${ordinal}`);
  });
  return { fingerprints, counts };
}

/**
 * Whether a statement begins where another one ends, so that their transactions are others. One that leaves the balance as
 * it was looks like a copy of it.
 */
export const isFollowedBy = (earlier: Statement, later: Statement): boolean =>
  earlier.account !== null &&
  earlier.account === later.account &&
  earlier.currencyCode === later.currencyCode &&
  earlier.number !== null &&
  later.number !== null &&
  earlier.number !== later.number &&
  earlier.openingBalance !== null &&
  earlier.closingBalance !== null &&
  later.openingBalance !== null &&
  earlier.closingBalance.eq(later.openingBalance) &&
  !earlier.closingBalance.eq(earlier.openingBalance);

/** More statements of one day are not looked for. */
const MAX_PRECEDING = 50;

/** Lists the imported statements that lead to a statement by their balances, as far as they reach into its days. */
async function listPreceding(
  organisationId: string,
  { account, currencyCode, number, openingBalance, transactions }: Statement,
  session: ClientSession,
): Promise<number[]> {
  const dateFrom = transactions.map(({ bookingDate }) => bookingDate).sort()[0] ?? '';
  const ids: number[] = [];
  const numbers = [number];
  let balance = openingBalance === null ? null : toDecimal128(openingBalance);
  while (account !== null && number !== null && balance !== null && ids.length < MAX_PRECEDING) {
    const preceding = await BankStatement.findOne({
      organisationId,
      dateTo: { $gte: dateFrom },
      account,
      currencyCode,
      closingBalance: balance,
      openingBalance: { $nin: [balance, null] },
      number: { $nin: [...numbers, null] },
    })
      .sort({ dateTo: -1, id: -1 })
      .session(session)
      .lean<BankStatementRecord>();
    if (preceding === null) break;
    ids.push(preceding.id);
    numbers.push(preceding.number);
    balance = preceding.openingBalance;
  }
  return ids;
}

/** Counts the transactions that were imported with the statements that a statement follows. */
export async function countPrecedingTransactions(
  organisationId: string,
  statement: Statement,
  session: ClientSession,
): Promise<TransactionCounts> {
  const counts = new Map<string, number>();
  const ids = await listPreceding(organisationId, statement, session);
  if (ids.length === 0) return counts;
  const days = [...new Set(statement.transactions.map(({ bookingDate }) => bookingDate))];
  const rows = await BankTransaction.find({ organisationId, statementId: { $in: ids }, bookingDate: { $in: days } })
    .session(session)
    .lean<BankTransactionRecord[]>();
  for (const row of rows) {
    const { bookingDate, valueDate, currencyCode, counterpartyName, counterpartyIban } = row;
    const { remittance, endToEndId, bankReference } = row;
    const content = describeContent(row.account, {
      bookingDate,
      valueDate,
      amount: fromDecimal128(row.amount),
      currencyCode,
      counterpartyName,
      counterpartyIban,
      remittance,
      endToEndId,
      bankReference,
    });
    counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return counts;
}
