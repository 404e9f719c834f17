import { DAY_MS } from '../../durations';
import { getKnownPart } from '../documents/mrz/dates';
import type { PartialDate } from '../documents/mrz/dates';

/** Facts about the holder that a national number encodes. Facts that it does not encode are null. */
export interface EncodedDetails {
  /** Year of birth: four digits, or two if the number does not encode the century. */
  year: number | null;
  century: boolean;
  month: number | null;
  day: number | null;
  sex: 'F' | 'M' | null;
}

type Reader = (number: string) => EncodedDetails | null;

const sexByOddMale = (digit: string | undefined): 'F' | 'M' | null =>
  digit === undefined || !/\d/.test(digit) ? null : Number(digit) % 2 === 1 ? 'M' : 'F';
const sexByEvenMale = (digit: string | undefined): 'F' | 'M' | null => {
  const sex = sexByOddMale(digit);
  return sex === null ? null : sex === 'M' ? 'F' : 'M';
};

/** Completes a two-digit year if the century is known. */
function buildDetails(
  century: number | null,
  yy: string,
  mm: string,
  dd: string,
  sex: EncodedDetails['sex'],
): EncodedDetails | null {
  const [year, month, day] = [Number(yy), Number(mm), Number(dd)];
  if (!(month >= 1 && month <= 12) || !(day >= 1 && day <= 31)) return sex === null ? null : buildUnknownDate(sex);
  return { year: (century ?? 0) + year, century: century !== null, month, day, sex };
}

const buildUnknownDate = (sex: EncodedDetails['sex']): EncodedDetails => ({
  year: null,
  century: false,
  month: null,
  day: null,
  sex,
});

const pad = (value: number): string => String(value).padStart(2, '0');

/** DDMMYYYRRSSSK with a three-digit year (former Yugoslavia): SSS below 500 is male. */
const readJmbg: Reader = (n) => {
  const year = Number(n.slice(4, 7));
  const century = year >= 800 ? 1000 : 2000;
  const sex = Number(n.slice(9, 12)) < 500 ? 'M' : 'F';
  return buildDetails(century + Math.floor(year / 100) * 100, n.slice(5, 7), n.slice(2, 4), n.slice(0, 2), sex);
};

/** GYYMMDD…: the first digit encodes century and sex (Estonia, Lithuania). */
const readBaltic: Reader = (n) => {
  const first = Number(n[0]);
  const century = first >= 1 && first <= 8 ? 1800 + Math.floor((first - 1) / 2) * 100 : null;
  return buildDetails(century, n.slice(1, 3), n.slice(3, 5), n.slice(5, 7), sexByOddMale(n[0]));
};

/** YYMMDD with 50 added to the month for women, and a further 20 if the numbers of a day are exhausted. */
const readCzech: Reader = (n) => {
  const month = Number(n.slice(2, 4));
  const isWoman = month > 50;
  const plain = month - (isWoman ? 50 : 0);
  return buildDetails(null, n.slice(0, 2), pad(plain > 20 ? plain - 20 : plain), n.slice(4, 6), isWoman ? 'F' : 'M');
};

/** Reads a month to which a century-dependent offset is added; `centuries` maps offsets to centuries. */
function readShiftedMonth(n: string, centuries: Readonly<Record<number, number>>, sex: EncodedDetails['sex']) {
  const month = Number(n.slice(2, 4));
  const shift = Math.floor(month / 20) * 20;
  return buildDetails(centuries[shift] ?? null, n.slice(0, 2), pad(month - shift), n.slice(4, 6), sex);
}

const FINNISH_SIGNS: Readonly<Record<string, number>> = { '+': 1800, '-': 1900 };

const readFinnish: Reader = (n) => {
  const sign = n[6] ?? '';
  const century = FINNISH_SIGNS[sign] ?? (/[A-F]/.test(sign) ? 2000 : /[U-Y]/.test(sign) ? 1900 : null);
  return buildDetails(century, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), sexByOddMale(n[9]));
};

const readSwedish: Reader = (n) => {
  const digits = n.replace(/\D/g, '');
  const long = digits.length === 12;
  const short = long ? digits.slice(2) : digits;
  const century = long ? Number(digits.slice(0, 2)) * 100 : null;
  const day = Number(short.slice(4, 6));
  // Coordination numbers have 60 added to the day.
  return buildDetails(
    century,
    short.slice(0, 2),
    short.slice(2, 4),
    pad(day > 60 ? day - 60 : day),
    sexByOddMale(short[8]),
  );
};

const readNorwegian: Reader = (n) => {
  const day = Number(n.slice(0, 2));
  const month = Number(n.slice(2, 4));
  const plainDay = pad(day > 40 ? day - 40 : day);
  return buildDetails(null, n.slice(4, 6), pad(month > 40 ? month - 40 : month), plainDay, sexByOddMale(n[8]));
};

const LATVIAN_CENTURIES: Readonly<Record<string, number>> = { 0: 1800, 1: 1900, 2: 2000 };

const readLatvian: Reader = (n) =>
  // Numbers issued since 2017 begin with 32 and encode nothing.
  n.startsWith('3') && Number(n.slice(0, 2)) > 31
    ? null
    : buildDetails(LATVIAN_CENTURIES[n[6] ?? ''] ?? null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), null);

const ROMANIAN_CENTURIES: Readonly<Record<string, number>> = { 1: 1900, 2: 1900, 3: 1800, 4: 1800, 5: 2000, 6: 2000 };

const readRomanian: Reader = (n) =>
  buildDetails(ROMANIAN_CENTURIES[n[0] ?? ''] ?? null, n.slice(1, 3), n.slice(3, 5), n.slice(5, 7), sexByOddMale(n[0]));

const ITALIAN_MONTHS = 'ABCDEHLMPRST';
/** Letters that replace digits if two people would have the same code. */
const ITALIAN_DIGITS = 'LMNPQRSTUV';

const readItalian: Reader = (n) => {
  if (n.length !== 16) return null;
  const digits = (from: number, to: number): string =>
    [...n.slice(from, to)].map((c) => (ITALIAN_DIGITS.includes(c) ? String(ITALIAN_DIGITS.indexOf(c)) : c)).join('');
  const month = ITALIAN_MONTHS.indexOf(n[8] ?? '') + 1;
  const day = Number(digits(9, 11));
  return buildDetails(null, digits(6, 8), pad(month), pad(day > 40 ? day - 40 : day), day > 40 ? 'F' : 'M');
};

/** Year and month of birth; months above 12 stand for unknown months. */
const readFrench: Reader = (n) => {
  const month = Number(n.slice(3, 5));
  const sex = n.startsWith('1') ? 'M' : n.startsWith('2') ? 'F' : null;
  return { year: Number(n.slice(1, 3)), century: false, month: month <= 12 ? month : null, day: null, sex };
};

const readBelgian: Reader = (n) =>
  buildDetails(null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), sexByOddMale(String(Number(n.slice(6, 9)) % 10)));

const readChinese: Reader = (n) =>
  n.length === 18
    ? buildDetails(Number(n.slice(6, 8)) * 100, n.slice(8, 10), n.slice(10, 12), n.slice(12, 14), sexByOddMale(n[16]))
    : null;

const KOREAN_CENTURIES: Readonly<Record<string, number>> = {
  1: 1900,
  2: 1900,
  5: 1900,
  6: 1900,
  3: 2000,
  4: 2000,
  7: 2000,
  8: 2000,
  9: 1800,
  0: 1800,
};

const readKorean: Reader = (n) =>
  buildDetails(KOREAN_CENTURIES[n[6] ?? ''] ?? null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), sexByOddMale(n[6]));

const readMexican: Reader = (n) => {
  const sex = n[10] === 'H' ? 'M' : n[10] === 'M' ? 'F' : null;
  const century = /\d/.test(n[16] ?? '') ? 1900 : 2000;
  return n.length === 18 ? buildDetails(century, n.slice(4, 6), n.slice(6, 8), n.slice(8, 10), sex) : null;
};

const ICELANDIC_CENTURIES: Readonly<Record<string, number>> = { 8: 1800, 9: 1900, 0: 2000 };

const readIcelandic: Reader = (n) =>
  buildDetails(ICELANDIC_CENTURIES[n[9] ?? ''] ?? null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), null);

/** Days since 31 December 1899. */
const readUkrainian: Reader = (n) => {
  const born = new Date(Date.UTC(1899, 11, 31) + Number(n.slice(0, 5)) * DAY_MS);
  const sex = sexByOddMale(n[8]);
  return { year: born.getUTCFullYear(), century: true, month: born.getUTCMonth() + 1, day: born.getUTCDate(), sex };
};

/** Readers of compact numbers by country (ISO 3166-1 alpha-2), with the layouts that their issuers publish. */
const READERS: Readonly<Record<string, Reader>> = {
  AT: (n) => buildDetails(null, n.slice(8, 10), n.slice(6, 8), n.slice(4, 6), null),
  BA: readJmbg,
  BE: readBelgian,
  BG: (n) => readShiftedMonth(n, { 0: 1900, 20: 1800, 40: 2000 }, sexByEvenMale(n[8])),
  CN: readChinese,
  CZ: readCzech,
  DK: (n) => buildDetails(null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), sexByOddMale(n[9])),
  EE: readBaltic,
  FI: readFinnish,
  FR: readFrench,
  GR: (n) => buildDetails(null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), sexByOddMale(n[9])),
  IS: readIcelandic,
  IT: readItalian,
  KR: readKorean,
  LT: readBaltic,
  LV: readLatvian,
  ME: readJmbg,
  MK: readJmbg,
  MX: readMexican,
  MY: (n) => buildDetails(null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), sexByOddMale(n[11])),
  NO: readNorwegian,
  PL: (n) => readShiftedMonth(n, { 0: 1900, 20: 2000, 40: 2100, 60: 2200, 80: 1800 }, sexByOddMale(n[9])),
  RO: readRomanian,
  RS: readJmbg,
  SE: readSwedish,
  SI: readJmbg,
  SK: readCzech,
  UA: readUkrainian,
  ZA: (n) => buildDetails(null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), Number(n[6]) >= 5 ? 'M' : 'F'),
};

/**
 * The facts that a valid national number encodes; null if numbers of the country encode none.
 * @param compact the number as normalised by the validator
 */
export const readEncodedDetails = (country: string, compact: string): EncodedDetails | null =>
  READERS[country]?.(compact) ?? null;

/** Whether the month or day of a date is the encoded one; what either leaves open agrees. */
const partAgrees = (part: string | undefined, encoded: number | null): boolean =>
  encoded === null || part === undefined || Number(part) === encoded;

/**
 * Whether a date of birth is consistent with a number; null if the number does not encode it.
 * @param dateOfBirth of which a document may leave month or day open (`XX`)
 */
export function matchesDateOfBirth(encoded: EncodedDetails, dateOfBirth: PartialDate): boolean | null {
  if (encoded.year === null) return null;
  const [yearText, month, day] = getKnownPart(dateOfBirth).split('-');
  const year = Number(yearText);
  if ((encoded.century ? year : year % 100) !== encoded.year) return false;
  return partAgrees(month, encoded.month) && partAgrees(day, encoded.day);
}
