import type { ClientSession, Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { isCredit } from '../../../domain/business/payments/open-items';
import type { Side } from '../../../domain/business/payments/open-items';
import { fromStored } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';

/** What allocations and refunds that stand take from an item. */
export type Settlements = (item: OpenItemRecord) => { settled: Decimal; credited: Decimal };

interface Taken {
  _id: Types.ObjectId;
  total: AllocationRecord['amount'];
}

const byItem = (rows: readonly Taken[]): ((item: OpenItemRecord) => Decimal) => {
  const totals = new Map(rows.map(({ _id, total }) => [_id.toHexString(), fromStored(total)]));
  return (item) => totals.get(item._id.toHexString()) ?? ZERO;
};

/** Allocations and refunds of these items, read in one snapshot. */
export async function standingSettlements(
  session: ClientSession,
  organisationId: string,
  side: Side,
  items: readonly OpenItemRecord[],
): Promise<Settlements> {
  const idsOf = (credits: boolean) => items.filter(({ kind }) => isCredit(kind) === credits).map(({ _id }) => _id);
  const standing = { organisationId, side, reversedOn: null };
  const sumOf = (match: object, item: string, amount: string) =>
    Allocation.aggregate<Taken>([
      { $match: { ...standing, ...match } },
      { $group: { _id: `$${item}`, total: { $sum: `$${amount}` } } },
    ]).session(session);
  const [credits, debits] = [idsOf(true), idsOf(false)];
  const used = byItem(await sumOf({ creditItemId: { $in: credits } }, 'creditItemId', 'amount'));
  const onDebits = (creditKind: string) =>
    sumOf({ debitItemId: { $in: debits }, creditKind }, 'debitItemId', 'settled');
  const paid = byItem(await onDebits('payment'));
  const credited = byItem(await onDebits('credit_note'));
  const refunded = byItem(
    await Payment.aggregate<Taken>([
      { $match: { organisationId, side, creditItemId: { $in: credits }, type: 'refund', status: 'posted' } },
      { $group: { _id: '$creditItemId', total: { $sum: '$amount' } } },
    ]).session(session),
  );
  return (item) =>
    isCredit(item.kind)
      ? { settled: used(item).plus(refunded(item)), credited: ZERO }
      : { settled: paid(item), credited: credited(item) };
}
