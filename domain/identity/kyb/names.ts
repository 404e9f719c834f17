import { scoreNames } from '../aml/name-score';
import { prepareName } from '../aml/names';
import type { PreparedName } from '../aml/names';
import { differByOneLetter } from './typos';

/** Letters that Unicode decomposition does not reduce to plain ones. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i' };

/** Lower case without diacritics: names that differ only in these are equal. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøđłæœþı]/g, (letter) => PLAIN[letter] ?? letter);

const joinTokens = ({ tokens }: Pick<PreparedName, 'tokens'>): string => tokens.map(({ text }) => text).join(' ');

/** Lookup keys of a company name. */
export interface CompanyNameKeys {
  /** Normalised words without the legal form, joined by spaces: equal for equal names. */
  key: string;
  /** Phonetic keys of the distinctive words; of common words only if there are no others. */
  words: string[];
}

/** Builds the lookup keys of a company name in any script. */
export function buildCompanyNameKeys(name: string): CompanyNameKeys {
  const { tokens } = prepareName(name, 'organisation');
  if (tokens.length === 0) return { key: foldName(name).trim(), words: [] };
  const significant = tokens.filter(({ kind }) => kind === 'word');
  const words = (significant.length === 0 ? tokens : significant).map(({ sound }) => sound);
  return { key: joinTokens({ tokens }), words: [...new Set(words)] };
}

/**
 * Points deducted from 100 for a different kind of legal form (`Ltd`, `plc`): such a company is listed, but never
 * selected by its name alone. Watch-list screening weighs legal forms differently, because a listed company may change
 * its form.
 */
const OTHER_FORM_PENALTY = 15;

/** Score of names that differ by one mistyped letter: such a company is listed, but never selected by its name alone. */
const MISTYPED_SCORE = 88;

const withoutLegalForm = (name: PreparedName): PreparedName => ({ ...name, legalForm: null });

/** Similarity of two company names, 0–100, by the name scoring of domain/identity/aml; symmetrical. */
export function computeCompanyNameScore(a: string, b: string): number {
  if (foldName(a) === foldName(b)) return 100;
  const left = prepareName(a, 'organisation');
  const right = prepareName(b, 'organisation');
  if (left.tokens.length === 0 || right.tokens.length === 0) return 0;
  const { legalFormsDiffer } = scoreNames(left, right);
  const [x, y] = [withoutLegalForm(left), withoutLegalForm(right)];
  const similarity = Math.max(scoreNames(x, y).score, scoreNames(y, x).score);
  const mistyped = differByOneLetter(joinTokens(left), joinTokens(right)) ? MISTYPED_SCORE : 0;
  return Math.max(0, Math.max(Math.round(100 * similarity), mistyped) - (legalFormsDiffer ? OTHER_FORM_PENALTY : 0));
}
