import type { ClientSession, Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { isCredit } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Deduction } from '../../../models/business/payments/deduction';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';

/** The amounts that active allocations and refunds settle or credit of an item. */
export type Settlements = (item: OpenItemRecord) => { settled: Decimal; credited: Decimal };

interface ItemTotal {
  _id: Types.ObjectId;
  total: AllocationRecord['amount'];
}

const buildItemLookup = (rows: readonly ItemTotal[]): ((item: OpenItemRecord) => Decimal) => {
  const totals = new Map(rows.map(({ _id, total }) => [_id.toHexString(), fromDecimal128(total)]));
  return (item) => totals.get(item._id.toHexString()) ?? ZERO;
};

/** The allocations by which credit notes settle other invoices than their own, and so do not credit them. */
async function listForeignCredits(
  mongoSession: ClientSession,
  organisationId: string,
  side: LedgerSide,
  debits: readonly Types.ObjectId[],
): Promise<Types.ObjectId[]> {
  if (side === 'payable') return [];
  const filter = { organisationId, side, debitItemId: { $in: [...debits] }, creditKind: 'credit_note' } as const;
  const allocations = await Allocation.find(filter, { creditId: 1, debitId: 1 })
    .session(mongoSession)
    .lean<Pick<AllocationRecord, '_id' | 'creditId' | 'debitId'>[]>();
  const ids = [...new Set(allocations.map(({ creditId }) => creditId))];
  const notes = await CreditNote.find({ organisationId, id: { $in: ids } }, { id: 1, invoiceId: 1 })
    .session(mongoSession)
    .lean<{ id: number; invoiceId: number }[]>();
  const invoiceIds = new Map(notes.map(({ id, invoiceId }) => [id, invoiceId]));
  return allocations.flatMap(({ _id, creditId, debitId }) => (invoiceIds.get(creditId) === debitId ? [] : [_id]));
}

/** Reads the active allocations and refunds of the items in one snapshot. */
export async function readActiveSettlements(
  mongoSession: ClientSession,
  organisationId: string,
  side: LedgerSide,
  items: readonly OpenItemRecord[],
): Promise<Settlements> {
  const selectIds = (credits: boolean) => items.filter(({ kind }) => isCredit(kind) === credits).map(({ _id }) => _id);
  const activeAllocations = { organisationId, side, reversedOn: null };
  const sumAllocations = (match: object, item: string, amount: string) =>
    Allocation.aggregate<ItemTotal>([
      { $match: { ...activeAllocations, ...match } },
      { $group: { _id: `$${item}`, total: { $sum: `$${amount}` } } },
    ]).session(mongoSession);
  const [credits, debits] = [selectIds(true), selectIds(false)];
  const getUsed = buildItemLookup(await sumAllocations({ creditItemId: { $in: credits } }, 'creditItemId', 'amount'));
  const getApplied = buildItemLookup(await sumAllocations({ debitItemId: { $in: debits } }, 'debitItemId', 'settled'));
  const getCredited = buildItemLookup(
    await sumAllocations(
      {
        debitItemId: { $in: debits },
        creditKind: 'credit_note',
        _id: { $nin: await listForeignCredits(mongoSession, organisationId, side, debits) },
      },
      'debitItemId',
      'settled',
    ),
  );
  const getRefunded = buildItemLookup(
    await Payment.aggregate<ItemTotal>([
      { $match: { organisationId, side, creditItemId: { $in: credits }, type: 'refund', status: 'posted' } },
      { $group: { _id: '$creditItemId', total: { $sum: '$amount' } } },
    ]).session(mongoSession),
  );
  const getDeducted = buildItemLookup(
    await Deduction.aggregate<ItemTotal>([
      { $match: { organisationId, itemId: { $in: items.map(({ _id }) => _id) }, reversedOn: null } },
      { $group: { _id: '$itemId', total: { $sum: '$amount' } } },
    ]).session(mongoSession),
  );
  return (item) =>
    isCredit(item.kind)
      ? { settled: getUsed(item).plus(getRefunded(item)).plus(getDeducted(item)), credited: ZERO }
      : { settled: getApplied(item).minus(getCredited(item)).plus(getDeducted(item)), credited: getCredited(item) };
}
