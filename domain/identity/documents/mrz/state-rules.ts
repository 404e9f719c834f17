import type { MrzFormat } from './format';

/** How the document numbers of a state are formed, beyond the general rules of ICAO Doc 9303. */
export interface NumberRule {
  /** code of the state as printed, fillers removed */
  state: string;
  formats: readonly MrzFormat[];
  /** the document number as parsed */
  pattern: RegExp;
  description: string;
}

const PASSPORT: readonly MrzFormat[] = ['TD3'];
const CARD: readonly MrzFormat[] = ['TD1'];
const ANY: readonly MrzFormat[] = ['TD1', 'TD2', 'TD3'];

/**
 * Numbers of states whose form distinguishes O from 0 and other letters from digits. A rule only chooses between characters
 * that are about equally likely: specimens and older documents have other numbers.
 */
export const NUMBER_RULES: readonly NumberRule[] = [
  {
    state: 'D',
    formats: ANY,
    pattern: /^[0-9CFGHJKLMNPRTVWXYZ]{9}$/,
    description: 'Germany: digits and consonants without B, D, Q and S, so neither O nor I',
  },
  {
    state: 'NLD',
    formats: ANY,
    pattern: /^[A-NP-Z]{2}[A-NP-Z0-9]{6}[0-9]$/,
    description: 'Netherlands: two letters, six letters or digits, a digit; the letter O is not used',
  },
  {
    state: 'IDFRA',
    formats: ['IDFRA'],
    pattern: /^\d{4}(?:\d{2}|2[AB])\d{6}$/,
    description: 'France, card of 1988 to 2021: year and month of issue, department (2A and 2B in Corsica), six digits',
  },
  { state: 'GBR', formats: PASSPORT, pattern: /^\d{9}$/, description: 'United Kingdom: nine digits' },
  {
    state: 'USA',
    formats: PASSPORT,
    pattern: /^[A-Z0-9]\d{8}$/,
    description: 'United States: a letter or digit, eight digits',
  },
  { state: 'IND', formats: PASSPORT, pattern: /^[A-Z]\d{7}$/, description: 'India: a letter, seven digits' },
  { state: 'JPN', formats: PASSPORT, pattern: /^[A-Z]{2}\d{7}$/, description: 'Japan: two letters, seven digits' },
  { state: 'POL', formats: PASSPORT, pattern: /^[A-Z]{2}\d{7}$/, description: 'Poland: two letters, seven digits' },
  { state: 'POL', formats: CARD, pattern: /^[A-Z]{3}\d{6}$/, description: 'Poland: three letters, six digits' },
  { state: 'ESP', formats: CARD, pattern: /^[A-Z]{3}\d{6}$/, description: 'Spain: three letters, six digits' },
  { state: 'ITA', formats: PASSPORT, pattern: /^[A-Z]{2}\d{7}$/, description: 'Italy: two letters, seven digits' },
  {
    state: 'ITA',
    formats: CARD,
    pattern: /^[A-Z]{2}\d{5}[A-Z]{2}$/,
    description: 'Italy: two letters, five digits, two letters',
  },
];

/** Whether a document number has the form that its state uses; null if no rule is known. */
export function matchesNumberRule(format: MrzFormat, state: string | null, number: string | null): boolean | null {
  const key = format === 'IDFRA' ? 'IDFRA' : state;
  const rule = NUMBER_RULES.find((each) => each.state === key && each.formats.includes(format));
  return rule === undefined ? null : number !== null && rule.pattern.test(number);
}
