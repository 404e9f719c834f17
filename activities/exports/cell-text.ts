import { DateTime } from 'luxon';
import { Decimal } from '../../domain/business/decimal';

const QUARTER_MS = 15 * 60_000;
const KEPT_OFFSETS = 20_000;
const MINUTE_MS = 60_000;

const padded = (value: number): string => String(value).padStart(2, '0');

/** An instant as the company's clocks showed it. */
export interface LocalInstant {
  /** ISO 8601 with the zone's offset valid then. */
  text: string;
  /** The clock's reading as if it were UTC, in ms. */
  wallMs: number;
}

/**
 * Reads instants in a zone. Clocks are changed at full quarters of an hour, so that an offset is looked up once for all
 * instants of the same quarter: a million rows need few look-ups.
 */
export function localInstants(timeZone: string): (instant: Date) => LocalInstant {
  const offsets = new Map<number, number>();
  // As the API writes it: Z where the zone is UTC itself, not where another one has no offset just then.
  const isUtc = DateTime.fromMillis(0, { zone: timeZone }).zone.isUniversal;
  const offsetAt = (ms: number): number => {
    const quarter = Math.floor(ms / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    if (offsets.size >= KEPT_OFFSETS) offsets.clear();
    const { offset } = DateTime.fromMillis(quarter * QUARTER_MS, { zone: timeZone });
    offsets.set(quarter, offset);
    return offset;
  };
  return (instant) => {
    const offset = offsetAt(instant.getTime());
    const wallMs = instant.getTime() + offset * MINUTE_MS;
    const ahead = Math.abs(offset);
    const sign = offset < 0 ? '-' : '+';
    const zone = offset === 0 && isUtc ? 'Z' : `${sign}${padded(Math.floor(ahead / 60))}:${padded(ahead % 60)}`;
    return { text: `${new Date(wallMs).toISOString().slice(0, 23)}${zone}`, wallMs };
  };
}

/** A decimal without exponent: very small and very large ones come from MongoDB with one. */
export const plainDecimal = (text: string): string => (/e/i.test(text) ? new Decimal(text).toFixed() : text);
