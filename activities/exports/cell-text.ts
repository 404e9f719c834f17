import { DateTime } from 'luxon';
import { Decimal } from '../../domain/business/decimal';
import { MINUTE_MS } from '../../domain/durations';

const QUARTER_MS = 15 * MINUTE_MS;
const MAX_CACHED_OFFSETS = 20_000;

const padTwoDigits = (value: number): string => String(value).padStart(2, '0');

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
export function createLocalInstantReader(timeZone: string): (instant: Date) => LocalInstant {
  const offsets = new Map<number, number>();
  // As the API writes it: Z where the zone is UTC itself, not where another one has no offset just then.
  const isUtc = DateTime.fromMillis(0, { zone: timeZone }).zone.isUniversal;
  const offsetAt = (ms: number): number => {
    const quarter = Math.floor(ms / QUARTER_MS);
    const cachedOffset = offsets.get(quarter);
    if (cachedOffset !== undefined) return cachedOffset;
    if (offsets.size >= MAX_CACHED_OFFSETS) offsets.clear();
    const { offset } = DateTime.fromMillis(quarter * QUARTER_MS, { zone: timeZone });
    offsets.set(quarter, offset);
    return offset;
  };
  return (instant) => {
    const offset = offsetAt(instant.getTime());
    const wallClockMs = instant.getTime() + offset * MINUTE_MS;
    const ahead = Math.abs(offset);
    const sign = offset < 0 ? '-' : '+';
    const zone =
      offset === 0 && isUtc ? 'Z' : `${sign}${padTwoDigits(Math.floor(ahead / 60))}:${padTwoDigits(ahead % 60)}`;
    return { text: `${new Date(wallClockMs).toISOString().slice(0, 23)}${zone}`, wallMs: wallClockMs };
  };
}

/** A decimal without exponent: very small and very large ones come from MongoDB with one. */
export const formatPlainDecimal = (text: string): string => (/e/i.test(text) ? new Decimal(text).toFixed() : text);
