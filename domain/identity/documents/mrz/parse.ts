import { findPermanentExpiry } from '../permanent-validity';
import { computeCheckDigit } from './check-digit';
import { resolveDate } from './dates';
import type { PartialDate } from './dates';
import { detectMrzFormat, MRZ_LAYOUTS, buildPositionAlphabets } from './format';
import type { MrzDigitLayout, MrzFieldKey, MrzFormat, MrzLayout, MrzSpan } from './format';
import { joinWords, splitName } from './names';
import type { MrzName } from './names';

export type { MrzFormat } from './format';

export interface MrzCheckDigit {
  name: MrzDigitLayout['name'];
  /** The printed character. */
  printed: string;
  /** The computed digit; null if the text contains a character outside the alphabet. */
  expected: number | null;
  valid: boolean;
}

/** The content of a zone. States are ICAO codes as printed, fillers removed. */
export interface MrzFields {
  documentCode: string;
  issuingState: string | null;
  documentNumber: string | null;
  lastName: string | null;
  firstName: string | null;
  nameTruncated: boolean;
  nationality: string | null;
  dateOfBirth: PartialDate | null;
  /** X: unspecified. */
  sex: 'F' | 'M' | 'X' | null;
  expiryDate: PartialDate | null;
  /** The personal number of a passport, or the optional data of a card if there is only one item. */
  personalNumber: string | null;
  optionalData: string[];
}

export interface ParsedMrz {
  format: MrzFormat;
  lines: string[];
  fields: MrzFields;
  checkDigits: MrzCheckDigit[];
  /** True if every check digit verifies. */
  valid: boolean;
  /** Positions with a character that is not allowed there, as "line:position". */
  misplaced: string[];
}

const readSpan = (lines: readonly string[], { line, start, end }: MrzSpan): string =>
  (lines[line] ?? '').slice(start, end);

const stripFillers = (text: string): string | null => {
  const value = text.replace(/<+$/, '').replace(/^<+/, '');
  return value === '' ? null : value;
};

/**
 * Parses the lines of a machine-readable zone.
 *
 * @param lines two or three lines of 30, 36 or 44 characters; others return null
 * @param today YYYY-MM-DD, to resolve two-digit years
 * @param forcedFormat a layout to use although the first line indicates another one of the same size
 */
export function parseMrz(lines: readonly string[], today: string, forcedFormat?: MrzFormat): ParsedMrz | null {
  const length = lines[0]?.length ?? 0;
  if (lines.some((line) => line.length !== length)) return null;
  const format = forcedFormat ?? detectMrzFormat(lines[0] ?? '', lines.length, length);
  if (format === null) return null;
  const layout = MRZ_LAYOUTS[format];
  if (layout.lineLength !== length || layout.lineCount !== lines.length) return null;
  const checkDigits = layout.digits.map((digit) => verifyCheckDigit(lines, digit, layout));
  return {
    format,
    lines: [...lines],
    fields: readFields(lines, layout, today),
    checkDigits,
    valid: checkDigits.every(({ valid }) => valid),
    misplaced: findMisplaced(lines, format),
  };
}

/**
 * Document numbers of more than nine characters (ICAO Doc 9303-5 and -6, note j): a filler takes the place of the
 * check digit, and the optional data begin with the rest of the number and its digit.
 */
function readLongNumber(
  lines: readonly string[],
  layout: MrzLayout,
): { number: string; digit: string; rest: string } | null {
  const number = layout.fields.documentNumber;
  const optional = layout.fields.optional1;
  const digit = layout.digits.find(({ name }) => name === 'documentNumber');
  if (!number || !optional || !digit || (layout.format !== 'TD1' && layout.format !== 'TD2')) return null;
  const head = readSpan(lines, number);
  if ((lines[digit.at.line] ?? '').charAt(digit.at.position) !== '<' || head.includes('<')) return null;
  const tail = readSpan(lines, optional);
  const end = tail.indexOf('<') < 0 ? tail.length : tail.indexOf('<');
  if (end < 2) return null;
  return { number: head + tail.slice(0, end - 1), digit: tail.charAt(end - 1), rest: tail.slice(end) };
}

function verifyCheckDigit(lines: readonly string[], digit: MrzDigitLayout, layout: MrzLayout): MrzCheckDigit {
  const long = digit.name === 'documentNumber' ? readLongNumber(lines, layout) : null;
  const text = long ? long.number : digit.over.map((part) => readSpan(lines, part)).join('');
  const printed = long ? long.digit : (lines[digit.at.line] ?? '').charAt(digit.at.position);
  const expected = computeCheckDigit(text);
  // The digit of an empty field may be a filler or zero.
  const valid = printed === '<' ? /^<*$/.test(text) : expected !== null && printed === String(expected);
  return { name: digit.name, printed, expected, valid };
}

/** Formats whose optional data are no personal number: visas, and the office of issue of the French card. */
const FORMATS_WITHOUT_PERSONAL_NUMBER: ReadonlySet<MrzFormat> = new Set(['MRVA', 'MRVB', 'IDFRA']);

/** Surname and given names, from one field or, on the French card, from two. */
function readName(layout: MrzLayout, text: (key: MrzFieldKey) => string): MrzName {
  if (layout.fields.name !== undefined) return splitName(text('name'));
  const [surname, given] = [text('lastName'), text('firstName')];
  return {
    lastName: joinWords(surname),
    firstName: joinWords(given),
    truncated: !surname.endsWith('<') || !given.endsWith('<'),
  };
}

function readFields(lines: readonly string[], layout: MrzLayout, today: string): MrzFields {
  const text = (key: MrzFieldKey): string => {
    const fieldLayout = layout.fields[key];
    return fieldLayout ? readSpan(lines, fieldLayout) : '';
  };
  const long = readLongNumber(lines, layout);
  const name = readName(layout, text);
  const sex = text('sex');
  const [document, expiry] = [text('documentCode') + text('issuingState'), text('expiryDate')];
  const optionalData = [long ? long.rest : text('optional1'), text('optional2')]
    .map(stripFillers)
    .filter((value): value is string => value !== null);
  return {
    documentCode: stripFillers(text('documentCode')) ?? '',
    issuingState: stripFillers(text('issuingState')),
    documentNumber: long ? long.number : stripFillers(text('documentNumber')),
    lastName: name.lastName,
    firstName: name.firstName,
    nameTruncated: name.truncated,
    nationality: layout.format === 'IDFRA' ? 'FRA' : stripFillers(text('nationality')),
    dateOfBirth: resolveDate(text('dateOfBirth'), 'birth', today),
    sex: sex === 'M' || sex === 'F' ? sex : sex === '<' || sex === 'X' ? 'X' : null,
    expiryDate: findPermanentExpiry(layout.format, document, expiry) ?? resolveDate(expiry, 'expiry', today),
    personalNumber:
      FORMATS_WITHOUT_PERSONAL_NUMBER.has(layout.format) || optionalData.length !== 1
        ? null
        : (optionalData[0] ?? null),
    optionalData,
  };
}

function findMisplaced(lines: readonly string[], format: MrzFormat): string[] {
  return buildPositionAlphabets(format).flatMap((row, line) =>
    row.flatMap((allowed, position) =>
      allowed.includes((lines[line] ?? '').charAt(position)) ? [] : [`${line}:${position}`],
    ),
  );
}
