import { Types } from 'mongoose';
import {
  BANK_TRANSACTION_STATES,
  computeBalanceGap,
  MAX_TRANSACTION_TEXT_LENGTH,
  StatementError,
  requireTransactionCount,
} from '../../../domain/business/banking/bank-statement';
import type { Statement, StatementFormat, StatementTransaction } from '../../../domain/business/banking/bank-statement';
import { getCurrencyDecimals, isCurrencyCode } from '../../../domain/business/currencies';
import { MAX_AMOUNT } from '../../../domain/business/decimal';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { toCanonicalJson } from '../../../domain/canonical-json';
import { invalidFieldError } from '../../../domain/errors';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { isDuplicateKeyError, transientTransactionError } from '../../../lib/mongo';
import { BankStatement, BankTransaction } from '../../../models/business/banking/bank-statement';
import type { BankStatementRecord, BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import { toDecimal128 } from '../../../models/business/decimal128';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { readCamt053 } from './formats/camt053';
import { readCsvStatement } from './formats/csv';
import type { CsvMapping } from './formats/csv';
import { readMt940 } from './formats/mt940';
import { countPrecedingTransactions, fingerprintTransactions, isFollowedBy } from './transaction-fingerprints';
import type { TransactionCounts } from './transaction-fingerprints';

export interface StatementInput {
  format: StatementFormat;
  file: Buffer;
  /** For CSV. */
  mapping?: CsvMapping | undefined;
  account?: string | undefined;
}

/** UTF-8, else Latin-1, which older exports of banks use. */
function decodeText(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return file.toString('latin1');
  }
}

function readStatements(caller: BusinessCaller, { format, file, mapping, account }: StatementInput): Statement[] {
  const text = decodeText(file);
  if (format === 'camt.053') return readCamt053(text);
  if (format === 'mt940') return readMt940(text);
  if (mapping === undefined) throw new StatementError('needs a mapping of its columns');
  return readCsvStatement(text, mapping, {
    account: account ?? null,
    currencyCode: caller.company.baseCurrencyCode,
  });
}

const hasLongText = ({ amount: _, ...texts }: StatementTransaction): boolean =>
  Object.values(texts).some((text) => text !== null && text.length > MAX_TRANSACTION_TEXT_LENGTH);

/** Checks what no format guarantees: lengths, currencies, decimals, and balances that add up. */
function checkStatement(statement: Statement, where: string): void {
  for (const transaction of statement.transactions) {
    const { amount, currencyCode, bookingDate } = transaction;
    if (hasLongText(transaction))
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

/** @throws AppError 400 with the place in the file */
function parseStatements(caller: BusinessCaller, input: StatementInput): Statement[] {
  try {
    const statements = readStatements(caller, input);
    statements.forEach((statement, index) => checkStatement(statement, `statement ${index + 1}`));
    requireTransactionCount(statements.reduce((total, { transactions }) => total + transactions.length, 0));
    return statements.filter(({ transactions }) => transactions.length > 0);
  } catch (error) {
    if (error instanceof StatementError) throw invalidFieldError('file', error.message);
    throw error;
  }
}

/** Identifies a statement by its content alone, so that it is the same in any file. */
function fingerprintStatement(statement: Statement): string {
  const { number, account, openingBalance, closingBalance } = statement;
  return sha256Hex(
    toCanonicalJson({
      number,
      account,
      openingBalance: openingBalance?.toFixed() ?? null,
      closingBalance: closingBalance?.toFixed() ?? null,
      transactions: fingerprintTransactions(statement).fingerprints,
    }),
  );
}

interface NewTransaction {
  transaction: StatementTransaction;
  fingerprint: string;
}

const buildTransaction = (
  statement: BankStatementRecord,
  { transaction, fingerprint }: NewTransaction,
  id: number,
): BankTransactionRecord => {
  const { amount, ...fields } = transaction;
  const { counterpartyName, remittance, endToEndId, bankReference } = fields;
  return {
    _id: new Types.ObjectId(),
    organisationId: statement.organisationId,
    id,
    statementId: statement.id,
    account: statement.account,
    ...fields,
    amount: toDecimal128(amount),
    state: BANK_TRANSACTION_STATES[0],
    side: null,
    paymentId: null,
    partyId: null,
    ignoreReason: null,
    fingerprint,
    tokens: buildSearchTokens([counterpartyName, remittance, endToEndId, bankReference]),
    version: 1,
    createdAt: statement.createdAt,
    updatedAt: statement.createdAt,
  };
};

const toBalance = (balance: Statement['openingBalance']) => (balance === null ? null : toDecimal128(balance));

/** Writes a statement with the transactions that are new; one that was imported before is returned as it is. */
async function writeStatement(
  unit: UnitOfWork,
  caller: BusinessCaller,
  statement: Statement,
  fingerprints: readonly string[],
  at: Date,
): Promise<ImportedStatement> {
  const { organisationId } = caller;
  const { mongoSession } = unit;
  const fingerprint = fingerprintStatement(statement);
  const before = await BankStatement.findOne({ organisationId, fingerprint })
    .session(mongoSession)
    .lean<BankStatementRecord>();
  if (before !== null) return { statement: before, isNew: false };
  const known = await BankTransaction.find({ organisationId, fingerprint: { $in: fingerprints } }, { fingerprint: 1 })
    .session(mongoSession)
    .lean<{ fingerprint: string }[]>();
  const knownFingerprints = new Set(known.map((row) => row.fingerprint));
  const added = statement.transactions.flatMap((transaction, index): NewTransaction[] => {
    const own = fingerprints[index] ?? '';
    return knownFingerprints.has(own) ? [] : [{ transaction, fingerprint: own }];
  });
  const dates = statement.transactions.map(({ bookingDate }) => bookingDate).sort();
  const record: BankStatementRecord = {
    _id: new Types.ObjectId(),
    organisationId,
    id: await reserveNumberInTransaction(mongoSession, organisationId, 'bank-statements'),
    format: statement.format,
    number: statement.number,
    account: statement.account,
    currencyCode: statement.currencyCode,
    dateFrom: dates[0] ?? '',
    dateTo: dates.at(-1) ?? '',
    openingBalance: toBalance(statement.openingBalance),
    closingBalance: toBalance(statement.closingBalance),
    transactionCount: statement.transactions.length,
    importedCount: added.length,
    fingerprint,
    createdBy: caller.id,
    createdAt: at,
  };
  await BankStatement.create([record], { session: mongoSession });
  if (added.length > 0) {
    const first = await reserveNumberInTransaction(mongoSession, organisationId, 'bank-transactions', added.length);
    const rows = added.map((each, index) => buildTransaction(record, each, first + index));
    await BankTransaction.insertMany(rows, { session: mongoSession, lean: true });
  }
  await unit.audit(caller, {
    actor: caller.id,
    action: 'bank_statement.imported',
    subject: `bank-statement:${record.id}`,
  });
  return { statement: record, isNew: true };
}

/** Writes the statements of a file in their order. Equal transactions of statements that follow each other are others. */
async function writeStatements(
  unit: UnitOfWork,
  caller: BusinessCaller,
  statements: readonly Statement[],
  at: Date,
): Promise<ImportedStatement[]> {
  const imported: ImportedStatement[] = [];
  const written: { statement: Statement; counts: TransactionCounts }[] = [];
  for (const statement of statements) {
    const preceding = written.findLast((each) => isFollowedBy(each.statement, statement));
    const before =
      preceding?.counts ?? (await countPrecedingTransactions(caller.organisationId, statement, unit.mongoSession));
    const { fingerprints, counts } = fingerprintTransactions(statement, before);
    imported.push(await writeStatement(unit, caller, statement, fingerprints, at));
    written.push({ statement, counts });
  }
  return imported;
}

/** An imported statement, and whether this import created it. */
export interface ImportedStatement {
  statement: BankStatementRecord;
  isNew: boolean;
}

/**
 * Imports the statements of a file. A statement that was imported before has no effect, and a transaction that an
 * earlier statement had is not imported again.
 * @throws AppError 400 with the place in the file
 */
export async function importStatements(
  platform: Platform,
  caller: BusinessCaller,
  input: StatementInput,
  use: IdempotentUse | undefined,
): Promise<ImportedStatement[]> {
  const statements = parseStatements(caller, input);
  const at = platform.clock.now();
  const write = async (unit: UnitOfWork): Promise<ImportedStatement[]> => {
    try {
      return await writeStatements(unit, caller, statements, at);
    } catch (error) {
      // A concurrent import wrote the same transactions: the next attempt sees them.
      if (isDuplicateKeyError(error)) throw transientTransactionError('A statement was imported concurrently.');
      throw error;
    }
  };
  return runIdempotently(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const imported = await write(unit);
        await claim(unit, formatImportedIds(imported), 200);
        return imported;
      }),
    (recordId) => readImported(caller, recordId),
  );
}

/** Ends the id of a statement that the request created, so that a repeated request returns the same. */
const NEW_MARK = 'n';

const formatImportedIds = (imported: readonly ImportedStatement[]): string =>
  imported.map(({ statement, isNew }) => `${statement.id}${isNew ? NEW_MARK : ''}`).join();

/** The statements of an earlier request, in the order of its file. */
async function readImported({ organisationId }: BusinessCaller, recordId: string): Promise<ImportedStatement[]> {
  const results = recordId
    .split(',')
    .map((text) => ({ id: Number.parseInt(text, 10), isNew: text.endsWith(NEW_MARK) }));
  const found = await BankStatement.find({ organisationId, id: { $in: results.map(({ id }) => id || 0) } }).lean<
    BankStatementRecord[]
  >();
  const byId = new Map(found.map((statement) => [statement.id, statement]));
  return results.flatMap(({ id, isNew }) => {
    const statement = byId.get(id);
    return statement === undefined ? [] : [{ statement, isNew }];
  });
}
