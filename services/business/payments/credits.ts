import { Types } from 'mongoose';
import { currencyDecimals } from '../../../domain/business/currencies';
import { round } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { Side } from '../../../domain/business/payments/open-items';
import type { PaymentMethod } from '../../../domain/business/payments/payments';
import { searchTokens } from '../../../domain/business/search-tokens';
import { conflict, invalidField } from '../../../domain/errors';
import { fromStored, toStored } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';
import { nextNumber } from '../../platform/transactions/counters';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { allocate, standingAllocation, takeBack } from './allocations';
import { afterToday, companyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { exchangeRateOn } from '../settings/document-rates';
import { itemOf, takeFromItem } from './open-items';
import { counterOf, debitOf, getPayment, settledBy } from './payments';
import type { PaymentDetail } from './payments';
import { passPeriodLock } from '../documents/posting-period';
import { inPostingTurn, TURN_DEADLINE_MS } from '../documents/posting-queue';

/** Which credit is meant: that of a payment, or of a credit note. */
export interface CreditName {
  paymentId?: number | undefined;
  creditNoteId?: number | undefined;
}

/** @throws AppError 400 when none or both are named, or the company has no such credit */
async function creditOf(
  unit: UnitOfWork,
  caller: BusinessCaller,
  side: Side,
  name: CreditName,
): Promise<OpenItemRecord> {
  const { paymentId, creditNoteId } = name;
  if ((paymentId === undefined) === (creditNoteId === undefined))
    throw invalidField('paymentId', 'name either the payment or the credit note whose credit is used');
  const kind = paymentId === undefined ? 'credit_note' : 'payment';
  const id = paymentId ?? creditNoteId ?? 0;
  const item = await itemOf(unit, { organisationId: caller.organisationId, side, kind, id });
  if (item === null || item.state === 'void')
    throw invalidField(paymentId === undefined ? 'creditNoteId' : 'paymentId', 'is not a credit of the company');
  return item;
}

/** @throws AppError 400 for an amount that is not above 0, or finer than the currency */
function requireAmount(field: string, amount: Decimal, currencyCode: string): void {
  const decimals = currencyDecimals(currencyCode);
  if (amount.decimalPlaces() > decimals || !amount.gt(0))
    throw invalidField(field, `must be greater than 0, with at most ${decimals} decimals in ${currencyCode}`);
}

export interface CreditUse extends CreditName {
  documentId: number;
  /** In the credit's currency. */
  amount: Decimal;
  settled?: Decimal | undefined;
  /** `YYYY-MM-DD`. @default today */
  date?: string | undefined;
}

/** A posting's day: given or today, never later. @throws AppError 400 */
function dayOf(platform: Platform, caller: BusinessCaller, date: string | undefined): string {
  const today = companyToday(platform, caller);
  if (date !== undefined && date > today) throw invalidField('date', afterToday(today));
  return date ?? today;
}

/** One way to use credit: how it is numbered, audited, written and read again. */
interface CreditPosting<T> {
  counter: 'allocations' | 'payments';
  action: string;
  subject: string;
  post: (unit: UnitOfWork, credit: OpenItemRecord, at: { id: number; date: string }) => Promise<void>;
  read: (id: number) => Promise<T>;
}

/** Posts a use of credit in the organisation's turn, once its day, the credit and the amount are known to be right. */
async function postUse<T>(
  platform: Platform,
  caller: BusinessCaller,
  side: Side,
  input: CreditName & { amount: Decimal; date?: string | undefined },
  use: IdempotentUse | undefined,
  { counter, action, subject, post, read }: CreditPosting<T>,
): Promise<T> {
  const { organisationId } = caller;
  return idempotently(
    platform,
    use,
    async (claim) => {
      const date = dayOf(platform, caller, input.date);
      const id = await nextNumber(organisationId, counterOf(side, counter));
      await inPostingTurn(organisationId, Date.now() + TURN_DEADLINE_MS, () =>
        transact(platform, async (unit) => {
          await passPeriodLock(unit, caller, date, 'date');
          const credit = await creditOf(unit, caller, side, input);
          requireAmount('amount', input.amount, credit.currencyCode);
          await post(unit, credit, { id, date });
          await unit.audit(caller, { actor: caller.id, action, subject: `${side}-${subject}:${id}` });
          await claim(unit, String(id), 201);
        }),
      );
      return read(id);
    },
    (recordId) => read(Number(recordId)),
  );
}

/**
 * Applies credit that is left of a payment or credit note to a document.
 * @throws AppError 400; 409 `allocation_exceeds_open`, `period_locked`
 */
export const applyCredit = (
  platform: Platform,
  caller: BusinessCaller,
  side: Side,
  input: CreditUse,
  use: IdempotentUse | undefined,
): Promise<AllocationRecord> =>
  postUse(platform, caller, side, input, use, {
    counter: 'allocations',
    action: 'allocation.posted',
    subject: 'allocation',
    post: async (unit, credit, at) => {
      const debit = await debitOf(unit, credit, input.documentId, 'documentId');
      const settled = settledBy(input, credit, debit, '');
      await allocate(platform, unit, caller, { ...at, credit, debit, amount: input.amount, settled, field: 'amount' });
    },
    read: (id) =>
      Allocation.findOne({ organisationId: caller.organisationId, side, id }).orFail().lean<AllocationRecord>().exec(),
  });

/**
 * Reverses an allocation by counter-entries dated today; the credit is free again.
 * @throws AppError 404; 409 `allocation_reversed`, `period_locked`
 */
export async function reverseAllocation(
  platform: Platform,
  caller: BusinessCaller,
  side: Side,
  id: number,
  reason: string,
): Promise<AllocationRecord> {
  const { organisationId } = caller;
  const date = companyToday(platform, caller);
  return inPostingTurn(organisationId, Date.now() + TURN_DEADLINE_MS, () =>
    transact(platform, async (unit) => {
      await passPeriodLock(unit, caller, date, 'date');
      const allocation = await standingAllocation(unit, caller, side, id);
      await takeBack(platform, unit, caller, allocation, date);
      const subject = `${side}-allocation:${id}`;
      await unit.audit(caller, { actor: caller.id, action: 'allocation.reversed', subject, reason });
      return { ...allocation, reversedOn: date };
    }),
  );
}

export interface RefundInput extends CreditName {
  /** In the credit's currency. */
  amount: Decimal;
  date?: string | undefined;
  method: PaymentMethod;
  reference?: string | undefined;
}

/** Pays credit out: its record, the credit's entry, and the difference between the rates of then and now. */
async function writeRefund(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  credit: OpenItemRecord,
  input: RefundInput & { date: string; id: number },
): Promise<void> {
  const { amount, date, id } = input;
  const now = platform.clock.now();
  const left = fromStored(credit.open);
  if (amount.gt(left))
    throw conflict('refund_exceeds_credit', `amount: ${left.toFixed()} ${credit.currencyCode} of the credit is left.`, {
      fields: [{ field: 'amount', problem: `must be at most ${left.toFixed()} ${credit.currencyCode}` }],
    });
  const rate = await exchangeRateOn(caller, credit.currencyCode, date);
  if ('problem' in rate) throw invalidField('date', rate.problem);
  const baseDecimals = currencyDecimals(caller.company.baseCurrencyCode);
  const amountBase = round(amount.times(rate), baseDecimals);
  const { base } = await takeFromItem(unit, credit, 'settled', amount, baseDecimals, { kind: 'refund', date, at: now });
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
    exchangeRate: toStored(rate),
    amount: toStored(amount),
    amountBase: toStored(amountBase),
    realised: toStored(realised),
    date,
    method: input.method,
    reference: input.reference ?? null,
    creditItemId: credit._id,
    voidReason: null,
    voidedOn: null,
    tokens: searchTokens([credit.partyName, input.reference ?? null]),
    version: 1,
    createdBy: caller.id,
    createdAt: now,
    updatedAt: now,
  };
  await Payment.create([refund], { session: unit.session });
}

/**
 * Pays a customer's credit back, or takes a vendor's back.
 * @throws AppError 400; 409 `refund_exceeds_credit`, `period_locked`
 */
export const refundCredit = (
  platform: Platform,
  caller: BusinessCaller,
  side: Side,
  input: RefundInput,
  use: IdempotentUse | undefined,
): Promise<PaymentDetail> =>
  postUse(platform, caller, side, input, use, {
    counter: 'payments',
    action: 'refund.posted',
    subject: 'payment',
    post: async (unit, credit, { id, date }) => {
      if (date < credit.date) throw invalidField('date', `must not be before ${credit.date}, the day of the credit`);
      await writeRefund(platform, unit, caller, credit, { ...input, date, id });
    },
    read: (id) => getPayment(caller, side, id),
  });
