import { Types } from 'mongoose';
import { formatInstant } from '../../domain/business/calendar';
import { Decimal, toJsonNumber } from '../../domain/business/decimal';

/**
 * Converts a value for a response of the business API: decimals become JSON numbers, and times get the UTC offset of the
 * company's time zone at that time. All other values must be JSON already.
 */
export function serializeValue<T>(value: T, timeZone: string): Serialized<T>;
export function serializeValue(value: unknown, timeZone: string): unknown {
  if (Decimal.isDecimal(value)) return toJsonNumber(new Decimal(value));
  if (value instanceof Types.Decimal128) return toJsonNumber(new Decimal(value.toString()));
  if (value instanceof Date) return formatInstant(value, timeZone);
  if (Array.isArray(value)) return value.map((item: unknown) => serializeValue(item, timeZone));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, serializeValue(item, timeZone)]));
  return value;
}

/** `T` as the client receives it. */
export type Serialized<T> = T extends Decimal | Types.Decimal128
  ? number
  : T extends Date
    ? string
    : T extends readonly (infer Item)[]
      ? Serialized<Item>[]
      : T extends object
        ? { [K in keyof T]: Serialized<T[K]> }
        : T;

/** A response body ready to be sent. */
export const serializeResponse = <T extends object>(body: T, timeZone: string): Serialized<T> =>
  serializeValue(body, timeZone);
