import { currencyDecimals } from '../../../domain/business/currencies';
import type { Side } from '../../../domain/business/payments/open-items';
import { conflict, notFound } from '../../../domain/errors';
import { fromStored } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { PaymentRecord } from '../../../models/business/payments/payment';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { allocationsOf, takeBack } from './allocations';
import { companyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { giveBackToItem, itemOf, takeFromItem } from './open-items';
import { getPayment } from './payments';
import type { PaymentDetail } from './payments';
import { passPeriodLock } from '../documents/posting-period';
import { inPostingTurn, TURN_DEADLINE_MS } from '../documents/posting-queue';

/** Refunds paid out of a credit that still stand; a payment cannot be voided under them. */
async function refuseRefunded(unit: UnitOfWork, item: OpenItemRecord): Promise<void> {
  const { organisationId, side } = item;
  const refunds = await Payment.find({ organisationId, side, creditItemId: item._id, status: 'posted' }, { id: 1 })
    .session(unit.session)
    .lean<{ id: number }[]>();
  if (refunds.length === 0) return;
  const ids = refunds.map(({ id }) => id);
  throw conflict('payment_refunded', `The payment was refunded; void the refunds ${ids.join(', ')} first.`, {
    refundIds: ids,
    route: `POST /api/${side}s/payments/:id/void`,
  });
}

/** Takes back what a payment settled, then the payment's own credit. */
async function undoPayment(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  payment: PaymentRecord,
  date: string,
): Promise<void> {
  const { organisationId, side, id } = payment;
  const key = { organisationId, side, kind: 'payment', id } as const;
  const item = await itemOf(unit, key);
  if (item === null) throw new Error('a payment has no item');
  await refuseRefunded(unit, item);
  for (const allocation of await allocationsOf({ creditItemId: item._id }, unit))
    await takeBack(platform, unit, caller, allocation, date);
  const whole = await itemOf(unit, key);
  if (whole === null) throw new Error('a payment has no item');
  const baseDecimals = currencyDecimals(caller.company.baseCurrencyCode);
  const why = { kind: 'void', date, at: platform.clock.now() } as const;
  await takeFromItem(unit, whole, 'reversed', fromStored(whole.open), baseDecimals, why);
}

/** Opens the credit again that a refund paid out. */
async function undoRefund(platform: Platform, unit: UnitOfWork, refund: PaymentRecord, date: string): Promise<void> {
  const item = await OpenItem.findById(refund.creditItemId).session(unit.session).lean<OpenItemRecord>();
  if (item === null) throw new Error('a refund names a credit that does not exist');
  const paidOut = fromStored(refund.amountBase);
  const realised = fromStored(refund.realised);
  const consumed = refund.side === 'receivable' ? paidOut.plus(realised) : paidOut.minus(realised);
  const why = { kind: 'reversal', date, at: platform.clock.now() } as const;
  await giveBackToItem(unit, item, 'settled', fromStored(refund.amount), consumed, why);
}

/**
 * Voids a payment or refund by counter-entries dated today: what it settled stands open again, the record stays.
 * @throws AppError 404; 409 `already_void`, `payment_refunded`, `period_locked`
 */
export async function voidPayment(
  platform: Platform,
  caller: BusinessCaller,
  side: Side,
  id: number,
  reason: string,
): Promise<PaymentDetail> {
  const { organisationId } = caller;
  const date = companyToday(platform, caller);
  await inPostingTurn(organisationId, Date.now() + TURN_DEADLINE_MS, () =>
    transact(platform, async (unit) => {
      const { session } = unit;
      await passPeriodLock(unit, caller, date, 'date');
      const payment = await Payment.findOne({ organisationId, side, id }).session(session).lean<PaymentRecord>();
      if (payment === null) throw notFound('payment');
      if (payment.status === 'void')
        throw conflict('already_void', `The payment was voided on ${payment.voidedOn ?? ''}.`);
      if (payment.type === 'payment') await undoPayment(platform, unit, caller, payment, date);
      else await undoRefund(platform, unit, payment, date);
      await Payment.updateOne(
        { _id: payment._id, version: payment.version },
        {
          $set: { status: 'void', voidReason: reason, voidedOn: date, updatedAt: platform.clock.now() },
          $inc: { version: 1 },
        },
        { session },
      );
      const subject = `${side}-payment:${id}`;
      await unit.audit(caller, { actor: caller.id, action: 'payment.voided', subject, reason });
    }),
  );
  return getPayment(caller, side, id);
}
