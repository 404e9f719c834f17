import { Types } from 'mongoose';
import {
  BANK_TRANSACTION_STATES,
  MAX_STATEMENT_FILE_BYTES,
  StatementError,
  takeComparedText,
} from '../../../domain/business/banking/bank-statement';
import type { Statement, StatementFormat, StatementTransaction } from '../../../domain/business/banking/bank-statement';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { toCanonicalJson } from '../../../domain/canonical-json';
import { AppError, invalidFieldError } from '../../../domain/errors';
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
import type { CsvMapping } from './formats/csv';
import { StatementThreads } from './statement-threads';
import { countPrecedingTransactions, fingerprintTransactions, isFollowedBy } from './transaction-fingerprints';
import type { TransactionCounts } from './transaction-fingerprints';

export interface StatementInput {
  format: StatementFormat;
  file: Buffer;
  /** For CSV. */
  mapping?: CsvMapping | undefined;
  account?: string | undefined;
}

const MAX_FILE_MEGABYTES = MAX_STATEMENT_FILE_BYTES / 1024 / 1024;

const fileTooLargeError = (): AppError =>
  new AppError('file_too_large', 413, `file: accepts at most ${MAX_FILE_MEGABYTES} MB.`, {
    fields: [{ field: 'file', problem: `accepts at most ${MAX_FILE_MEGABYTES} MB` }],
  });

/** @throws AppError 400 with the place in the file, 413, 503 */
async function parseStatements(
  platform: Platform,
  { organisationId, company }: BusinessCaller,
  { format, file, mapping, account }: StatementInput,
): Promise<Statement[]> {
  if (file.length > MAX_STATEMENT_FILE_BYTES) throw fileTooLargeError();
  const { baseCurrencyCode: currencyCode } = company;
  try {
    const read = { format, bytes: file, mapping, account: account ?? null, currencyCode };
    return await platform.singletons.get(StatementThreads).read(organisationId, read);
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
  const texts = [fields.counterpartyName, fields.remittance, fields.endToEndId, fields.bankReference];
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
    tokens: buildSearchTokens(texts.map((text) => takeComparedText(text ?? ''))),
    version: 1,
    createdAt: statement.createdAt,
    updatedAt: statement.createdAt,
  };
};

const toBalance = (balance: Statement['openingBalance']) => (balance === null ? null : toDecimal128(balance));

/** Other requests are served between the parts of a long statement. */
const INSERTED_TOGETHER = 500;

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
    for (let start = 0; start < added.length; start += INSERTED_TOGETHER) {
      const part = added.slice(start, start + INSERTED_TOGETHER);
      const rows = part.map((each, index) => buildTransaction(record, each, first + start + index));
      await BankTransaction.insertMany(rows, { session: mongoSession, lean: true });
    }
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
 * @throws AppError 400 with the place in the file, 413, 503
 */
export async function importStatements(
  platform: Platform,
  caller: BusinessCaller,
  input: StatementInput,
  use: IdempotentUse | undefined,
): Promise<ImportedStatement[]> {
  const statements = await parseStatements(platform, caller, input);
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
