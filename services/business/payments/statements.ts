import type { PipelineStage, Types } from 'mongoose';
import { toCanonicalJson } from '../../../domain/canonical-json';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import {
  buildStatementAccounts,
  buildStatementFileName,
  STATEMENT_CONTENT_TYPES,
  toStatementCsv,
} from '../../../domain/business/payments/statement';
import type {
  StatementDocument,
  StatementEntry,
  StatementFormat,
  StatementRowKind,
} from '../../../domain/business/payments/statement';
import { invalidFieldError, notFoundError } from '../../../domain/errors';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { Statement } from '../../../models/business/payments/statement';
import type { StatementRecord } from '../../../models/business/payments/statement';
import { reserveNumber } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { readStoredFile } from '../documents/document-files';
import { buildSellerSnapshot } from '../invoices/invoice-snapshot';
import { getCompanyToday } from '../settings/company';

/** Most rows of one statement. */
export const MAX_STATEMENT_ROWS = 5000;

/** Inclusive days, `YYYY-MM-DD`. */
export interface StatementPeriod {
  from: string;
  to: string;
}

const ROW_KINDS: Readonly<Partial<Record<AccountEntryRecord['kind'], StatementRowKind>>> = {
  refund: 'refund',
  void: 'void',
  reversal: 'reversal',
  allocation: 'adjustment',
  discount: 'discount',
  write_off: 'write_off',
  deposit: 'deposit',
};

const ISSUED_KINDS = { invoice: 'invoice', credit_note: 'credit_note', payment: 'payment' } as const;

function getRowKind(entry: AccountEntryRecord, item: Pick<OpenItemRecord, 'kind'> | undefined): StatementRowKind {
  const issued = Object.entries(ISSUED_KINDS).find(([kind]) => kind === item?.kind)?.[1];
  return entry.kind === 'issue' ? (issued ?? 'adjustment') : (ROW_KINDS[entry.kind] ?? 'adjustment');
}

/** Sums of all entries before a day, by currency. */
async function readOpenings(match: object, before: string): Promise<Map<string, Decimal>> {
  const pipeline: PipelineStage[] = [
    { $match: { ...match, date: { $lt: before } } },
    { $group: { _id: '$currencyCode', amount: { $sum: '$amount' } } },
  ];
  const sums = await AccountEntry.aggregate<{ _id: string; amount: Types.Decimal128 }>(pipeline);
  return new Map(sums.map(({ _id, amount }) => [_id, fromDecimal128(amount)]));
}

/**
 * Allocations move an amount between two documents of the customer, so their entries cancel out and are not shown; an
 * allocation whose entries do not cancel out is.
 */
function omitBalancedAllocations(entries: readonly AccountEntryRecord[]): AccountEntryRecord[] {
  const sums = new Map<string, Decimal>();
  const keyOf = ({ allocationId, date, kind, currencyCode }: AccountEntryRecord): string =>
    `${allocationId ?? ''}/${kind}/${date}/${currencyCode}`;
  for (const entry of entries) {
    const key = keyOf(entry);
    sums.set(key, (sums.get(key) ?? new Decimal(0)).plus(fromDecimal128(entry.amount)));
  }
  return entries.filter((entry) => entry.allocationId === null || sums.get(keyOf(entry))?.isZero() !== true);
}

/** The rows of the period. @throws AppError 400 for a period with too many */
async function readEntries(
  organisationId: string,
  customerId: number,
  { from, to }: StatementPeriod,
): Promise<StatementEntry[]> {
  const entries = await AccountEntry.find({
    organisationId,
    side: 'receivable',
    partyId: customerId,
    date: { $gte: from, $lte: to },
  })
    .sort({ date: 1, _id: 1 })
    .limit(4 * MAX_STATEMENT_ROWS)
    .lean<AccountEntryRecord[]>();
  const shown = omitBalancedAllocations(entries);
  if (entries.length === 4 * MAX_STATEMENT_ROWS || shown.length > MAX_STATEMENT_ROWS)
    throw invalidFieldError('dateFrom', `must begin later: a statement has at most ${MAX_STATEMENT_ROWS} rows`);
  const items = await OpenItem.find(
    { _id: { $in: shown.map(({ itemId }) => itemId) }, organisationId },
    { number: 1, kind: 1, dueDate: 1 },
  ).lean<Pick<OpenItemRecord, '_id' | 'number' | 'kind' | 'dueDate'>[]>();
  const itemsById = new Map(items.map((item) => [String(item._id), item]));
  return shown.map((entry) => {
    const item = itemsById.get(String(entry.itemId));
    const isInvoice = entry.kind === 'issue' && item?.kind === 'invoice';
    return {
      date: entry.date,
      kind: getRowKind(entry, item),
      number: item?.number ?? '',
      dueDate: isInvoice ? item.dueDate : null,
      currencyCode: entry.currencyCode,
      amount: fromDecimal128(entry.amount),
    };
  });
}

/**
 * Builds the statement of a customer for a period, from dated entries alone: the closing balance is the balance of the
 * account on the last day.
 * @throws AppError 404; 400 for a period with too many rows
 */
export async function buildStatement(
  platform: Platform,
  caller: BusinessCaller,
  customerId: number,
  period: StatementPeriod,
): Promise<StatementDocument> {
  const { organisationId, company } = caller;
  const customer = await Customer.findOne({ organisationId, id: customerId }).lean<CustomerRecord>();
  if (customer === null) throw notFoundError('customer');
  const match = { organisationId, side: 'receivable', partyId: customerId };
  const [openings, entries] = await Promise.all([
    readOpenings(match, period.from),
    readEntries(organisationId, customerId, period),
  ]);
  const { id, code, name, address } = customer;
  return {
    language: customer.language ?? company.language,
    issueDate: getCompanyToday(platform, caller),
    ...period,
    seller: buildSellerSnapshot(company),
    customer: { id, code, name, address },
    accounts: buildStatementAccounts(openings, entries, getCurrencyDecimals),
  };
}

/** Stores the content of a statement that is printed or sent, once for equal content. */
export async function saveStatement(
  platform: Platform,
  organisationId: string,
  document: StatementDocument,
): Promise<StatementRecord> {
  const contentHash = sha256Hex(toCanonicalJson(document));
  const key = { organisationId, customerId: document.customer.id, contentHash };
  const existing = await Statement.findOne(key).lean<StatementRecord>();
  if (existing !== null) return existing;
  const id = await reserveNumber(organisationId, 'statements');
  const record: StatementRecord = { ...key, id, document, createdAt: platform.clock.now() };
  try {
    await Statement.create([record]);
    return record;
  } catch (error) {
    const concurrent = isDuplicateKeyError(error) ? await Statement.findOne(key).lean<StatementRecord>() : null;
    if (concurrent === null) throw error;
    return concurrent;
  }
}

/** Prints a statement and waits for the file. @throws AppError 503 `pdf_not_ready` or `rendering_failed` */
export async function printStatement(
  platform: Platform,
  { organisationId }: BusinessCaller,
  document: StatementDocument,
  waitMs: number,
): Promise<Buffer> {
  return readStatementPdf(platform, await saveStatement(platform, organisationId, document), waitMs);
}

async function readStatementPdf(
  platform: Platform,
  { organisationId, id, contentHash }: StatementRecord,
  waitMs: number,
): Promise<Buffer> {
  const key = { organisationId, documentKind: 'statement', documentId: id, format: 'pdf', contentHash } as const;
  const file = await readStoredFile(platform, key, waitMs);
  if (file === null) throw new Error('a file was not waited for');
  return file.bytes;
}

/** A file of a stored statement. @throws AppError 404; 503 `pdf_not_ready` or `rendering_failed` */
export async function readStatementFile(
  platform: Platform,
  key: { organisationId: string; id: number },
  format: StatementFormat,
  waitMs: number,
): Promise<{ fileName: string; contentType: string; bytes: Buffer }> {
  const statement = await Statement.findOne(key).lean<StatementRecord>();
  if (statement === null) throw notFoundError('statement');
  const { document } = statement;
  const bytes =
    format === 'pdf' ? await readStatementPdf(platform, statement, waitMs) : Buffer.from(toStatementCsv(document));
  return { fileName: buildStatementFileName(document, format), contentType: STATEMENT_CONTENT_TYPES[format], bytes };
}
