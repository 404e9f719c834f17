import { findLatestDay } from '../../../domain/business/calendar';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeBillDifferences, findOverbilling } from '../../../domain/business/purchasing/bill-matching';
import type { BillDifferences, MatchedLine } from '../../../domain/business/purchasing/bill-matching';
import { computeReturnedAmounts } from '../../../domain/business/purchasing/vendor-returns';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { BilledReceipt, PayableLine, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { computeUnbilledTotals } from '../accounting/payable-facts';
import { listActiveAllocations } from '../payments/allocations';
import { findOpenItem, reduceOpenAmount } from '../payments/open-items';
import { convertToBase } from './payables';
import type { NewPayable } from './payables';

/** A receipt that a bill replaces, with its unbilled payable. */
export interface UnbilledReceipt {
  receipt: PayableRecord;
  item: OpenItemRecord;
}

/** The error for a receipt that has been paid, with the allocations to reverse before it can be billed. */
export async function receiptSettledError(
  unit: UnitOfWork,
  field: string,
  { _id, id }: OpenItemRecord,
): Promise<AppError> {
  const allocations = await listActiveAllocations({ debitItemId: _id }, unit);
  const listIds = (kind: AllocationRecord['creditKind']): number[] => [
    ...new Set(allocations.filter(({ creditKind }) => creditKind === kind).map(({ creditId }) => creditId)),
  ];
  const allocationIds = allocations.map((allocation) => allocation.id);
  const problem = `receipt ${id} has been paid in part or whole; reverse the allocations ${allocationIds.join(', ')}, then record the bill and apply the credit to it`;
  return conflictError('receipt_settled', `${field}: ${problem}.`, {
    fields: [{ field, problem }],
    receiptId: id,
    allocationIds,
    paymentIds: listIds('payment'),
    creditNoteIds: listIds('credit_note'),
    routes: ['POST /api/payables/allocations/:id/reverse', 'POST /api/payables/allocations'],
  });
}

/** Reads the receipts that a bill replaces in this transaction. @throws AppError 400, 409 */
export async function readUnbilledReceipts(
  unit: UnitOfWork,
  caller: BusinessCaller,
  bill: { vendor: { id: number }; currencyCode: string },
  ids: readonly number[],
): Promise<UnbilledReceipt[]> {
  const { organisationId } = caller;
  const receipts: UnbilledReceipt[] = [];
  for (const [index, id] of ids.entries()) {
    const field = `receiptIds[${index}]`;
    const receipt = await Payable.findOne({ organisationId, type: 'receipt', id })
      .session(unit.mongoSession)
      .lean<PayableRecord>();
    const item = await findOpenItem(unit, { organisationId, side: 'payable', kind: 'receipt', id });
    if (receipt === null || item === null || receipt.vendorId !== bill.vendor.id)
      throw invalidFieldError(field, 'is not a receipt from the vendor');
    if (receipt.billId !== null)
      throw conflictError('receipt_billed', `${field}: receipt ${id} has been billed by payable ${receipt.billId}.`, {
        billId: receipt.billId,
      });
    // Returns reduce what is open; payments settle it.
    const unreturned = fromDecimal128(item.original).minus(fromDecimal128(item.reversed));
    if (!fromDecimal128(item.open).eq(unreturned)) throw await receiptSettledError(unit, field, item);
    if (item.currencyCode !== bill.currencyCode)
      throw invalidFieldError(field, `was in ${item.currencyCode}, the bill is in ${bill.currencyCode}`);
    receipts.push({ receipt, item });
  }
  return receipts;
}

/** What a bill replaces of a receipt, as it is stored with the bill. */
export function buildBilledReceipt(receipt: PayableRecord, baseDecimals: number): BilledReceipt {
  const { total, taxTotal, baseTotal, baseTaxTotal } = computeUnbilledTotals(receipt, baseDecimals);
  return {
    receiptId: receipt.id,
    total: toDecimal128(total),
    taxTotal: toDecimal128(taxTotal),
    baseTotal: toDecimal128(baseTotal),
    baseTaxTotal: toDecimal128(baseTaxTotal),
  };
}

/**
 * Replaces the unbilled payable of a receipt by a bill: on the date of the bill, but not before the receipt, nor before the
 * void of an earlier bill restored it, because nothing was payable until then.
 */
export async function replaceUnbilledPayable(
  unit: UnitOfWork,
  item: OpenItemRecord,
  bill: { id: number; date: string; at: Date },
  baseDecimals: number,
): Promise<void> {
  const restored = await AccountEntry.find(
    {
      organisationId: item.organisationId,
      side: 'payable',
      itemId: item._id,
      kind: 'reversal',
      billId: { $exists: true },
    },
    { date: 1 },
  )
    .session(unit.mongoSession)
    .lean<Pick<AccountEntryRecord, 'date'>[]>();
  const date = findLatestDay(bill.date, item.date, ...restored.map((entry) => entry.date));
  const entry = { kind: 'billed', date, at: bill.at, billId: bill.id } as const;
  await reduceOpenAmount(unit, item, 'reversed', fromDecimal128(item.open), baseDecimals, entry);
}

/** The parts of a bill that are compared with its receipts. */
type MatchedBill = Pick<NewPayable, 'lines' | 'calculation' | 'exchangeRate'>;

const listBilledLines = ({ lines, calculation }: MatchedBill): MatchedLine[] =>
  lines.map(({ productId, quantity, isRounding = false }, index) => ({
    productId,
    quantity: isRounding ? ZERO : quantity,
    net: calculation.lines[index]?.net ?? ZERO,
  }));

/** A line of a receipt without what was returned before its bill. */
function subtractReturned(line: PayableLine, decimals: number): MatchedLine {
  const { productId } = line;
  const [quantity, net, tax] = [fromDecimal128(line.quantity), fromDecimal128(line.net), fromDecimal128(line.tax)];
  if (line.returned === undefined) return { productId, quantity, net };
  const returned = fromDecimal128(line.returned);
  const amounts = computeReturnedAmounts({ quantity, net, tax }, ZERO, returned, decimals);
  return { productId, quantity: quantity.minus(returned), net: net.minus(amounts.net) };
}

const listReceivedLines = (receipts: readonly UnbilledReceipt[]): MatchedLine[] =>
  receipts.flatMap(({ receipt }) =>
    receipt.lines.map((line) => subtractReturned(line, getCurrencyDecimals(receipt.currencyCode))),
  );

/**
 * Rejects a bill that charges more than was received, beyond the tolerance of the company.
 * @param isStocked whether a product is kept in stock
 * @throws AppError 409 `over_billing` naming each line and the quantity that can be billed
 */
export function rejectOverbilling(
  { company }: BusinessCaller,
  bill: MatchedBill,
  receipts: readonly UnbilledReceipt[],
  isStocked: (productId: number) => boolean,
): void {
  if (receipts.length === 0) return;
  const billed = listBilledLines(bill);
  const tolerance = company.overBillingTolerancePercent;
  const beyond = findOverbilling(
    billed,
    listReceivedLines(receipts),
    isStocked,
    tolerance === undefined ? ZERO : fromDecimal128(tolerance),
  );
  if (beyond.length === 0) return;
  const fields = beyond.map(({ productId, maxQuantity }) => {
    const most = maxQuantity.toFixed();
    if (productId === null)
      return { field: 'lines', problem: `must charge at most ${most} units in total, or name their products` };
    const own = billed.flatMap((line, index) => (line.productId === productId ? [index] : []));
    const together = own.length > 1 ? ' in all lines of the product' : '';
    return { field: `lines[${own.at(-1) ?? 0}].quantity`, problem: `must be at most ${most}${together}` };
  });
  const listed = fields.map(({ field, problem }) => `${field} ${problem}`).join('; ');
  throw conflictError('over_billing', `More than was received with the receipts: ${listed}.`, { fields });
}

/** The difference between a bill and its receipts before tax, in base currency. */
export function compareWithReceipts(
  caller: BusinessCaller,
  bill: MatchedBill,
  receipts: readonly UnbilledReceipt[],
): BillDifferences {
  if (receipts.length === 0) return { price: ZERO, quantity: ZERO, exchange: ZERO };
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const toBase = ({ receipt }: UnbilledReceipt): Decimal => computeUnbilledTotals(receipt, baseDecimals).baseTotal;
  return computeBillDifferences(
    {
      lines: listBilledLines(bill),
      base: convertToBase(caller, bill.calculation, bill.exchangeRate).total,
      exchangeRate: bill.exchangeRate,
    },
    { lines: listReceivedLines(receipts), base: sum(receipts.map(toBase)) },
    baseDecimals,
  );
}
