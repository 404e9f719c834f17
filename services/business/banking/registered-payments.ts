import { MAX_PROPOSALS } from '../../../domain/business/banking/matching';
import type { RegisteredPayment } from '../../../domain/business/banking/match-comparison';
import { addDays } from '../../../domain/business/calendar';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { BankTransaction } from '../../../models/business/banking/bank-statement';
import type { BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Payment } from '../../../models/business/payments/payment';
import type { PaymentRecord } from '../../../models/business/payments/payment';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { changeState, changeTransaction, getTransactionSide, notOpenError } from './bank-transactions';
import { isRejectedPayment } from './proposal-rejections';

/** Payments are proposed for a transaction that is booked at most this many days before or after them. */
const MAX_DAYS_APART = 60;
const MAX_CANDIDATES = 100;

/** The kind of payment of each side by which money moves in the direction of a transaction. */
const KINDS = {
  received: [
    { side: 'receivable', type: 'payment' },
    { side: 'payable', type: 'refund' },
  ],
  paid: [
    { side: 'payable', type: 'payment' },
    { side: 'receivable', type: 'refund' },
  ],
} as const;

const listKinds = (record: BankTransactionRecord) =>
  KINDS[fromDecimal128(record.amount).isNegative() ? 'paid' : 'received'];

const findMatched = ({ organisationId, side }: Pick<PaymentRecord, 'organisationId' | 'side'>, ids: number[]) =>
  BankTransaction.find(
    { organisationId, state: 'matched', side, paymentId: { $in: ids } },
    { id: 1, side: 1, paymentId: 1 },
  );

/**
 * Payments and refunds of the amount and currency of a transaction that have none yet and were not rejected, nearest date
 * first.
 */
export async function findRegisteredPayments(record: BankTransactionRecord): Promise<RegisteredPayment[]> {
  const { organisationId, currencyCode, bookingDate } = record;
  const found = await Payment.find({
    organisationId,
    $or: [...listKinds(record)],
    status: 'posted',
    currencyCode,
    amount: toDecimal128(fromDecimal128(record.amount).abs()),
    date: { $gte: addDays(bookingDate, -MAX_DAYS_APART), $lte: addDays(bookingDate, MAX_DAYS_APART) },
  })
    .sort({ date: -1, id: -1 })
    .limit(MAX_CANDIDATES)
    .lean<PaymentRecord[]>();
  const matched = await Promise.all(
    (['receivable', 'payable'] as const).map((side) =>
      findMatched(
        { organisationId, side },
        found.filter((payment) => payment.side === side).map(({ id }) => id),
      ).lean<Pick<BankTransactionRecord, 'side' | 'paymentId'>[]>(),
    ),
  );
  const taken = new Set(matched.flat().map(({ side, paymentId }) => `${side ?? ''}:${paymentId ?? ''}`));
  const getDistance = ({ date }: PaymentRecord): number => Math.abs(Date.parse(date) - Date.parse(bookingDate));
  return found
    .filter(({ side, id }) => !taken.has(`${side}:${id}`) && !isRejectedPayment(record, { side, paymentId: id }))
    .sort((a, b) => getDistance(a) - getDistance(b) || a.id - b.id)
    .slice(0, MAX_PROPOSALS)
    .map(({ id, side, type, date, reference, partyId, partyName }) => ({
      id,
      side,
      type,
      date,
      reference,
      partyId,
      partyName,
    }));
}

/**
 * Reads a payment that a transaction can be matched with, and writes to it, so that a concurrent match or void of it
 * conflicts.
 * @throws AppError 400; 409 `payment_matched`
 */
async function takePayment(
  unit: UnitOfWork,
  { organisationId }: BusinessCaller,
  record: BankTransactionRecord,
  { side, paymentId: id }: RegisteredMatch,
): Promise<PaymentRecord> {
  const payment = await Payment.findOneAndUpdate(
    { organisationId, side, id, status: 'posted' },
    { $set: { updatedAt: unit.platform.clock.now() } },
    { session: unit.mongoSession },
  ).lean<PaymentRecord>();
  if (payment === null) throw invalidFieldError('paymentId', 'is not a posted payment or refund of the side');
  const amount = fromDecimal128(record.amount).abs();
  if (!listKinds(record).some((kind) => kind.side === side && kind.type === payment.type))
    throw invalidFieldError('paymentId', `is a ${payment.type} in the other direction than the transaction`);
  if (payment.currencyCode !== record.currencyCode || !fromDecimal128(payment.amount).eq(amount)) {
    const has = `${fromDecimal128(payment.amount).toFixed()} ${payment.currencyCode}`;
    throw invalidFieldError('paymentId', `is of ${has}, the transaction of ${amount.toFixed()} ${record.currencyCode}`);
  }
  const [other] = await findMatched(payment, [id]).session(unit.mongoSession).lean<{ id: number }[]>();
  if (other !== undefined)
    throw conflictError('payment_matched', `The ${payment.type} is matched with bank transaction ${other.id}.`, {
      bankTransactionId: other.id,
      route: 'POST /api/bank-transactions/:id/reopen',
    });
  return payment;
}

/** A payment or refund of a side that is registered. */
export interface RegisteredMatch {
  paymentId: number;
  side: LedgerSide;
}

/**
 * Matches a transaction with a payment or refund that is registered already; posts nothing.
 * @param match the side is that of the transaction unless it is named
 * @throws AppError 400; 404; 409 `transaction_not_open`, `payment_matched`
 */
export const matchRegisteredPayment = (
  request: BusinessRequest,
  id: number,
  { paymentId, side }: { paymentId: number; side?: LedgerSide | undefined },
): Promise<BankTransactionRecord> =>
  changeState(request, id, async (unit, record) => {
    if (record.state !== 'open') throw notOpenError(record);
    const match = { paymentId, side: side ?? getTransactionSide(record) };
    const { partyId } = await takePayment(unit, request.caller, record, match);
    const fields = { state: 'matched', ...match, partyId, isPaymentOlder: true } as const;
    await changeTransaction(unit, request.caller, record, fields, { action: 'bank_transaction.matched' });
  });
