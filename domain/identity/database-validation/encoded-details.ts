/** What a national number says about its holder. A part that it does not encode, or not for this holder, is null. */
export interface EncodedDetails {
  /** four digits, or two where the number leaves the century open */
  year: number | null;
  century: boolean;
  month: number | null;
  day: number | null;
  sex: 'F' | 'M' | null;
}

type Reader = (number: string) => EncodedDetails | null;

const odd = (digit: string | undefined): 'F' | 'M' | null =>
  digit === undefined || !/\d/.test(digit) ? null : Number(digit) % 2 === 1 ? 'M' : 'F';
const even = (digit: string | undefined): 'F' | 'M' | null => {
  const sex = odd(digit);
  return sex === null ? null : sex === 'M' ? 'F' : 'M';
};

/** Two digits of a year, completed where the century is known. */
function details(
  century: number | null,
  yy: string,
  mm: string,
  dd: string,
  sex: EncodedDetails['sex'],
): EncodedDetails | null {
  const [year, month, day] = [Number(yy), Number(mm), Number(dd)];
  if (!(month >= 1 && month <= 12) || !(day >= 1 && day <= 31)) return sex === null ? null : unknownDate(sex);
  return { year: (century ?? 0) + year, century: century !== null, month, day, sex };
}

const unknownDate = (sex: EncodedDetails['sex']): EncodedDetails => ({
  year: null,
  century: false,
  month: null,
  day: null,
  sex,
});

const pad = (value: number): string => String(value).padStart(2, '0');

/** DDMMYYYRRSSSK with three digits of the year (the former Yugoslavia): SSS below 500 are men. */
const jmbg: Reader = (n) => {
  const year = Number(n.slice(4, 7));
  const century = year >= 800 ? 1000 : 2000;
  const sex = Number(n.slice(9, 12)) < 500 ? 'M' : 'F';
  return details(century + Math.floor(year / 100) * 100, n.slice(5, 7), n.slice(2, 4), n.slice(0, 2), sex);
};

/** GYYMMDD…: the first digit holds century and sex (Estonia, Lithuania). */
const baltic: Reader = (n) => {
  const first = Number(n[0]);
  const century = first >= 1 && first <= 8 ? 1800 + Math.floor((first - 1) / 2) * 100 : null;
  return details(century, n.slice(1, 3), n.slice(3, 5), n.slice(5, 7), odd(n[0]));
};

/** YYMMDD with 50 added to the month of women, and 20 more where a day's numbers ran out. */
const czech: Reader = (n) => {
  const month = Number(n.slice(2, 4));
  const isWoman = month > 50;
  const plain = month - (isWoman ? 50 : 0);
  return details(null, n.slice(0, 2), pad(plain > 20 ? plain - 20 : plain), n.slice(4, 6), isWoman ? 'F' : 'M');
};

/** Months in which a century is hidden: its key is what is added. */
function shiftedMonth(n: string, centuries: Readonly<Record<number, number>>, sex: EncodedDetails['sex']) {
  const month = Number(n.slice(2, 4));
  const shift = Math.floor(month / 20) * 20;
  return details(centuries[shift] ?? null, n.slice(0, 2), pad(month - shift), n.slice(4, 6), sex);
}

const FINNISH_SIGNS: Readonly<Record<string, number>> = { '+': 1800, '-': 1900 };

const finnish: Reader = (n) => {
  const sign = n[6] ?? '';
  const century = FINNISH_SIGNS[sign] ?? (/[A-F]/.test(sign) ? 2000 : /[U-Y]/.test(sign) ? 1900 : null);
  return details(century, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), odd(n[9]));
};

const swedish: Reader = (n) => {
  const digits = n.replace(/\D/g, '');
  const long = digits.length === 12;
  const short = long ? digits.slice(2) : digits;
  const century = long ? Number(digits.slice(0, 2)) * 100 : null;
  const day = Number(short.slice(4, 6));
  // Coordination numbers have 60 added to the day.
  return details(century, short.slice(0, 2), short.slice(2, 4), pad(day > 60 ? day - 60 : day), odd(short[8]));
};

const norwegian: Reader = (n) => {
  const day = Number(n.slice(0, 2));
  const month = Number(n.slice(2, 4));
  const plainDay = pad(day > 40 ? day - 40 : day);
  return details(null, n.slice(4, 6), pad(month > 40 ? month - 40 : month), plainDay, odd(n[8]));
};

const LATVIAN_CENTURIES: Readonly<Record<string, number>> = { 0: 1800, 1: 1900, 2: 2000 };

const latvian: Reader = (n) =>
  // Numbers given since 2017 begin with 32 and say nothing.
  n.startsWith('3') && Number(n.slice(0, 2)) > 31
    ? null
    : details(LATVIAN_CENTURIES[n[6] ?? ''] ?? null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), null);

const ROMANIAN_CENTURIES: Readonly<Record<string, number>> = { 1: 1900, 2: 1900, 3: 1800, 4: 1800, 5: 2000, 6: 2000 };

const romanian: Reader = (n) =>
  details(ROMANIAN_CENTURIES[n[0] ?? ''] ?? null, n.slice(1, 3), n.slice(3, 5), n.slice(5, 7), odd(n[0]));

const ITALIAN_MONTHS = 'ABCDEHLMPRST';
/** Digits that were replaced by letters because two people had the same code. */
const ITALIAN_DIGITS = 'LMNPQRSTUV';

const italian: Reader = (n) => {
  if (n.length !== 16) return null;
  const digits = (from: number, to: number): string =>
    [...n.slice(from, to)].map((c) => (ITALIAN_DIGITS.includes(c) ? String(ITALIAN_DIGITS.indexOf(c)) : c)).join('');
  const month = ITALIAN_MONTHS.indexOf(n[8] ?? '') + 1;
  const day = Number(digits(9, 11));
  return details(null, digits(6, 8), pad(month), pad(day > 40 ? day - 40 : day), day > 40 ? 'F' : 'M');
};

/** The year and month of birth; months above 12 stand for unknown ones. */
const french: Reader = (n) => {
  const month = Number(n.slice(3, 5));
  const sex = n.startsWith('1') ? 'M' : n.startsWith('2') ? 'F' : null;
  return { year: Number(n.slice(1, 3)), century: false, month: month <= 12 ? month : null, day: null, sex };
};

const belgian: Reader = (n) =>
  details(null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), odd(String(Number(n.slice(6, 9)) % 10)));

const chinese: Reader = (n) =>
  n.length === 18
    ? details(Number(n.slice(6, 8)) * 100, n.slice(8, 10), n.slice(10, 12), n.slice(12, 14), odd(n[16]))
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

const korean: Reader = (n) =>
  details(KOREAN_CENTURIES[n[6] ?? ''] ?? null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), odd(n[6]));

const mexican: Reader = (n) => {
  const sex = n[10] === 'H' ? 'M' : n[10] === 'M' ? 'F' : null;
  const century = /\d/.test(n[16] ?? '') ? 1900 : 2000;
  return n.length === 18 ? details(century, n.slice(4, 6), n.slice(6, 8), n.slice(8, 10), sex) : null;
};

const ICELANDIC_CENTURIES: Readonly<Record<string, number>> = { 8: 1800, 9: 1900, 0: 2000 };

const icelandic: Reader = (n) =>
  details(ICELANDIC_CENTURIES[n[9] ?? ''] ?? null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), null);

const DAY_MILLISECONDS = 86_400_000;

/** Days since the last of 1899. */
const ukrainian: Reader = (n) => {
  const born = new Date(Date.UTC(1899, 11, 31) + Number(n.slice(0, 5)) * DAY_MILLISECONDS);
  const sex = odd(n[8]);
  return { year: born.getUTCFullYear(), century: true, month: born.getUTCMonth() + 1, day: born.getUTCDate(), sex };
};

/** How the number of each country is read, compact, by ISO 3166-1 alpha-2. Layouts as their issuers publish them. */
const READERS: Readonly<Record<string, Reader>> = {
  AT: (n) => details(null, n.slice(8, 10), n.slice(6, 8), n.slice(4, 6), null),
  BA: jmbg,
  BE: belgian,
  BG: (n) => shiftedMonth(n, { 0: 1900, 20: 1800, 40: 2000 }, even(n[8])),
  CN: chinese,
  CZ: czech,
  DK: (n) => details(null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), odd(n[9])),
  EE: baltic,
  FI: finnish,
  FR: french,
  GR: (n) => details(null, n.slice(4, 6), n.slice(2, 4), n.slice(0, 2), odd(n[9])),
  IS: icelandic,
  IT: italian,
  KR: korean,
  LT: baltic,
  LV: latvian,
  ME: jmbg,
  MK: jmbg,
  MX: mexican,
  MY: (n) => details(null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), odd(n[11])),
  NO: norwegian,
  PL: (n) => shiftedMonth(n, { 0: 1900, 20: 2000, 40: 2100, 60: 2200, 80: 1800 }, odd(n[9])),
  RO: romanian,
  RS: jmbg,
  SE: swedish,
  SI: jmbg,
  SK: czech,
  UA: ukrainian,
  ZA: (n) => details(null, n.slice(0, 2), n.slice(2, 4), n.slice(4, 6), Number(n[6]) >= 5 ? 'M' : 'F'),
};

/**
 * What a valid national number says about its holder; null where the country's numbers say nothing.
 * @param compact as the validator gives it
 */
export const encodedDetails = (country: string, compact: string): EncodedDetails | null =>
  READERS[country]?.(compact) ?? null;

/** Whether a date of birth can be that of a number; null where the number does not say. */
export function agreesWithDate(encoded: EncodedDetails, dateOfBirth: string): boolean | null {
  if (encoded.year === null) return null;
  const year = Number(dateOfBirth.slice(0, 4));
  if ((encoded.century ? year : year % 100) !== encoded.year) return false;
  if (encoded.month !== null && Number(dateOfBirth.slice(5, 7)) !== encoded.month) return false;
  return encoded.day === null || Number(dateOfBirth.slice(8, 10)) === encoded.day;
}
