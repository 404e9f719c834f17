import { takeComparedText } from '../../../domain/business/banking/bank-statement';
import type { BankTransactionState } from '../../../domain/business/banking/bank-statement';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { conflictError, notFoundError } from '../../../domain/errors';
import { BankStatement, BankTransaction } from '../../../models/business/banking/bank-statement';
import type { BankStatementRecord, BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payment } from '../../../models/business/payments/payment';
import { runIdempotently } from '../../platform/transactions/idempotency';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import type { AllocationInput } from '../payments/payment-preparation';
import { registerPayment } from '../payments/payments';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { DayFilter, ListPage, ListQuery } from '../records/lists';

export const BANK_STATEMENT_SORT_FIELDS = ['id', 'dateTo'] as const;

/** One page of imported statements. */
export const listStatements = (
  { organisationId }: BusinessCaller,
  filter: DayFilter,
  query: ListQuery,
): Promise<ListPage<BankStatementRecord>> => {
  const dateTo = buildDayRange(filter);
  return readPage(BankStatement, { organisationId, ...(dateTo === null ? {} : { dateTo }) }, query);
};

/** @throws AppError 404, also for the id of another organisation */
export async function getStatement({ organisationId }: BusinessCaller, id: number): Promise<BankStatementRecord> {
  const record = await BankStatement.findOne({ organisationId, id }).lean<BankStatementRecord>();
  if (record === null) throw notFoundError('bank_statement');
  return record;
}

export const BANK_TRANSACTION_SORT_FIELDS = ['id', 'bookingDate'] as const;

export interface BankTransactionFilter extends DayFilter {
  state?: readonly BankTransactionState[] | undefined;
  statementId?: readonly number[] | undefined;
}

/** One page of transactions. */
export const listTransactions = (
  { organisationId }: BusinessCaller,
  { state, statementId, ...days }: BankTransactionFilter,
  query: ListQuery,
): Promise<ListPage<BankTransactionRecord>> => {
  const bookingDate = buildDayRange(days);
  return readPage(
    BankTransaction,
    {
      organisationId,
      ...(state === undefined ? {} : { state: buildChoiceCondition(state) }),
      ...(statementId === undefined ? {} : { statementId: buildChoiceCondition(statementId) }),
      ...(bookingDate === null ? {} : { bookingDate }),
    },
    query,
  );
};

/** @throws AppError 404, also for the id of another organisation */
export async function getTransaction(
  { organisationId }: BusinessCaller,
  id: number,
  unit?: UnitOfWork,
): Promise<BankTransactionRecord> {
  const record = await BankTransaction.findOne({ organisationId, id })
    .session(unit?.mongoSession ?? null)
    .lean<BankTransactionRecord>();
  if (record === null) throw notFoundError('bank_transaction');
  return record;
}

/** The side of the documents that a transaction can settle: money that was received settles receivables. */
export const getTransactionSide = ({ amount }: BankTransactionRecord): LedgerSide =>
  fromDecimal128(amount).isNegative() ? 'payable' : 'receivable';

/** What a transaction says about itself: the beginnings of remittance, reference and counterparty. */
export const joinTransactionText = ({ remittance, endToEndId, counterpartyName }: BankTransactionRecord): string =>
  [remittance, endToEndId, counterpartyName].flatMap((part) => (part === null ? [] : takeComparedText(part))).join(' ');

/** The error of a change that needs an open transaction. */
export const notOpenError = ({ id, state, paymentId }: BankTransactionRecord) =>
  conflictError('transaction_not_open', `The bank transaction ${id} is ${state} and cannot be matched again.`, {
    state,
    paymentId,
    route: 'POST /api/bank-transactions/:id/reopen',
  });

/** Changes an open transaction in this transaction; of two concurrent changes only one commits. */
export async function changeTransaction(
  unit: UnitOfWork,
  caller: BusinessCaller,
  record: BankTransactionRecord,
  fields: Partial<BankTransactionRecord>,
  entry: { action: string; reason?: string },
): Promise<void> {
  const changed = await BankTransaction.updateOne(
    { _id: record._id, version: record.version },
    { $set: { ...fields, updatedAt: unit.platform.clock.now() }, $inc: { version: 1 } },
    { session: unit.mongoSession },
  );
  if (changed.matchedCount === 0) throw notOpenError(await getTransaction(caller, record.id));
  await unit.audit(caller, { actor: caller.id, subject: `bank-transaction:${record.id}`, ...entry });
}

export interface MatchInput {
  /** Customer for money that was received, vendor for money that was paid. */
  partyId: number;
  /** Documents to settle; if empty, the whole amount stays credit. */
  allocations: AllocationInput[];
}

const MAX_REFERENCE_LENGTH = 100;

/**
 * Accepts a match: registers the payment of the transaction with its allocations, and marks the transaction as matched,
 * in one transaction. Of several acceptances only one takes effect.
 * @throws AppError 400; 404; 409 `transaction_not_open`, `allocation_exceeds_open`, `period_locked`
 */
export async function acceptMatch(
  request: BusinessRequest,
  id: number,
  { partyId, allocations }: MatchInput,
): Promise<BankTransactionRecord> {
  const { caller } = request;
  const record = await getTransaction(caller, id);
  const side = getTransactionSide(record);
  const text = joinTransactionText({ ...record, counterpartyName: null });
  const reference = [...text].slice(0, MAX_REFERENCE_LENGTH).join('').trim();
  const payment = {
    partyId,
    partyField: 'partyId',
    amount: fromDecimal128(record.amount).abs(),
    currencyCode: record.currencyCode,
    date: record.bookingDate,
    dateField: 'bookingDate',
    method: 'bank_transfer',
    ...(reference === '' ? {} : { reference }),
    allocations,
  } as const;
  await registerPayment(request, side, payment, async (unit, paymentId) => {
    if (record.state !== 'open') throw notOpenError(record);
    const fields = { state: 'matched', side, paymentId, partyId } as const;
    await changeTransaction(unit, caller, record, fields, { action: 'bank_transaction.matched' });
  });
  return getTransaction(caller, id);
}

/** Runs a change of a transaction that posts nothing. */
export function changeState(
  request: BusinessRequest,
  id: number,
  change: (unit: UnitOfWork, record: BankTransactionRecord) => Promise<void>,
): Promise<BankTransactionRecord> {
  const { platform, caller, use } = request;
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      await runTransaction(platform, async (unit) => {
        await change(unit, await getTransaction(caller, id, unit));
        await claim(unit, String(id), 200);
      });
      return getTransaction(caller, id);
    },
    () => getTransaction(caller, id),
  );
}

/**
 * Sets an open transaction aside, such as a bank fee that is booked elsewhere.
 * @throws AppError 404; 409 `transaction_not_open`
 */
export const ignoreTransaction = (
  request: BusinessRequest,
  id: number,
  reason: string,
): Promise<BankTransactionRecord> =>
  changeState(request, id, async (unit, record) => {
    if (record.state !== 'open') throw notOpenError(record);
    const fields = { state: 'ignored', ignoreReason: reason } as const;
    await changeTransaction(unit, request.caller, record, fields, { action: 'bank_transaction.ignored', reason });
  });

/**
 * Opens an ignored transaction again, or a matched one whose payment is void or was registered before the match.
 * @throws AppError 404; 409 `payment_not_void` naming the payment
 */
export const reopenTransaction = (request: BusinessRequest, id: number): Promise<BankTransactionRecord> =>
  changeState(request, id, async (unit, record) => {
    if (record.state === 'open') return;
    if (record.state === 'matched' && record.isPaymentOlder !== true) {
      const { organisationId } = request.caller;
      const side = record.side ?? 'receivable';
      const filter = { organisationId, side, id: record.paymentId ?? 0, status: 'posted' } as const;
      if ((await Payment.exists(filter).session(unit.mongoSession)) !== null)
        throw conflictError('payment_not_void', `Void payment ${record.paymentId ?? ''} of the transaction first.`, {
          paymentId: record.paymentId,
          route: `POST /api/${record.side ?? 'receivable'}s/payments/:id/void`,
        });
    }
    const cleared = { side: null, paymentId: null, partyId: null, isPaymentOlder: false, ignoreReason: null };
    const fields = { state: 'open', ...cleared } as const;
    await changeTransaction(unit, request.caller, record, fields, { action: 'bank_transaction.reopened' });
  });
