import { createRandom } from '../../../../bench/random';

/**
 * Arithmetic of the generated year, in integers and independent of that of the service, so that a fault in one of them
 * is detected.
 */

/** Decimals of the currencies used in the year. */
export const DECIMALS = { EUR: 2, USD: 2, JPY: 0, KWD: 3 } as const;
export type Currency = keyof typeof DECIMALS;
export const CURRENCIES: readonly Currency[] = ['EUR', 'USD', 'JPY', 'KWD'];
export const BASE_CURRENCY = 'EUR';

export const QUANTITY_PLACES = 6;
export const COST_PLACES = 6;
export const RATE_PLACES = 6;

const powerOfTen = (places: number): bigint => 10n ** BigInt(places);

/** Converts a JSON number to an integer number of 10^-places. */
export function toUnits(value: number, places: number): bigint {
  const [whole = '', fraction = ''] = value.toFixed(places).split('.');
  const exact = BigInt(`${whole}${fraction}`);
  if (unitsToNumber(exact, places) !== value) throw new Error(`${value} has more than ${places} decimals`);
  return exact;
}

/** Converts an integer number of 10^-places to a JSON number. */
export function unitsToNumber(value: bigint, places: number): number {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
  const at = digits.length - places;
  return Number(`${value < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}0`);
}

/** Rounds half away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return divideRounded(-numerator, -denominator);
  const [sign, size] = numerator < 0n ? [-1n, -numerator] : [1n, numerator];
  return sign * ((2n * size + denominator) / (2n * denominator));
}

/** An amount of a currency in base currency; `rate` in 10^-RATE_PLACES. */
export const toBase = (amount: bigint, currency: Currency, rate: bigint): bigint =>
  divideRounded(amount * rate * powerOfTen(DECIMALS[BASE_CURRENCY]), powerOfTen(DECIMALS[currency] + RATE_PLACES));

/** Base value of units bought at a cost in a currency. */
export const computeCost = (quantity: bigint, unitCost: bigint, rate: bigint): bigint =>
  divideRounded(
    quantity * unitCost * rate * powerOfTen(DECIMALS[BASE_CURRENCY]),
    powerOfTen(QUANTITY_PLACES + COST_PLACES + RATE_PLACES),
  );

/** Average unit cost in 10^-COST_PLACES; 0 without units. */
export const computeUnitCost = (value: bigint, quantity: bigint): bigint =>
  quantity === 0n
    ? 0n
    : divideRounded(value * powerOfTen(QUANTITY_PLACES + COST_PLACES), quantity * powerOfTen(DECIMALS[BASE_CURRENCY]));

/** Choices that are the same for the same seed. */
export class SeededRandom {
  /** A number from 0 (included) to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = createRandom(seed);
  }

  /** An integer, both limits included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** @param probability of true, from 0 to 1 */
  nextBoolean(probability: number): boolean {
    return this.next() < probability;
  }

  /** @returns undefined for an empty list */
  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.next() * from.length)];
  }

  /** A part of an amount: usually less than all of it, often all. */
  pickPart(amount: bigint): bigint {
    if (amount <= 1n || this.nextBoolean(0.4)) return amount;
    const part = (amount * BigInt(this.between(1, 999))) / 1000n;
    return part === 0n ? 1n : part;
  }
}
