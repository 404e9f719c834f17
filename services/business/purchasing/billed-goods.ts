import { sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableLine, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** What a bill charges for the goods of a product, and the quantity that was returned since. */
export interface BilledGoods {
  /** Cost per unit before tax. */
  unitCost: Decimal;
  quantity: Decimal;
  net: Decimal;
  tax: Decimal;
  returned: Decimal;
}

const sumOf = (lines: readonly PayableLine[], field: 'quantity' | 'net' | 'tax'): Decimal =>
  sum(lines.map((line) => fromDecimal128(line[field])));

/** The cost at which a bill charges the goods of a product; null if it charges several, or other taxes than were received. */
function findBilledCost(billed: readonly PayableLine[], received: readonly PayableLine[]): Decimal | null {
  const [first] = billed;
  if (first === undefined || received.length === 0) return null;
  const unitCost = fromDecimal128(first.unitCost);
  const isAtOneCost = billed.every((line) => fromDecimal128(line.unitCost).eq(unitCost));
  return isAtOneCost && [...billed, ...received].every(({ taxRateId }) => taxRateId === first.taxRateId)
    ? unitCost
    : null;
}

/**
 * Reads what the bill of a receipt charges for products of which it bills the whole quantity that was left, at one cost
 * and the tax rate of the receipts. What is returned of them is credited as it was billed, also where the bill has another
 * cost than the receipt. The shares of the bill add up to it, while those of receipts can differ by cents, since each of
 * them was rounded by itself.
 * @returns the goods by product; empty for a receipt that has not been billed
 */
export async function readBilledGoods(
  unit: UnitOfWork,
  { organisationId, billId }: PayableRecord,
): Promise<Map<number, BilledGoods>> {
  if (billId === null) return new Map();
  const { mongoSession } = unit;
  const bill = await Payable.findOne({ organisationId, type: 'bill', id: billId })
    .session(mongoSession)
    .lean<PayableRecord>();
  if (bill === null) return new Map();
  const receiptIds = { $in: bill.receiptIds };
  const receipts = await Payable.find({ organisationId, type: 'receipt', id: receiptIds })
    .session(mongoSession)
    .lean<PayableRecord[]>();
  const returns = await VendorReturn.find({ organisationId, receiptId: receiptIds, creditNoteId: { $ne: null } })
    .session(mongoSession)
    .lean<VendorReturnRecord[]>();
  const received = receipts.flatMap(({ lines }) => lines);
  const returned = returns.flatMap(({ lines }) => lines);
  const productIds = new Set(bill.lines.flatMap(({ productId }) => productId ?? []));
  const goods = [...productIds].flatMap((id): [number, BilledGoods][] => {
    const [own, arrived] = [bill.lines, received].map((lines) => lines.filter(({ productId }) => productId === id));
    const unitCost = findBilledCost(own ?? [], arrived ?? []);
    if (own === undefined || arrived === undefined || unitCost === null) return [];
    const since = sum(
      returned.filter(({ productId }) => productId === id).map((line) => fromDecimal128(line.quantity)),
    );
    const all = sum(arrived.map((line) => (line.returned === undefined ? ZERO : fromDecimal128(line.returned))));
    const quantity = sumOf(own, 'quantity');
    const left = sumOf(arrived, 'quantity').minus(all.minus(since));
    return left.eq(quantity)
      ? [[id, { unitCost, quantity, net: sumOf(own, 'net'), tax: sumOf(own, 'tax'), returned: since }]]
      : [];
  });
  return new Map(goods);
}
