import { conflictError } from '../../../domain/errors';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { listActiveAllocations } from '../payments/allocations';
import { listActiveDeductions } from '../payments/deductions';

const listCreditIds = (allocations: readonly AllocationRecord[], kind: AllocationRecord['creditKind']): number[] =>
  allocations.filter(({ creditKind }) => creditKind === kind).map(({ creditId }) => creditId);

async function listWriteOffIds(unit: UnitOfWork, { organisationId, _id: itemId }: OpenItemRecord): Promise<number[]> {
  const writeOffs = await listActiveDeductions(unit, { organisationId, itemId, kind: 'write_off' });
  return writeOffs.map(({ id }) => id);
}

/** The returns with a credit note of goods that came with the receipts, or whose credit note it is. */
async function listReturnIds(
  unit: UnitOfWork,
  organisationId: string,
  filter: { receiptId: { $in: number[] }; creditNoteId: { $ne: null } } | { creditNoteId: number },
): Promise<number[]> {
  const returns = await VendorReturn.find({ organisationId, ...filter }, { id: 1 })
    .session(unit.mongoSession)
    .lean<{ id: number }[]>();
  return returns.map(({ id }) => id);
}

const ALLOCATION_ROUTE = 'POST /api/payables/allocations/:id/reverse';
const PAYMENT_ROUTE = 'POST /api/payables/payments/:id/void';
const WRITE_OFF_ROUTE = 'POST /api/payables/write-offs/:id/void';
const VOID_ROUTE = 'POST /api/payables/:id/void';

/** The routes that undo what there is of something. */
const selectRoutes = (undone: readonly (readonly [ids: readonly number[], route: string])[]): string[] =>
  undone.flatMap(([ids, route]) => (ids.length === 0 ? [] : [route]));

/**
 * Rejects the void of a bill that was paid, credited or written off, or whose goods were returned since.
 * @throws AppError 409 `payable_not_voidable` listing what to reverse first, and the routes
 */
export async function rejectBillDependents(
  unit: UnitOfWork,
  { organisationId, id, receiptIds }: PayableRecord,
  item: OpenItemRecord,
): Promise<void> {
  const allocations = await listActiveAllocations({ debitItemId: item._id }, unit);
  const writeOffIds = await listWriteOffIds(unit, item);
  const notes = await Payable.find({ organisationId, creditedBillId: id, voidedOn: null }, { id: 1 })
    .session(unit.mongoSession)
    .lean<{ id: number }[]>();
  const vendorReturnIds = await listReturnIds(unit, organisationId, {
    receiptId: { $in: receiptIds },
    creditNoteId: { $ne: null },
  });
  const paymentIds = [...new Set(listCreditIds(allocations, 'payment'))];
  const allocationIds = allocations.map((allocation) => allocation.id);
  const applied = listCreditIds(allocations, 'credit_note');
  const creditNoteIds = [...new Set([...notes.map((note) => note.id), ...applied])];
  if ([allocationIds, writeOffIds, creditNoteIds, vendorReturnIds].every((ids) => ids.length === 0)) return;
  throw conflictError(
    'payable_not_voidable',
    vendorReturnIds.length > 0
      ? 'Goods of the bill were returned to the vendor with a credit note: record another credit note for what is left of the bill.'
      : 'The bill has payments, write-offs or credit notes: reverse their allocations or void the payments, void the write-offs, then void the credit notes of the bill.',
    {
      paymentIds,
      allocationIds,
      creditNoteIds,
      writeOffIds,
      vendorReturnIds,
      routes: selectRoutes([
        [allocationIds, ALLOCATION_ROUTE],
        [paymentIds, PAYMENT_ROUTE],
        [writeOffIds, WRITE_OFF_ROUTE],
        [creditNoteIds, VOID_ROUTE],
      ]),
    },
  );
}

/**
 * Rejects the void of a credit note that was applied, refunded or written off, or that credits returned goods.
 * @throws AppError 409 `payable_not_voidable` listing what to reverse first, and the routes
 */
export async function rejectCreditDependents(
  unit: UnitOfWork,
  { organisationId, id }: PayableRecord,
  item: OpenItemRecord,
): Promise<void> {
  const vendorReturnIds = await listReturnIds(unit, organisationId, { creditNoteId: id });
  if (vendorReturnIds.length > 0)
    throw conflictError(
      'payable_not_voidable',
      'The credit note belongs to goods that were returned to the vendor: record a bill for what the vendor does not credit.',
      { vendorReturnIds, routes: ['POST /api/payables'] },
    );
  const allocations = await listActiveAllocations({ creditItemId: item._id }, unit);
  const writeOffIds = await listWriteOffIds(unit, item);
  const refunds = await Payment.find(
    { organisationId, side: 'payable', creditItemId: item._id, status: 'posted' },
    { id: 1 },
  )
    .session(unit.mongoSession)
    .lean<{ id: number }[]>();
  const refundIds = refunds.map((refund) => refund.id);
  const allocationIds = allocations.map((allocation) => allocation.id);
  if ([allocationIds, writeOffIds, refundIds].every((ids) => ids.length === 0)) return;
  throw conflictError(
    'payable_not_voidable',
    'The credit note was applied, refunded or written off: reverse its allocations, and void the refunds and write-offs.',
    {
      allocationIds,
      refundIds,
      writeOffIds,
      routes: selectRoutes([
        [allocationIds, ALLOCATION_ROUTE],
        [refundIds, PAYMENT_ROUTE],
        [writeOffIds, WRITE_OFF_ROUTE],
      ]),
    },
  );
}
