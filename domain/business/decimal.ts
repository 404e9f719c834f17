import { Decimal as BaseDecimal } from 'decimal.js';

/** A decimal in its shortest plain form: `1234.5`, `0.000001`; never exponential. */
export type DecimalText = string;

/**
 * Exact decimal arithmetic of the business API. Sixty digits are enough for the product of two 15-digit amounts, and
 * for quotients whose rounding to currency decimals the precision does not affect. Halves round away from zero.
 */
export const Decimal = BaseDecimal.clone({
  precision: 60,
  rounding: BaseDecimal.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Decimal = BaseDecimal;

export const ZERO: Decimal = new Decimal(0);

/** Rounds half away from zero to `decimals` places: 2.345 → 2.35, −2.345 → −2.35. */
export const round = (value: Decimal, decimals: number): Decimal =>
  value.toDecimalPlaces(decimals, BaseDecimal.ROUND_HALF_UP);

/** The exact sum; 0 without values. */
export const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce<Decimal>((total, value) => total.plus(value), ZERO);

/**
 * The values that a decimal field accepts. Bounds are inclusive decimal strings, except `above`, which is exclusive.
 * `significantDigits` counts the digits from the first to the last non-zero digit; 15 of them survive a conversion to
 * an IEEE double and back.
 */
export interface DecimalRule {
  decimals?: number;
  significantDigits: number;
  min?: string;
  above?: string;
  max?: string;
}

/** Largest amount of money the service computes with: 999,999,999,999.99 of any currency. */
export const MAX_AMOUNT: Decimal = new Decimal('999999999999.99');

export const AMOUNT_RULE: DecimalRule = { decimals: 3, significantDigits: 15, min: '0', max: MAX_AMOUNT.toString() };
export const UNIT_PRICE_RULE: DecimalRule = {
  decimals: 6,
  significantDigits: 15,
  min: '0',
  max: MAX_AMOUNT.toString(),
};
export const QUANTITY_RULE: DecimalRule = {
  decimals: 6,
  significantDigits: 15,
  above: '0',
  max: MAX_AMOUNT.toString(),
};
/** A change of stock, up or down. */
export const SIGNED_QUANTITY_RULE: DecimalRule = {
  decimals: 6,
  significantDigits: 15,
  min: MAX_AMOUNT.neg().toString(),
  max: MAX_AMOUNT.toString(),
};
export const PERCENT_RULE: DecimalRule = { decimals: 4, significantDigits: 15, min: '0', max: '100' };
export const EXCHANGE_RATE_RULE: DecimalRule = { significantDigits: 10, above: '0', max: '999999999' };

export type DecimalReading = { value: Decimal } | { problem: string };

/**
 * Reads a decimal from a parsed JSON number by its shortest round-trip form (0.1 is one tenth). Rejects values that
 * are not numbers, 1e400 (which JSON parsers turn into Infinity), negative zero, and values outside the rule. The
 * problem states what is accepted and never repeats the value.
 */
export function readDecimal(input: unknown, rule: DecimalRule): DecimalReading {
  if (typeof input !== 'number') return { problem: 'must be a number' };
  if (!Number.isFinite(input)) return { problem: 'must be a finite number' };
  if (Object.is(input, -0)) return { problem: 'must not be negative zero' };
  const value = new Decimal(String(input));
  if (rule.decimals !== undefined && value.decimalPlaces() > rule.decimals)
    return { problem: `must have at most ${rule.decimals} decimals` };
  if (value.precision() > rule.significantDigits)
    return { problem: `must have at most ${rule.significantDigits} significant digits` };
  if (rule.above !== undefined && value.lte(rule.above)) return { problem: `must be greater than ${rule.above}` };
  if (rule.min !== undefined && value.lt(rule.min)) return { problem: `must be at least ${rule.min}` };
  if (rule.max !== undefined && value.gt(rule.max)) return { problem: `must be at most ${rule.max}` };
  return { value };
}

/** The JSON number of a decimal; exact for up to 15 significant digits, the maximum of stored amounts. */
export const toJsonNumber = (value: Decimal): number => value.toNumber();

/**
 * Divides `total` into shares with `decimals` decimals that add up to it exactly (largest remainder method): each part
 * gets its ideal share rounded down, and the remaining units go to the parts with the largest remainders, to the
 * earlier part on a tie. The sum of the ideal shares must be within half a unit of the total.
 */
export function allocateByLargestRemainder(total: Decimal, ideals: readonly Decimal[], decimals: number): Decimal[] {
  const unit = new Decimal(10).pow(-decimals);
  const shares = ideals.map((ideal) => ideal.toDecimalPlaces(decimals, BaseDecimal.ROUND_FLOOR));
  const order = ideals
    .map((ideal, index) => ({ index, remainder: ideal.minus(shares[index] ?? ZERO) }))
    .sort((a, b) => b.remainder.comparedTo(a.remainder) || a.index - b.index);
  let unitsLeft = total.minus(sum(shares)).div(unit).toNumber();
  for (const { index } of order) {
    if (unitsLeft <= 0) break;
    shares[index] = (shares[index] ?? ZERO).plus(unit);
    unitsLeft -= 1;
  }
  return shares;
}
