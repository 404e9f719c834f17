import { DateTime } from 'luxon';
import { Decimal } from '../../domain/business/decimal';
import { MINUTE_MS } from '../../domain/durations';

const QUARTER_MS = 15 * MINUTE_MS;
const MAX_CACHED_OFFSETS = 20_000;

const padTwoDigits = (value: number): string => String(value).padStart(2, '0');

/** A time in the time zone of the company. */
export interface LocalInstant {
  /** ISO 8601 with the UTC offset at that time. */
  text: string;
  /** The local time as if it were UTC, in ms. */
  wallMs: number;
}

/**
 * Converts times to a time zone. Offsets only change at full quarters of an hour, so the offset is looked up once per
 * quarter of an hour, which keeps the number of lookups small for a million rows.
 */
export function createLocalInstantReader(timeZone: string): (instant: Date) => LocalInstant {
  const offsets = new Map<number, number>();
  // As in the API: Z only if the zone is UTC, not if another zone has the offset 0 at that time.
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

/** A decimal without exponent. MongoDB returns very small and very large decimals with one. */
export const formatPlainDecimal = (text: string): string => (/e/i.test(text) ? new Decimal(text).toFixed() : text);
