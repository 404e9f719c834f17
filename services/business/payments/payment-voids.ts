import { getCurrencyDecimals } from '../../../domain/business/currencies';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { conflictError, notFoundError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { PaymentRecord } from '../../../models/business/payments/payment';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { listActiveAllocations, postAllocationReversal } from './allocations';
import { listActiveDeductions, reverseDeduction } from './deductions';
import { getCompanyToday } from '../settings/company';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { restoreOpenAmount, findOpenItem, reduceOpenAmount } from './open-items';
import { getPayment } from './payments';
import type { PaymentDetail } from './payments';
import { requireOpenPeriod } from '../documents/posting-period';
import { postIdempotently } from '../documents/idempotent-postings';

/** A payment cannot be voided while refunds of its credit exist. @throws AppError 409 `payment_refunded` */
async function rejectRefunded(unit: UnitOfWork, item: OpenItemRecord): Promise<void> {
  const { organisationId, side } = item;
  const refunds = await Payment.find({ organisationId, side, creditItemId: item._id, status: 'posted' }, { id: 1 })
    .session(unit.mongoSession)
    .lean<{ id: number }[]>();
  if (refunds.length === 0) return;
  const ids = refunds.map(({ id }) => id);
  throw conflictError('payment_refunded', `The payment was refunded; void the refunds ${ids.join(', ')} first.`, {
    refundIds: ids,
    route: `POST /api/${side}s/payments/:id/void`,
  });
}

/** Reverses the allocations of a payment, then the payment's own credit. */
async function undoPayment(
  unit: UnitOfWork,
  caller: BusinessCaller,
  payment: PaymentRecord,
  date: string,
): Promise<void> {
  const { organisationId, side, id } = payment;
  const key = { organisationId, side, kind: 'payment', id } as const;
  const item = await findOpenItem(unit, key);
  if (item === null) throw new Error('a payment has no item');
  await rejectRefunded(unit, item);
  for (const allocation of await listActiveAllocations({ creditItemId: item._id }, unit))
    await postAllocationReversal(unit, allocation, date);
  for (const writeOff of await listActiveDeductions(unit, { organisationId, itemId: item._id }))
    await reverseDeduction(unit, writeOff, date, payment.voidReason);
  const restored = await findOpenItem(unit, key);
  if (restored === null) throw new Error('a payment has no item');
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const entry = { kind: 'void', date, at: unit.platform.clock.now() } as const;
  await reduceOpenAmount(unit, restored, 'reversed', fromDecimal128(restored.open), baseDecimals, entry);
}

/** Restores the credit that a refund paid out. */
async function undoRefund(unit: UnitOfWork, refund: PaymentRecord, date: string): Promise<void> {
  const item = await OpenItem.findById(refund.creditItemId).session(unit.mongoSession).lean<OpenItemRecord>();
  if (item === null) throw new Error('a refund names a credit that does not exist');
  const paidOut = fromDecimal128(refund.amountBase);
  const realised = fromDecimal128(refund.realised);
  const consumed = refund.side === 'receivable' ? paidOut.plus(realised) : paidOut.minus(realised);
  const entry = { kind: 'reversal', date, at: unit.platform.clock.now() } as const;
  await restoreOpenAmount(unit, item, 'settled', fromDecimal128(refund.amount), consumed, entry);
}

/** Writes the counter-entries of a payment or refund, and marks it as void. */
async function postVoid(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { side, id, reason }: { side: LedgerSide; id: number; reason: string },
): Promise<void> {
  const { organisationId } = caller;
  const date = getCompanyToday(unit.platform, caller);
  await requireOpenPeriod(unit, caller, date, 'date');
  const payment = await Payment.findOne({ organisationId, side, id }).session(unit.mongoSession).lean<PaymentRecord>();
  if (payment === null) throw notFoundError('payment');
  if (payment.status === 'void')
    throw conflictError('already_void', `The payment was voided on ${payment.voidedOn ?? ''}.`);
  if (payment.type === 'payment') await undoPayment(unit, caller, payment, date);
  else await undoRefund(unit, payment, date);
  await Payment.updateOne(
    { _id: payment._id, version: payment.version },
    {
      $set: { status: 'void', voidReason: reason, voidedOn: date, updatedAt: unit.platform.clock.now() },
      $inc: { version: 1 },
    },
    { session: unit.mongoSession },
  );
  const subject = `${side}-payment:${id}`;
  await unit.audit(caller, { actor: caller.id, action: 'payment.voided', subject, reason });
}

/**
 * Voids a payment or refund by counter-entries dated today: the settled amounts are open again, the record is kept.
 * @throws AppError 404; 409 `already_void`, `payment_refunded`, `period_locked`
 */
export function voidPayment(
  request: BusinessRequest,
  side: LedgerSide,
  id: number,
  reason: string,
): Promise<PaymentDetail> {
  const { caller } = request;
  const read = () => getPayment(caller, side, id);
  return postIdempotently(
    request,
    async (post) => {
      await post(async (unit) => {
        await postVoid(unit, caller, { side, id, reason });
        return { id, status: 200, result: undefined };
      });
      return read();
    },
    read,
  );
}
