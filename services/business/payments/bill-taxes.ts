import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { sum } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { divideByRate } from '../../../domain/business/payments/deductions';
import type { TaxShare } from '../../../domain/business/payments/deductions';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableLine, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { readTaxRates, sumByTaxRate } from '../accounting/journal-context';

/** Net amounts and taxes by rate: what a bill charges, and what credit notes of the vendor take back of it. */
export interface BillTaxes {
  charged: TaxShare[];
  credited: TaxShare[];
}

/** A purchased line with its amounts. */
export interface TaxedLine {
  taxRateId: number;
  net: Decimal;
  tax: Decimal;
}

const toTaxedLine = ({ taxRateId, net, tax }: PayableLine): TaxedLine => ({
  taxRateId,
  net: fromDecimal128(net),
  tax: fromDecimal128(tax),
});

/** Net amounts and taxes of purchased lines by rate. */
export const sumByRate = async (organisationId: string, lines: readonly TaxedLine[]): Promise<TaxShare[]> =>
  sumByTaxRate({ taxRates: await readTaxRates(organisationId) }, lines);

/**
 * Reads what credit notes take back of a bill, by rate: those that name it, and those of goods that came with its
 * receipts, unless they are void. Notes from before they stored their bill are found by the receipts, and by what of them
 * was applied to it. Of a note of no bill, only the part that was applied counts, since the rest settles other bills or is
 * refunded.
 */
async function readCredited(
  unit: UnitOfWork,
  { organisationId, id, _id: debitItemId, currencyCode }: OpenItemRecord,
  receiptIds: readonly number[],
): Promise<TaxShare[]> {
  const { mongoSession } = unit;
  const returns = await VendorReturn.find({ organisationId, receiptId: { $in: [...receiptIds] } }, { creditNoteId: 1 })
    .session(mongoSession)
    .lean<Pick<VendorReturnRecord, 'creditNoteId'>[]>();
  const returned = new Set(returns.map(({ creditNoteId }) => creditNoteId));
  const allocations = await Allocation.find(
    { organisationId, side: 'payable', debitItemId, creditKind: 'credit_note', reversedOn: null },
    { creditId: 1, settled: 1 },
  )
    .session(mongoSession)
    .lean<Pick<AllocationRecord, 'creditId' | 'settled'>[]>();
  const ids = [...returned, ...allocations.map(({ creditId }) => creditId)].flatMap((each) => each ?? []);
  const notes = await Payable.find({
    organisationId,
    type: 'credit_note',
    voidedOn: null,
    $or: [{ creditedBillId: id }, { id: { $in: ids }, creditedBillId: null }],
  })
    .session(mongoSession)
    .lean<PayableRecord[]>();
  const credited = notes.map(async (note) => {
    const rows = await sumByRate(organisationId, note.lines.map(toTaxedLine));
    if (note.creditedBillId === id || returned.has(note.id)) return rows;
    const applied = allocations.filter(({ creditId }) => creditId === note.id);
    const amount = sum(applied.map(({ settled }) => fromDecimal128(settled)));
    return divideByRate(rows, amount, getCurrencyDecimals(currencyCode));
  });
  return (await Promise.all(credited)).flat();
}

/** Reads what a bill charges and what its credit notes take back, by rate. @param item its open item */
export async function readBillTaxes(unit: UnitOfWork, item: OpenItemRecord): Promise<BillTaxes> {
  const { organisationId, id } = item;
  const bill = await Payable.findOne({ organisationId, id, type: 'bill' }, { lines: 1, receiptIds: 1 })
    .session(unit.mongoSession)
    .lean<Pick<PayableRecord, 'lines' | 'receiptIds'>>();
  if (bill === null) return { charged: [], credited: [] };
  return {
    charged: await sumByRate(organisationId, bill.lines.map(toTaxedLine)),
    credited: await readCredited(unit, item, bill.receiptIds),
  };
}
