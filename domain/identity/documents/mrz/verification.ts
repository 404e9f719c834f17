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
