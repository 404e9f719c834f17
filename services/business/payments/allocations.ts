import { Types } from 'mongoose';
import { findLatestDay } from '../../../domain/business/calendar';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import type { Decimal } from '../../../domain/business/decimal';
import type { ItemKind, LedgerSide } from '../../../domain/business/payments/open-items';
import type { DocumentCredit } from '../../../domain/business/payments/settlement';
import { conflictError, notFoundError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { updateInvoiceStatus } from '../invoices/invoice-status';
import { computeDueTaxes, computeReversedDueTaxes } from './deposit-taxes';
import { listActiveDeductions, postDeduction, reverseDeduction } from './deductions';
import type { NewDeduction } from './deductions';
import { restoreOpenAmount, reduceOpenAmount } from './open-items';
import type { ReductionField } from './open-items';

/** The application of a credit to a document. */
export interface NewAllocation {
  id: number;
  credit: OpenItemRecord;
  debit: OpenItemRecord;
  /** Amount in the credit's currency. */
  amount: Decimal;
  /** Amount in the document's currency. */
  settled: Decimal;
  /** Discount for early payment that the document loses in addition; the taxes of the document are divided by it. */
  discount?: Pick<NewDeduction, 'amount' | 'taxes' | 'charged'> | undefined;
  /** `YYYY-MM-DD`; if it is before the date of one of the two items, the later of their dates is used. */
  date: string;
  /** Request field of the amount, for error messages. */
  field: string;
  /** Amounts to take from the base amounts of credit and document. @default proportional shares */
  fixedBase?: Pick<DocumentCredit, 'consumed' | 'relieved'>;
}

export interface AllocationResult {
  allocation: AllocationRecord;
  credit: OpenItemRecord;
  debit: OpenItemRecord;
}

/**
 * The amount of a document that a credit increases: a credit note takes back what was charged, so that the document
 * becomes credited; a payment settles it, and so does the credit note of another invoice, which the customer could have
 * had refunded.
 */
async function findReductionField(
  unit: UnitOfWork,
  credit: { side: LedgerSide; kind: ItemKind; id: number },
  debit: Pick<OpenItemRecord, 'organisationId' | 'id'>,
): Promise<ReductionField> {
  if (credit.kind !== 'credit_note') return 'settled';
  if (credit.side === 'payable') return 'credited';
  const { organisationId, id } = debit;
  const own = { organisationId, id: credit.id, invoiceId: id };
  return (await CreditNote.exists(own).session(unit.mongoSession)) === null ? 'settled' : 'credited';
}

const allocationExceedsOpenError = (field: string, what: string, open: Decimal, currencyCode: string) =>
  conflictError('allocation_exceeds_open', `${field}: ${what} has ${open.toFixed()} ${currencyCode} open.`, {
    fields: [{ field, problem: `must be at most ${open.toFixed()} ${currencyCode}` }],
    open: open.toNumber(),
  });

function rejectAmountsBeyondOpen({ credit, debit, amount, settled, field }: NewAllocation): void {
  const left = fromDecimal128(credit.open);
  if (amount.gt(left)) throw allocationExceedsOpenError(field, 'the credit', left, credit.currencyCode);
  const open = fromDecimal128(debit.open);
  if (settled.gt(open)) throw allocationExceedsOpenError(field, debit.number, open, debit.currencyCode);
}

/** Realised exchange difference. A gain is positive: more was received, or less was paid, than the settled amount. */
const computeRealisedDifference = (side: LedgerSide, consumed: Decimal, relieved: Decimal): Decimal =>
  side === 'receivable' ? consumed.minus(relieved) : relieved.minus(consumed);

/**
 * Applies a credit to a document: updates both items with their entries, records the realised exchange difference and
 * updates the document's status.
 * @throws AppError 409 `allocation_exceeds_open`
 */
export async function allocate(
  unit: UnitOfWork,
  caller: BusinessCaller,
  requested: NewAllocation,
): Promise<AllocationResult> {
  rejectAmountsBeyondOpen(requested);
  const { credit, debit, amount, settled, discount, id, fixedBase } = requested;
  const at = unit.platform.clock.now();
  const date = findLatestDay(requested.date, credit.date, debit.date);
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const entry = { kind: 'allocation', date, at, allocationId: id } as const;
  const used = await reduceOpenAmount(unit, credit, 'settled', amount, baseDecimals, entry, fixedBase?.consumed);
  const reductionField = await findReductionField(unit, credit, debit);
  const relieved = await reduceOpenAmount(
    unit,
    debit,
    reductionField,
    settled,
    baseDecimals,
    entry,
    fixedBase?.relieved,
  );
  const allocation: AllocationRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    side: credit.side,
    id,
    partyId: credit.partyId,
    creditItemId: credit._id,
    debitItemId: debit._id,
    creditKind: credit.kind === 'credit_note' ? 'credit_note' : 'payment',
    creditId: credit.id,
    debitKind: debit.kind === 'invoice' || debit.kind === 'receipt' ? debit.kind : 'bill',
    debitId: debit.id,
    date,
    amount: toDecimal128(amount),
    amountBase: toDecimal128(used.base),
    settled: toDecimal128(settled),
    settledBase: toDecimal128(relieved.base),
    ...(discount === undefined ? {} : { discount: toDecimal128(discount.amount) }),
    realised: toDecimal128(computeRealisedDifference(credit.side, used.base, relieved.base)),
    ...(await computeDueTaxes(unit, relieved.item)),
    reversedOn: null,
    createdAt: at,
  };
  await Allocation.create([allocation], { session: unit.mongoSession });
  if (discount === undefined) {
    await updateInvoiceStatus(unit, relieved.item, at);
    return { allocation, credit: used.item, debit: relieved.item };
  }
  const deducted = await postDeduction(unit, caller, relieved.item, {
    kind: 'discount',
    id,
    ...discount,
    date,
    reason: null,
  });
  return { allocation, credit: used.item, debit: deducted.item };
}

async function getItemById(unit: UnitOfWork, id: Types.ObjectId): Promise<OpenItemRecord> {
  const item = await OpenItem.findById(id).session(unit.mongoSession).lean<OpenItemRecord>();
  if (item === null) throw new Error('an allocation names an item that does not exist');
  return item;
}

/** Reverses an allocation by counter-entries dated `date`; the settled amounts are open again. */
export async function postAllocationReversal(
  unit: UnitOfWork,
  allocation: AllocationRecord,
  date: string,
): Promise<void> {
  const at = unit.platform.clock.now();
  const { organisationId, side, id } = allocation;
  if (allocation.discount !== undefined)
    for (const discount of await listActiveDeductions(unit, { organisationId, side, kind: 'discount', id }))
      await reverseDeduction(unit, discount, date, null);
  const entry = { kind: 'reversal', date, at, allocationId: id } as const;
  const [amount, base] = [fromDecimal128(allocation.amount), fromDecimal128(allocation.amountBase)];
  await restoreOpenAmount(unit, await getItemById(unit, allocation.creditItemId), 'settled', amount, base, entry);
  const settled = await getItemById(unit, allocation.debitItemId);
  const credit = { side: allocation.side, kind: allocation.creditKind, id: allocation.creditId };
  const debit = await restoreOpenAmount(
    unit,
    settled,
    await findReductionField(unit, credit, settled),
    fromDecimal128(allocation.settled),
    fromDecimal128(allocation.settledBase),
    entry,
  );
  const reversed = await Allocation.updateOne(
    { _id: allocation._id, reversedOn: null },
    { $set: { reversedOn: date, ...(await computeReversedDueTaxes(unit, debit)) } },
    { session: unit.mongoSession },
  );
  if (reversed.matchedCount === 0) throw allocationReversedError(allocation);
  await updateInvoiceStatus(unit, debit, at);
}

const allocationReversedError = ({ id, reversedOn }: AllocationRecord) =>
  conflictError(
    'allocation_reversed',
    `Allocation ${id} is reversed already${reversedOn === null ? '' : ` (${reversedOn})`}.`,
  );

/**
 * Returns an allocation that is not reversed.
 * @throws AppError 404; 409 `allocation_reversed`
 */
export async function getActiveAllocation(
  unit: UnitOfWork,
  caller: BusinessCaller,
  side: LedgerSide,
  id: number,
): Promise<AllocationRecord> {
  const { organisationId } = caller;
  const allocation = await Allocation.findOne({ organisationId, side, id })
    .session(unit.mongoSession)
    .lean<AllocationRecord>();
  if (allocation === null) throw notFoundError('allocation');
  if (allocation.reversedOn !== null) throw allocationReversedError(allocation);
  return allocation;
}

/** Lists the allocations of these items that are not reversed, oldest first. */
export const listActiveAllocations = (
  items: { creditItemId: Types.ObjectId } | { debitItemId: Types.ObjectId },
  unit?: UnitOfWork,
): Promise<AllocationRecord[]> =>
  Allocation.find({ ...items, reversedOn: null })
    .session(unit?.mongoSession ?? null)
    .sort({ id: 1 })
    .lean<AllocationRecord[]>()
    .exec();
