import { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import type { PaymentMethod } from '../../../domain/business/payments/payments';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { allocate, getActiveAllocation, postAllocationReversal } from './allocations';
import { getCompanyToday, resolvePostingDate } from '../settings/company';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { findExchangeRate } from '../settings/document-rates';
import { readDiscounts } from './early-payment';
import { findOpenItem, reduceOpenAmount } from './open-items';
import { buildCounterName, buildDiscount, getDebitItem, getPayment, computeSettledAmount } from './payments';
import type { PaymentDetail } from './payments';
import { requireOpenPeriod } from '../documents/posting-period';
import { postIdempotently } from '../documents/idempotent-postings';

/** Identifies a credit: of a payment, or of a credit note. */
export interface CreditReference {
  paymentId?: number | undefined;
  creditNoteId?: number | undefined;
}

/** @throws AppError 400 if neither or both are named, or the company has no such credit */
async function getCredit(
  unit: UnitOfWork,
  caller: BusinessCaller,
  side: LedgerSide,
  creditReference: CreditReference,
): Promise<OpenItemRecord> {
  const { paymentId, creditNoteId } = creditReference;
  if ((paymentId === undefined) === (creditNoteId === undefined))
    throw invalidFieldError('paymentId', 'name either the payment or the credit note whose credit is used');
  const kind = paymentId === undefined ? 'credit_note' : 'payment';
  const id = paymentId ?? creditNoteId ?? 0;
  const item = await findOpenItem(unit, { organisationId: caller.organisationId, side, kind, id });
  if (item === null || item.state === 'void')
    throw invalidFieldError(paymentId === undefined ? 'creditNoteId' : 'paymentId', 'is not a credit of the company');
  return item;
}

/** @throws AppError 400 for an amount that is not greater than 0, or has more decimals than the currency */
function requireAmount(field: string, amount: Decimal, currencyCode: string): void {
  const decimals = getCurrencyDecimals(currencyCode);
  if (amount.decimalPlaces() > decimals || !amount.gt(0))
    throw invalidFieldError(field, `must be greater than 0, with at most ${decimals} decimals in ${currencyCode}`);
}

export interface CreditUse extends CreditReference {
  documentId: number;
  /** Amount in the credit's currency. */
  amount: Decimal;
  settled?: Decimal | undefined;
  /** Discount for early payment in the document's currency. @default as {@link resolveDiscount} */
  discount?: Decimal | undefined;
  /** `YYYY-MM-DD`. @default today */
  date?: string | undefined;
}

/** A kind of credit use: how it is numbered, audited, written and read. */
interface CreditPosting<T> {
  counter: 'allocations' | 'payments';
  action: string;
  subject: string;
  write: (unit: UnitOfWork, credit: OpenItemRecord, at: { id: number; date: string }) => Promise<void>;
  read: (id: number) => Promise<T>;
}

/** Posts a use of credit under the posting lock, after checking date, credit and amount. */
async function postCreditUse<T>(
  request: BusinessRequest,
  side: LedgerSide,
  input: CreditReference & { amount: Decimal; date?: string | undefined },
  { counter, action, subject, write, read }: CreditPosting<T>,
): Promise<T> {
  const { platform, caller } = request;
  const counterName = buildCounterName(side, counter);
  return postIdempotently(
    request,
    async (post) => {
      const posted = await post(async (unit) => {
        const date = resolvePostingDate(platform, caller, input.date);
        await requireOpenPeriod(unit, caller, date, 'date');
        const id = await reserveNumberInTransaction(unit.mongoSession, caller.organisationId, counterName);
        const credit = await getCredit(unit, caller, side, input);
        requireAmount('amount', input.amount, credit.currencyCode);
        await write(unit, credit, { id, date });
        await unit.audit(caller, { actor: caller.id, action, subject: `${side}-${subject}:${id}` });
        return { id, status: 201, result: id };
      });
      return read(posted);
    },
    read,
  );
}

const getAllocation = (caller: BusinessCaller, side: LedgerSide, id: number): Promise<AllocationRecord> =>
  Allocation.findOne({ organisationId: caller.organisationId, side, id }).orFail().lean<AllocationRecord>().exec();

/**
 * Applies remaining credit of a payment or credit note to a document.
 * @throws AppError 400; 409 `allocation_exceeds_open`, `period_locked`
 */
export const applyCredit = (request: BusinessRequest, side: LedgerSide, input: CreditUse): Promise<AllocationRecord> =>
  postCreditUse(request, side, input, {
    counter: 'allocations',
    action: 'allocation.posted',
    subject: 'allocation',
    write: async (unit, credit, at) => {
      const debit = await getDebitItem(unit, credit, input.documentId, 'documentId');
      const settled = computeSettledAmount(input, credit, debit, '');
      const available = (await readDiscounts(request.caller.organisationId, [debit], unit)).get(debit.id);
      const discount = buildDiscount(input, { credit, debit, settled, at: '' }, available);
      const amounts = { amount: input.amount, settled, discount };
      await allocate(unit, request.caller, { ...at, credit, debit, ...amounts, field: 'amount' });
    },
    read: (id) => getAllocation(request.caller, side, id),
  });

/**
 * Reverses an allocation by counter-entries dated today; the credit is available again.
 * @throws AppError 404; 409 `allocation_reversed`, `period_locked`
 */
export async function reverseAllocation(
  request: BusinessRequest,
  side: LedgerSide,
  id: number,
  reason: string,
): Promise<AllocationRecord> {
  const { platform, caller } = request;
  return postIdempotently(
    request,
    (post) =>
      post(async (unit) => {
        const date = getCompanyToday(platform, caller);
        await requireOpenPeriod(unit, caller, date, 'date');
        const allocation = await getActiveAllocation(unit, caller, side, id);
        await postAllocationReversal(unit, allocation, date);
        const subject = `${side}-allocation:${id}`;
        await unit.audit(caller, { actor: caller.id, action: 'allocation.reversed', subject, reason });
        return { id, status: 200, result: { ...allocation, reversedOn: date } };
      }),
    () => getAllocation(caller, side, id),
  );
}

export interface RefundInput extends CreditReference {
  /** Amount in the credit's currency. */
  amount: Decimal;
  date?: string | undefined;
  method: PaymentMethod;
  reference?: string | undefined;
}

/** Writes a refund: its record, the entry of the credit, and the realised exchange difference. */
async function writeRefund(
  unit: UnitOfWork,
  caller: BusinessCaller,
  credit: OpenItemRecord,
  input: RefundInput & { date: string; id: number },
): Promise<void> {
  const { amount, date, id } = input;
  const now = unit.platform.clock.now();
  const left = fromDecimal128(credit.open);
  if (amount.gt(left))
    throw conflictError(
      'refund_exceeds_credit',
      `amount: ${left.toFixed()} ${credit.currencyCode} of the credit is left.`,
      {
        fields: [{ field: 'amount', problem: `must be at most ${left.toFixed()} ${credit.currencyCode}` }],
      },
    );
  const rate = await findExchangeRate(caller, credit.currencyCode, date);
  if ('problem' in rate) throw invalidFieldError('date', rate.problem);
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const amountBase = round(amount.times(rate), baseDecimals);
  const { base } = await reduceOpenAmount(unit, credit, 'settled', amount, baseDecimals, {
    kind: 'refund',
    date,
    at: now,
  });
  const realised = credit.side === 'receivable' ? base.minus(amountBase) : amountBase.minus(base);
  const refund: PaymentRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    side: credit.side,
    id,
    type: 'refund',
    status: 'posted',
    partyId: credit.partyId,
    partyName: credit.partyName,
    currencyCode: credit.currencyCode,
    exchangeRate: toDecimal128(rate),
    amount: toDecimal128(amount),
    amountBase: toDecimal128(amountBase),
    realised: toDecimal128(realised),
    date,
    method: input.method,
    reference: input.reference ?? null,
    creditItemId: credit._id,
    voidReason: null,
    voidedOn: null,
    tokens: buildSearchTokens([credit.partyName, input.reference ?? null]),
    version: 1,
    createdBy: caller.id,
    createdAt: now,
    updatedAt: now,
  };
  await Payment.create([refund], { session: unit.mongoSession });
}

/**
 * Refunds credit: pays a customer's credit back, or receives a vendor's credit.
 * @throws AppError 400; 409 `refund_exceeds_credit`, `period_locked`
 */
export const refundCredit = (request: BusinessRequest, side: LedgerSide, input: RefundInput): Promise<PaymentDetail> =>
  postCreditUse(request, side, input, {
    counter: 'payments',
    action: 'refund.posted',
    subject: 'payment',
    write: async (unit, credit, { id, date }) => {
      if (date < credit.date)
        throw invalidFieldError('date', `must not be before ${credit.date}, the day of the credit`);
      await writeRefund(unit, request.caller, credit, { ...input, date, id });
    },
    read: (id) => getPayment(request.caller, side, id),
  });
