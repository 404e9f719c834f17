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

/** What a movement does to the value: signed quantity and value, and the balance after it. */
export interface ValuedMovement {
  quantity: Decimal;
  value: Decimal;
  after: StockValue;
}

export const ZERO_STOCK: StockValue = { quantity: ZERO, value: ZERO };

/** What is wrong where there would be more of a product, or it would be worth more, than can be said exactly. */
export const findStockLimitProblem = ({ quantity, value }: StockValue): string | null =>
  value.gt(MAX_AMOUNT) || quantity.gt(MAX_AMOUNT)
    ? `would take the stock of the product, or its value, above ${MAX_AMOUNT.toFixed()}`
    : null;

/** Average cost per unit to six decimals; zero when nothing is on hand. */
export const computeAverageCost = (stock: StockValue): Decimal =>
  stock.quantity.isZero() ? ZERO : round(stock.value.div(stock.quantity), 6);

/** Goods coming in at a unit cost: purchase, restock of a return, opening stock, counted surplus. */
export function computeStockReceipt(
  stock: StockValue,
  quantity: Decimal,
  unitCost: Decimal,
  baseDecimals: number,
): ValuedMovement {
  return computeStockReceiptAtValue(stock, quantity, round(quantity.times(unitCost), baseDecimals));
}

/** Goods coming in at a known total value, such as the value a voided invoice took out. */
export function computeStockReceiptAtValue(stock: StockValue, quantity: Decimal, value: Decimal): ValuedMovement {
  if (!quantity.gt(0)) throw new RangeError('a received quantity is greater than zero');
  return { quantity, value, after: { quantity: stock.quantity.plus(quantity), value: stock.value.plus(value) } };
}

/**
 * Goods going out take value × quantity ÷ on hand, rounded to the base currency; the last unit takes what is left, so
 * 3 units bought for 10.00 leave as 3.33, 3.34 and 3.33. Throws a RangeError when more leaves than is there.
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
