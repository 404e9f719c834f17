import { MAX_AMOUNT, round, ZERO } from '../decimal';
import type { Decimal } from '../decimal';

/**
 * Value of one product across the company's warehouses in base currency. Quantity and total value are stored; the
 * moving average is derived, so rounding never accumulates in it.
 */
export interface StockValue {
  quantity: Decimal;
  value: Decimal;
}

/** The effect of a movement: signed quantity and value, and the balance after it. */
export interface ValuedMovement {
  quantity: Decimal;
  value: Decimal;
  after: StockValue;
}

export const ZERO_STOCK: StockValue = { quantity: ZERO, value: ZERO };

/** The problem if the quantity or value of a product would exceed the maximum that is exact; null if there is none. */
export const findStockLimitProblem = ({ quantity, value }: StockValue): string | null =>
  value.gt(MAX_AMOUNT) || quantity.gt(MAX_AMOUNT)
    ? `would take the stock of the product, or its value, above ${MAX_AMOUNT.toFixed()}`
    : null;

/** Average cost per unit with six decimals; zero if nothing is on hand. */
export const computeAverageCost = (stock: StockValue): Decimal =>
  stock.quantity.isZero() ? ZERO : round(stock.value.div(stock.quantity), 6);

/** Receives goods at a unit cost: a purchase, a restocked return, opening stock or a counted surplus. */
export function computeStockReceipt(
  stock: StockValue,
  quantity: Decimal,
  unitCost: Decimal,
  baseDecimals: number,
): ValuedMovement {
  return computeStockReceiptAtValue(stock, quantity, round(quantity.times(unitCost), baseDecimals));
}

/** Receives goods at a known total value, such as the value that a voided invoice had issued. */
export function computeStockReceiptAtValue(stock: StockValue, quantity: Decimal, value: Decimal): ValuedMovement {
  if (!quantity.gt(0)) throw new RangeError('a received quantity is greater than zero');
  return { quantity, value, after: { quantity: stock.quantity.plus(quantity), value: stock.value.plus(value) } };
}

/**
 * Issues goods at value × quantity ÷ quantity on hand, rounded to the base currency. The last unit takes the remaining
 * value, so 3 units bought for 10.00 are issued at 3.33, 3.34 and 3.33. Throws a RangeError if more is issued than is
 * on hand.
 */
export function computeStockIssue(stock: StockValue, quantity: Decimal, baseDecimals: number): ValuedMovement {
  if (!quantity.gt(0)) throw new RangeError('an issued quantity is greater than zero');
  if (quantity.gt(stock.quantity)) throw new RangeError('more is issued than is on hand');
  const value = quantity.eq(stock.quantity)
    ? stock.value
    : round(stock.value.times(quantity).div(stock.quantity), baseDecimals);
  return {
    quantity: quantity.neg(),
    value: value.neg(),
    after: { quantity: stock.quantity.minus(quantity), value: stock.value.minus(value) },
  };
}

/**
 * Divides the value of a product among its warehouses by quantity, rounded cumulatively in the order of their ids, so
 * that the shares add up to the value.
 */
export function divideStockValue(
  stock: StockValue,
  quantities: ReadonlyMap<number, Decimal>,
  baseDecimals: number,
): Map<number, Decimal> {
  let cumulative = ZERO;
  let divided = ZERO;
  const shares = new Map<number, Decimal>();
  for (const [warehouseId, quantity] of [...quantities].sort(([a], [b]) => a - b)) {
    cumulative = cumulative.plus(quantity);
    const until = stock.quantity.isZero()
      ? ZERO
      : round(stock.value.times(cumulative).div(stock.quantity), baseDecimals);
    shares.set(warehouseId, until.minus(divided));
    divided = until;
  }
  return shares;
}
