import { Types } from 'mongoose';
import { formatInstant } from '../../domain/business/calendar';
import { Decimal, toJsonNumber } from '../../domain/business/decimal';

/**
 * The one way a value leaves the business API: decimals become JSON numbers, instants carry the company's offset valid
 * at that instant. Everything else must be JSON already.
 */
export function serializeValue(value: unknown, timeZone: string): unknown {
  if (Decimal.isDecimal(value)) return toJsonNumber(new Decimal(value));
  if (value instanceof Types.Decimal128) return toJsonNumber(new Decimal(value.toString()));
  if (value instanceof Date) return formatInstant(value, timeZone);
  if (Array.isArray(value)) return value.map((item) => serializeValue(item, timeZone));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, serializeValue(item, timeZone)]));
  return value;
}

/** The answer's body, ready to be sent. */
export const serializeResponse = (body: object, timeZone: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).map(([key, value]) => [key, serializeValue(value, timeZone)]));
