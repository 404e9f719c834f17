import { isRealDate } from './mrz/dates';

const MONTHS: readonly (readonly string[])[] = [
  ['JAN', 'ENE', 'GEN', 'STY', 'OCA', 'ЯНВ', 'ΙΑΝ', 'ינו', 'ينا', 'जन', 'มกร'],
  ['FEB', 'FEV', 'LUT', 'SUB', 'FÉV', 'ФЕВ', 'ΦΕΒ', 'פבר', 'فبر', 'फर', 'กุมภ'],
  ['MAR', 'MRZ', 'MÄR', 'MRT', 'MAA', 'МАР', 'ΜΑΡ', 'מרץ', 'מרס', 'مار', 'मार', 'มีน'],
  ['APR', 'AVR', 'ABR', 'KWI', 'NIS', 'АПР', 'ΑΠΡ', 'אפר', 'أبر', 'ابر', 'إبر', 'अप्र', 'เมษ'],
  ['MAY', 'MAI', 'MAJ', 'MAG', 'MEI', 'МАЙ', 'МАЯ', 'ΜΑΙ', 'ΜΑΪ', 'ΜΆΙ', 'מאי', 'ماي', 'मई', 'พฤษภ'],
  ['JUN', 'GIU', 'CZE', 'HAZ', 'JUIN', 'ИЮН', 'ΙΟΥΝ', 'ΙΟΎΝ', 'יונ', 'يون', 'जून', 'มิถ'],
  ['JUL', 'LUG', 'LIP', 'TEM', 'JUIL', 'ИЮЛ', 'ΙΟΥΛ', 'ΙΟΎΛ', 'יול', 'يول', 'जुल', 'กรก'],
  ['AUG', 'AOU', 'AGO', 'SIE', 'AOÛ', 'АВГ', 'ΑΥΓ', 'ΑΎΓ', 'אוג', 'أغس', 'اغس', 'अग', 'สิงห'],
  ['SEP', 'SET', 'WRZ', 'EYL', 'СЕН', 'ΣΕΠ', 'ספט', 'سبت', 'सित', 'กันย'],
  ['OCT', 'OKT', 'OTT', 'PAZ', 'PAŹ', 'OUT', 'EKI', 'ОКТ', 'ΟΚΤ', 'אוק', 'أكت', 'اكت', 'अक्', 'ตุล'],
  ['NOV', 'LIS', 'KAS', 'НОЯ', 'ΝΟΕ', 'נוב', 'نوف', 'नव', 'พฤศ'],
  ['DEC', 'DEZ', 'DIC', 'GRU', 'DÉC', 'ARA', 'ДЕК', 'ΔΕΚ', 'דצמ', 'ديس', 'दिस', 'ธัน'],
];

/** Hebrew dates have "in" as the first letter of the month. */
const parseMonth = (name: string): number =>
  MONTHS.findIndex((names) =>
    names.some((abbreviation) => name.startsWith(abbreviation) || name.startsWith(`ב${abbreviation}`)),
  ) + 1;

const formatRealDate = (year: number, month: number, day: number): string[] =>
  isRealDate(year, month, day) ? [`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`] : [];

/** Two-digit years stand for both centuries; the field decides which is meant. */
const listYears = (text: string): number[] =>
  text.length === 4 ? [Number(text)] : [2000 + Number(text), 1900 + Number(text)];

/**
 * A date that begins with its year, up to its day. A year that follows a digit and a separator ends another date. What
 * follows may be a time or another date, and is not part of it.
 */
const YEAR_FIRST = /(?<!\d|\d[./-])\d{4}([./-])\s?\d{1,2}\s?\1\s?\d{1,2}(?!\d)/g;

/** Order of day and month in ambiguous dates of digits: in the United States the month comes first. */
export type DateOrder = 'day-first' | 'month-first';

/**
 * Every date that a printed text may state, as YYYY-MM-DD. Ambiguous text such as 03/04/2025 returns both readings,
 * the likelier one first, and a two-digit year both centuries: the caller compares them with another source or with
 * the range of the field.
 */
export function parsePrintedDates(text: string, order: DateOrder = 'day-first'): string[] {
  const upper = text.toUpperCase();
  const found: string[] = [];
  // Otherwise the month of 2026-05-10 14:02 is a day, and the hour a year.
  const otherDates = upper.replace(YEAR_FIRST, '#');
  for (const [, a = '', b = '', year = ''] of otherDates.matchAll(
    /(?<!\d)(\d{1,2})[\s./-]{1,3}(\d{1,2})[\s./-]{1,3}(\d{4}|\d{2})(?!\d)/g,
  )) {
    for (const full of listYears(year)) {
      const dayFirst = formatRealDate(full, Number(b), Number(a));
      const monthFirst = formatRealDate(full, Number(a), Number(b));
      found.push(...(order === 'day-first' ? [...dayFirst, ...monthFirst] : [...monthFirst, ...dayFirst]));
    }
  }
  for (const [, year = '', month = '', day = ''] of upper.matchAll(
    /(?<!\d)(\d{4})[\s./-]{1,3}(\d{1,2})[\s./-]{1,3}(\d{1,2})(?!\d)/g,
  )) {
    found.push(...formatRealDate(Number(year), Number(month), Number(day)));
  }
  // 12 AUG 1974, 12 AUG/AOUT 74, 12.AUG.1974, 12TH AUGUST 1974, 12 DE AGOSTO DE 1974
  for (const [, day = '', name = '', year = ''] of otherDates.matchAll(
    /(?<!\d)(\d{1,2})(?:ST|ND|RD|TH|ER|º)?[\s./-]*(?:DE\s+|OF\s+)?([\p{L}\p{M}]{2,14})[\s./,-]*(?:(?:DE|DEL)\s+)?(?:\p{L}{3,9})?[\s./-]*(\d{4}|\d{2})(?!\d)/gu,
  )) {
    const month = parseMonth(name);
    if (month > 0) for (const full of listYears(year)) found.push(...formatRealDate(full, month, Number(day)));
  }
  // AUGUST 12, 1974
  for (const [, name = '', day = '', year = ''] of upper.matchAll(
    /(?<!\p{L})(\p{L}{3,9})\.?\s+(\d{1,2})(?:ST|ND|RD|TH)?,?\s+(\d{4})(?!\d)/gu,
  )) {
    const month = parseMonth(name);
    if (month > 0) found.push(...formatRealDate(Number(year), month, Number(day)));
  }
  // 1974年8月12日, 1974년 8월 12일
  for (const [, year = '', month = '', day = ''] of upper.matchAll(
    /(\d{4})[年년]\s*(\d{1,2})[月월]\s*(\d{1,2})[日일]/gu,
  )) {
    found.push(...formatRealDate(Number(year), Number(month), Number(day)));
  }
  return [...new Set(found)];
}

/** True for a complete date, in digits or with the name of a month, that no calendar has. */
export function isImpossibleDate(text: string): boolean {
  const upper = text.toUpperCase().trim();
  const inDigits = /^(\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})$/.test(upper);
  const inWords = /^\d{1,2}[\s./-]*(\p{L}{3,10})[\s./-]*\d{4}$/u.exec(upper);
  return (inDigits || parseMonth(inWords?.[1] ?? '?') > 0) && parsePrintedDates(upper).length === 0;
}

/**
 * True for a date with 00 for an unknown day, or for an unknown day and month, as of people without a recorded day of
 * birth. 00 for the month alone stands for the day where the month comes first.
 */
export function isUnknownDay(text: string): boolean {
  const upper = text.toUpperCase().trim();
  const inWords = /^00[\s./-]*(\p{L}{3,10})[\s./-]*\d{4}$/u.exec(upper);
  const [, a = '', b = ''] =
    /^(\d{2})[./-](\d{2})[./-]\d{4}$/.exec(upper) ?? /^\d{4}[./-](\d{2})[./-](\d{2})$/.exec(upper) ?? [];
  const isInDigits = [a, b].includes('00') && [a, b].every((part) => part !== '' && Number(part) <= 12);
  return isInDigits || parseMonth(inWords?.[1] ?? '?') > 0;
}
