import { Types } from 'mongoose';
import { currencyDecimals } from '../../../domain/business/currencies';
import type { Decimal } from '../../../domain/business/decimal';
import type { ItemKind, Side } from '../../../domain/business/payments/open-items';
import type { OwnCredit } from '../../../domain/business/payments/settlement';
import { conflict, notFound } from '../../../domain/errors';
import { fromStored, toStored } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { followInvoice } from '../invoices/invoice-status';
import { giveBackToItem, takeFromItem } from './open-items';
import type { Taker } from './open-items';

/** A credit put against a document. */
export interface NewAllocation {
  id: number;
  credit: OpenItemRecord;
  debit: OpenItemRecord;
  /** In the credit's currency. */
  amount: Decimal;
  /** In the document's currency. */
  settled: Decimal;
  /** `YYYY-MM-DD`; moved up to the day of the later of the two items. */
  date: string;
  /** Where the request named the amount, for refusals. */
  field: string;
  /** What it takes from the base amounts of credit and document, where they are not to be shares of each. */
  fixedBase?: Pick<OwnCredit, 'consumed' | 'relieved'>;
}

export interface Allocated {
  allocation: AllocationRecord;
  credit: OpenItemRecord;
  debit: OpenItemRecord;
}

const later = (...dates: string[]): string => dates.reduce((a, b) => (a > b ? a : b));

const takerOf = (creditKind: ItemKind): Taker => (creditKind === 'credit_note' ? 'credited' : 'settled');

const exceeds = (field: string, what: string, open: Decimal, currencyCode: string) =>
  conflict('allocation_exceeds_open', `${field}: ${what} has ${open.toFixed()} ${currencyCode} open.`, {
    fields: [{ field, problem: `must be at most ${open.toFixed()} ${currencyCode}` }],
    open: open.toNumber(),
  });

function refuseBeyondOpen({ credit, debit, amount, settled, field }: NewAllocation): void {
  const left = fromStored(credit.open);
  if (amount.gt(left)) throw exceeds(field, 'the credit', left, credit.currencyCode);
  const open = fromStored(debit.open);
  if (settled.gt(open)) throw exceeds(field, debit.number, open, debit.currencyCode);
}

/** A gain of the company is positive: it received more, or paid less, than what was relieved. */
const realisedOf = (side: Side, consumed: Decimal, relieved: Decimal): Decimal =>
  side === 'receivable' ? consumed.minus(relieved) : relieved.minus(consumed);

/**
 * Applies a credit to a document: both items, their entries, the realised exchange difference, and what follows for the
 * document's status.
 * @throws AppError 409 `allocation_exceeds_open`
 */
export async function allocate(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  asked: NewAllocation,
): Promise<Allocated> {
  refuseBeyondOpen(asked);
  const { credit, debit, amount, settled, id, fixedBase } = asked;
  const at = platform.clock.now();
  const date = later(asked.date, credit.date, debit.date);
  const baseDecimals = currencyDecimals(caller.company.baseCurrencyCode);
  const why = { kind: 'allocation', date, at, allocationId: id } as const;
  const used = await takeFromItem(unit, credit, 'settled', amount, baseDecimals, why, fixedBase?.consumed);
  const taker = takerOf(credit.kind);
  const relieved = await takeFromItem(unit, debit, taker, settled, baseDecimals, why, fixedBase?.relieved);
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
    amount: toStored(amount),
    amountBase: toStored(used.base),
    settled: toStored(settled),
    settledBase: toStored(relieved.base),
    realised: toStored(realisedOf(credit.side, used.base, relieved.base)),
    reversedOn: null,
    createdAt: at,
  };
  await Allocation.create([allocation], { session: unit.session });
  await followInvoice(unit, caller, relieved.item, at);
  return { allocation, credit: used.item, debit: relieved.item };
}

async function itemById(unit: UnitOfWork, id: Types.ObjectId): Promise<OpenItemRecord> {
  const item = await OpenItem.findById(id).session(unit.session).lean<OpenItemRecord>();
  if (item === null) throw new Error('an allocation names an item that does not exist');
  return item;
}

/** Takes an allocation back by counter-entries dated `date`; what it settled stands open again. */
export async function takeBack(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  allocation: AllocationRecord,
  date: string,
): Promise<void> {
  const at = platform.clock.now();
  const reversed = await Allocation.updateOne(
    { _id: allocation._id, reversedOn: null },
    { $set: { reversedOn: date } },
    { session: unit.session },
  );
  if (reversed.matchedCount === 0) throw alreadyReversed(allocation);
  const why = { kind: 'reversal', date, at, allocationId: allocation.id } as const;
  const [amount, base] = [fromStored(allocation.amount), fromStored(allocation.amountBase)];
  await giveBackToItem(unit, await itemById(unit, allocation.creditItemId), 'settled', amount, base, why);
  const debit = await giveBackToItem(
    unit,
    await itemById(unit, allocation.debitItemId),
    takerOf(allocation.creditKind),
    fromStored(allocation.settled),
    fromStored(allocation.settledBase),
    why,
  );
  await followInvoice(unit, caller, debit, at);
}

const alreadyReversed = ({ id, reversedOn }: AllocationRecord) =>
  conflict(
    'allocation_reversed',
    `Allocation ${id} is reversed already${reversedOn === null ? '' : ` (${reversedOn})`}.`,
  );

/**
 * Finds an allocation that still stands.
 * @throws AppError 404; 409 `allocation_reversed`
 */
export async function standingAllocation(
  unit: UnitOfWork,
  caller: BusinessCaller,
  side: Side,
  id: number,
): Promise<AllocationRecord> {
  const { organisationId } = caller;
  const allocation = await Allocation.findOne({ organisationId, side, id })
    .session(unit.session)
    .lean<AllocationRecord>();
  if (allocation === null) throw notFound('allocation');
  if (allocation.reversedOn !== null) throw alreadyReversed(allocation);
  return allocation;
}

/** Allocations of these items that still stand, oldest first. */
export const allocationsOf = (
  items: { creditItemId: Types.ObjectId } | { debitItemId: Types.ObjectId },
  unit?: UnitOfWork,
): Promise<AllocationRecord[]> =>
  Allocation.find({ ...items, reversedOn: null })
    .session(unit?.session ?? null)
    .sort({ id: 1 })
    .lean<AllocationRecord[]>()
    .exec();
