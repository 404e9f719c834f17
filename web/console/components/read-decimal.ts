/** How a language writes numbers. */
export interface Separators {
  decimal: '.' | ',';
  group: '.' | ',';
}

/** The separators of a language. Only the point and the comma can be typed; languages whose groups are spaces have the other. */
export function getSeparators(language: string): Separators {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  const isComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  return isComma ? { decimal: ',', group: '.' } : { decimal: '.', group: ',' };
}

/** What is typed or pasted without currencies, units, spaces and apostrophes. */
const clean = (text: string): string => text.replaceAll('−', '-').replaceAll(/[^\d.,-]/g, '');

/** One separator, which can be either. */
const SINGLE = /^(-?)(\d*)([.,])(\d*)$/;
/** Groups of three digits; the last one may not be complete yet. */
const GROUPS = /^-?\d{1,3}([.,])(?:\d{3}\1)+\d{0,3}$/;
/** Groups of three digits and decimals, whose separator is the other one. */
const GROUPS_AND_DECIMALS = /^(-?\d{1,3}([.,])\d{3}(?:\2\d{3})*)(?!\2)[.,](\d*)$/;
/** The digits before a single separator of groups. */
const FIRST_GROUP = /^[1-9]\d{0,2}$/;

const removeSeparators = (text: string): string => text.replaceAll(/[.,]/g, '');

/**
 * Reads a number as it is typed or pasted. Both separators can be decimal separators, because keyboards have one on the
 * block of digits whatever the language is: one that is followed by another was a separator of groups (`1,234.56`), and one
 * that stands alone is so if the language groups by it and three digits follow (`1,234` in English, not `12,5`).
 *
 * @returns the number with a point (`1234.56`), without digits `''`; null if the text is not the beginning of a number
 */
export function readDecimal(text: string, { group }: Separators): string | null {
  const typed = clean(text);
  if (/^-?\d*$/.test(typed)) return /\d/.test(typed) ? typed : '';
  const single = SINGLE.exec(typed);
  if (single !== null) {
    const [, sign = '', whole = '', separator, decimals = ''] = single;
    if (separator === group && decimals.length === 3 && FIRST_GROUP.test(whole)) return sign + whole + decimals;
    if (whole === '' && decimals === '') return '';
    return `${sign}${whole || '0'}${decimals === '' ? '' : `.${decimals}`}`;
  }
  if (GROUPS.test(typed)) return removeSeparators(typed);
  const both = GROUPS_AND_DECIMALS.exec(typed);
  if (both === null) return null;
  const [, whole = '', , decimals = ''] = both;
  return removeSeparators(whole) + (decimals === '' ? '' : `.${decimals}`);
}
