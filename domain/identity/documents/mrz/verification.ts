import { MRZ_LAYOUTS } from './format';
import type { ParsedMrz } from './parse';

/** Minimum number of printed check digits: an empty line verifies by its fillers alone. */
const MIN_DIGITS = 2;

/** Document codes begin with one of these letters; the second letter of a card is never V (ICAO Doc 9303 parts 4 to 7). */
const DOCUMENT_CODE = /^(?:[PV]|[IAC](?!V))/;

/** Whether a zone proves what it states: all check digits verify, and it is not a line that resembles one. */
export const isVerifiedZone = ({
  valid,
  checkDigits,
  fields,
}: Pick<ParsedMrz, 'valid' | 'checkDigits' | 'fields'>): boolean =>
  valid &&
  checkDigits.filter(({ printed }) => printed !== '<').length >= MIN_DIGITS &&
  DOCUMENT_CODE.test(fields.documentCode);

/**
 * Whether a zone states a date, with a valid check digit, that does not exist. A date that is unknown as a whole is
 * printed as fillers, whose digit is a filler or zero (ICAO Doc 9303-3).
 */
export const statesImpossibleDate = ({ format, lines, fields, checkDigits }: ParsedMrz): boolean =>
  (['dateOfBirth', 'expiryDate'] as const).some((name) => {
    const layout = MRZ_LAYOUTS[format].fields[name];
    const text = layout === undefined ? '' : (lines[layout.line] ?? '').slice(layout.start, layout.end);
    const isVerified = checkDigits.some((check) => check.name === name && check.valid);
    return fields[name] === null && isVerified && !/^<*$/.test(text);
  });
