import type { PartialDate } from './mrz/dates';
import type { MrzFormat } from './mrz/format';
import { parsePrintedDates } from './printed-dates';

// A document without an expiry prints the year 9999, of which a zone has two digits: it would be read as 1999.

/**
 * The expiry of zones that state none, by themselves. The Spanish identity card of holders of 70 and over is valid
 * permanently (Royal Decree 1553/2005, article 6): it prints 01 01 9999.
 */
const PERMANENT_ZONES: readonly { format: MrzFormat; document: string; text: string; expiry: string }[] = [
  { format: 'TD1', document: 'IDESP', text: '990101', expiry: '9999-01-01' },
];

/**
 * The expiry of a permanently valid document, 9999-MM-DD; null if the zone does not show that it is one.
 *
 * @param document code of the document and issuing state, as in the zone
 * @param text the date of expiry of the zone
 */
export const findPermanentExpiry = (format: MrzFormat, document: string, text: string): PartialDate | null =>
  PERMANENT_ZONES.find((zone) => zone.format === format && zone.document === document && zone.text === text)?.expiry ??
  null;

/** The expiry of a zone, in the year 9999 if print states the same day of that year. */
export function resolvePrintedExpiry(expiry: PartialDate | null, print: readonly string[]): PartialDate | null {
  if (expiry?.slice(2, 4) !== '99') return expiry;
  const permanent = `9999${expiry.slice(4)}`;
  return print.some((text) => parsePrintedDates(text).includes(permanent)) ? permanent : expiry;
}
