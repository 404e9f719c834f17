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
  quantity: Decimal;
  net: Decimal;
  tax: Decimal;
  returned: Decimal;
}

const sumOf = (lines: readonly PayableLine[], field: 'quantity' | 'net' | 'tax'): Decimal =>
  sum(lines.map((line) => fromDecimal128(line[field])));

const hasOneCost = ([first, ...others]: readonly PayableLine[]): boolean =>
  first !== undefined &&
  others.every(
    ({ unitCost, taxRateId }) =>
      taxRateId === first.taxRateId && fromDecimal128(unitCost).eq(fromDecimal128(first.unitCost)),
  );

/**
 * Reads what the bill of a receipt charges for products that it bills as they were received: the whole quantity that was
 * left, at the same cost and tax rate. The shares of the bill then add up to it, while those of receipts can differ by
 * cents, since each of them was rounded by itself.
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
    if (own === undefined || arrived === undefined || arrived.length === 0 || !hasOneCost([...own, ...arrived]))
      return [];
    const since = sum(
      returned.filter(({ productId }) => productId === id).map((line) => fromDecimal128(line.quantity)),
    );
    const all = sum(arrived.map((line) => (line.returned === undefined ? ZERO : fromDecimal128(line.returned))));
    const quantity = sumOf(own, 'quantity');
    const left = sumOf(arrived, 'quantity').minus(all.minus(since));
    return left.eq(quantity)
      ? [[id, { quantity, net: sumOf(own, 'net'), tax: sumOf(own, 'tax'), returned: since }]]
      : [];
  });
  return new Map(goods);
}
