import { isRealDate } from '../mrz/dates';

const MONTHS: readonly (readonly string[])[] = [
  ['JAN', 'ENE', 'GEN', 'STY', 'OCA'],
  ['FEB', 'FEV', 'LUT', 'SUB', 'FÉV'],
  ['MAR', 'MRZ', 'MÄR', 'MRT'],
  ['APR', 'AVR', 'ABR', 'KWI', 'NIS'],
  ['MAY', 'MAI', 'MAJ', 'MAG', 'MEI'],
  ['JUN', 'GIU', 'CZE', 'HAZ', 'JUIN'],
  ['JUL', 'LUG', 'LIP', 'TEM', 'JUIL'],
  ['AUG', 'AOU', 'AGO', 'SIE', 'AOÛ'],
  ['SEP', 'SET', 'WRZ', 'EYL'],
  ['OCT', 'OKT', 'OTT', 'PAZ', 'OUT', 'EKI'],
  ['NOV', 'LIS', 'KAS'],
  ['DEC', 'DEZ', 'DIC', 'GRU', 'DÉC', 'ARA'],
];

const monthOf = (name: string): number =>
  MONTHS.findIndex((names) => names.some((known) => name.startsWith(known))) + 1;

const iso = (year: number, month: number, day: number): string[] =>
  isRealDate(year, month, day) ? [`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`] : [];

/** Two-digit years stand for both centuries; which is meant depends on the field. */
const years = (text: string): number[] =>
  text.length === 4 ? [Number(text)] : [2000 + Number(text), 1900 + Number(text)];

/** Which of day and month comes first where digits alone do not tell: the United States write the month first. */
export type DateOrder = 'day-first' | 'month-first';

/**
 * Every date a printed text may state, as YYYY-MM-DD. A text such as 03/04/2025 gives both readings, the likelier first,
 * a two-digit year both centuries: the reader compares with what another source says, or with what a field allows.
 */
export function printedDates(text: string, order: DateOrder = 'day-first'): string[] {
  const upper = text.toUpperCase();
  const found: string[] = [];
  for (const [, a = '', b = '', year = ''] of upper.matchAll(
    /(?<!\d)(\d{1,2})[\s./-]{1,3}(\d{1,2})[\s./-]{1,3}(\d{4}|\d{2})(?!\d)/g,
  )) {
    for (const full of years(year)) {
      const dayFirst = iso(full, Number(b), Number(a));
      const monthFirst = iso(full, Number(a), Number(b));
      found.push(...(order === 'day-first' ? [...dayFirst, ...monthFirst] : [...monthFirst, ...dayFirst]));
    }
  }
  for (const [, year = '', month = '', day = ''] of upper.matchAll(
    /(?<!\d)(\d{4})[\s./-]{1,3}(\d{1,2})[\s./-]{1,3}(\d{1,2})(?!\d)/g,
  )) {
    found.push(...iso(Number(year), Number(month), Number(day)));
  }
  // 12 AUG 1974, 12 AUG/AOUT 74, 12.AUG.1974
  for (const [, day = '', name = '', year = ''] of upper.matchAll(
    /(?<!\d)(\d{1,2})[\s./-]*(\p{L}{3,9})[\s./-]*(?:\p{L}{3,9})?[\s./-]*(\d{4}|\d{2})(?!\d)/gu,
  )) {
    const month = monthOf(name);
    if (month > 0) for (const full of years(year)) found.push(...iso(full, month, Number(day)));
  }
  return [...new Set(found)];
}
